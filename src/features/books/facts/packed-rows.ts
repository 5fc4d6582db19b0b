import type { Day, Instant } from '../../../base/day.ts';
import { moneyDecimals } from '../../../base/decimal.ts';
import { isPlainlyTraded, type Ledger } from '../../../engine/events/ledger.ts';
import type { AssetClass, Transaction, TransactionType } from '../../../engine/model.ts';
import { parseMoneyColumn, parseQuantityColumn, ties, toTransaction } from '../../transactions/rows/columns.ts';
import { sqlColumns, type TransactionRow } from '../../transactions/rows/statement-sql.ts';
import { Fields } from './packed-fields.ts';

/** Several rows of a history in one text, each with the fields of `selectPackedHistories`. */
export interface PackedRows {
  /** Increases with the days of the rows. */
  readonly part: number;
  readonly packed: string;
  readonly rows: number;
}

/**
 * Reads plain trades straight into the columns of a ledger. Nearly all rows are plain trades, and creating a
 * transaction for each takes several times as long. Other rows, and rows with an answer from the taxpayer, are read as
 * transactions.
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
   * Returns false if a text in a row contains a field or row separator. There are then more rows than expected or a row
   * with too many fields, and everything read so far is invalid.
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

  /** Returns the rows that are not in the ledger. Call after all rows were read. */
  transactions(): Transaction[] {
    return this.#others.map(transactionFrom);
  }

  #readTrade(fields: Fields): boolean {
    const kind = this.#readKind(fields);
    if (!kind.isTrade) return false;
    const { account, asset, assetClass, isSale } = kind;
    // A slice of the text would keep the whole text in memory for as long as a fact names the row.
    const id = Buffer.from(fields.word(), 'latin1').toString('latin1');
    const moment = fields.scaled(0, Number.NaN);
    const on = fields.scaled(0, Number.NaN) as Day;
    const line = fields.scaled(0, Number.NaN) / ties;
    const quantity = fields.limbs();
    const amount = fields.scaled(moneyDecimals, Number.NaN);
    const fee = fields.scaled(moneyDecimals, 0);
    const externalId = fields.word();
    const isPlain = fields.isEndOfRow && quantity !== null && amount >= 0 && !Number.isNaN(on + line + fee);
    if (!isPlain || this.#isAnswered(id)) return false;
    const at = Number.isNaN(moment) ? null : instantOf(on, moment);
    const { high, low } = quantity;
    const trade = { id, externalId, line, on, at, isSale, account, asset, assetClass, high, low, amount, fee };
    return this.#ledger.addTrade(trade);
  }

  #readKind(fields: Fields): Kind {
    // Adjacent rows are mostly of the same kind, or alternate between two.
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

/** The first fields of a row, which many rows share. */
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

/** A row that has only the fields of its text. */
const plain = {
  ...Object.fromEntries(sqlColumns.map(({ name, isNotNull }) => [name, isNotNull ? '' : null])),
  ...{ id: '', line: 0, tie: 0, type: 'buy', on_day: '2000-01-01', asset_class: 'stock', currency: '' },
} as TransactionRow;
const noOthers = toTransaction(plain);

function parsePackedRow(text: string): Transaction {
  return toTransaction({ ...plain, ...(JSON.parse(text) as Partial<TransactionRow>) });
}
