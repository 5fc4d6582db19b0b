import type Stripe from 'stripe';
import { isObject } from '../../../base/json.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { BillingService } from '../../../config.ts';
import type { BillingEvent, BillingPort, PlanForSale, SubscriptionState } from '../../../deps.ts';
import { isUuid } from '../../../http/errors.ts';

const timeoutMilliseconds = 10_000;
const retriesMax = 2;
/** The maximum age of a signed event. An older one may be a replay. */
const signatureSecondsMax = 300;

/**
 * Sells plans through Stripe. Stripe's own page takes the payment, so card numbers never reach this server. Stripe's
 * library (about 9 MB) is loaded on the first request.
 */
export function stripeBilling(service: BillingService): BillingPort {
  let opening: ReturnType<typeof openStripe> | undefined;
  const open = () => (opening ??= openStripe(service));
  return {
    openCheckout: async ({ userId, email, customer, plan, returnUrl }) => {
      const { stripe } = await open();
      const session = await callStripe(() =>
        stripe.checkout.sessions.create({
          mode: 'subscription',
          client_reference_id: userId,
          ...(customer === null ? { customer_email: email } : { customer }),
          line_items: [{ quantity: 1, price_data: toPriceData(plan) }],
          subscription_data: { metadata: { plan: plan.name, user: userId } },
          success_url: `${returnUrl}?checkout=done`,
          cancel_url: `${returnUrl}?checkout=canceled`,
        }),
      );
      if (session.url === null) throw createBillingRefusal();
      return session.url;
    },
    openPortal: async (customer, returnUrl) => {
      const { stripe } = await open();
      const session = await callStripe(() => stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }));
      return session.url;
    },
    readEvent: async (body, signature) => {
      const { stripe, crypto } = await open();
      const { signature: signatures } = stripe.webhooks;
      const refused = new Refusal('bad_request', 'The message has no valid Stripe signature.');
      if (signatures === null) throw refused;
      await signatures
        .verifyHeaderAsync(body, signature, service.webhookSecret, signatureSecondsMax, crypto)
        .catch(() => {
          throw refused;
        });
      return readBillingEvent(parseEvent(body));
    },
    readSubscription: async (customer) => {
      const { stripe } = await open();
      return callStripe(async () => {
        const subscriptions = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
        return subscriptions.data.map(toSubscriptionState).toSorted(byWorth)[0] ?? null;
      });
    },
    setRenewal: async (customer, renews) => {
      const { stripe } = await open();
      const running = await callStripe(async () => {
        const subscriptions = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
        return subscriptions.data.filter((one) => toSubscriptionState(one).standing !== 'ended');
      });
      for (const { id } of running) {
        await callStripe(() => stripe.subscriptions.update(id, { cancel_at_period_end: !renews }));
      }
    },
    deleteCustomer: async (customer) => {
      const { stripe } = await open();
      await callStripe(() => stripe.customers.del(customer).catch(ignoreMissing));
    },
  };
}

async function openStripe({ secretKey, apiUrl }: BillingService) {
  const { Stripe: Library } = await import('stripe');
  const stripe = new Library(secretKey, {
    ...parseApiUrl(apiUrl),
    httpClient: Library.createFetchHttpClient(),
    timeout: timeoutMilliseconds,
    maxNetworkRetries: retriesMax,
    telemetry: false,
  });
  return { stripe, crypto: Library.createSubtleCryptoProvider() };
}

/** Splits the URL, because Stripe's library takes host, port and protocol separately. */
function parseApiUrl(apiUrl: string) {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? 80 : 443) } as const;
}

function toPriceData({ name, cents, interval }: PlanForSale) {
  return { currency: 'usd', unit_amount: cents, recurring: { interval }, product_data: { name: `Lotbook ${name}` } };
}

/**
 * Finds the user of an event. A valid signature proves the sender but not the shape: versions of Stripe's API differ,
 * and other products may use the same Stripe account.
 */
function readBillingEvent(event: unknown): BillingEvent {
  if (!isObject(event) || !isStripeId(event.id) || typeof event.type !== 'string') return unexpectedShape;
  const { id, type } = event;
  const isCheckout = type === 'checkout.session.completed';
  if (!isCheckout && !type.startsWith('customer.subscription.')) return { kind: 'other' };
  const object = isObject(event.data) ? event.data.object : null;
  if (!isObject(object)) return unexpectedShape;
  // A checkout without a sale has no customer.
  if (isCheckout && object.customer === null) return { kind: 'other' };
  const customer = isObject(object.customer) ? object.customer.id : object.customer;
  if (!isStripeId(customer)) return unexpectedShape;
  const user = isCheckout ? object.client_reference_id : isObject(object.metadata) ? object.metadata.user : null;
  const isOurs = typeof user === 'string' && isUuid(user);
  return { kind: 'customer', id, customer, userId: isOurs ? user : null };
}

/** Returns undefined if the body is not JSON. */
function parseEvent(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const unexpectedShape = { kind: 'unexpected' } as const;

function isStripeId(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,255}$/.test(value);
}

function toSubscriptionState(subscription: Stripe.Subscription): SubscriptionState {
  const { status, metadata, cancel_at_period_end: ends, items } = subscription;
  const end = items.data[0]?.current_period_end;
  return {
    plan: metadata.plan ?? '',
    standing: standings[status] ?? 'ended',
    ends,
    periodEndsAt: end === undefined ? null : new Date(end * 1000),
  };
}

/**
 * Maps Stripe's subscription statuses. While Stripe retries a failed payment for some days, the status is `past_due`
 * and the plan continues.
 */
const standings: Readonly<Record<string, SubscriptionState['standing']>> = {
  active: 'paid',
  trialing: 'paid',
  past_due: 'payment_due',
};

const worth = ['paid', 'payment_due', 'ended'] as const;

function byWorth(a: SubscriptionState, b: SubscriptionState): number {
  return worth.indexOf(a.standing) - worth.indexOf(b.standing);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'resource_missing')) throw error;
}

async function callStripe<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch {
    // Discards Stripe's error message, because it can contain an email address.
    throw createBillingRefusal();
  }
}

function createBillingRefusal(): Refusal {
  return new Refusal('billing_failed', 'Stripe is not responding. Nothing was changed. Try again in a minute.', {
    retryAfterSeconds: 30,
  });
}
