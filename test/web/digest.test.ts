import { afterAll, beforeAll, expect, test } from 'bun:test';
import { UnsubscribeTokens } from '../../src/features/answers/feed/digest.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser({ env: { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'lotbook@example.com' } });
});
afterAll(() => site.close());

test('a user chooses a digest among the notifications, and stops it by its link without a session', async () => {
  const who = await site.app.register();
  await site.app.books.asOwner((sql) => sql`update users set email_verified_at = now()`);
  const fetchDigest = async () => (await who.json<{ digest: string }>('GET', '/v1/notifications/settings')).digest;
  const visit = await site.visit('/notifications', { as: who });
  await visit.page.getByText('Choose notifications and emails').click();
  await visit.page.getByLabel('Email digest').selectOption('On Mondays');
  await visit.page.getByText('Emails turned on.').waitFor();
  expect(await fetchDigest()).toBe('weekly');
  await visit.expectAccessible();
  await visit.close();

  const [digest] = await site.app.books.asOwner(
    (sql) => sql<{ taxpayerId: string; userId: string }[]>`
      select taxpayer_id as "taxpayerId", user_id as "userId" from digests`,
  );
  if (digest === undefined) throw new Error('Nothing was chosen.');
  const reader = await site.visit(`/unsubscribe#${await new UnsubscribeTokens(site.app.deps).make(digest)}`);
  expect(await fetchDigest()).toBe('weekly');
  await reader.page.getByRole('button', { name: 'Stop these emails' }).click();
  await reader.page.getByRole('heading', { name: "You won't get these emails anymore" }).waitFor();
  expect(await fetchDigest()).toBe('off');
  await reader.expectAccessible();
  await reader.close();
});
