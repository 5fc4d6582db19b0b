import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import { type Plan, planLimits } from '../auth/plan.ts';
import { addTransactions, readTransactionsStored, subtractTransactions } from './queries.ts';

export { type Plan, type PlanLimits, planLimits, plans } from '../auth/plan.ts';

/**
 * Counts so many more transactions against the plan, in one statement: with a read and then a write, parallel requests
 * stored 69 of 50. In the caller's transaction, so that a rollback also undoes the count.
 */
export async function takeTransactionRoom(
  sql: Sql,
  taxpayer: { readonly id: string; readonly plan: Plan },
  added: number,
): Promise<void> {
  const { transactionsMax } = planLimits[taxpayer.plan];
  if (await addTransactions(sql, taxpayer.id, added, transactionsMax)) return;
  const used = await readTransactionsStored(sql, taxpayer.id);
  throw planLimitRefusal(
    `The ${taxpayer.plan} plan stores ${transactionsMax} transactions; ${used} are stored and ${added} more were given.`,
    { plan: taxpayer.plan, limit: transactionsMax ?? 0, used, requested: added },
  );
}

export async function releaseTransactionRoom(sql: Sql, taxpayerId: string, removed: number): Promise<void> {
  await subtractTransactions(sql, taxpayerId, removed);
}

export function planLimitRefusal(
  detail: string,
  members: { readonly plan: Plan; readonly limit: number; readonly used: number; readonly requested: number },
): Refusal {
  return new Refusal('plan_limit', detail, { members });
}
