import type { ConnectionPool } from '../connection.ts';
import { listTablesPlaced } from './table-placements.ts';
import { onWorkers } from './workers.ts';

/**
 * Copies grants on single columns from the coordinator to the workers. Citus before 13.1 copies only grants on whole
 * tables when it distributes a table, moves a shard or adds a worker. Here, each worker grants whatever its tables and
 * shards lack.
 */
export async function grantColumns(sql: Awaited<ReturnType<ConnectionPool['reserve']>>): Promise<void> {
  const tables = [...listTablesPlaced('taxpayer'), ...listTablesPlaced('everywhere')];
  const [grants] = await sql<{ list: string }[]>`
    select coalesce(jsonb_agg(jsonb_build_array(c.relname, x.privilege_type, a.attname, r.rolname)), '[]')::text as list
    from pg_attribute a join pg_class c on c.oid = a.attrelid and not a.attisdropped, aclexplode(a.attacl) x join pg_roles r on r.oid = x.grantee
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${tables}::text[])`;
  // Triggers on a shard refer to the original tables, which each worker also has. Propagation is off because Citus
  // refuses such a grant otherwise.
  await onWorkers(
    sql,
    `do $do$
    declare
      missing record;
    begin
      set local citus.enable_ddl_propagation = off;
      for missing in
        with grants as (
          select g ->> 0 as name, g ->> 1 as privilege, g ->> 2 as column, g ->> 3 as role
          from jsonb_array_elements('${grants?.list ?? '[]'}'::jsonb) g
        ), relations as (
          select c.relname as name, c.oid::regclass as relation from pg_class c
          where c.relnamespace = 'public'::regnamespace
          union all
          select c.relname, shard_name(s.logicalrelid, s.shardid)::regclass
          from pg_dist_shard s join pg_class c on c.oid = s.logicalrelid join pg_dist_placement p on p.shardid = s.shardid
          where p.groupid = (select groupid from pg_dist_local_group)
        )
        select r.relation, g.role, string_agg(format('%s (%I)', g.privilege, g.column), ', ') as privileges
        from grants g join relations r on r.name = g.name
        where not has_column_privilege(g.role, r.relation, g.column, g.privilege)
        group by r.relation, g.role
      loop
        execute format('grant %s on %s to %I', missing.privileges, missing.relation, missing.role);
      end loop;
    end $do$`,
  );
}
