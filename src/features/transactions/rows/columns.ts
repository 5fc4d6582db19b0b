import { type Day, type Instant, parseWrittenDay } from '../../../base/day.ts';
import {
  type Cents,
  type Money,
  parseWrittenMoney,
  parseWrittenQuantity,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import type { StatedNames } from '../../../engine/events/same-assets.ts';
import type { LotChoice, Ratio, Transaction } from '../../../engine/model.ts';
import type { TransactionRow } from './statement-sql.ts';

/** Written member by member: a history has many rows, and a loop over the table would take several times as long. */
export function transactionOf(row: TransactionRow): Transaction {
  const transaction: Transaction = {
    id: row.id,
    line: placeInOrder(row.line, row.tie),
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
    maturity: row.maturity === null ? null : dayOf(row.maturity),
    accruedInterest: moneyOf(row.accrued_interest),
    marketDiscount: moneyOf(row.market_discount),
    statedGain: moneyOf(row.stated_gain),
    externalId: row.external_id,
    note: row.note,
  };
  return row.zoned === true ? { ...transaction, zoned: true } : transaction;
}

/** Returns the names stated in the row, if the books have others. */
export function statedNamesOf({ stated_names: names }: Pick<TransactionRow, 'stated_names'>): StatedNames {
  return names === null || names === undefined ? {} : (JSON.parse(names) as StatedNames);
}

/** Returns the row with the names that it states. */
export function statedTransactionOf(row: TransactionRow): Transaction {
  return { ...transactionOf(row), ...statedNamesOf(row) };
}

/** Returns the line plus a fraction that orders rows of one line. A double holds both exactly. */
export function placeInOrder(line: number, tie: number): number {
  return line + tie / ties;
}

/** `tieOf` returns 20 bits. */
export const ties = 2 ** 20;

export function dayOf(text: string): Day {
  const day = parseWrittenDay(text);
  if (day === undefined) throw new Error('The database contains an invalid date.');
  return day;
}

export function moneyOf(text: string): Money;
export function moneyOf(text: string | null): Money | null;
export function moneyOf(text: string | null): Money | null {
  if (text === null) return null;
  const money = parseWrittenMoney(text);
  if (money === undefined) throw new Error('The database contains an invalid amount.');
  return money;
}

export function centsOf(text: string): Cents {
  return roundToCents(moneyOf(text));
}

export function quantityOf(text: string): Quantity;
export function quantityOf(text: string | null): Quantity | null;
export function quantityOf(text: string | null): Quantity | null {
  if (text === null) return null;
  const quantity = parseWrittenQuantity(text);
  if (quantity === undefined) throw new Error('The database contains an invalid quantity.');
  return quantity;
}

export function instantOf(microseconds: string | null): Instant | null {
  return microseconds === null ? null : (Number(microseconds) as Instant);
}

export function ratioOf(numerator: string | null, denominator: string | null): Ratio | null {
  if (numerator === null || denominator === null) return null;
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

function lotsOf(text: string): readonly LotChoice[] {
  if (text === '') return [];
  const pairs = JSON.parse(text) as [string, string][];
  return pairs.map(([label, quantity]) => ({ label, quantity: quantityOf(quantity) }));
}

export function mapped<Value, Result>(value: Value | null, write: (value: Value) => Result): Result | null {
  return value === null ? null : write(value);
}
