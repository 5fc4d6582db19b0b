import type { ConnectionPool } from '../../src/db/connection.ts';
import type { Measured } from './measure.ts';

/** Tables below this share of the total are added up. */
const shareShown = 0.02;

/**
 * Measures the bytes on disk for each stored transaction. Lists tables (including their out-of-line values) and indexes
 * separately, largest first.
 */
export async function sizesByTable(pool: ConnectionPool): Promise<Measured[]> {
  // Waits until the imports' staged rows are deleted and their space is free.
  await pool.unsafe('vacuum analyze');
  const [counted] = await pool<{ rows: number }[]>`select count(*)::integer as rows from transactions`;
  const rows = counted?.rows ?? 1;
  const tables = await pool<{ name: string; table: number; index: number }[]>`
    select relname as name, pg_table_size(relid)::float as table, pg_indexes_size(relid)::float as index
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc`;
  const whole = sum(tables, ({ table, index }) => table + index);
  const shown = tables.filter(({ table, index }) => table + index >= shareShown * whole);
  const rest = tables.filter((one) => !shown.includes(one));
  const lines = (what: string, of: readonly { table: number; index: number }[]): Measured[] => [
    { what: `${what}: table`, value: sum(of, ({ table }) => table) / rows, unit: 'bytes a transaction' },
    { what: `${what}: indexes`, value: sum(of, ({ index }) => index) / rows, unit: 'bytes a transaction' },
  ];
  return [
    ...shown.flatMap((one) => lines(one.name, [one])),
    ...lines(`${rest.length} other tables`, rest),
    ...lines('all', tables),
  ];
}

/**
 * Lists the indexes that no statement has read since the database was created, except those that enforce a rule
 * (unique, primary key).
 */
export async function indexesNeverRead(pool: ConnectionPool): Promise<string[]> {
  const rows = await pool<{ name: string; size: string }[]>`
    select s.indexrelname as name, pg_size_pretty(pg_relation_size(s.indexrelid)) as size
    from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
    where s.idx_scan = 0 and not i.indisunique and s.schemaname = 'public'
    order by pg_relation_size(s.indexrelid) desc, s.indexrelname`;
  return rows.map(({ name, size }) => `${name} (${size})`);
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
