import { Refusal } from '../../../base/refusal.ts';
import type { BillingPort, Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import type { ExternalServices } from '../auth/cancellation.ts';
import { isPlan, type Plan } from '../auth/plan.ts';
import { notify } from '../notifications.ts';
import {
  deleteOldEvents,
  insertStripeEvent,
  lockUser,
  selectSubscription,
  storeSubscription,
  updateUserPlan,
} from './billing.queries.ts';

/** Returns the port to Stripe. Throws an error if payments are not configured. */
export function requireBilling({ billing }: Pick<Deps, 'billing'>): BillingPort {
  if (billing !== null) return billing;
  throw new Refusal('billing_unconfigured', "Payments aren't set up on this server. Its administrator sets your plan.");
}

/**
 * Handles an event from Stripe. Uses the event only to identify the user, and requests the current state from Stripe
 * under the user's lock, because events can arrive twice, late and in any order.
 */
export async function takeEvent(deps: Deps, body: string, signature: string): Promise<void> {
  const billing = requireBilling(deps);
  const event = await billing.readEvent(body, signature);
  if (event.kind === 'unexpected') deps.log.warn('message of Stripe ignored: its shape is not expected');
  if (event.kind !== 'customer') return;
  await deps.database.asService(async (sql) => {
    if (!(await insertStripeEvent(sql, event.id))) return;
    await deleteOldEvents(sql);
    const user = await lockUser(sql, event.customer, event.userId);
    // The account was deleted in the meantime.
    if (user === undefined) return;
    nameActor({ kind: 'found', userId: user.id, isProven: false });
    const state = await billing.readSubscription(event.customer);
    await storeSubscription(sql, user.id, event.customer, state);
    const plan = state === null || state.standing === 'ended' ? 'FREE' : planNamed(state.plan, user.plan);
    if (plan !== user.plan) await updateUserPlan(sql, user.id, plan);
    // The user paid on a page that was still open while the account was deleted.
    if (user.isDeleted && state !== null && state.standing !== 'ended' && !state.ends) {
      await billing.setRenewal(event.customer, false);
    }
    const words = describePlanChange(user.plan, plan, state?.standing === 'payment_due');
    const at = deps.clock.now();
    if (words !== null) await notify(sql, user.taxpayerId, { kind: 'plan_changed', ...words, link: '/v1/billing', at });
  });
}

type BillingDeps = Pick<Deps, 'database' | 'billing'>;

/** Returns the actions that an account deletion requires for the subscription. */
export function createSubscriptionPort(deps: BillingDeps): ExternalServices {
  const renew = async (userId: string, renews: boolean): Promise<void> => {
    const customer = await loadCustomer(deps, userId);
    if (customer !== undefined) await requireBilling(deps).setRenewal(customer, renews);
  };
  return {
    // Stops further payments. The paid period remains.
    stop: (userId) => renew(userId, false),
    goOn: (userId) => renew(userId, true),
    // Deletes the Stripe customer of an erased account.
    end: async (userId) => {
      const customer = await loadCustomer(deps, userId);
      if (customer !== undefined) await requireBilling(deps).deleteCustomer(customer);
    },
  };
}

async function loadCustomer({ database }: BillingDeps, userId: string): Promise<string | undefined> {
  const subscription = await database.asService((sql) => selectSubscription(sql, userId), { readOnly: true });
  return subscription?.customer;
}

/**
 * Returns the plan of a subscription. Keeps the current plan if an older version of Lotbook sold a plan that no longer
 * exists.
 */
function planNamed(name: string, now: Plan): Plan {
  return isPlan(name) ? name : now;
}

function describePlanChange(
  before: Plan,
  after: Plan,
  isDue: boolean,
): { readonly title: string; readonly body: string } | null {
  if (isDue) {
    return {
      title: 'Your payment failed',
      body: `Your ${after} plan continues while we retry the payment. Check your card in the billing portal.`,
    };
  }
  if (before === after) return null;
  if (after !== 'FREE') return { title: `You now have the ${after} plan`, body: 'Its limits apply from now on.' };
  return {
    title: `Your ${before} plan has ended`,
    body: 'Your data is kept, and you can still view and download it. To add more than the FREE plan includes, choose a plan again.',
  };
}
