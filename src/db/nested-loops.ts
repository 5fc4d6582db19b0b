import type { Sql } from './connection.ts';

/**
 * Runs a query without nested loops. The planner has no statistics on new rows, expects few of them, and would compare
 * each with all others. Restores the transaction's settings afterward.
 */
export async function withoutNestedLoops<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  const [before] = await sql<{ nestloop: string; plans: string }[]>`
    select current_setting('enable_nestloop') as nestloop, current_setting('plan_cache_mode') as plans`;
  // Uses SET, which reaches the workers of a Citus cluster.
  const set = (nestloop: string, plans: string) =>
    sql.unsafe(`set local enable_nestloop = ${nestloop}; set local plan_cache_mode = ${plans};`);
  await set('off', 'force_custom_plan');
  const done = await work();
  await set(before?.nestloop ?? 'on', before?.plans ?? 'auto');
  return done;
}
