import { openPool, type Sql } from './connection.ts';

interface StorageCheck {
  readonly indexes: number;
  readonly tables: number;
  /** Each fault in PostgreSQL's words. */
  readonly faults: readonly string[];
}

/**
 * Checks tables and indexes against each other with PostgreSQL's own `amcheck` while others work. Creates the extension
 * for the duration of the check. Returns null if this server or this user lacks it.
 */
export async function checkStorage(ownerUrl: string): Promise<StorageCheck | null> {
  const pool = openPool(ownerUrl, 1, { statement_timeout: 0, idle_in_transaction_session_timeout: 0 });
  const session = await pool.reserve();
  /** Returns the faults of one table or index. The list is empty if the table or index is sound. */
  const findFaults = async (statement: string): Promise<string[]> => {
    await session.unsafe('savepoint each');
    try {
      const rows = await session.unsafe<{ fault?: string }[]>(statement);
      return rows.flatMap(({ fault }) => fault ?? []);
    } catch (error) {
      await session.unsafe('rollback to savepoint each');
      return [error instanceof Error ? error.message : String(error)];
    }
  };
  try {
    await session.unsafe('begin');
    if ((await findFaults('create extension if not exists amcheck')).length > 0) return null;
    const relations = await session<{ id: number; name: string; isIndex: boolean }[]>`
      select c.oid::integer as id, c.relname::text as name, c.relkind = 'i' as "isIndex"
      from pg_class c left join pg_am m on m.oid = c.relam left join pg_index x on x.indexrelid = c.oid
      where c.relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace, 'pg_catalog'::regnamespace)
        and c.relpersistence = 'p' and (c.relkind in ('r', 't') or c.relkind = 'i' and m.amname = 'btree' and x.indisvalid)
      order by c.relname`;
    const faults: string[] = [];
    for (const { id, name, isIndex } of relations) {
      const indexFaults = await findFaults(
        isIndex
          ? `select bt_index_check(${id}::oid::regclass, true)`
          : `select format('block %s, row %s: %s', blkno, offnum, msg) as fault from verify_heapam(${id}::oid::regclass)`,
      );
      faults.push(...indexFaults.map((fault) => `${name}: ${fault}`));
    }
    const indexes = relations.filter(({ isIndex }) => isIndex).length;
    return { indexes, tables: relations.length - indexes, faults };
  } finally {
    await session.unsafe('rollback').catch(() => {});
    session.release();
    await pool.end({ timeout: 5 });
  }
}

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
