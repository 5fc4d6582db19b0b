import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { stripeBilling } from '../../src/features/people/billing/stripe.ts';
import { letTimePass, sessionCookie, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll } from '../support/books.ts';
import { eraseNow } from '../support/erasure.ts';
import { type StripeStandIn, startStripe } from '../support/stripe.ts';

let stripe: StripeStandIn;
let app: TestApp;
beforeAll(async () => {
  stripe = startStripe();
  app = await testApp({ billing: stripeBilling(stripe.billing) });
});
afterAll(async () => {
  await app.close();
  stripe.close();
});

interface Billing {
  readonly plan: string;
  readonly standing: string | null;
  readonly renewsAt: string | null;
  readonly endsAt: string | null;
}

let sent = 0;

/** Sends a Stripe event for a customer. */
function send(customer: string, userId: string | null, kind = 'customer.subscription.updated', id?: string) {
  sent += 1;
  const data = kind.startsWith('checkout')
    ? { object: 'checkout.session', customer, client_reference_id: userId }
    : { object: 'subscription', customer, metadata: userId === null ? {} : { user: userId } };
  const event = { id: id ?? `evt_${sent}`, object: 'event', type: kind, data: { object: data } };
  return app.request('POST', '/v1/billing/webhook', stripe.message(event));
}

function checkoutOf(object: object) {
  return { id: 'evt_checkout', object: 'event', type: 'checkout.session.completed', data: { object } };
}

async function fetchId(client: TestClient): Promise<string> {
  return (await client.json<{ id: string }>('GET', '/v1/account')).id;
}

function fetchPlan(client: TestClient): Promise<Billing> {
  return client.json<Billing>('GET', '/v1/billing');
}

describe('a plan', () => {
  test('is bought on the Stripe page, and starts once Stripe confirms it', async () => {
    const client = await app.register();
    const id = await fetchId(client);
    const { url } = await client.json<{ url: string }>('POST', '/v1/billing/checkout', { body: { plan: 'PRO' } });
    expect(url).toBe(`${stripe.billing.apiUrl}/pay/0`);
    const { body } = stripe.asked.at(-1) ?? {};
    expect(body?.get('client_reference_id')).toBe(id);
    expect(body?.get('customer_email')).toBe(client.email);
    expect(body?.get('line_items[0][price_data][unit_amount]')).toBe('4900');
    expect(body?.get('line_items[0][price_data][recurring][interval]')).toBe('month');
    expect(body?.get('success_url')).toBe('http://localhost:3000/account/plan?checkout=done');
    expect(await fetchPlan(client)).toEqual({ plan: 'FREE', standing: null, renewsAt: null, endsAt: null });
    stripe.setSubscription('cus_1', { status: 'active', plan: 'PRO' });
    expect((await send('cus_1', id, 'checkout.session.completed')).status).toBe(204);
    expect(await fetchPlan(client)).toEqual({
      plan: 'PRO',
      standing: 'paid',
      renewsAt: '2027-01-01T00:00:00.000Z',
      endsAt: null,
    });
    const [entry] = await fetchAll<{ action: string; actor: string }>(client, '/v1/account/audit');
    expect(entry).toMatchObject({ action: 'plan_changed', actor: 'anyone' });
    const [note] = await fetchAll<{ kind: string; title: string }>(client, '/v1/notifications');
    expect(note).toMatchObject({ kind: 'plan_changed', title: 'You now have the PRO plan' });
    expect((await client.request('POST', '/v1/billing/checkout', { body: { plan: 'CPA' } })).status).toBe(409);
    expect(await client.json('POST', '/v1/billing/portal')).toEqual({ url: 'https://billing.stripe.example/p' });
  });

  test('cannot be bought if the operator has set another one', async () => {
    const client = await app.register('PRO');
    const before = stripe.asked.length;
    for (const plan of ['PRO', 'CPA']) {
      const response = await client.request('POST', '/v1/billing/checkout', { body: { plan } });
      expect([response.status, await response.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'conflict', detail: expect.stringContaining('set your plan to PRO') }),
      ]);
    }
    expect(stripe.asked).toHaveLength(before);
  });

  test('continues while a payment is due, ends with the subscription, and can be bought again', async () => {
    const client = await app.register();
    const id = await fetchId(client);
    stripe.setSubscription('cus_2', { status: 'active', plan: 'CPA' });
    await send('cus_2', id);
    stripe.setSubscription('cus_2', { status: 'past_due', plan: 'CPA' });
    await send('cus_2', id);
    expect(await fetchPlan(client)).toMatchObject({ plan: 'CPA', standing: 'payment_due' });
    stripe.setSubscription('cus_2', { status: 'active', plan: 'CPA', cancelAtPeriodEnd: true });
    await send('cus_2', id);
    expect(await fetchPlan(client)).toMatchObject({ plan: 'CPA', renewsAt: null, endsAt: '2027-01-01T00:00:00.000Z' });
    stripe.setSubscription('cus_2', { status: 'canceled', plan: 'CPA' });
    await send('cus_2', id, 'customer.subscription.deleted');
    expect(await fetchPlan(client)).toMatchObject({ plan: 'FREE', standing: 'ended', renewsAt: null, endsAt: null });
    const titles = (await fetchAll<{ title: string }>(client, '/v1/notifications')).map(({ title }) => title);
    expect(titles).toEqual(['Your CPA plan has ended', 'Your payment failed', 'You now have the CPA plan']);
    // A returning customer keeps their id.
    await client.json('POST', '/v1/billing/checkout', { body: { plan: 'PRO' } });
    expect(stripe.asked.at(-1)?.body.get('customer')).toBe('cus_2');
  });

  test('follows the current state at Stripe, also for late, repeated and concurrent events', async () => {
    const client = await app.register();
    const id = await fetchId(client);
    stripe.setSubscription('cus_3', { status: 'active', plan: 'PRO' });
    // The event about the end of an older subscription arrives after the new one was bought.
    await send('cus_3', id, 'customer.subscription.created');
    await send('cus_3', id, 'customer.subscription.deleted');
    expect(await fetchPlan(client)).toMatchObject({ plan: 'PRO', standing: 'paid' });
    const asked = stripe.asked.length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => send('cus_3', id, 'customer.subscription.updated', 'evt_same')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(204));
    expect(stripe.asked.length - asked).toBe(1);
  });
});

describe('an event', () => {
  test('an invalid or old signature changes nothing', async () => {
    const client = await app.register();
    const id = await fetchId(client);
    stripe.setSubscription('cus_4', { status: 'active', plan: 'CPA' });
    const event = {
      id: 'evt_forged',
      object: 'event',
      type: 'customer.subscription.updated',
      data: { object: { customer: 'cus_4', metadata: { user: id } } },
    };
    const good = stripe.message(event);
    const old = stripe.message(event, Math.floor(Date.now() / 1000) - 3_600);
    const forged = { ...good, body: good.body.replace('cus_4', 'cus_5') };
    for (const given of [forged, old, { body: good.body }]) {
      expect((await app.request('POST', '/v1/billing/webhook', given)).status).toBe(400);
    }
    expect(await fetchPlan(client)).toMatchObject({ plan: 'FREE' });
  });

  test('is accepted on a retry after Stripe could not be reached', async () => {
    const client = await app.register();
    const id = await fetchId(client);
    stripe.setSubscription('cus_6', { status: 'active', plan: 'PRO' });
    stripe.fail(3);
    expect((await send('cus_6', id, 'customer.subscription.updated', 'evt_again')).status).toBe(503);
    expect(await fetchPlan(client)).toMatchObject({ plan: 'FREE' });
    expect((await send('cus_6', id, 'customer.subscription.updated', 'evt_again')).status).toBe(204);
    expect(await fetchPlan(client)).toMatchObject({ plan: 'PRO' });
  });

  test.each([
    ['without a type', { id: 'evt_odd' }],
    ['that is not an object', null],
    ['that is a list', []],
    ['with an id that is a number', { id: 7, type: 'customer.subscription.updated', data: { object: {} } }],
    ['without data', { id: 'evt_odd', type: 'customer.subscription.updated' }],
    ['whose object is null', { id: 'evt_odd', type: 'checkout.session.completed', data: { object: null } }],
    ['whose customer is missing', { id: 'evt_odd', type: 'customer.subscription.updated', data: { object: {} } }],
    ['whose customer has a NUL', checkoutOf({ customer: 'cus_\u0000', client_reference_id: null })],
    ['whose id has a NUL', { ...checkoutOf({ customer: 'cus_9', client_reference_id: null }), id: 'evt_\u0000' }],
    ['of another API version', { id: 'evt_odd', object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found' }],
    ['whose reference is of another product', checkoutOf({ customer: 'cus_9', client_reference_id: 'order 17' })],
    ['whose reference is a number', checkoutOf({ customer: 'cus_9', client_reference_id: 17 })],
  ])('%s is accepted and changes nothing', async (_name, event) => {
    const client = await app.register();
    stripe.setSubscription('cus_9', { status: 'active', plan: 'PRO' });
    const response = await app.request('POST', '/v1/billing/webhook', stripe.message(event));
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(await fetchPlan(client)).toMatchObject({ plan: 'FREE', standing: null });
  });

  test('an event for an unknown user or of another type is accepted and changes nothing', async () => {
    expect((await send('cus_7', crypto.randomUUID())).status).toBe(204);
    expect((await send('cus_7', null, 'invoice.paid')).status).toBe(204);
  });
});

test('deleting the account cancels the renewal or fails, and the erasure deletes the customer', async () => {
  const client = await app.register();
  stripe.setSubscription('cus_8', { status: 'active', plan: 'PRO' });
  await send('cus_8', await fetchId(client));
  const { email, password } = client;
  const remove = () => client.request('DELETE', '/v1/account', { body: { password } });
  stripe.fail(3);
  expect((await remove()).status).toBe(503);
  expect(await fetchPlan(client)).toMatchObject({ plan: 'PRO' });
  expect((await remove()).status).toBe(204);
  expect(stripe.asked.at(-1)).toMatchObject({ method: 'POST', path: '/v1/subscriptions/sub_cus_8' });
  expect(stripe.asked.at(-1)?.body.get('cancel_at_period_end')).toBe('true');
  expect((await client.request('GET', '/v1/account')).status).toBe(401);

  // Canceling the deletion resumes the renewal.
  const again = await app.request('POST', '/v1/auth/login', { body: { email, password, restore: true } });
  expect(again.status).toBe(200);
  expect(stripe.asked.at(-1)?.body.get('cancel_at_period_end')).toBe('false');

  const cookie = sessionCookie(again);
  expect((await app.request('DELETE', '/v1/account', { body: { password }, cookie })).status).toBe(204);
  // This subscription was bought on a Stripe page that had stayed open. It is not renewed either.
  stripe.setSubscription('cus_8', { status: 'active', plan: 'CPA' });
  await send('cus_8', null);
  expect(stripe.asked.at(-1)?.body.get('cancel_at_period_end')).toBe('true');
  await letTimePass(app, 15 * 86_400);
  stripe.fail(3);
  await eraseNow(app);
  const left = () => app.books.asOwner((sql) => sql`select 1 from subscriptions where customer = 'cus_8'`);
  expect((await left()).length).toBe(1);
  await eraseNow(app);
  expect(stripe.asked.at(-1)).toMatchObject({ method: 'DELETE', path: '/v1/customers/cus_8' });
  expect((await left()).length).toBe(0);
});

test('a customer that Stripe deleted before the server was killed does not block the erasure', async () => {
  const client = await app.register();
  stripe.setSubscription('cus_9', { status: 'active', plan: 'PRO' });
  await send('cus_9', await fetchId(client));
  await client.request('DELETE', '/v1/account', { body: { password: client.password } });
  stripe.forget('cus_9');
  await letTimePass(app, 15 * 86_400);
  await eraseNow(app);
  const rows = await app.books.asOwner((sql) => sql`select 1 from account_deletions where email = ${client.email}`);
  expect(rows.length).toBe(0);
});

test('a server without Stripe returns an error, and still returns the plan', async () => {
  const plain = await testApp();
  try {
    const client = await plain.register('PRO');
    for (const path of ['checkout', 'portal', 'webhook']) {
      const body = path === 'checkout' ? { plan: 'PRO' } : undefined;
      const response = await client.request('POST', `/v1/billing/${path}`, { body });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ code: 'billing_unconfigured' });
    }
    expect(await client.json('GET', '/v1/billing')).toMatchObject({ plan: 'PRO', standing: null });
  } finally {
    await plain.close();
  }
});
