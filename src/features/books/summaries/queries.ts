import type { Sql } from '../../../db/connection.ts';
import type { BookScope } from '../facts/queries.ts';

export interface BookYear {
  readonly year: number;
  readonly summary: string;
}

/** The years of a book become these; years that are not named stay. */
export async function replaceBookYears(
  sql: Sql,
  scope: BookScope,
  years: readonly number[],
  summaries: readonly BookYear[],
): Promise<void> {
  const kept = summaries.map((one) => one.year);
  await sql`
    delete from book_years
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book} and year = any(${years as number[]}::integer[])
      and year <> all(${kept}::integer[])`;
  if (summaries.length === 0) return;
  await sql`
    insert into book_years (taxpayer_id, book, year, summary)
    select ${scope.taxpayerId}, ${scope.book}, year, summary
    from unnest(${kept}::integer[], ${summaries.map((one) => one.summary)}::text[]) as r (year, summary)
    on conflict (taxpayer_id, book, year) do update set summary = excluded.summary
    where book_years.summary <> excluded.summary`;
}

/** The years of all books. */
export async function selectBookYears(sql: Sql, taxpayerId: string): Promise<BookYear[]> {
  return sql<BookYear[]>`
    select year, summary from book_years where taxpayer_id = ${taxpayerId} order by year, book`;
}

/** These years of a book, all where they are not named. */
export async function selectYearsOf(sql: Sql, scope: BookScope, years: readonly number[] | null): Promise<BookYear[]> {
  return sql<BookYear[]>`
    select year, summary from book_years
    where taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
      ${years === null ? sql`` : sql`and year = any(${years as number[]}::integer[])`}
    order by year`;
}

export interface YearRow {
  readonly year: number;
  readonly summary: string;
  readonly carryover: string;
}

export async function selectYears(sql: Sql, taxpayerId: string): Promise<YearRow[]> {
  return sql<YearRow[]>`
    select year, summary, carryover from year_summaries where taxpayer_id = ${taxpayerId} order by year`;
}

export async function deleteYears(sql: Sql, taxpayerId: string, years: readonly number[]): Promise<void> {
  await sql`delete from year_summaries where taxpayer_id = ${taxpayerId} and year = any(${years as number[]}::integer[])`;
}

export async function upsertYears(sql: Sql, taxpayerId: string, rows: readonly YearRow[]): Promise<void> {
  await sql`
    insert into year_summaries (taxpayer_id, year, summary, carryover)
    select ${taxpayerId}, year, summary, carryover from unnest(
      ${rows.map((row) => row.year)}::integer[], ${rows.map((row) => row.summary)}::text[],
      ${rows.map((row) => row.carryover)}::text[]
    ) as r (year, summary, carryover)
    on conflict (taxpayer_id, year) do update set summary = excluded.summary, carryover = excluded.carryover`;
}
