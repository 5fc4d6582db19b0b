import { Elysia, t } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { group, lasting, person } from '../../../http/operations.ts';
import { closed, instant, nullable, oneOf, problems } from '../../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { type Plan, plans } from '../auth/plan.ts';
import { planPrices } from '../plans.ts';
import { selectSubscription } from './billing.queries.ts';
import { requireBilling, takeEvent } from './subscription.ts';

const { open, signedIn } = group('Plans');
const bodyBytesMax = 1_000_000;
const soldPlans = plans.filter((plan): plan is Exclude<Plan, 'FREE'> => plan !== 'FREE');

const Billing = closed(
  {
    plan: oneOf(plans),
    standing: nullable(
      oneOf(
        ['paid', 'payment_due', 'ended'],
        'The status of the subscription. With `payment_due`, the plan continues while Stripe retries the payment.',
      ),
    ),
    // `renewsAt` is the date of the next payment. `endsAt` is the end of a canceled subscription.
    renewsAt: nullable(instant),
    endsAt: nullable(instant),
  },
  { title: 'Billing' },
);

const Destination = closed(
  { url: t.String({ format: 'uri', description: 'A Stripe page. Redirect the browser to it.' }) },
  { title: 'BillingPage' },
);

/** Defines the routes that sell plans through Stripe. Stripe's pages take payments, and its events change the plan. */
export const billingRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/billing' })
    .use(access)
    .get(
      '',
      ({ caller }) => readBilling(deps, caller.userId, caller.plan),
      signedIn('getBilling', person(null), {
        summary: 'Get the plan and its subscription',
        response: { 200: Billing },
      }),
    )
    .post(
      '/checkout',
      async ({ caller, body }) => {
        const billing = requireBilling(deps);
        const subscription = await loadSubscription(deps, caller.userId);
        if (subscription?.standing === 'paid' || subscription?.standing === 'payment_due') {
          throw new Refusal('conflict', 'You already have a subscription. Change it in the billing portal.');
        }
        if (caller.plan !== 'FREE') {
          const detail = `The administrator of this server set your plan to ${caller.plan}, so there is nothing to buy.`;
          throw new Refusal('conflict', detail);
        }
        const url = await billing.openCheckout({
          userId: caller.userId,
          email: caller.email,
          customer: subscription?.customer ?? null,
          plan: { name: body.plan, ...planPrices[body.plan] },
          returnUrl: accountUrl(deps),
        });
        return { url };
      },
      signedIn('createCheckout', lasting(null), {
        summary: 'Buy a plan',
        description:
          'The response contains the Stripe page that takes the payment. The plan changes when Stripe confirms it. If the operator set the plan, there is nothing to buy.',
        body: closed({ plan: oneOf(soldPlans) }, { examples: [{ plan: 'PRO' }] }),
        response: { 200: Destination, ...problems('conflict', 'billing_unconfigured', 'billing_failed') },
      }),
    )
    .post(
      '/portal',
      async ({ caller }) => {
        const billing = requireBilling(deps);
        const subscription = await loadSubscription(deps, caller.userId);
        if (subscription === undefined)
          throw new Refusal('conflict', 'You have not bought a plan yet. Choose a plan first.');
        return { url: await billing.openPortal(subscription.customer, accountUrl(deps)) };
      },
      signedIn('createBillingPortal', lasting(null), {
        summary: 'Open the billing portal to change or cancel the subscription and see invoices',
        response: { 200: Destination, ...problems('conflict', 'billing_unconfigured', 'billing_failed') },
      }),
    )
    .post(
      '/webhook',
      async ({ request }) => {
        requireBilling(deps);
        const signature = request.headers.get('stripe-signature') ?? '';
        await takeEvent(deps, await readBody(request), signature);
      },
      open('acceptStripeEvent', 'plan_changed', {
        summary: 'Receive a Stripe event',
        description:
          'Handles the events `checkout.session.completed` and `customer.subscription.*`, signed with STRIPE_WEBHOOK_SECRET. Each event is handled once. Events may arrive in any order.',
        // The signature covers the raw bytes, so the body is not parsed.
        parse: 'none',
        response: { 204: t.Void(), ...problems('billing_unconfigured', 'billing_failed') },
      }),
    );

async function readBilling(deps: Deps, userId: string, plan: Plan) {
  const subscription = await loadSubscription(deps, userId);
  const standing = subscription?.standing ?? null;
  const endsAt = subscription?.periodEndsAt?.toISOString() ?? null;
  const isOpen = standing === 'paid' || standing === 'payment_due';
  return {
    plan,
    standing,
    renewsAt: isOpen && subscription?.ends === false ? endsAt : null,
    endsAt: isOpen && subscription?.ends === true ? endsAt : null,
  };
}

function loadSubscription(deps: Deps, userId: string) {
  return deps.database.asService((sql) => selectSubscription(sql, userId), { readOnly: true });
}

function accountUrl({ config }: Deps): string {
  return `${config.baseUrl}/account/plan`;
}

async function readBody(request: Request): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body ?? []) {
    bytes += piece.length;
    if (bytes > bodyBytesMax) throw new Refusal('too_large', 'The message is too large to be from Stripe.');
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
