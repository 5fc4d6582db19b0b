import { formatDay, formatInstant } from '../../../base/day.ts';
import { formatMoney, formatQuantity } from '../../../base/decimal.ts';
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

export interface SqlColumn {
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
