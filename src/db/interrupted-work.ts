import type { Sql } from './connection.ts';

/**
 * Detaches imports that were waiting to be stored. Rows that are read but not stored yet are in an unlogged table,
 * which backups and dumps do not contain. The next sweep marks the imports as failed and notifies their users.
 */
export async function detachStaged(sql: Sql): Promise<void> {
  await sql.unsafe(`do $$ begin
    if exists (select from pg_attribute where attrelid = to_regclass('public.imports') and attname = 'store_order') then
      update imports set store_order = null where status = 'running' and store_order is not null;
    end if;
  end $$`);
}

/** Marks calculations that were waiting for a job as failed because a dump does not contain jobs. */
export async function failCalculations(sql: Sql): Promise<void> {
  const problem = {
    code: 'interrupted',
    detail: 'The books were moved to another database. Start the calculation again.',
  };
  await sql`
    update calculations set status = 'failed', problem = ${sql.json(problem)}, completed_at = now()
    where status = 'running'`;
}
