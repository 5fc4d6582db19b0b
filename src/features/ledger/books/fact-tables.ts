import { type Day, formatDay } from '../../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatMoney,
  formatQuantity,
  type Money,
  type Quantity,
} from '../../../base/decimal.ts';
import { toArrayText } from '../../../db/array.ts';
import type { Contract1256, Disposal, Fact, Gift, Income, Issue, WashSale } from '../../../engine/model.ts';
import { parseCentsColumn, parseDayColumn, parseMoneyColumn, parseQuantityColumn } from '../transactions/rows.ts';

/** A column of a fact table: its SQL name and type, and how a field is written and read. */
interface Column<Value, Stored = unknown> {
  readonly name: string;
  readonly type: 'text' | 'date' | 'numeric' | 'boolean' | 'text[]';
  write(value: Value): string | null;
  read(stored: Stored): Value;
}

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>;

/** One column for each field. The type requires a column for every field. */
type ColumnsOf<Own extends Fact> = {
  readonly [Member in Exclude<keyof Own, 'kind'>]: Column<Own[Member]>;
};

function text(name: string): Column<string, string> {
  return word<string>(name);
}

/** Returns a column for null or one of a few words. */
function word<Value extends string | null>(name: string): Column<Value, Value> {
  return { name, type: 'text', write: (value) => value, read: (stored) => stored };
}

function day(name: string): Column<Day, string> {
  return { name, type: 'date', write: formatDay, read: parseDayColumn };
}

function cents(name: string): Column<Cents, string> {
  return { name, type: 'numeric', write: formatCents, read: parseCentsColumn };
}

/** Returns a column for an amount in cents. Null if unknown. */
function centsOrNull(name: string): Column<Cents | null, string | null> {
  return {
    name,
    type: 'numeric',
    write: (value) => (value === null ? null : formatCents(value)),
    read: (stored) => (stored === null ? null : parseCentsColumn(stored)),
  };
}

/** Returns a column for an amount in cents. The field is omitted if unknown. */
function centsIfAny(name: string): Column<Cents | undefined, string | null> {
  return {
    name,
    type: 'numeric',
    write: (value) => (value === undefined ? null : formatCents(value)),
    read: (stored) => (stored === null ? undefined : parseCentsColumn(stored)),
  };
}

function money(name: string): Column<Money, string> {
  return { name, type: 'numeric', write: formatMoney, read: parseMoneyColumn };
}

function quantity(name: string): Column<Quantity, string> {
  return { name, type: 'numeric', write: formatQuantity, read: parseQuantityColumn };
}

/** Returns a column for a quantity. The field is omitted if there is none. */
function quantityIfAny(name: string): Column<Quantity | undefined, string | null> {
  return {
    name,
    type: 'numeric',
    write: (value) => (value === undefined ? null : formatQuantity(value)),
    read: (stored) => (stored === null ? undefined : (parseQuantityColumn(stored) ?? undefined)),
  };
}

/** Returns a column for a day. The field is omitted if there is none. */
function dayIfAny(name: string): Column<Day | undefined, string | null> {
  return {
    name,
    type: 'date',
    write: (value) => (value === undefined ? null : formatDay(value)),
    read: (stored) => (stored === null ? undefined : parseDayColumn(stored)),
  };
}

function flag(name: string): Column<boolean, boolean> {
  return { name, type: 'boolean', write: String, read: (stored) => stored };
}

/** Returns a column for a field that is omitted unless it is true. */
function mark(name: string): Column<true | undefined, boolean> {
  return { name, type: 'boolean', write: (value) => String(value === true), read: (stored) => stored || undefined };
}

/** Returns a column for a list of texts. The field is omitted if the list is empty. */
function textsIfAny(name: string): Column<readonly string[] | undefined, readonly string[]> {
  return {
    name,
    type: 'text[]',
    write: (value) => toArrayText(value ?? [], (one) => one),
    read: (stored) => (stored.length === 0 ? undefined : stored),
  };
}

/** Returns a column for a list of years. The field is omitted if the list is empty. */
function yearsIfAny(name: string): Column<readonly number[] | undefined, readonly string[]> {
  return {
    name,
    type: 'text[]',
    write: (value) => toArrayText(value ?? [], String),
    read: (stored) => (stored.length === 0 ? undefined : stored.map(Number)),
  };
}

function texts(name: string): Column<readonly string[], readonly string[]> {
  return {
    name,
    type: 'text[]',
    write: (value) => toArrayText(value, (one) => one),
    read: (stored) => stored,
  };
}

/** The columns of `disposals`, in the order of the fields of a disposal read from the database. */
const disposalColumns = {
  id: text('id'),
  causedOn: day('caused_on'),
  on: day('on_day'),
  saleId: text('sale_id'),
  lotId: text('lot_id'),
  asset: text('asset'),
  assetClass: word<Disposal['assetClass']>('asset_class'),
  account: text('account'),
  quantity: quantity('quantity'),
  acquired: day('acquired'),
  heldSince: day('held_since'),
  inherited: flag('inherited'),
  sold: day('sold'),
  proceeds: cents('proceeds'),
  basis: cents('basis'),
  term: word<Disposal['term']>('term'),
  box: word<Disposal['box']>('box'),
  boxReason: text('box_reason'),
  formExempt: mark('form_exempt'),
  shortSale: flag('short_sale'),
  expired: word<Disposal['expired']>('expired'),
  code: text('code'),
  adjustment: cents('adjustment'),
  basisUnknown: flag('basis_unknown'),
  identified: word<Disposal['identified']>('identified'),
  description: word<Disposal['description']>('description'),
  acquiredVarious: mark('acquired_various'),
  formRows: textsIfAny('form_rows'),
  purchaseUnknown: mark('purchase_unknown'),
  fundValue: centsIfAny('fund_value'),
} satisfies ColumnsOf<Disposal>;

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
