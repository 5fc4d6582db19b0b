import type { Day, Instant } from '../../../../base/day.ts';
import { moneyDecimals } from '../../../../base/decimal.ts';
import { isPlainlyTraded, type Ledger } from '../../../../engine/events/ledger.ts';
import type { AssetClass, Transaction, TransactionType } from '../../../../engine/model.ts';
import { parseMoneyColumn, parseQuantityColumn, ties, toTransaction } from '../../transactions/rows/columns.ts';
import { sqlColumns, type TransactionRow } from '../../transactions/rows/statement-sql.ts';
import { Fields } from './packed-fields.ts';

/** Several rows of a history packed into one text, each with the fields of `selectPackedHistories`. */
export interface PackedRows {
  /** A part with later days has a higher number. */
  readonly part: number;
  readonly packed: string;
  readonly rows: number;
}

/**
 * Reads plain trades directly into the columns of a ledger. Nearly all rows are plain trades, and creating a
 * transaction for each would take several times as long. Reads all other rows as transactions, including rows for which
 * the taxpayer resolved an issue.
 */
export class RowReader {
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
