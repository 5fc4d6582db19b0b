import { createHmac } from 'node:crypto';
import type { BillingService } from '../../src/config.ts';

/** A server that implements the part of Stripe's API that billing uses. */
export interface StripeStandIn {
  readonly billing: BillingService;
  /** Request bodies with their path, newest last. */
  readonly asked: readonly { readonly method: string; readonly path: string; readonly body: URLSearchParams }[];
  /** The user pays, fails to pay, or cancels. */
  setSubscription(customer: string, subscription: GivenSubscription | null): void;
  /** Makes Stripe forget this customer. */
  forget(customer: string): void;
  /** Makes this many of the next requests fail. */
  fail(count: number): void;
  /** Returns the body and the signature of an event. */
  message(
    event: object | null,
    at?: number,
  ): { readonly body: string; readonly headers: Readonly<Record<string, string>> };
  close(): void;
}

export interface GivenSubscription {
  readonly status: string;
  readonly plan: string;
  readonly cancelAtPeriodEnd?: boolean;
}

const secretKey = 'sk_test_of_the_stand_in';
const webhookSecret = 'whsec_of_the_stand_in';
/** January 1, 2027. */
export const periodEnd = 1_798_761_600;

export function startStripe(): StripeStandIn {
  const asked: { method: string; path: string; body: URLSearchParams }[] = [];
  const subscriptions = new Map<string, GivenSubscription>();
  const forgotten = new Set<string>();
  let failures = 0;
  const origin = (): string => `http://127.0.0.1:${server.port}`;
  /** Serves the checkout page, whose button notifies the shop and redirects the browser. */
  const payPage = async (request: Request): Promise<Response> => {
    const { body } = asked[Number(request.url.split('/').at(-1))] ?? { body: new URLSearchParams() };
    if (request.method === 'GET') {
      const page =
        '<!doctype html><html lang="en"><title>Pay</title><form method="post"><button>Pay</button></form></html>';
      return new Response(page, { headers: { 'content-type': 'text/html' } });
    }
    const customer = `cus_paid_${asked.length}`;
    subscriptions.set(customer, { status: 'active', plan: body.get('subscription_data[metadata][plan]') ?? '' });
    const back = body.get('success_url') ?? '';
    const data = { object: 'checkout.session', customer, client_reference_id: body.get('client_reference_id') };
    const event = {
      id: `evt_${customer}`,
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: data },
    };
    await fetch(new URL('/v1/billing/webhook', back), { method: 'POST', ...message(event) });
    return Response.redirect(back, 303);
  };
  const message: StripeStandIn['message'] = (event, at = Math.floor(Date.now() / 1000)) => {
    const body = JSON.stringify(event);
    const signature = createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${at},v1=${signature}`, 'content-type': 'application/json' } };
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname.startsWith('/pay/')) return payPage(request);
      if (request.headers.get('authorization') !== `Bearer ${secretKey}`) return failure(401);
      if (failures > 0) {
        failures -= 1;
        return failure(500);
      }
      asked.push({ method: request.method, path: pathname, body: new URLSearchParams(await request.text()) });
      if (pathname === '/v1/checkout/sessions') {
        const url = `${origin()}/pay/${asked.length - 1}`;
        return Response.json({ id: 'cs_1', object: 'checkout.session', url });
      }
      if (pathname === '/v1/billing_portal/sessions') {
        return Response.json({
          id: 'bps_1',
          object: 'billing_portal.session',
          url: 'https://billing.stripe.example/p',
        });
      }
      if (pathname === '/v1/subscriptions') {
        const customer = searchParams.get('customer') ?? '';
        const subscription = subscriptions.get(customer);
        const data = subscription === undefined ? [] : [viewOf(customer, subscription)];
        return Response.json({ object: 'list', has_more: false, data });
      }
      const renewed = /^\/v1\/subscriptions\/sub_(\w+)$/.exec(pathname)?.[1] ?? '';
      const subscription = subscriptions.get(renewed);
      if (subscription !== undefined) {
        const cancelAtPeriodEnd = asked.at(-1)?.body.get('cancel_at_period_end') === 'true';
        subscriptions.set(renewed, { ...subscription, cancelAtPeriodEnd });
        return Response.json(viewOf(renewed, { ...subscription, cancelAtPeriodEnd }));
      }
      const deleted = /^\/v1\/customers\/(\w+)$/.exec(pathname)?.[1];
      if (deleted !== undefined && request.method === 'DELETE') {
        if (forgotten.has(deleted)) return failure(404, { type: 'invalid_request_error', code: 'resource_missing' });
        subscriptions.delete(deleted);
        return Response.json({ id: deleted, object: 'customer', deleted: true });
      }
      return failure(404);
    },
  });
  return {
    billing: { secretKey, webhookSecret, apiUrl: origin() },
    asked,
    setSubscription: (customer, given) => {
      if (given === null) subscriptions.delete(customer);
      else subscriptions.set(customer, given);
    },
    forget: (customer) => {
      subscriptions.delete(customer);
      forgotten.add(customer);
    },
    fail: (count) => {
      failures = count;
    },
    message,
    close: () => void server.stop(true),
  };
}

function viewOf(customer: string, { status, plan, cancelAtPeriodEnd = false }: GivenSubscription) {
  return {
    id: `sub_${customer}`,
    object: 'subscription',
    status,
    metadata: { plan },
    cancel_at_period_end: cancelAtPeriodEnd,
    items: { object: 'list', data: [{ id: 'si_1', current_period_end: periodEnd }] },
  };
}

function failure(status: number, more: object = { type: 'api_error' }): Response {
  return Response.json({ error: { ...more, message: 'It did not work.' } }, { status });
}
