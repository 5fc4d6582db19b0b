import { afterAll, beforeAll, expect, test } from 'bun:test';
import { stripeBilling } from '../../src/features/people/billing/stripe.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { type StripeStandIn, startStripe } from '../support/stripe.ts';

let stripe: StripeStandIn;
let site: Site;
beforeAll(async () => {
  stripe = startStripe();
  site = await siteWithBrowser({ billing: stripeBilling(stripe.billing) });
});
afterAll(async () => {
  await site.close();
  stripe.close();
});

test("a user buys and cancels a plan on Stripe's pages", async () => {
  const who = await site.app.register();
  const { host } = new URL(stripe.billing.apiUrl);
  const visit = await site.visit('/account/plan', { as: who, expectedHosts: [host] });
  const { page } = visit;
  await page.getByRole('button', { name: 'Buy CPA' }).waitFor();
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Buy PRO' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByText('Thank you.').waitFor();
  await page.getByText('Next payment:').waitFor();
  await page.getByRole('heading', { name: 'PRO plan' }).waitFor();
  await visit.expectAccessible();
  await page.getByRole('button', { name: 'Change or cancel' }).waitFor();
  await visit.close();
});

test('a plan that the operator set is not offered for sale', async () => {
  const who = await site.app.register('PRO');
  const visit = await site.visit('/account/plan', { as: who });
  await visit.page.getByText("You have the PRO plan, assigned by this server's administrator").waitFor();
  expect(await visit.page.getByRole('button', { name: /^Buy/ }).count()).toBe(0);
  await visit.close();
});
