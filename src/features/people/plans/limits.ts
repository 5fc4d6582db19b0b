import type { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { type Plan, planLimitRefusal, planLimits } from '../auth/plan.ts';
import { addTransactions, readTransactionsStored, subtractTransactions } from './plans.queries.ts';

export { findUpgrade as upgradeOf, type Plan, planLimitRefusal, planLimits, plans } from '../auth/plan.ts';

/**
 * Counts added transactions against the plan, in one statement: with a read followed by a write, parallel requests
 * stored 69 transactions where the limit was 50. Runs in the caller's transaction, so a rollback also undoes the count.
 */
export async function reserveTransactions(
  sql: Sql,
  taxpayer: { readonly id: string; readonly plan: Plan },
  added: number,
): Promise<void> {
  const { transactionsMax } = planLimits[taxpayer.plan];
  if (await addTransactions(sql, taxpayer.id, added, transactionsMax)) return;
  throw transactionLimitRefusal(taxpayer.plan, await readTransactionsStored(sql, taxpayer.id), added);
}

/** Counts rows without enforcing the limit: rows added by an answer to an issue, and rows of a dry run. */
export async function countTransactions(sql: Sql, taxpayerId: string, added: number): Promise<void> {
  await addTransactions(sql, taxpayerId, added, null);
}

/** Returns a refusal if rows that are already counted exceed the plan's limit, or null if they do not. */
export async function transactionLimitPassed(
  sql: Sql,
  { id, plan }: { readonly id: string; readonly plan: Plan },
  added: number,
): Promise<Refusal | null> {
  const { transactionsMax } = planLimits[plan];
  const stored = await readTransactionsStored(sql, id);
  if (added === 0 || transactionsMax === null || stored <= transactionsMax) return null;
  return transactionLimitRefusal(plan, stored - added, added);
}

function transactionLimitRefusal(plan: Plan, used: number, requested: number): Refusal {
  const limit = planLimits[plan].transactionsMax ?? 0;
  const detail = `Your ${plan} plan includes ${limit} transactions. You have ${used} and tried to add ${requested} more. Upgrade your plan or add fewer.`;
  return planLimitRefusal(detail, 'transactionsMax', { plan, limit, used, requested });
}

export async function releaseTransactions(sql: Sql, taxpayerId: string, removed: number): Promise<void> {
  await subtractTransactions(sql, taxpayerId, removed);
}
