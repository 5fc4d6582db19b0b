import type { Sql } from '../../src/db/connection.ts';

const tables = {
  disposal_groups: 'book, caused_on, number',
  wash_sale_groups: 'book, caused_on, number',
  incomes: 'id',
  contracts_1256: 'id',
  issues: 'id',
  lots: 'id',
  past_lots: 'until_day, id',
  books: 'asset_key',
  book_years: 'book, year',
  year_summaries: 'year',
  checkpoints: 'book, day',
  transactions: 'id',
} as const;

/** Whose it is, when it came, and which of its sources a row names: the sources are compared as a whole. */
const nobodys = ['taxpayer_id', 'created_at', 'import_id', 'source_line'];

/** All that is stored. */
export async function contentOf(sql: Sql, taxpayerId: string): Promise<Record<string, unknown>> {
  const names = Object.keys(tables) as (keyof typeof tables)[];
  const rows = await Promise.all(
    names.map(
      (name) => sql<{ all: unknown }[]>`
        select coalesce(jsonb_agg(to_jsonb(x) - ${nobodys}::text[] order by ${sql.unsafe(tables[name])}), '[]') as all
        from (${rowsOf(sql, name)}) x where taxpayer_id = ${taxpayerId}`,
    ),
  );
  const [revision] = await sql`select revision from taxpayers where id = ${taxpayerId}`;
  return { ...Object.fromEntries(names.map((name, at) => [name, rows[at]?.[0]?.all])), revision };
}

/**
 * A lot that changed between two states of a year that is not the last any more may name one that is kept no more:
 * it means the one before.
 */
function rowsOf(sql: Sql, table: keyof typeof tables) {
  const keptUntil = (day: string) =>
    sql.unsafe(
      `(select max(c.day) from checkpoints c where c.taxpayer_id = l.taxpayer_id and c.book = l.book and c.day <= l.${day})`,
    );
  if (table === 'lots') {
    return sql`
      select (jsonb_populate_record(l, jsonb_build_object('after_day', ${keptUntil('after_day')}))).* from lots l`;
  }
  if (table !== 'past_lots') return sql`select * from ${sql(table)}`;
  return sql`
    select (jsonb_populate_record(l, jsonb_build_object(
      'after_day', ${keptUntil('after_day')}, 'until_day', ${keptUntil('until_day')}
    ))).* from past_lots l`;
}
