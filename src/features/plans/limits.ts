import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import { type Plan, planLimits } from '../auth/plan.ts';
import { addTransactions, readTransactionsStored, subtractTransactions } from './queries.ts';

export { type Plan, type PlanLimits, planLimits, plans } from '../auth/plan.ts';

/**
 * Takes room for so many more transactions, in one statement: a count that is read and then written lets 69 of 50
 * through where requests are parallel. In the caller's transaction, so that what is not stored takes no room.
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
