import type { ArrayText } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Disposal, Fact, Issue } from '../../../engine/model.ts';
import { columnsOf, type FactOf, factKinds, factTables, type RowOf, toFact } from './fact-tables.ts';

/** A taxpayer's book whose facts a statement affects. */
export interface BookScope {
  readonly taxpayerId: string;
  readonly book: string;
}

/**
 * The values of a column: one for all rows, one for each row, or the same as an earlier day column. Without this,
 * repeated values would make up more than half of the data sent.
 */
export type ColumnValues =
  | { readonly kind: 'all'; readonly value: string | null }
  | { readonly kind: 'each'; readonly values: ArrayText | null }
  | { readonly kind: 'same'; readonly as: number };

/** Inserts facts of one kind into several books, column by column. */
export async function insertFacts(
  sql: Sql,
  taxpayerId: string,
  kind: Fact['kind'],
  books: ColumnValues,
  columns: readonly ColumnValues[],
): Promise<void> {
  const all = [books, ...columns];
  const name = `${kind} ${all.map((column) => (column.kind === 'same' ? column.as : column.kind)).join(' ')}`;
  const text = insertTexts.get(name) ?? insertText(kind, books, columns);
  insertTexts.set(name, text);
  const values = all.flatMap((column) =>
    column.kind === 'same' ? [] : [column.kind === 'all' ? column.value : column.values],
  );
  await sql.unsafe(text, [taxpayerId, ...values], { prepare: true });
}

/**
 * Cached INSERT statements, by kind of fact and by how the columns share values. There are only a few, because the
 * facts of a book are similar.
 */
const insertTexts = new Map<string, string>();

function insertText(kind: Fact['kind'], books: ColumnValues, values: readonly ColumnValues[]): string {
  const columns = columnsOf(kind).map(([, column]) => column);
  const [each, selected]: [{ name: string; array: string }[], string[]] = [[], []];
  let parameter = 1;
  const read = ({ name, type }: Pick<(typeof columns)[number], 'name' | 'type'>, values: ColumnValues): string => {
    if (values.kind === 'same') return selected[values.as] as string;
    parameter += 1;
    // Casts to text first, because the driver would otherwise reformat a boolean or a date.
    if (values.kind === 'all') return `$${parameter}::text::${type}`;
    // Sends arrays of arrays as text, because all inner arrays would need the same length.
    each.push({ name, array: `$${parameter}::${type === 'text[]' ? type : `${type}[]`}` });
    return type === 'text[]' ? `r.${name}::text[]` : `r.${name}`;
  };
  const book = read({ name: 'book', type: 'text' }, books);
  for (const [at, column] of columns.entries()) selected.push(read(column, values[at] as ColumnValues));
  return `
    insert into ${factTables[kind].name} (taxpayer_id, book, ${columns.map(({ name }) => name).join(', ')})
    select me.id, ${book}, ${selected.join(', ')}
    from taxpayers me, unnest(${each.map(({ array }) => array).join(', ')}) as r (${each.map(({ name }) => name).join(', ')})
    where me.id = $1::uuid`;
}

/** Selects the columns for a kind of fact, named after its fields. */
export const factFields = (sql: Sql, kind: Fact['kind']) => sql.unsafe(fieldTexts[kind]);

const fieldTexts = byKind((kind) =>
  columnsOf(kind)
    .map(([member, { name }]) => `${name} as "${member}"`)
    .join(', '),
);

function byKind(textOf: (kind: Fact['kind']) => string): Record<Fact['kind'], string> {
  return Object.fromEntries(factKinds.map((kind) => [kind, textOf(kind)])) as Record<Fact['kind'], string>;
}

/** The facts of a book whose cause is after one day and no later than another. */
export interface CausedSpan {
  readonly book: string;
  readonly after: string;
  readonly until: string;
}

/** Returns the span of all facts of a book. */
export function spanAllDays(book: string): CausedSpan {
  return { book, after: '-infinity', until: 'infinity' };
}

/**
 * Finds the rows one span at a time with the index on books and days, then selects them by their position in the table.
 * With a join, the planner would have to guess the number of days in a span and would read all facts of the taxpayer.
 */
const causedRows = (sql: Sql, kind: Fact['kind'], taxpayerId: string, spans: readonly CausedSpan[]) => sql`
  taxpayer_id = ${taxpayerId} and ctid = any(array(
    select f.place from unnest(
      ${spans.map((one) => one.book)}::text[], ${spans.map((one) => one.after)}::date[],
      ${spans.map((one) => one.until)}::date[]
    ) as k (book, after, until), lateral (
      select ctid as place from ${sql(factTables[kind].name)}
      where taxpayer_id = ${taxpayerId} and book = k.book and caused_on > k.after and caused_on <= k.until
      offset 0
    ) f
  ))`;

/** Deletes facts. Returns the years that contained any of them. */
export async function deleteFacts(sql: Sql, taxpayerId: string, spans: readonly CausedSpan[]): Promise<number[]> {
  if (spans.length === 0) return [];
  const [first, ...others] = factKinds.map(
    (kind) => sql`select on_day from ${sql(factTables[kind].name)} where ${causedRows(sql, kind, taxpayerId, spans)}`,
  );
  const days = others.reduce((all, one) => sql`${all} union all ${one}`, first as (typeof others)[number]);
  const years = await sql<{ year: number }[]>`
    select distinct extract(year from on_day)::integer as year from (${days}) gone`;
  if (years.length === 0) return [];
  await Promise.all(
    factKinds.map(
      (kind) => sql`delete from ${sql(factTables[kind].name)} where ${causedRows(sql, kind, taxpayerId, spans)}`,
    ),
  );
  return years.map(({ year }) => year);
}

/** A fact and its book. */
interface BookFact {
  readonly book: string;
  readonly fact: Fact;
}

/** Deletes facts like `deleteFacts`, but returns the deleted facts. */
export async function takeFacts(sql: Sql, taxpayerId: string, spans: readonly CausedSpan[]): Promise<BookFact[]> {
  if (spans.length === 0) return [];
  const factsByKind = await Promise.all(
    factKinds.map(async (kind): Promise<BookFact[]> => {
      const rows = await sql<(RowOf<typeof kind> & { readonly book: string })[]>`
        delete from ${sql(factTables[kind].name)} where ${causedRows(sql, kind, taxpayerId, spans)}
        returning book, ${factFields(sql, kind)}`;
      return rows.map((row) => ({ book: row.book, fact: toFact(kind, row) }));
    }),
  );
  return factsByKind.flat();
}

/** Limits a selection of facts: to one book, to days from a day on, or to days before a day. */
export interface FactScope {
  readonly taxpayerId: string;
  readonly book?: string;
  readonly from?: string;
  readonly before?: string;
  /** Only facts caused up to this day, which a replay until this day would produce. */
  readonly causedUntil?: string;
  /** Has no effect on wash sales, which have no asset. */
  readonly asset?: string;
  /** Has no effect on wash sales, which have no account. */
  readonly account?: string;
  /** Only disposals with one of these letters in column (f). */
  readonly codes?: string;
}

const matchScope = (sql: Sql, { taxpayerId, book, from, before, causedUntil, asset, account, codes }: FactScope) => sql`
  taxpayer_id = ${taxpayerId}
  ${book === undefined ? sql`` : sql`and book = ${book}`}
  ${from === undefined ? sql`` : sql`and on_day >= ${from}`}
  ${before === undefined ? sql`` : sql`and on_day < ${before}`}
  ${causedUntil === undefined ? sql`` : sql`and caused_on <= ${causedUntil}`}
  ${asset === undefined ? sql`` : sql`and asset = ${asset}`}
  ${account === undefined ? sql`` : sql`and account = ${account}`}
  ${codes === undefined ? sql`` : sql`and code ~ ${`[${codes}]`}`}`;

/** Returns facts ordered by day and id. */
export async function selectFacts<Kind extends Fact['kind']>(
  sql: Sql,
  kind: Kind,
  scope: FactScope,
): Promise<FactOf<Kind>[]> {
  const rows = await sql<RowOf<Kind>[]>`
    select ${factFields(sql, kind)} from ${sql(factTables[kind].name)}
    where ${matchScope(sql, scope)} order by on_day, id`;
  return rows.map((row) => toFact(kind, row as RowOf<Kind>));
}

/** Returns the issues that keep a year's forms in draft status, ordered by day and id. */
export async function selectIssuesOfYear(sql: Sql, taxpayerId: string, year: number): Promise<Issue[]> {
  const rows = await sql<RowOf<'issue'>[]>`
    select ${factFields(sql, 'issue')} from issues
    where taxpayer_id = ${taxpayerId}
      and (on_day between ${`${year}-01-01`} and ${`${year}-12-31`} or ${String(year)} = any(other_years))
    order by on_day, id`;
  return rows.map((row) => toFact('issue', row));
}

/** Returns the facts dated on these days in all books, ordered by id. */
export async function selectFactsOn<Kind extends Fact['kind']>(
  sql: Sql,
  kind: Kind,
  { taxpayerId }: Pick<FactScope, 'taxpayerId'>,
  days: readonly string[],
): Promise<FactOf<Kind>[]> {
  const rows = await sql<RowOf<Kind>[]>`
    select ${factFields(sql, kind)} from ${sql(factTables[kind].name)}
    where taxpayer_id = ${taxpayerId} and on_day = any(${days as string[]}::date[]) order by id`;
  return rows.map((row) => toFact(kind, row as RowOf<Kind>));
}

/** Returns the facts dated on some days in some books, ordered by id. */
export async function selectFactsOfBooks<Kind extends Fact['kind']>(
  sql: Sql,
  kind: Kind,
  taxpayerId: string,
  days: readonly { readonly book: string; readonly day: string }[],
): Promise<{ readonly book: string; readonly fact: FactOf<Kind> }[]> {
  if (days.length === 0) return [];
  const rows = await sql<(RowOf<Kind> & { readonly book: string })[]>`
    select f.book, ${factFields(sql, kind)}
    from unnest(${days.map(({ book }) => book)}::text[], ${days.map(({ day }) => day)}::date[]) as k (book, day), lateral (
      select * from ${sql(factTables[kind].name)}
      where taxpayer_id = ${taxpayerId} and book = k.book and on_day = k.day
      offset 0
    ) f
    order by f.id`;
  return rows.map((row) => ({ book: row.book, fact: toFact(kind, row as RowOf<Kind>) }));
}

/**
 * Returns the disposals that a transaction caused or closed. Searches the books of the transaction, from its day on.
 */
export async function selectTransactionDisposals(
  sql: Sql,
  taxpayerId: string,
  transactionId: string,
): Promise<Disposal[]> {
  const rows = await sql<RowOf<'disposal'>[]>`
    select ${factFields(sql, 'disposal')}
    from (
      select distinct b.book as own, t.on_day as since
      from transactions t
      join books b on b.taxpayer_id = t.taxpayer_id
        and b.asset_key in (t.asset_key, t.second_key, t.third_key, t.fourth_key)
      where t.taxpayer_id = ${taxpayerId} and t.id = ${transactionId}
    ) o
    join disposals d on d.book = o.own and d.caused_on >= o.since
    where d.taxpayer_id = ${taxpayerId} and starts_with(d.id, ${`${transactionId}/`})`;
  return rows.map((row) => toFact('disposal', row));
}
