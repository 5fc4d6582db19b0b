import type { Sql } from '../../src/db/connection.ts';

const tables = {
  disposals: 'id',
  wash_sales: 'id',
  incomes: 'id',
  contracts_1256: 'id',
  issues: 'id',
  gifts: 'id',
  lots: 'id',
  lot_versions: 'valid_to, id',
  books: 'asset_key',
  book_years: 'book, year',
  year_summaries: 'year',
  checkpoints: 'book, day',
  transactions: 'id',
} as const;

/** Columns for the owner, the time and the source of a row. The rows of all sources are compared together. */
const nobodys = ['taxpayer_id', 'created_at', 'import_id', 'source_line'];

/** Returns all stored rows. */
export async function selectContent(sql: Sql, taxpayerId: string): Promise<Record<string, unknown>> {
  const names = Object.keys(tables) as (keyof typeof tables)[];
  const rows = await Promise.all(
    names.map(
      (name) => sql<{ all: unknown }[]>`
        select coalesce(jsonb_agg(to_jsonb(x) - ${nobodys}::text[] order by ${sql.unsafe(tables[name])}), '[]') as all
        from ${sql(name)} x where taxpayer_id = ${taxpayerId}`,
    ),
  );
  const [revision] = await sql`select revision from taxpayers where id = ${taxpayerId}`;
  return { ...Object.fromEntries(names.map((name, at) => [name, rows[at]?.[0]?.all])), revision };
}
