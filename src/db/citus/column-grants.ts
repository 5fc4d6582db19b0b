import type { ConnectionPool } from '../connection.ts';
import { tablesIn } from './places.ts';
import { onWorkers, refusedBy } from './workers.ts';

/**
 * Grants of single columns on the workers, as the coordinator has them: Citus before 13.1 sends those of whole tables only, as
 * a table is distributed, a shard moves and a worker is added. Done again, it changes nothing.
 */
export async function grantColumns(sql: Awaited<ReturnType<ConnectionPool['reserve']>>): Promise<void> {
  const tables = [...tablesIn('taxpayer'), ...tablesIn('everywhere')];
  const grants = await sql<{ table: string; command: string }[]>`
    select c.relname as table,
      format('grant %s on %%s to %I', string_agg(format('%s (%I)', x.privilege_type, a.attname), ', ' order by a.attnum), r.rolname)
        as command
    from pg_attribute a join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl) x join pg_roles r on r.oid = x.grantee
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables}::text[])
    group by c.relname, r.rolname order by 1, 2`;
  for (const { table, command } of grants) {
    const [failed] = await sql<{ node: string; result: string }[]>`
      select nodename as node, result from run_command_on_placements(${table}::regclass, ${command}) where not success`;
    if (failed !== undefined) throw refusedBy(failed);
  }
  // Triggers on a shard name the tables themselves, which each worker has too. With propagation, Citus refuses such a grant.
  const ofTables = grants.map(({ table, command }) => `${command.replace('%s', `public.${table}`)};`);
  await onWorkers(sql, `do $$ begin set local citus.enable_ddl_propagation = off; ${ofTables.join(' ')} end $$`);
}
