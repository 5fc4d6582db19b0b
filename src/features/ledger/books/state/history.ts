import type { Day, Instant } from '../../../../base/day.ts';
import { nextTurn } from '../../../../base/deadline.ts';
import { moneyDecimals, quantityDecimals } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isPlainlyTraded, Ledger } from '../../../../engine/events/ledger.ts';
import { fitsLimbs, highOf, type Limbs, lowOf, scaledLimbs } from '../../../../engine/events/limbs.ts';
import type { AssetClass, Transaction, TransactionType } from '../../../../engine/model.ts';
import { valuedTransactions } from '../../prices/valuations.ts';
import type { Restatements } from '../../transactions/resolutions.ts';
import { sqlColumns, type TransactionRow } from '../../transactions/rows.queries.ts';
import { parseMoneyColumn, parseQuantityColumn, ties, toTransaction } from '../../transactions/rows.ts';
import {
  type BookSpan,
  type HistorySpan,
  type PackedRows,
  selectHistory,
  selectPackedHistories,
  selectWholeHistories,
} from './state.queries.ts';

/** Reads the rows of some asset keys in the same form as `readHistories`. */
export async function readHistory(
  sql: Sql,
  taxpayerId: string,
  span: HistorySpan,
  restatements: Restatements,
): Promise<Ledger> {
  const histories = await readHistories(sql, taxpayerId, [{ ...span, book: '' }], restatements);
  return histories.get('') as Ledger;
}

/**
 * Reads the rows of some books in the form that the engine needs: with the taxpayer's answers to issues, and in dollars if
 * prices are known. The rows arrive packed into one text per thousand or so, which takes a tenth of the time of forty
 * columns per row. Omits notes, because no calculation uses them. `accountRows` is the number of rows in the account,
 * if it is known.
 */
export async function readHistories(
  sql: Sql,
  taxpayerId: string,
  spans: readonly BookSpan[],
  restatements: Restatements,
  accountRows = Number.POSITIVE_INFINITY,
): Promise<Map<string, Ledger>> {
  const isWhole =
    accountRows <= rowsPerTurn && spans.every(({ after, until }) => after === null && until === undefined);
  const packed = await (isWhole ? selectWholeHistories : selectPackedHistories)(sql, taxpayerId, spans);
  const parts = Map.groupBy(packed, ({ book }) => book);
  const read: { ledger: Ledger; others: Transaction[] }[] = [];
  for (const span of spans) {
    const bookRows = parts.get(span.book) ?? [];
    parts.delete(span.book);
    const rowsRead = await readRows(bookRows, restatements);
    if (rowsRead !== null) read.push(rowsRead);
    else {
      const rows = await selectHistory(sql, taxpayerId, span);
      read.push({ ledger: new Ledger(), others: rows.map(toTransaction) });
    }
  }
  const others = read.map((one) => one.others);
  const valued = await valuedTransactions(sql, taxpayerId, others, restatements);
  return new Map(
    spans.map(({ book }, at) => {
      const { ledger } = read[at] as (typeof read)[number];
      for (const one of valued[at] ?? []) ledger.add(one);
      return [book, ledger];
    }),
  );
}

/**
 * Returns a ledger with the plain trades, and all other rows separately. Returns null if a text contains a separator,
 * so that the rows must be read one by one.
 */
async function readRows(
  parts: PackedRows[],
  { byRow, arrived }: Restatements,
): Promise<{ ledger: Ledger; others: Transaction[] } | null> {
  const ledger = new Ledger();
  const reader = new RowReader(ledger, (id) => byRow.has(id) || arrived.has(id));
  // Sorts the parts first, because rows that arrive in the order of their days usually need no further sorting.
  parts.sort((a, b) => b.part - a.part);
  let rows = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (!reader.read(part)) return null;
    rows += part.rows;
    // A history may contain a million rows. This lets the server handle other requests in between.
    if (rows < rowsPerTurn) continue;
    rows = 0;
    await nextTurn();
  }
  return { ledger, others: reader.transactions() };
}

/** Reading this number of rows takes a few milliseconds. */
const rowsPerTurn = 2_500;

/**
 * Reads plain trades directly into the columns of a ledger. Nearly all rows are plain trades, and creating a
 * transaction for each would take several times as long. Reads all other rows as transactions, including rows for which
 * the taxpayer resolved an issue.
 */
class RowReader {
  readonly #ledger: Ledger;
  readonly #isAnswered: (id: string) => boolean;
  readonly #others: string[][] = [];
  readonly #kinds = new Map<string, Kind>();
  #kind: Kind | null = null;
  #kindBefore: Kind | null = null;

  constructor(ledger: Ledger, isAnswered: (id: string) => boolean) {
    this.#ledger = ledger;
    this.#isAnswered = isAnswered;
  }

  /**
   * Reads packed rows. Returns false if a text in a row contains a field or row separator, which leads to too many rows
   * or fields. Everything read so far is then invalid.
   */
  read({ packed, rows }: PackedRows): boolean {
    const fields = new Fields(packed);
    for (let row = 1; row <= rows; row++) {
      const from = fields.at;
      if (!this.#readTrade(fields)) {
        fields.at = from;
        const words = fields.row();
        if (words === null) return false;
        this.#others.push(words);
      }
      if (fields.nextRow() !== row < rows) return false;
    }
    return true;
  }

  /** Returns the rows that are not plain trades. Call this after all rows are read. */
  transactions(): Transaction[] {
    return this.#others.map(transactionFrom);
  }

  #readTrade(fields: Fields): boolean {
    const kind = this.#readKind(fields);
    if (!kind.isTrade) return false;
    const { account, asset, assetClass, isSale } = kind;
    // Copies the id, because a slice would keep the whole text in memory as long as a fact refers to the row.
    const id = Buffer.from(fields.word(), 'latin1').toString('latin1');
    const moment = fields.readScaled(0, Number.NaN);
    const on = fields.readScaled(0, Number.NaN) as Day;
    const line = fields.readScaled(0, Number.NaN) / ties;
    const quantity = fields.limbs();
    const amount = fields.readScaled(moneyDecimals, Number.NaN);
    const fee = fields.readScaled(moneyDecimals, 0);
    const externalId = fields.word();
    const isPlain = fields.isEndOfRow && quantity !== null && amount >= 0 && !Number.isNaN(on + line + fee);
    if (!isPlain || this.#isAnswered(id)) return false;
    const at = Number.isNaN(moment) ? null : instantOf(on, moment);
    const { high, low } = quantity;
    const trade = { id, externalId, line, on, at, isSale, account, asset, assetClass, high, low, amount, fee };
    return this.#ledger.addTrade(trade);
  }

  #readKind(fields: Fields): Kind {
    // Tries the last two kinds first. Adjacent rows are mostly of the same kind, or alternate between two.
    if (this.#kind !== null && fields.skip(this.#kind.text)) return this.#kind;
    const before = this.#kindBefore;
    this.#kindBefore = this.#kind;
    if (before !== null && fields.skip(before.text)) {
      this.#kind = before;
      return before;
    }
    const from = fields.at;
    const type = fields.word() as TransactionType;
    const assetClass = fields.word() as AssetClass;
    const currency = fields.word();
    const account = fields.word();
    const asset = fields.word();
    const text = fields.since(from);
    const isTrade = isPlainlyTraded({ type, assetClass, currency, asset });
    this.#kind = this.#kinds.get(text) ?? { text, account, asset, assetClass, isSale: type === 'sell', isTrade };
    this.#kinds.set(text, this.#kind);
    return this.#kind;
  }
}

/** The first fields of a row, which many rows have in common. */
interface Kind {
  readonly text: string;
  readonly account: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly isSale: boolean;
  readonly isTrade: boolean;
}

function transactionFrom(words: readonly string[]): Transaction {
  const [type, assetClass, currency = '', account = '', asset = '', id = '', moment = '', day, line] = words;
  const [quantity, amount, fee, externalId = '', others = ''] = words.slice(9);
  const on = Number(day) as Day;
  return {
    ...(others === '' ? noOthers : parsePackedRow(others)),
    id,
    line: Number(line) / ties,
    type: type as TransactionType,
    at: moment === '' ? null : instantOf(on, Number(moment)),
    on,
    account,
    asset,
    assetClass: assetClass as AssetClass,
    quantity: parseQuantityColumn(quantity || null),
    amount: parseMoneyColumn(amount || null),
    fee: parseMoneyColumn(fee || null),
    currency,
    externalId,
  };
}

const microsecondsPerDay = 86_400_000_000;

function instantOf(on: Day, microseconds: number): Instant {
  return (on * microsecondsPerDay + microseconds) as Instant;
}

/** The default values for columns that a packed row does not contain. */
const plain = {
  ...Object.fromEntries(sqlColumns.map(({ name, isNotNull }) => [name, isNotNull ? '' : null])),
  ...{ id: '', line: 0, tie: 0, type: 'buy', on_day: '2000-01-01', asset_class: 'stock', currency: '' },
} as TransactionRow;
const noOthers = toTransaction(plain);

function parsePackedRow(text: string): Transaction {
  return toTransaction({ ...plain, ...(JSON.parse(text) as Partial<TransactionRow>) });
}

/** Reads packed rows field by field. Parses numbers in place, without creating a string for each. */
class Fields {
  at = 0;
  #sign = 1;
  #digits = 0;
  #decimals = 0;

  constructor(private readonly text: string) {}

  word(): string {
    if (this.text.charCodeAt(this.at) === fieldEndCode) {
      this.at++;
      return '';
    }
    const end = this.text.indexOf(fieldEnd, this.at);
    const word = this.text.slice(this.at, end === -1 ? this.text.length : end);
    this.at += word.length + 1;
    return word;
  }

  /** Skips these fields if they come next. */
  skip(fields: string): boolean {
    if (!this.text.startsWith(fields, this.at)) return false;
    this.at += fields.length;
    return true;
  }

  since(at: number): string {
    return this.text.slice(at, this.at);
  }

  /**
   * Reads a number and scales it to an integer with the given number of decimals. Returns NaN if the result is not a
   * whole number or exceeds the precision of a double.
   */
  readScaled(decimals: number, unstated: number): number {
    const from = this.at;
    if (!this.#readNumber(decimals)) return this.at === from + 1 ? unstated : Number.NaN;
    const scaled = this.#digits * (powers[decimals - this.#decimals] as number);
    return scaled <= Number.MAX_SAFE_INTEGER ? this.#sign * scaled : Number.NaN;
  }

  /** Reads a positive quantity. Returns null if the field is empty or too large for `Limbs`. */
  limbs(): Limbs | null {
    const from = this.at;
    if (this.#readNumber(quantityDecimals)) {
      if (this.#sign * this.#digits <= 0) return null;
      return scaledLimbs(this.#digits, quantityDecimals - this.#decimals);
    }
    const quantity = parseQuantityColumn(this.text.slice(from, this.at - 1) || '0');
    return quantity > 0n && fitsLimbs(quantity) ? { high: highOf(quantity), low: lowOf(quantity) } : null;
  }

  /** True if only one empty field is left in the row. */
  get isEndOfRow(): boolean {
    return this.at === this.text.length || this.text.charCodeAt(this.at) === rowEndCode;
  }

  /** Returns all remaining fields of a row. Null if there are too many. */
  row(): string[] | null {
    const words = Array.from({ length: fieldsOfRow - 1 }, () => this.word());
    const end = this.text.indexOf(rowEnd, this.at);
    const last = this.text.slice(this.at, end === -1 ? this.text.length : end);
    this.at += last.length;
    words.push(last);
    return last.includes(fieldEnd) ? null : words;
  }

  /** Moves to the next row. Returns false if there is none. */
  nextRow(): boolean {
    if (this.at >= this.text.length) return false;
    this.at++;
    return true;
  }

  /**
   * Skips the field. Returns whether it is a number with at most 15 digits and at most the given number of decimals.
   */
  #readNumber(decimalsMax: number): boolean {
    const { text } = this;
    let at = this.at;
    let digits = 0;
    let point = -1;
    this.#sign = text.charCodeAt(at) === minus ? -1 : 1;
    if (this.#sign === -1) at++;
    const first = at;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code >= zero && code <= nine) digits = digits * 10 + (code - zero);
      else if (code === dot && point === -1) point = at;
      else break;
    }
    this.#digits = digits;
    this.#decimals = point === -1 ? 0 : at - point - 1;
    if (text.charCodeAt(at) !== fieldEndCode || at === first || digits >= digitsEnd || this.#decimals > decimalsMax) {
      this.word();
      return false;
    }
    this.at = at + 1;
    return true;
  }
}

const [fieldEnd, rowEnd] = ['\u001f', '\u001e'];
const [fieldEndCode, rowEndCode] = [0x1f, 0x1e];
const fieldsOfRow = 14;
const [minus, dot, zero, nine] = [45, 46, 48, 57];
/** The first integer with more than 15 digits. A double represents every smaller integer exactly. */
const digitsEnd = 1e15;
const powers = Array.from({ length: quantityDecimals + 1 }, (_, exponent) => 10 ** exponent);
