import type { Contract1256, Fact, Gift, Income, Issue, WashSale } from '../../../../engine/model.ts';
import {
  type Column,
  type ColumnsOf,
  cents,
  centsOrNull,
  day,
  dayIfAny,
  type FactOf,
  flag,
  money,
  quantity,
  quantityIfAny,
  text,
  texts,
  word,
  yearsIfAny,
} from './column.ts';
import { disposalColumns } from './disposal-columns.ts';

const washSaleColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  disposalId: text('disposal_id'),
  replacementLotId: text('replacement_lot_id'),
  replacementTransactionId: text('replacement_transaction_id'),
  quantity: quantity('quantity'),
  disallowed: cents('disallowed'),
  permanent: flag('permanent'),
} satisfies ColumnsOf<WashSale>;

const incomeColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  transactionId: text('transaction_id'),
  type: word<Income['type']>('type'),
  asset: text('asset'),
  account: text('account'),
  amount: money('amount'),
} satisfies ColumnsOf<Income>;

const contractColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  transactionId: text('transaction_id'),
  asset: text('asset'),
  account: text('account'),
  gain: cents('gain'),
} satisfies ColumnsOf<Contract1256>;

const giftColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  transactionId: text('transaction_id'),
  lotId: text('lot_id'),
  type: word<Gift['type']>('type'),
  asset: text('asset'),
  assetClass: word<Gift['assetClass']>('asset_class'),
  account: text('account'),
  quantity: quantity('quantity'),
  acquired: day('acquired'),
  heldSince: day('held_since'),
  inherited: flag('inherited'),
  basis: cents('basis'),
  basisUnknown: flag('basis_unknown'),
  term: word<Gift['term']>('term'),
  value: centsOrNull('value'),
} satisfies ColumnsOf<Gift>;

const issueColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  otherYears: yearsIfAny('other_years'),
  issue: word<Issue['issue']>('issue'),
  asset: text('asset'),
  account: text('account'),
  transactions: texts('transactions'),
  dollars: centsOrNull('dollars'),
  units: quantityIfAny('units'),
  closesOn: dayIfAny('closes_on'),
  detail: text('detail'),
} satisfies ColumnsOf<Issue>;

/** The table for each kind of fact, with one row per fact and one column per field. */
export const factTables = {
  disposal: { name: 'disposals', columns: disposalColumns },
  wash: { name: 'wash_sales', columns: washSaleColumns },
  income: { name: 'incomes', columns: incomeColumns },
  contract_1256: { name: 'contracts_1256', columns: contractColumns },
  issue: { name: 'issues', columns: issueColumns },
  gift: { name: 'gifts', columns: giftColumns },
} as const satisfies {
  readonly [Kind in Fact['kind']]: { readonly name: string; readonly columns: ColumnsOf<FactOf<Kind>> };
};

export const factKinds = Object.keys(factTables) as Fact['kind'][];

type Columns<Kind extends Fact['kind']> = (typeof factTables)[Kind]['columns'];

/** A fact as read from the database. Days and numbers are text. */
export type RowOf<Kind extends Fact['kind']> = {
  readonly [Member in keyof Columns<Kind>]: Columns<Kind>[Member] extends Column<infer _, infer Stored>
    ? Stored
    : never;
};

/** Returns the fields of a kind of fact with their columns. */
export function columnsOf(kind: Fact['kind']): readonly (readonly [member: string, column: Column<unknown>])[] {
  return columns[kind];
}

const columns = Object.fromEntries(
  Object.entries(factTables).map(([kind, table]) => [kind, Object.entries<Column<unknown>>(table.columns)]),
) as Record<Fact['kind'], [string, Column<unknown>][]>;

export function toFact<Kind extends Fact['kind']>(kind: Kind, row: RowOf<Kind>): FactOf<Kind> {
  const fact: Record<string, unknown> = { kind };
  for (const [member, column] of columns[kind]) {
    const value = column.read(row[member as keyof RowOf<Kind>]);
    if (value !== undefined) fact[member] = value;
  }
  return fact as unknown as FactOf<Kind>;
}
