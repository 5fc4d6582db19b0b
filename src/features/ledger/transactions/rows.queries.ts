import { formatDay, formatInstant } from '../../../base/day.ts';
import { formatMoney, formatQuantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import type { AssetClass, LotChoice, Statement } from '../../../engine/model.ts';
import {
  type MemberKind,
  type MemberTable,
  type MemberValues,
  memberNames,
  statementMembers,
} from '../../../engine/statement-members.ts';

/** The SQL types of the columns that store a statement in `transactions` and `staged`. */
type SqlType = 'text' | 'date' | 'timestamptz' | 'numeric';

interface SqlOfKind<Value> {
  readonly type: SqlType;
  /** Returns the value as text. Null or '' means not set. */
  readonly write: (value: Value) => string | null;
  /** Whether the column contains '' instead of null if the value is not set. */
  readonly isNotNull?: true;
}

/** How the database stores each kind of value. */
const sqlOfKind: { readonly [Kind in MemberKind]: SqlOfKind<MemberValues[Kind]> } = {
  instant: { type: 'timestamptz', write: (instant) => (instant === null ? null : formatInstant(instant)) },
  day: { type: 'date', write: (day) => (day === null ? null : formatDay(day)) },
  type: { type: 'text', write: (type) => type },
  name: { type: 'text', write: (name) => name, isNotNull: true },
  note: { type: 'text', write: (note) => note, isNotNull: true },
  currency: { type: 'text', write: (currency) => currency },
  class: { type: 'text', write: (assetClass) => assetClass },
  quantity: { type: 'numeric', write: (quantity) => (quantity === null ? null : formatQuantity(quantity)) },
  money: { type: 'numeric', write: (money) => (money === null ? null : formatMoney(money)) },
  ratio: { type: 'numeric', write: (ratio) => (ratio === null ? null : ratio.numerator.toString()) },
  lots: { type: 'text', write: lotsText, isNotNull: true },
  right: { type: 'text', write: (right) => right },
  box: { type: 'text', write: (box) => box },
  term: { type: 'text', write: (term) => term },
};

/** Columns whose names differ from those in the Lotbook CSV. */
const otherNames = {
  at: 'at',
  on: 'on_day',
  ratio: 'ratio_numerator',
  right: 'option_right',
  externalId: 'external_id',
} as const satisfies Partial<Record<keyof Statement, string>>;

type ColumnOf<Name extends keyof Statement> = Name extends keyof typeof otherNames
  ? (typeof otherNames)[Name]
  : MemberTable[Name]['column'];
/** The second column of a ratio. */
type Denominator = 'ratio_denominator';
export type StatementColumn = ColumnOf<keyof Statement> | Denominator;

/**
 * How values of each kind are read from the database: numbers as text, instants in microseconds since 1970, the asset
 * class as resolved.
 */
interface ReadValues extends Pick<MemberValues, 'type' | 'name' | 'note' | 'currency' | 'right' | 'box' | 'term'> {
  readonly instant: string | null;
  readonly day: string | null;
  readonly class: AssetClass;
  readonly quantity: string | null;
  readonly money: string | null;
  readonly ratio: string | null;
  readonly lots: string;
}

/** A row of `transactions` as read from the database. */
export type TransactionRow = {
  readonly [Name in keyof Statement as ColumnOf<Name>]: MemberTable[Name] extends {
    isAlways: true;
  }
    ? string
    : ReadValues[MemberTable[Name]['kind']];
} & { readonly [Name in Denominator]: string | null } & {
  readonly id: string;
  readonly line: number;
  /** The position among rows with the same day and line (`tieColumns`). */
  readonly tie: number;
  /** Set only if the tax year depends on the time zone: whether the import contains one (`isZoned`). */
  readonly zoned?: boolean;
  /** The names in the file as JSON, if the books use other names. Only read by queries that need it. */
  readonly stated_names?: string | null;
};

interface SqlColumn {
  readonly name: StatementColumn;
  readonly type: SqlType;
  readonly isNotNull: boolean;
  readonly isExtra: boolean;
  /** Returns null or '' if the statement has no value. */
  readonly write: (statement: Statement) => string | null;
}

export const sqlColumns: readonly SqlColumn[] = memberNames.flatMap((member) => {
  const { column, kind } = statementMembers[member];
  const { type, write, isNotNull = false } = sqlOfKind[kind] as SqlOfKind<unknown>;
  const other = (otherNames as Partial<Record<keyof Statement, StatementColumn>>)[member];
  const common = { type, isNotNull, isExtra: 'isExtra' in statementMembers[member] };
  const sqlColumn = {
    ...common,
    name: other ?? column,
    write: (statement: Statement) => write(statement[member]),
  } as SqlColumn;
  if (member !== 'ratio') return [sqlColumn];
  const denominator = ({ ratio }: Statement): string | null => (ratio === null ? null : ratio.denominator.toString());
  return [sqlColumn, { ...common, name: 'ratio_denominator', write: denominator }];
});

/** Columns that a plain purchase or sale never uses. */
export const extraColumns = sqlColumns.filter(({ isExtra }) => isExtra);

/** Columns that both tables have in addition to the columns of the statement. */
export const derivedColumns = {
  time_zone: 'text',
  stated_class: 'text',
  source_class: 'text',
  asset_key: 'text',
  second_key: 'text',
  third_key: 'text',
  fourth_key: 'text',
  links: 'text',
  stated_names: 'text',
} as const satisfies Record<string, SqlType>;

/** Returns the lot choices as JSON, or '' if there are none. */
export function lotsText(lots: readonly LotChoice[]): string {
  return lots.length === 0 ? '' : JSON.stringify(lots.map((lot) => [lot.label, formatQuantity(lot.quantity)]));
}

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
