import type { Instant } from '../base/day.ts';
import type { Money, Quantity } from '../base/decimal.ts';
import type { LotChoice, Ratio, Statement } from '../engine/model.ts';
import type { Cells } from './cells.ts';
import type { Stated } from './drafts.ts';
import { plainNumber, readQuantity } from './fields.ts';
import type { ReadingContext } from './format.ts';
import { type ColumnsOfType, columnsOfType, type LotbookColumn } from './lotbook-columns.ts';
import { readTime } from './times.ts';

const usedBy: ReadonlyMap<ColumnsOfType, ReadonlySet<LotbookColumn>> = new Map(
  Object.values(columnsOfType).map((columns) => [columns, new Set([...columns.needs, ...columns.uses])]),
);

/** Cells of the columns that a type uses; the others read as empty, whatever they hold. */
export class LotbookCells {
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
