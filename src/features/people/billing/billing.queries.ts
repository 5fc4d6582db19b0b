import type { Sql } from '../../../db/connection.ts';
import type { SubscriptionState } from '../../../deps.ts';
import type { Plan } from '../auth/plan.ts';

interface SubscriptionRow {
  readonly customer: string;
  readonly standing: SubscriptionState['standing'] | null;
  readonly ends: boolean;
  readonly periodEndsAt: Date | null;
}

export async function selectSubscription(sql: Sql, userId: string): Promise<SubscriptionRow | undefined> {
  const [row] = await sql<SubscriptionRow[]>`
    select customer, standing, ends, period_ends_at as "periodEndsAt" from subscriptions where user_id = ${userId}`;
  return row;
}

/** Stores the id of an event. Returns false if it was already handled. */
export async function insertStripeEvent(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`insert into stripe_events (id) values (${id}) on conflict do nothing returning 1`;
  return rows.length === 1;
}

interface PayingUser {
  readonly id: string;
  readonly plan: Plan;
  readonly taxpayerId: string;
  /** True if the account is deleted but not erased yet. */
  readonly isDeleted: boolean;
}

/**
 * Selects the user of a customer, as stored or as named by the checkout. Locks the user, so events are handled one at a
 * time.
 */
export async function lockUser(sql: Sql, customer: string, userId: string | null): Promise<PayingUser | undefined> {
  const [user] = await sql<Omit<PayingUser, 'taxpayerId'>[]>`
    select u.id, u.plan, u.email is null as "isDeleted" from users u
    where u.id = coalesce((select user_id from subscriptions where customer = ${customer}), ${userId}::uuid)
    for update of u`;
  if (user === undefined) return undefined;
  const [own] = await sql<{ taxpayerId: string }[]>`
    select taxpayer_id as "taxpayerId" from memberships where user_id = ${user.id} and role = 'owner'`;
  return own === undefined ? undefined : { ...user, ...own };
}

export async function storeSubscription(
  sql: Sql,
  userId: string,
  customer: string,
  state: SubscriptionState | null,
): Promise<void> {
  await sql`
    insert into subscriptions (user_id, customer, standing, ends, period_ends_at)
    values (${userId}, ${customer}, ${state?.standing ?? null}, ${state?.ends ?? false}, ${state?.periodEndsAt ?? null})
    on conflict (user_id) do update set customer = excluded.customer, standing = excluded.standing, ends = excluded.ends,
      period_ends_at = excluded.period_ends_at`;
}

export async function updateUserPlan(sql: Sql, userId: string, plan: Plan): Promise<void> {
  await sql`update users set plan = ${plan} where id = ${userId}`;
}

/** Deletes events after 30 days. Stripe retries an event for three days. */
export async function deleteOldEvents(sql: Sql): Promise<void> {
  await sql`delete from stripe_events where received_at < now() - interval '30 days'`;
}
