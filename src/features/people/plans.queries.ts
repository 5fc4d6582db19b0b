import type { Sql } from '../../db/connection.ts';
import type { Plan } from './auth/plan.ts';

/**
 * Adds to the number of stored transactions. Returns false if the total would exceed the limit. A null limit means
 * unlimited.
 */
export async function addTransactions(
  sql: Sql,
  taxpayerId: string,
  added: number,
  limit: number | null,
): Promise<boolean> {
  const rows = await sql`
    update taxpayers set transactions_stored = transactions_stored + ${added}
    where id = ${taxpayerId} and (${limit}::integer is null or transactions_stored + ${added} <= ${limit}::integer)
    returning 1`;
  return rows.length === 1;
}

export async function subtractTransactions(sql: Sql, taxpayerId: string, removed: number): Promise<void> {
  await sql`update taxpayers set transactions_stored = transactions_stored - ${removed} where id = ${taxpayerId}`;
}

export async function readTransactionsStored(sql: Sql, taxpayerId: string): Promise<number> {
  const [row] = await sql<{ stored: number }[]>`
    select transactions_stored as stored from taxpayers where id = ${taxpayerId}`;
  return row?.stored ?? 0;
}

/** Sets the plan and returns the user's id, or undefined if no account has this address. */
export async function updatePlan(sql: Sql, email: string, plan: Plan): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`update users set plan = ${plan} where email = ${email} returning id`;
  return row?.id;
}
