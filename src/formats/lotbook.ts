import type { Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import {
  type AssetClass,
  assetClasses,
  type Box,
  boxes,
  type LotChoice,
  type Ratio,
  type Statement,
  type Term,
  type TransactionType,
  transactionTypes,
} from '../engine/model.ts';
import { Cells, Columns } from './cells.ts';
import type { Stated } from './drafts.ts';
import { plainNumber, readQuantity } from './fields.ts';
import type { Format, Layout, Outcome, Reader, ReadingContext, Row } from './format.ts';
import { type ColumnsOfType, columnsOfType, type LotbookColumn } from './lotbook-columns.ts';
import { formatOption, readOption } from './option-symbol.ts';
import { readTime, type Time } from './times.ts';

export { writeLotbook } from './lotbook-write.ts';

/** The universal format: every kind of transaction can be written in it (API.md section 4). */
export const lotbook: Format = {
  id: 'lotbook',
  name: 'Lotbook CSV',
  source: 'Lotbook',
  assetClass: null,
  actionsReachEveryAccount: true,
  layouts: [{ id: 'universal', required: ['date', 'type', 'asset'] }],
  open: (_layout: Layout, header: Row, context: ReadingContext): Reader => {
    const columns = new Columns(header);
    return { read: (row) => [readRow(new Cells(row, columns, context), context)], end: () => [] };
  },
};

/** What a type needs is said in columnsOfType; these need one of two. */
function readRow(cells: Cells, context: ReadingContext): Outcome {
  const type = typeOf(cells);
  if (type === undefined) return cells.refused();
  const time = timeOf(cells, context);
  const used = columnsOfType[type];
  const stated = statedBy(new LotbookCells(cells, used, context), type);
  for (const column of used.needs) if (cells.text(column) === '') cells.need(column, null);
  if (type === 'split' && stated.ratio === null) cells.need('ratio', stated.quantity ?? null);
  if (type === 'merger' && stated.ratio === null) cells.need('ratio', stated.receivedQuantity ?? null);
  return cells.read(time, stated);
}

function typeOf(cells: Cells): TransactionType | undefined {
  const text = cells
    .text('type')
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const type = transactionTypes.find((known) => known === text);
  if (text === '') cells.reject('type', 'missing', 'the type is missing');
  else if (type === undefined) cells.reject('type', 'unknown_type', 'this is no type of the Lotbook CSV');
  return type;
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:[Zz]|UTC|[+-]\d{2}:\d{2}))?)?$/;

function timeOf(cells: Cells, context: ReadingContext): Time | null {
  const text = cells.text('date');
  // 03/04/2025 is March in one country and April in the next: the universal format does not guess.
  if (text !== '' && !isoDate.test(text)) {
    cells.reject('date', 'bad_date', 'a date reads YYYY-MM-DD, YYYY-MM-DD HH:MM:SS or as in RFC 3339');
    return null;
  }
  return cells.timeOf('date', text, context.timeZone);
}

function statedBy(cells: LotbookCells, type: TransactionType): Stated {
  const option = readOption(cells.text('asset'));
  const stated: Stated = {
    type,
    account: cells.common('account'),
    asset: option === undefined ? cells.text('asset') : formatOption(option),
    assetClass: cells.choice('asset_class', assetClasses, 'common') as AssetClass | null,
    quantity: cells.quantity('quantity'),
    amount: cells.signedMoney('amount'),
    fee: cells.signedMoney('fee'),
    currency: cells.currency(),
    receivedAsset: cells.text('received_asset'),
    receivedQuantity: cells.quantity('received_quantity'),
    feeAsset: cells.text('fee_asset'),
    feeQuantity: cells.quantity('fee_quantity'),
    feeOwn: cells.signedMoney('fee_own'),
    toAccount: cells.text('to_account'),
    acquired: cells.acquired(),
    basis: cells.money('basis'),
    fmv: cells.money('fmv'),
    ratio: cells.ratio(),
    lots: cells.lots(),
    identifiedAt: cells.instant('identified_at'),
    shares: cells.quantity('shares'),
    underlying: cells.text('underlying'),
    right: cells.right(),
    box: cells.choice('box', boxes) as Box | null,
    wash: cells.money('wash'),
    term: cells.choice('term', ['short', 'long']) as Term | null,
    externalId: cells.common('id'),
    note: cells.common('note'),
  };
  return option === undefined || !cells.uses('underlying') ? cells.unspelled(stated) : withParts(stated, option);
}

/** The symbol's own parts, unless the row states others (an adjusted contract delivers something else). */
function withParts(stated: Stated, option: { underlying: string; right: 'call' | 'put' }): Stated {
  return {
    ...stated,
    underlying: stated.underlying || option.underlying,
    right: stated.right ?? option.right,
  };
}

const usedBy: ReadonlyMap<ColumnsOfType, ReadonlySet<LotbookColumn>> = new Map(
  Object.values(columnsOfType).map((columns) => [columns, new Set([...columns.needs, ...columns.uses])]),
);

/** Cells of the columns that a type uses; the others read as empty, whatever they hold. */
class LotbookCells {
  constructor(
    private readonly cells: Cells,
    private readonly used: ColumnsOfType,
    private readonly context: ReadingContext,
  ) {}

  uses(column: LotbookColumn): boolean {
    return usedBy.get(this.used)?.has(column) === true;
  }

  /** Text of a column that every type has. */
  common(column: LotbookColumn): string {
    return unescaped(this.cells.text(column));
  }

  text(column: LotbookColumn): string {
    return this.uses(column) ? unescaped(this.cells.text(column)) : '';
  }

  /** An amount; a reversal's is negative. */
  signedMoney(column: LotbookColumn): Money | null {
    return this.uses(column) ? this.cells.money(column) : null;
  }

  money(column: LotbookColumn): Money | null {
    return this.positive(column, this.signedMoney(column));
  }

  quantity(column: LotbookColumn): Quantity | null {
    if (!this.uses(column)) return null;
    const quantity = this.positive(column, this.cells.quantity(column));
    if (quantity !== 0n) return quantity;
    if (this.used.needs.includes(column)) this.cells.reject(column, 'not_positive', 'this must be more than zero');
    return null;
  }

  currency(): string {
    const text = this.common('currency').toUpperCase();
    if (text === '') return 'USD';
    if (!/^[A-Z]{3}$/.test(text)) this.cells.reject('currency', 'bad_currency', 'a currency is three letters, as USD');
    return text;
  }

  acquired(): Statement['acquired'] {
    // What Form 8949 prints where there is no one date.
    if (/^(?:various|inherited)$/i.test(this.text('acquired'))) return null;
    return this.uses('acquired') ? this.cells.day('acquired') : null;
  }

  instant(column: LotbookColumn): Instant | null {
    const text = this.text(column);
    if (text === '') return null;
    const time = readTime(text, this.context.timeZone, this.context.timeZone);
    if (time === undefined) this.cells.reject(column, 'bad_date', 'this is no date or time in a shape we know');
    if (time === undefined || time.at !== null) return time?.at ?? null;
    return readTime(`${text} 00:00:00`, this.context.timeZone, this.context.timeZone)?.at ?? null;
  }

  choice(column: LotbookColumn, known: readonly string[], reach: 'common' | 'used' = 'used'): string | null {
    const text = reach === 'common' ? this.common(column) : this.text(column);
    if (text === '') return null;
    const wanted = text.toLowerCase().replaceAll(/[\s-]+/g, '_');
    const found = known.find((one) => one.toLowerCase() === wanted);
    if (found === undefined) this.cells.reject(column, 'unknown_word', `this is none of ${known.join(', ')}`);
    return found ?? null;
  }

  right(): 'call' | 'put' | null {
    const right = this.choice('right', ['call', 'put', 'c', 'p']);
    return right === null ? null : right.startsWith('c') ? 'call' : 'put';
  }

  ratio(): Ratio | null {
    const text = this.text('ratio');
    if (text === '') return null;
    const ratio = readRatio(text);
    if (ratio === undefined) this.cells.reject('ratio', 'bad_ratio', 'a ratio reads 3:1 or 0.7');
    return ratio ?? null;
  }

  lots(): LotChoice[] {
    const text = this.text('lots');
    if (text === '') return [];
    const parts = text.split(';');
    return parts.flatMap((part) => {
      if (part.trim() === '') return [];
      const colon = part.lastIndexOf(':');
      const quantity = readQuantity(part.slice(colon + 1));
      const label = part.slice(0, Math.max(colon, 0)).trim();
      if (label !== '' && quantity !== undefined && quantity > 0n) return [{ label, quantity }];
      this.cells.reject('lots', 'bad_lots', 'lots read b3:10;b1:5, the id of the opening row and the quantity');
      return [];
    });
  }

  /** An option must be told by its symbol, or by what it is on and which right it gives. */
  unspelled(stated: Stated): Stated {
    const optionTrade = this.used.needs.includes('quantity') && this.uses('underlying');
    if (optionTrade && (stated.underlying === '' || stated.right === null)) {
      const reason = 'an option reads as AAPL 2025-01-17 C 150; another spelling needs "underlying" and "right"';
      this.cells.reject('asset', 'bad_option', reason);
    }
    return stated;
  }

  private positive<T extends bigint>(column: LotbookColumn, value: T | null): T | null {
    if (value === null || value >= 0n) return value;
    this.cells.reject(column, 'negative', 'this is never negative: the type says the direction');
    return null;
  }
}

/** `3:1`, `0.7`: two positive plain decimals, or one. */
export function readRatio(text: string): Ratio | undefined {
  const parts = text.split(/[:/]/).map((part) => decimalParts(part.trim()));
  const [first, second = { digits: 1n, scale: 1n }] = parts;
  if (first === undefined || second === undefined || parts.length > 2) return undefined;
  if (parts.length === 2 && parts[1] === undefined) return undefined;
  const numerator = first.digits * second.scale;
  const denominator = second.digits * first.scale;
  return numerator > 0n && denominator > 0n ? { numerator, denominator } : undefined;
}

function decimalParts(text: string): { digits: bigint; scale: bigint } | undefined {
  const plain = plainNumber(text);
  if (plain === undefined || plain.startsWith('-')) return undefined;
  const [whole = '', fraction = ''] = plain.replace('+', '').split('.');
  if (whole.length > 20 || fraction.length > 18) return undefined;
  return { digits: BigInt(`${whole}${fraction}`), scale: 10n ** BigInt(fraction.length) };
}

/** Free text that a spreadsheet would take for a formula is written with an apostrophe before it. */
function unescaped(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
