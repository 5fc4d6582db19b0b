import type { Sql } from './connection.ts';

/**
 * Rows of a file that is read but not stored yet are in an unlogged table, which backups and dumps do not contain.
 * Detaches imports that were waiting to be stored. The next sweep marks them as failed and notifies their users.
 */
export async function giveUpStaged(sql: Sql): Promise<void> {
  await sql.unsafe(`do $$ begin
    if exists (select from pg_attribute where attrelid = to_regclass('public.imports') and attname = 'store_order') then
      update imports set store_order = null where status = 'running' and store_order is not null;
    end if;
  end $$`);
}

/** The jobs of a database are not dumped, so calculations that waited for theirs have failed. */
export async function failCalculations(sql: Sql): Promise<void> {
  const problem = {
    code: 'interrupted',
    detail: 'The books were moved to another database. Start the calculation again.',
  };
  await sql`
    update calculations set status = 'failed', problem = ${sql.json(problem)}, completed_at = now()
    where status = 'running'`;
}
