import { afterAll, beforeAll, expect, test } from 'bun:test';
import { unzipped } from '../forms/unzip.ts';
import type { TestClient } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let site: Site;
let [cpa, ann] = [] as unknown as readonly [TestClient, TestClient];
beforeAll(async () => {
  site = await siteWithBrowser({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'lotbook@example.com' } });
  [cpa, ann] = [await site.app.register('CPA'), await site.app.register()];
  await importCsv(ann, trades);
  await ann.json('PATCH', '/v1/account', { body: { name: 'Ann Fields', taxpayerName: 'Ann Fields' } });
});
afterAll(() => site.close());

const trades = `date,type,account,asset,quantity,amount,fee
2023-01-10,buy,Broker,KO,100,5000,0
2024-06-03,sell,Broker,KO,40,2600,0
`;

test('a viewer, and a CPA with a smaller plan, can read and download but not change anything', async () => {
  const jo = await site.app.register();
  await importCsv(jo, trades);
  await grantAccess(site.app, cpa, jo, 'viewer');
  const { data } = await cpa.json<{ data: { id: string }[] }>('GET', '/v1/clients');
  const visit = await site.visit(`/transactions?client=${data[0]?.id}`, { as: cpa });
  const { page } = visit;
  await page.getByText("You're viewing this client's account as viewer").waitFor();
  await page.getByRole('link', { name: 'Export all as CSV' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Import' }).first().click();
  await page.getByText('Read-only: your role here is viewer.').waitFor();
  await page.getByRole('link', { name: 'Forms' }).first().click();
  await page.getByText('Only a reviewer can lock or unlock a year. Your role is viewer.').waitFor();
  expect(await page.getByRole('button', { name: 'Mark as prepared' }).count()).toBe(0);
  await visit.expectAccessible();
  await jo.json('DELETE', `/v1/account/grants/${(await fetchGrants(jo))[0]?.id}`);
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Bob Meadows' } }, 201);
  await site.app.books.asOwner((sql) => sql`update users set plan = 'PRO' where email = ${cpa.email}`);
  await page.goto(new URL('/clients', site.url).href);
  await page.getByText('Your plan allows fewer clients than you have.').waitFor();
  await visit.expectAccessible();
  await page.getByRole('link', { name: 'Bob Meadows' }).click();
  await page.getByText('To change them, upgrade your plan.').waitFor();
  await site.app.books.asOwner((sql) => sql`update users set plan = 'CPA' where email = ${cpa.email}`);
  await cpa.json('DELETE', `/v1/clients/${id}`);
  await visit.close();
});

const fetchGrants = async (who: TestClient) =>
  (await who.json<{ data: { id: string }[] }>('GET', '/v1/account/grants')).data;

test('a CPA invites a client, who consents; the CPA prepares, notes, reviews and signs off; the client ends the access', async () => {
  const mine = await site.visit('/clients', { as: cpa, expectedErrors: [/404/] });
  const { page } = mine;
  await page.getByRole('button', { name: 'Invite a client' }).click();
  await page.getByLabel("Client's email").fill(ann.email);
  await page.getByLabel('Role').selectOption('Reviewer');
  await mine.expectAccessible();
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await page.getByRole('link', { name: `You requested access from ${ann.email}` }).waitFor();

  // Opens the emailed link in a browser without a session.
  const { text } = (await site.app.mails()).findLast(({ to }) => to === ann.email) ?? { text: '' };
  const link = /https?:\S+\/invitations\/\S+/.exec(text)?.[0] ?? '';
  const hers = await site.visit(new URL(link).pathname + new URL(link).hash);
  const her = hers.page;
  await her.getByLabel('Email').fill(ann.email);
  await her.getByLabel('Password').fill(ann.password);
  await her.getByRole('button', { name: 'Sign in', exact: true }).click();
  await her.getByRole('heading', { name: 'A CPA requested access' }).waitFor();
  await her.getByText(cpa.email).waitFor();
  await hers.expectAccessible();
  await her.getByRole('button', { name: 'Give access' }).click();
  const grants = her.getByRole('region', { name: 'Shared access' });
  await grants.getByText(cpa.email, { exact: true }).waitFor();
  await hers.expectAccessible();
  await grants.getByLabel(`Role of ${cpa.email}`).selectOption('Viewer');
  await her.getByText(`${cpa.email} now has the role Viewer.`).waitFor();
  await grants.getByText('Viewer: can see everything').waitFor();
  await her.getByRole('button', { name: 'Undo' }).click();
  await grants.getByText('Reviewer: can do everything a preparer').waitFor();

  await page.reload();
  const row = page.getByRole('row', { name: /Ann Fields/ });
  await row.getByText('Open', { exact: true }).waitFor();
  await row.getByText('your role: reviewer').waitFor();
  await mine.expectAccessible();
  await page.getByRole('button', { name: 'Generate forms' }).click();
  await page.getByText('1 client calculated').waitFor();
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as one ZIP' }).click(),
  ]);
  expect(Object.keys(unzipped(await Bun.file(await zip.path()).bytes()))).toEqual(['Ann Fields/form-8949-2024.pdf']);

  await row.getByRole('link', { name: 'Ann Fields' }).click();
  await page.getByRole('status').filter({ hasText: 'as reviewer' }).waitFor();
  const review = page.getByRole('region', { name: 'Review of 2024' });
  await review.getByRole('button', { name: 'Mark as prepared' }).click();
  await page.getByText('2024 is prepared.').waitFor();
  await page
    .getByRole('link', { name: '1 entry' })
    .or(page.getByRole('link', { name: /\$600\.00/ }))
    .first()
    .click();
  await page.getByRole('link', { name: '40 KO' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Viewing Ann Fields').waitFor();
  await drawer.getByLabel('Note for this entry').fill('Where is the statement of this sale?');
  await drawer.getByRole('button', { name: 'Add note' }).click();
  await drawer.getByText('Where is the statement of this sale?').first().waitFor();
  await mine.expectAccessible();

  // The client's own year shows the note and the review status, and she resolves the note.
  await her.goto(new URL('/overview?year=2024', site.url).href);
  const notes = her.getByRole('region', { name: 'Notes' });
  await notes.getByRole('link', { name: '40 KO, Jun 3, 2024' }).waitFor();
  await notes.getByRole('button', { name: 'Resolve' }).click();
  await notes.getByText(`Resolved by ${ann.email}`).waitFor();
  await her.getByRole('region', { name: 'Review of 2024' }).getByText(`By ${cpa.email}`).first().waitFor();
  await hers.expectAccessible();

  await page.goto(page.url().replace(/\/forms.*(client=[^&]+).*/, '/forms?year=2024&$1'));
  await review.getByRole('button', { name: 'Mark as reviewed' }).click();
  await review.getByRole('button', { name: 'Sign off and lock' }).click();
  await review.getByText('The year is locked.').waitFor();
  await page.getByText('2024 has been locked since').waitFor();
  await mine.expectAccessible();

  await her.goto(new URL('/account/access', site.url).href);
  await grants.getByRole('button', { name: `Remove access for ${cpa.email}` }).click();
  await grants.getByText('Only you.').waitFor();
  await page.reload();
  await page.getByRole('status').filter({ hasText: 'Unknown client' }).waitFor();
  await page.goto(new URL('/clients', site.url).href);
  await page.getByText('No clients yet').waitFor();
  // The sign-off remains.
  expect(await ann.json('GET', '/v1/tax/years/2024/review')).toMatchObject({ state: 'signed_off', locked: true });
  await hers.close();
  await mine.close();
});

test('a CPA offers the books to the client, and the client takes them over', async () => {
  const [other, bea] = [await site.app.register('CPA'), await site.app.register()];
  const { id } = await other.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Bea Young' } }, 201);
  await importCsv(other, trades, `?client=${id}`);
  const mine = await site.visit('/clients', { as: other });
  await mine.page.getByLabel('Actions for Bea Young').click();
  await mine.page.getByRole('button', { name: 'Make the client the owner: Bea Young' }).click();
  await mine.page.getByLabel("Client's email").fill(bea.email);
  await mine.page.getByLabel('Role you keep').selectOption('Viewer');
  await mine.page.getByRole('button', { name: 'Send invitation' }).click();
  await mine.page.getByRole('link', { name: `You offered ${bea.email} ownership of Bea Young` }).waitFor();
  const { text } = (await site.app.mails()).findLast(({ to }) => to === bea.email) ?? { text: '' };
  const link = /https?:\S+\/invitations\/\S+/.exec(text)?.[0] ?? '';
  const hers = await site.visit(new URL(link).pathname + new URL(link).hash, { as: bea });
  await hers.page.getByRole('heading', { name: 'Your CPA is giving you your account' }).waitFor();
  await hers.expectAccessible();
  await hers.page.getByRole('button', { name: 'Take over the account' }).click();
  await hers.page.getByText('$600.00').first().waitFor();
  await mine.page.reload();
  await mine.page.getByText('your role: viewer').waitFor();
  await hers.close();
  await mine.close();
});
