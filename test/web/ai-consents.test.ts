import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { AssistantPort } from '../../src/deps.ts';
import { grantAccess } from '../support/grants.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

const assistant: AssistantPort = {
  service: 'ai.example',
  async *answer() {
    yield 'An answer of the service.';
  },
};

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser({ assistant });
});
afterAll(() => site.close());

test.each([
  { name: 'light', width: 1280, dark: false },
  { name: 'dark', width: 1280, dark: true },
  { name: 'phone', width: 360, dark: false },
])('an owner consents for a CPA by name and revokes it, $name', async ({ width, dark }) => {
  const [cpa, owner] = [await site.app.register('CPA'), await site.app.register('PRO')];
  await grantAccess(site.app, cpa, owner, 'reviewer');
  const visit = await site.visit('/account/access', { as: owner, width, dark });
  const { page } = visit;
  const card = page.getByRole('region', { name: 'Consent to the AI service' });
  await card.getByRole('button', { name: 'Consent for a CPA' }).click();
  await page.getByText('Federal law requires this consent form be provided to you.').waitFor();
  await visit.expectAccessible();
  if (width === 360) await visit.expectPhoneFit();
  await page.getByLabel('Your full name, as your signature').fill('Ann Doe');
  await page.getByRole('button', { name: 'I consent' }).click();
  await card.getByText('Signed by Ann Doe on').waitFor();
  await card.getByRole('button', { name: `Revoke consent for ${cpa.email}` }).click();
  await card.getByText('Revoked.').waitFor();
  await visit.expectAccessible();
  await visit.close();
});

test("a CPA records the signed consent of a client without an account on the assistant's page", async () => {
  const cpa = await site.app.register('CPA');
  const body = { name: 'Bob Roe', timeZone: 'America/New_York' };
  const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body }, 201);
  const visit = await site.visit(`/assistant?client=${id}`, { as: cpa });
  const { page } = visit;
  await page.getByRole('button', { name: 'Record a signed consent' }).click();
  await page.getByLabel("Signer's name").fill('Bob Roe');
  await page.getByLabel('Signed on').fill(new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Record consent' }).click();
  await page.getByText('Signed on paper by Bob Roe on').waitFor();
  await visit.expectAccessible();
  expect((await cpa.json<{ data: unknown[] }>('GET', `/v1/ai/consents?client=${id}`)).data).toHaveLength(1);
  await visit.close();
});
