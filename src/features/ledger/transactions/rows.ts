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
import type { TouchedRow, TransactionRow } from './rows.queries.ts';

/**
 * Converts a row. Lists all properties explicitly, because a history has many rows and a loop over the list of columns
 * would take several times as long.
 */
export function toTransaction(row: TransactionRow): Transaction {
  const transaction: Transaction = {
    id: row.id,
    line: computeLinePosition(row.line, row.tie),
    type: row.type,
    at: parseInstantColumn(row.at),
    on: parseDayColumn(row.on_day),
    account: row.account,
    asset: row.asset,
    assetClass: row.asset_class,
    quantity: parseQuantityColumn(row.quantity),
    amount: parseMoneyColumn(row.amount),
    fee: parseMoneyColumn(row.fee),
    currency: row.currency,
    receivedAsset: row.received_asset,
    receivedQuantity: parseQuantityColumn(row.received_quantity),
    feeAsset: row.fee_asset,
    feeQuantity: parseQuantityColumn(row.fee_quantity),
    feeOwn: parseMoneyColumn(row.fee_own),
    toAccount: row.to_account,
    acquired: row.acquired === null ? null : parseDayColumn(row.acquired),
    basis: parseMoneyColumn(row.basis),
    fmv: parseMoneyColumn(row.fmv),
    ratio: parseRatioColumns(row.ratio_numerator, row.ratio_denominator),
    lots: parseLotsColumn(row.lots),
    identifiedAt: parseInstantColumn(row.identified_at),
    shares: parseQuantityColumn(row.shares),
    underlying: row.underlying,
    right: row.option_right,
    box: row.box,
    wash: parseMoneyColumn(row.wash),
    term: row.term,
    maturity: row.maturity === null ? null : parseDayColumn(row.maturity),
    accruedInterest: parseMoneyColumn(row.accrued_interest),
    marketDiscount: parseMoneyColumn(row.market_discount),
    statedGain: parseMoneyColumn(row.stated_gain),
    offered: row.offered === null ? null : parseDayColumn(row.offered),
    discount: parseMoneyColumn(row.discount),
    wages: parseMoneyColumn(row.wages),
    externalId: row.external_id,
    note: row.note,
  };
  return row.zoned === true ? { ...transaction, zoned: true } : transaction;
}

/** Returns the names in the row's file, if the books use other names. */
export function parseStatedNames({ stated_names: names }: Pick<TransactionRow, 'stated_names'>): StatedNames {
  return names === null || names === undefined ? {} : (JSON.parse(names) as StatedNames);
}

/** Converts a row, with the names as stated in its file. */
export function toStatedTransaction(row: TransactionRow): Transaction {
  return { ...toTransaction(row), ...parseStatedNames(row) };
}

/** Returns the line plus a fraction that orders rows with the same line. A double represents both exactly. */
export function computeLinePosition(line: number, tie: number): number {
  return line + tie / ties;
}

/** The number of distinct values of `tieColumns`, which has 20 bits. */
export const ties = 2 ** 20;

export function parseDayColumn(text: string): Day {
  const day = parseWrittenDay(text);
  if (day === undefined) throw new Error('The database contains an invalid date.');
  return day;
}

export function parseMoneyColumn(text: string): Money;
export function parseMoneyColumn(text: string | null): Money | null;
export function parseMoneyColumn(text: string | null): Money | null {
  if (text === null) return null;
  const money = parseWrittenMoney(text);
  if (money === undefined) throw new Error('The database contains an invalid amount.');
  return money;
}

export function parseCentsColumn(text: string): Cents {
  return roundToCents(parseMoneyColumn(text));
}

export function parseQuantityColumn(text: string): Quantity;
export function parseQuantityColumn(text: string | null): Quantity | null;
export function parseQuantityColumn(text: string | null): Quantity | null {
  if (text === null) return null;
  const quantity = parseWrittenQuantity(text);
  if (quantity === undefined) throw new Error('The database contains an invalid quantity.');
  return quantity;
}

export function parseInstantColumn(microseconds: string | null): Instant | null {
  return microseconds === null ? null : (Number(microseconds) as Instant);
}

export function parseRatioColumns(numerator: string | null, denominator: string | null): Ratio | null {
  if (numerator === null || denominator === null) return null;
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) };
}

function parseLotsColumn(text: string): readonly LotChoice[] {
  if (text === '') return [];
  const pairs = JSON.parse(text) as [string, string][];
  return pairs.map(([label, quantity]) => ({ label, quantity: parseQuantityColumn(quantity) }));
}

export function mapNullable<Value, Result>(value: Value | null, write: (value: Value) => Result): Result | null {
  return value === null ? null : write(value);
}

/** The keys of books that a change affected, each with its first affected day. This is the input of `recompute`. */
export type TouchedKeys = ReadonlyMap<string, Day>;

export function collectTouched(...changes: readonly (readonly TouchedRow[])[]): Map<string, Day> {
  const touched = new Map<string, Day>();
  for (const rows of changes) for (const row of rows) touch(touched, row.asset_key, parseDayColumn(row.day));
  return touched;
}

export function touch(touched: Map<string, Day>, key: string, day: Day): void {
  const known = touched.get(key);
  if (known === undefined || day < known) touched.set(key, day);
}

/**
 * Creates the row ids of a taxpayer: HMAC-SHA-256 with the taxpayer's secret key (`taxpayers.id_key`). The same row has
 * the same id in each import of the taxpayer. The id reveals nothing about other taxpayers' rows. This is a custom
 * implementation (RFC 2104: two hashes over padded keys), because an import needs an id for every row, and creating an
 * object for each takes three times as long.
 */
export class RowIds {
  readonly #inner: Uint8Array;
  readonly #outer: Uint8Array;
  readonly #digest: Uint8Array;

  /** A longer key would have to be hashed first. */
  constructor(key: Uint8Array) {
    if (key.length === 0 || key.length > blockBytes) throw new Error('A key for row ids has the wrong length.');
    this.#inner = new Uint8Array(blockBytes + textBytesMax);
    this.#outer = new Uint8Array(blockBytes + hashBytes);
    this.#inner.set(paddedKey(key, innerPad));
    this.#outer.set(paddedKey(key, outerPad));
    this.#digest = this.#outer.subarray(blockBytes);
  }

  /** Returns the id of a row without hyphens, which the database accepts. `occurrence` counts equal rows. */
  computeDigits(fingerprint: string, occurrence: number): string {
    return this.hashText(`${fingerprint}#${occurrence}`);
  }

  /** Returns the id of a row with hyphens. */
  computeRowId(fingerprint: string, occurrence: number): string {
    const digits = this.computeDigits(fingerprint, occurrence);
    return [0, 8, 12, 16, 20].map((from, at) => digits.slice(from, [8, 12, 16, 20, 32][at])).join('-');
  }

  /** Returns 32 hex digits for a short text, such as the hash of a longer one. */
  hashText(text: string): string {
    const { written, read } = encoder.encodeInto(text, this.#inner.subarray(blockBytes));
    if (read < text.length) throw new Error('The text is too long for a row id.');
    Bun.SHA256.hash(this.#inner.subarray(0, blockBytes + written), this.#digest);
    return Bun.SHA256.hash(this.#outer, 'hex').slice(0, nameDigits);
  }
}

/** The padded key blocks, for computing the same ids in SQL. */
interface KeyBlocks {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

export function computeKeyBlocks(key: Uint8Array): KeyBlocks {
  return { inner: paddedKey(key, innerPad), outer: paddedKey(key, outerPad) };
}

/** Used for books without a taxpayer, such as in `lotbook report`, which keeps its data on this machine. */
export const noTaxpayersKey = new Uint8Array(32);

function paddedKey(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(blockBytes).fill(pad);
  key.forEach((byte, at) => {
    block[at] = byte ^ pad;
  });
  return block;
}

const encoder = new TextEncoder();
const [blockBytes, hashBytes, nameDigits] = [64, 32, 32];
const [innerPad, outerPad] = [0x36, 0x5c];
/** Enough for a hash in hex and a number. */
const textBytesMax = 128;
