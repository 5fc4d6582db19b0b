import { type Day, formatDay, formatInstant, type Instant, parseDay } from '../../base/day.ts';
import {
  formatMoney,
  formatQuantity,
  type Money,
  parseMoney,
  parseQuantity,
  type Quantity,
} from '../../base/decimal.ts';
import { plainArrayOf, statedArrayOf } from '../../db/array.ts';
import type {
  AssetClass,
  Box,
  LotChoice,
  Ratio,
  Statement,
  Term,
  Transaction,
  TransactionType,
} from '../../engine/model.ts';
import { idDigits, lotsText, type Prepared } from './prepare.ts';

/** A row of `transactions` as the database gives it: numbers as text, instants in microseconds since 1970. */
export interface TransactionRow {
  readonly id: string;
  readonly type: TransactionType;
  readonly at: string | null;
  readonly on_day: string;
  readonly account: string;
  readonly asset: string;
  readonly asset_class: AssetClass;
  readonly quantity: string | null;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly currency: string;
  readonly received_asset: string;
  readonly received_quantity: string | null;
  readonly fee_asset: string;
  readonly fee_quantity: string | null;
  readonly fee_own: string | null;
  readonly to_account: string;
  readonly acquired: string | null;
  readonly basis: string | null;
  readonly fmv: string | null;
  readonly ratio_numerator: string | null;
  readonly ratio_denominator: string | null;
  readonly lots: string;
  readonly identified_at: string | null;
  readonly shares: string | null;
  readonly underlying: string;
  readonly option_right: 'call' | 'put' | null;
  readonly box: Box | null;
  readonly wash: string | null;
  readonly term: Term | null;
  readonly external_id: string;
  readonly note: string;
  readonly line: number;
}

export function transactionOf(row: TransactionRow): Transaction {
  return {
    id: row.id,
    line: row.line,
    type: row.type,
    at: instantOf(row.at),
    on: dayOf(row.on_day),
    account: row.account,
    asset: row.asset,
    assetClass: row.asset_class,
    quantity: quantityOf(row.quantity),
    amount: moneyOf(row.amount),
    fee: moneyOf(row.fee),
    currency: row.currency,
    receivedAsset: row.received_asset,
    receivedQuantity: quantityOf(row.received_quantity),
    feeAsset: row.fee_asset,
    feeQuantity: quantityOf(row.fee_quantity),
    feeOwn: moneyOf(row.fee_own),
    toAccount: row.to_account,
    acquired: row.acquired === null ? null : dayOf(row.acquired),
    basis: moneyOf(row.basis),
    fmv: moneyOf(row.fmv),
    ratio: ratioOf(row.ratio_numerator, row.ratio_denominator),
    lots: lotsOf(row.lots),
    identifiedAt: instantOf(row.identified_at),
    shares: quantityOf(row.shares),
    underlying: row.underlying,
    right: row.option_right,
    box: row.box,
    wash: moneyOf(row.wash),
    term: row.term,
    externalId: row.external_id,
    note: row.note,
  };
}

export function dayOf(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new Error('The database holds a day outside of the years we keep.');
  return day;
}

export function moneyOf(text: string): Money;
export function moneyOf(text: string | null): Money | null;
export function moneyOf(text: string | null): Money | null {
  if (text === null) return null;
  const money = parseMoney(text);
  if (money === undefined) throw new Error('The database holds an amount that is none.');
  return money;
}

export function quantityOf(text: string): Quantity;
export function quantityOf(text: string | null): Quantity | null;
export function quantityOf(text: string | null): Quantity | null {
  if (text === null) return null;
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error('The database holds a quantity that is none.');
  return quantity;
}

function instantOf(microseconds: string | null): Instant | null {
  return microseconds === null ? null : (Number(microseconds) as Instant);
}

function ratioOf(numerator: string | null, denominator: string | null): Ratio | null {
  if (numerator === null || denominator === null) return null;
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

function lotsOf(text: string): readonly LotChoice[] {
  if (text === '') return [];
  const pairs = JSON.parse(text) as [string, string][];
  return pairs.map(([label, quantity]) => ({ label, quantity: quantityOf(quantity) }));
}

const keysMax = 4;

/** The columns of prepared rows, named as in the tables. `isRepeated`: an equal row may stand before it in its file. */
export function columnsOf(rows: readonly Prepared[], isRepeated: (row: Prepared) => boolean = () => false) {
  if (rows.some((row) => row.keys.length > keysMax)) throw new Error('A row moves more books than it has columns for.');
  const of = (read: (statement: Prepared['statement']) => string | null) =>
    statedArrayOf(rows, (row) => read(row.statement));
  const plain = (read: (statement: Prepared['statement']) => string | null) =>
    plainArrayOf(rows, (row) => read(row.statement));
  const text = (read: (statement: Statement) => string) => of((s) => read(s) || null);
  const money = (read: (statement: Statement) => Money | null) => plain((s) => mapped(read(s), formatMoney));
  const quantity = (read: (statement: Statement) => Quantity | null) => plain((s) => mapped(read(s), formatQuantity));
  return {
    fingerprint: plainArrayOf(rows, (row) => row.fingerprint),
    type: plain((s) => s.type),
    at: of((s) => mapped(s.at, formatInstant)),
    onDay: plain((s) => formatDay(s.on)),
    timeZone: statedArrayOf(rows, (row) => row.timeZone),
    account: of((s) => s.account),
    asset: of((s) => s.asset),
    assetClass: plain((s) => s.assetClass),
    statedClass: statedArrayOf(rows, (row) => row.statedClass),
    sourceClass: statedArrayOf(rows, (row) => row.sourceClass),
    quantity: quantity((s) => s.quantity),
    amount: money((s) => s.amount),
    fee: money((s) => s.fee),
    currency: of((s) => s.currency),
    receivedAsset: text((s) => s.receivedAsset),
    receivedQuantity: quantity((s) => s.receivedQuantity),
    feeAsset: text((s) => s.feeAsset),
    feeQuantity: quantity((s) => s.feeQuantity),
    feeOwn: money((s) => s.feeOwn),
    toAccount: text((s) => s.toAccount),
    acquired: plain((s) => mapped(s.acquired, formatDay)),
    basis: money((s) => s.basis),
    fmv: money((s) => s.fmv),
    ratioNumerator: plain((s) => s.ratio?.numerator.toString() ?? null),
    ratioDenominator: plain((s) => s.ratio?.denominator.toString() ?? null),
    lots: text((s) => lotsText(s.lots)),
    identifiedAt: of((s) => mapped(s.identifiedAt, formatInstant)),
    shares: quantity((s) => s.shares),
    underlying: text((s) => s.underlying),
    right: of((s) => s.right),
    box: of((s) => s.box),
    wash: money((s) => s.wash),
    term: of((s) => s.term),
    externalId: text((s) => s.externalId),
    note: text((s) => s.note),
    line: statedArrayOf(rows, (row) => row.line),
    lines: statedArrayOf(rows, (row) => (row.lines === 1 ? null : row.lines)),
    assetKey: statedArrayOf(rows, (row) => row.keys[0] ?? null),
    secondKey: statedArrayOf(rows, (row) => row.keys[1] ?? null),
    thirdKey: statedArrayOf(rows, (row) => row.keys[2] ?? null),
    fourthKey: statedArrayOf(rows, (row) => row.keys[3] ?? null),
    links: statedArrayOf(rows, (row) => row.links),
    id: plainArrayOf(rows, (row) => idDigits(row.fingerprint, 1)),
    repeated: statedArrayOf(rows, (row) => (isRepeated(row) ? 't' : null)),
  };
}

export function mapped<Value, Result>(value: Value | null, write: (value: Value) => Result): Result | null {
  return value === null ? null : write(value);
}
