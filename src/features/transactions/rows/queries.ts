import type { Sql } from '../../../db/connection.ts';
import { deletedMeanwhile } from '../../../db/refused.ts';
import { derivedColumns, extraColumns, type SqlColumn, sqlColumns } from './statement-sql.ts';

/** A book that a change affected, by key, with the first affected day. */
export interface TouchedRow {
  readonly asset_key: string;
  readonly day: string;
}

export interface StageScope {
  readonly taxpayerId: string;
  readonly importId: string;
}

/** A fragment of an SQL statement. */
export type SqlPart = ReturnType<Sql>;

/** The members of a `TransactionRow`, of transactions `t`. */
export const transactionColumns = (sql: Sql): SqlPart =>
  sql`t.id, t.line, ${tieColumns(sql)} as tie, ${sql.unsafe(selected)}`;

/**
 * Orders different rows with the same day and position by their content, because ids differ for each taxpayer. Uses the
 * first 20 bits of the fingerprint (`columns.ts`).
 */
export const tieColumns = (sql: Sql): SqlPart => sql`
  coalesce(get_byte(t.fingerprint, 0) * 4096 + get_byte(t.fingerprint, 1) * 16 + get_byte(t.fingerprint, 2) / 16, 0)`;

/** Returns the secret key for a taxpayer's row ids (`RowIds`). */
export async function selectIdKey(sql: Sql, taxpayerId: string): Promise<Uint8Array> {
  const [row] = await sql<{ key: Uint8Array }[]>`select id_key as key from taxpayers where id = ${taxpayerId}`;
  if (row === undefined) throw deletedMeanwhile();
  return row.key;
}

/** The columns after the fingerprint that both tables, staged and stored, have in common, in a fixed order. */
export const rowColumns = (sql: Sql): SqlPart => sql`${sql.unsafe(columnsInBoth.join(', '))}`;

/** Sets each of these columns to the value in another row. */
export const setRowColumns = (sql: Sql, from: string): SqlPart =>
  sql`${sql.unsafe(columnsInBoth.map((name) => `${name} = ${from}.${name}`).join(', '))}`;

/** Whether its import states the time zone that determines its tax year (`rules/questions/new-year.ts`). */
export const isZoned = (sql: Sql): SqlPart => sql`(t.time_zone is not null and ${isNearNewYear(sql)})`;

/** Whether the tax year of the row `t` depends on a time zone that no import states. */
export const isUnzonedNearNewYear = (sql: Sql): SqlPart => sql`(t.time_zone is null and ${isNearNewYear(sql)})`;

const isNearNewYear = (sql: Sql): SqlPart => sql`(
  t.at is not null and extract(year from t.at at time zone 'UTC' - interval '12 hours')
    <> extract(year from t.at at time zone 'UTC' + interval '14 hours'))`;

/** Whether the transaction `t` has only the members of a plain purchase or sale. */
export const statesNoExtras = (sql: Sql): SqlPart => sql`(${sql.unsafe(noExtras)})`;

/** The remaining members of its `TransactionRow`, as JSON. */
export const extrasJson = (sql: Sql): SqlPart => sql`json_build_object(${sql.unsafe(extras)})`;

const selected = sqlColumns.map((column) => `${buildReadExpression(column)} as ${column.name}`).join(', ');
const columnsInBoth = [...sqlColumns.map(({ name }) => name), ...Object.keys(derivedColumns)];
// The gain stated by a source does not affect any calculation.
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
