import type { ArrayText } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Disposal, Fact } from '../../../engine/model.ts';
import type { FactOf } from './column.ts';
import { columnsOf, factKinds, factOf, factTables, type RowOf } from './tables.ts';

/** One book of one taxpayer: whose facts a statement is about. */
export interface BookScope {
  readonly taxpayerId: string;
  readonly book: string;
}

/**
 * The values of a column: one for all rows, one for each, or in each row the day of a column before it. What rows and
 * columns share would be more than half of what is sent.
 */
export type ColumnValues =
  | { readonly kind: 'all'; readonly value: string | null }
  | { readonly kind: 'each'; readonly values: ArrayText | null }
  | { readonly kind: 'same'; readonly as: number };

/** Facts of a kind, column by column. */
export async function insertFacts(
  sql: Sql,
  scope: BookScope,
  kind: Fact['kind'],
  columns: readonly ColumnValues[],
): Promise<void> {
  const shapes = columns.map((column) => (column.kind === 'same' ? column.as : column.kind)).join(' ');
  const name = `${kind} ${shapes}`;
  const text = insertTexts.get(name) ?? insertText(kind, columns);
  insertTexts.set(name, text);
  const values = columns.flatMap((column) =>
    column.kind === 'same' ? [] : [column.kind === 'all' ? column.value : column.values],
  );
  await sql.unsafe(text, [scope.taxpayerId, scope.book, ...values], { prepare: true });
}

/** By the kind and what rows and columns share: few, for the facts of a book are much alike. */
const insertTexts = new Map<string, string>();

function insertText(kind: Fact['kind'], values: readonly ColumnValues[]): string {
  const columns = columnsOf(kind).map(([, column]) => column);
  const [each, selected]: [{ name: string; array: string }[], string[]] = [[], []];
  let parameter = 2;
  for (const [at, { name, type }] of columns.entries()) {
    const own = values[at] as ColumnValues;
    if (own.kind === 'same') {
      selected.push(selected[own.as] as string);
      continue;
    }
    parameter += 1;
    // As text first: the driver would write a boolean or a day that is a text in its own way.
    if (own.kind === 'all') selected.push(`$${parameter}::text::${type}`);
    else {
      // Arrays of arrays must all have one length: they come as texts.
      each.push({ name, array: `$${parameter}::${type === 'text[]' ? type : `${type}[]`}` });
      selected.push(type === 'text[]' ? `${name}::text[]` : name);
    }
  }
  return `
    insert into ${factTables[kind].name} (taxpayer_id, book, ${columns.map(({ name }) => name).join(', ')})
    select $1::uuid, $2::text, ${selected.join(', ')}
    from unnest(${each.map(({ array }) => array).join(', ')}) as r (${each.map(({ name }) => name).join(', ')})`;
}

/** The columns of a kind of fact by the names of its members. */
export const factFields = (sql: Sql, kind: Fact['kind']) => sql.unsafe(fieldTexts[kind]);

const fieldTexts = byKind((kind) =>
  columnsOf(kind)
    .map(([member, { name }]) => `${name} as "${member}"`)
    .join(', '),
);

function byKind(textOf: (kind: Fact['kind']) => string): Record<Fact['kind'], string> {
  return Object.fromEntries(factKinds.map((kind) => [kind, textOf(kind)])) as Record<Fact['kind'], string>;
}

/** Facts caused on these days, or after a day where it is given. */
const caused = (sql: Sql, scope: BookScope, days: readonly string[], after: string | null) => sql`
  taxpayer_id = ${scope.taxpayerId} and book = ${scope.book}
  and (caused_on = any(${days as string[]}::date[]) ${after === null ? sql`` : sql`or caused_on > ${after}`})`;

/** Returns the years that lost some. */
export async function deleteFacts(
  sql: Sql,
  scope: BookScope,
  days: readonly string[],
  after: string | null,
): Promise<number[]> {
  const gone = await Promise.all(
    factKinds.map(
      (kind) => sql<{ year: number }[]>`
        with gone as (
          delete from ${sql(factTables[kind].name)} where ${caused(sql, scope, days, after)}
          returning extract(year from on_day)::integer as year
        )
        select distinct year from gone`,
    ),
  );
  return [...new Set(gone.flat().map((row) => row.year))];
}

/** All of a book's. Returns the years that had some. */
export async function deleteAllFacts(sql: Sql, scope: BookScope): Promise<number[]> {
  return deleteFacts(sql, scope, [], '-infinity');
}

/** As deleteFacts, but returns what was deleted. */
export async function takeFacts(
  sql: Sql,
  scope: BookScope,
  days: readonly string[],
  after: string | null,
): Promise<Fact[]> {
  const taken = await Promise.all(
    factKinds.map(async (kind): Promise<Fact[]> => {
      const rows = await sql<RowOf<typeof kind>[]>`
        delete from ${sql(factTables[kind].name)} where ${caused(sql, scope, days, after)}
        returning ${factFields(sql, kind)}`;
      return rows.map((row) => factOf(kind, row));
    }),
  );
  return taken.flat();
}

/** Which facts: of one book or of all, from a day on, before a day. */
export interface FactScope {
  readonly taxpayerId: string;
  readonly book?: string;
  readonly from?: string;
  readonly before?: string;
  /** Only those that a replay until this day leaves. */
  readonly causedUntil?: string;
  /** Not for wash sales, which name none. */
  readonly asset?: string;
  /** Only disposals with one of these letters in their code. */
  readonly codes?: string;
}

const within = (sql: Sql, { taxpayerId, book, from, before, causedUntil, asset, codes }: FactScope) => sql`
  taxpayer_id = ${taxpayerId}
  ${book === undefined ? sql`` : sql`and book = ${book}`}
  ${from === undefined ? sql`` : sql`and on_day >= ${from}`}
  ${before === undefined ? sql`` : sql`and on_day < ${before}`}
  ${causedUntil === undefined ? sql`` : sql`and caused_on <= ${causedUntil}`}
  ${asset === undefined ? sql`` : sql`and asset = ${asset}`}
  ${codes === undefined ? sql`` : sql`and code ~ ${`[${codes}]`}`}`;

/** By day and id. */
export async function selectFacts<Kind extends Fact['kind']>(
  sql: Sql,
  kind: Kind,
  scope: FactScope,
): Promise<FactOf<Kind>[]> {
  const rows = await sql<RowOf<Kind>[]>`
    select ${factFields(sql, kind)} from ${sql(factTables[kind].name)}
    where ${within(sql, scope)} order by on_day, id`;
  return rows.map((row) => factOf(kind, row as RowOf<Kind>));
}

/** Those of these days, by id, of all books or of one. */
export async function selectFactsOn<Kind extends Fact['kind']>(
  sql: Sql,
  kind: Kind,
  scope: Pick<FactScope, 'taxpayerId' | 'book'>,
  days: readonly string[],
): Promise<FactOf<Kind>[]> {
  const rows = await sql<RowOf<Kind>[]>`
    select ${factFields(sql, kind)} from ${sql(factTables[kind].name)}
    where ${within(sql, scope)} and on_day = any(${days as string[]}::date[]) order by id`;
  return rows.map((row) => factOf(kind, row as RowOf<Kind>));
}

/** Those that a transaction caused or closed: in its books, from its day on. */
export async function selectDisposalsOf(sql: Sql, taxpayerId: string, transactionId: string): Promise<Disposal[]> {
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
  return rows.map((row) => factOf('disposal', row));
}
