import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import { derivedColumns, extraColumns, type SqlColumn, sqlColumns } from './statement-sql.ts';

/** The key of a book that a change affected, and the first affected day. */
export interface TouchedRow {
  readonly asset_key: string;
  readonly day: string;
}

export interface StageScope {
  readonly taxpayerId: string;
  readonly importId: string;
}

export type SqlPart = ReturnType<Sql>;

/** The columns of rows that are sent with a statement: the SQL type of each, and how it is read. */
export type SentColumns<Row> = Readonly<Record<string, readonly [type: string, read: (row: Row) => unknown]>>;

/**
 * SQL for rows that are sent with a statement, to follow `from`. Each column is one array, so that the statement is the
 * same for any number of rows.
 */
export function sentAs<Row>(sql: Sql, alias: string, rows: readonly Row[], columns: SentColumns<Row>): SqlPart {
  const arrays = Object.values(columns).map(
    ([type, read], at) => sql`${at === 0 ? sql`` : sql`, `}${rows.map(read) as string[]}::${sql.unsafe(type)}[]`,
  );
  return sql`unnest(${arrays}) as ${sql.unsafe(`${alias} (${Object.keys(columns).join(', ')})`)}`;
}

/** The columns of a `TransactionRow`, selected from transactions `t`. */
export const transactionColumns = (sql: Sql): SqlPart =>
  sql`t.id, t.line, ${tieColumns(sql)} as tie, ${sql.unsafe(selectedColumns)}`;

/**
 * SQL that orders different rows with the same day and position by their content, because ids are different for each
 * taxpayer. Uses the first 20 bits of the fingerprint (`columns.ts`).
 */
export const tieColumns = (sql: Sql): SqlPart => sql`
  coalesce(get_byte(t.fingerprint, 0) * 4096 + get_byte(t.fingerprint, 1) * 16 + get_byte(t.fingerprint, 2) / 16, 0)`;

/** Selects the secret key for a taxpayer's row ids (`RowIds`). */
export async function selectIdKey(sql: Sql, taxpayerId: string): Promise<Uint8Array> {
  const [row] = await sql<{ key: Uint8Array }[]>`select id_key as key from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw booksDeleted();
  return row.key;
}

/** The columns after the fingerprint that the tables `staged` and `transactions` have in common, in a fixed order. */
export const rowColumns = (sql: Sql): SqlPart => sql`${sql.unsafe(columnsInBoth.join(', '))}`;

/** SQL that sets each of these columns to the value in another row. */
export const setRowColumns = (sql: Sql, from: string): SqlPart =>
  sql`${sql.unsafe(columnsInBoth.map((name) => `${name} = ${from}.${name}`).join(', '))}`;

/**
 * Matches rows whose tax year depends on the time zone and whose import contains one (`rules/questions/new-year.ts`).
 */
export const isZoned = (sql: Sql): SqlPart => sql`(t.time_zone is not null and ${isNearNewYear(sql)})`;

/** Matches rows `t` whose tax year depends on a time zone that no import contains. */
export const isUnzonedNearNewYear = (sql: Sql): SqlPart => sql`(t.time_zone is null and ${isNearNewYear(sql)})`;

const isNearNewYear = (sql: Sql): SqlPart => sql`(
  t.at is not null and extract(year from t.at at time zone 'UTC' - interval '12 hours')
    <> extract(year from t.at at time zone 'UTC' + interval '14 hours'))`;

/** Matches transactions `t` that have only the columns of a plain purchase or sale. */
export const statesNoExtras = (sql: Sql): SqlPart => sql`(${sql.unsafe(noExtras)})`;

/** SQL for the other columns of a `TransactionRow`, as JSON. */
export const extrasJson = (sql: Sql): SqlPart => sql`json_build_object(${sql.unsafe(extras)})`;

const selectedColumns = sqlColumns.map((column) => `${buildReadExpression(column)} as ${column.name}`).join(', ');
const columnsInBoth = [...sqlColumns.map(({ name }) => name), ...Object.keys(derivedColumns)];
// Ignores the gain in the file, because it does not affect any calculation.
const noExtras = extraColumns
  .filter(({ name }) => name !== 'stated_gain')
  .map(({ name, isNotNull }) => `t.${name} ${isNotNull ? "= ''" : 'is null'}`)
  .join(' and ');
const extras = extraColumns
  .map((column) => `'${column.name}', ${buildReadExpression(column)}${column.type === 'text' ? '' : '::text'}`)
  .join(', ');

function buildReadExpression({ name, type }: SqlColumn): string {
  return type === 'timestamptz' ? `(extract(epoch from t.${name}) * 1000000)::bigint` : `t.${name}`;
}
