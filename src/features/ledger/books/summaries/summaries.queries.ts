import type { Sql } from '../../../../db/connection.ts';

export interface BookYear {
  readonly year: number;
  readonly summary: string;
}

/** The totals of a book's facts for one year. */
export interface BookYearOf extends BookYear {
  readonly book: string;
}

export async function deleteBookYears(
  sql: Sql,
  taxpayerId: string,
  bookYears: readonly Pick<BookYearOf, 'book' | 'year'>[],
): Promise<void> {
  await sql`
    delete from book_years y
    using unnest(${bookYears.map((one) => one.book)}::text[], ${bookYears.map((one) => one.year)}::integer[]) as g (book, year)
    where y.taxpayer_id = ${taxpayerId} and y.book = g.book and y.year = g.year`;
}

export async function upsertBookYears(sql: Sql, taxpayerId: string, rows: readonly BookYearOf[]): Promise<void> {
  await sql`
    insert into book_years (taxpayer_id, book, year, summary)
    select me.id, r.* from taxpayers me, unnest(
      ${rows.map((one) => one.book)}::text[], ${rows.map((one) => one.year)}::integer[],
      ${rows.map((one) => one.summary)}::text[]
    ) as r (book, year, summary)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, book, year) do update set summary = excluded.summary
    where book_years.summary <> excluded.summary`;
}

/** Selects the years of all books. */
export async function selectBookYears(sql: Sql, taxpayerId: string) {
  return sql<BookYear[]>`
    select year, summary from book_years where taxpayer_id = ${taxpayerId} order by year, book`;
}

/** Selects all years of some books. */
export async function selectSummaryYears(sql: Sql, taxpayerId: string, books: readonly string[]) {
  return sql<BookYearOf[]>`
    select book, year, summary from book_years
    where taxpayer_id = ${taxpayerId} and book = any(${books as string[]}::text[]) order by book, year`;
}

export interface YearRow {
  readonly year: number;
  readonly summary: string;
  readonly carryover: string;
}

export async function selectYears(sql: Sql, taxpayerId: string) {
  return sql<YearRow[]>`
    select year, summary, carryover from year_summaries where taxpayer_id = ${taxpayerId} order by year`;
}

export async function deleteYears(sql: Sql, taxpayerId: string, years: readonly number[]): Promise<void> {
  await sql`delete from year_summaries where taxpayer_id = ${taxpayerId} and year = any(${years as number[]}::integer[])`;
}

export async function upsertYears(sql: Sql, taxpayerId: string, rows: readonly YearRow[]): Promise<void> {
  await sql`
    insert into year_summaries (taxpayer_id, year, summary, carryover)
    select me.id, r.year, r.summary, r.carryover from taxpayers me, unnest(
      ${rows.map((row) => row.year)}::integer[], ${rows.map((row) => row.summary)}::text[],
      ${rows.map((row) => row.carryover)}::text[]
    ) as r (year, summary, carryover)
    where me.id = ${taxpayerId}
    on conflict (taxpayer_id, year) do update set summary = excluded.summary, carryover = excluded.carryover`;
}
