import type { Sql } from '../../../db/connection.ts';
import { deletedMeanwhile } from '../../../db/refused.ts';
import { derivedColumns, extraColumns, type SqlColumn, sqlColumns } from './statement-sql.ts';

/** What a change moved: by key of a book, the first day on which it did. */
export interface TouchedRow {
  readonly asset_key: string;
  readonly day: string;
}

export interface StageScope {
  readonly taxpayerId: string;
  readonly importId: string;
}

/** A part of a statement of SQL. */
export type SqlPart = ReturnType<Sql>;

/** The members of a `TransactionRow`, of transactions `t`. */
export const transactionColumns = (sql: Sql): SqlPart =>
  sql`t.id, t.line, ${tieOf(sql)} as tie, ${sql.unsafe(selected)}`;

/**
 * Orders different rows of one day and place by what they mean: by id they would stand otherwise for each taxpayer. The
 * first 20 bits of the fingerprint decide (`columns.ts`).
 */
export const tieOf = (sql: Sql): SqlPart => sql`
  coalesce(get_byte(t.fingerprint, 0) * 4096 + get_byte(t.fingerprint, 1) * 16 + get_byte(t.fingerprint, 2) / 16, 0)`;

/** The secret under which the rows of a taxpayer are named (`RowIds`). */
export async function selectIdKey(sql: Sql, taxpayerId: string): Promise<Uint8Array> {
  const [row] = await sql<{ key: Uint8Array }[]>`select id_key as key from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw deletedMeanwhile();
  return row.key;
}

/** The columns beside its fingerprint that a row has in both tables, staged or stored, in one order. */
export const rowColumns = (sql: Sql): SqlPart => sql`${sql.unsafe(columnsInBoth.join(', '))}`;

/** Each of them set to that of another row. */
export const setRowColumns = (sql: Sql, from: string): SqlPart =>
  sql`${sql.unsafe(columnsInBoth.map((name) => `${name} = ${from}.${name}`).join(', '))}`;

/** Whether its import states the time zone that decides its tax year (`rules/questions/new-year.ts`). */
export const isZoned = (sql: Sql): SqlPart => sql`(t.time_zone is not null and ${isNearNewYear(sql)})`;

/** Whether the tax year of the row `t` depends on a time zone that no import states. */
export const isUnzonedNearNewYear = (sql: Sql): SqlPart => sql`(t.time_zone is null and ${isNearNewYear(sql)})`;

const isNearNewYear = (sql: Sql): SqlPart => sql`(
  t.at is not null and extract(year from t.at at time zone 'UTC' - interval '12 hours')
    <> extract(year from t.at at time zone 'UTC' + interval '14 hours'))`;

/** Whether the transaction `t` states nothing but what a plain purchase or sale does. */
export const statesNoExtras = (sql: Sql): SqlPart => sql`(${sql.unsafe(noExtras)})`;

/** The other members of its `TransactionRow`, as JSON. */
export const extrasJson = (sql: Sql): SqlPart => sql`json_build_object(${sql.unsafe(extras)})`;

const selected = sqlColumns.map((column) => `${readOf(column)} as ${column.name}`).join(', ');
const columnsInBoth = [...sqlColumns.map(({ name }) => name), ...Object.keys(derivedColumns)];
// No number comes of the gain that a source states.
const noExtras = extraColumns
  .filter(({ name }) => name !== 'stated_gain')
  .map(({ name, isNotNull }) => `t.${name} ${isNotNull ? "= ''" : 'is null'}`)
  .join(' and ');
const extras = extraColumns
  .map((column) => `'${column.name}', ${readOf(column)}${column.type === 'text' ? '' : '::text'}`)
  .join(', ');

function readOf({ name, type }: SqlColumn): string {
  return type === 'timestamptz' ? `(extract(epoch from t.${name}) * 1000000)::bigint` : `t.${name}`;
}
