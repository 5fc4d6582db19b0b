import { formatQuantity, parseQuantity, type Quantity } from '../../base/decimal.ts';
import { magnitude } from '../cells/amounts.ts';
import type { Cells } from '../cells/cells.ts';
import { rejections } from '../cells/reasons.ts';
import type { Outcome } from '../format.ts';
import type { LotbookTexts } from './mapped-line.ts';
import type { MappedValues } from './mapped-values.ts';
import type { Mapping } from './mapping.ts';

/** New units and old units, as decimals. */
interface SplitTerms {
  readonly fresh: string;
  readonly old: string;
}

const numberShape = '(\\d{1,6}(?:\\.\\d{1,6})?)';
/** Matches `3-for-1` and `1 for 10`. */
const forShape = new RegExp(`(?<![\\d.,:/-])${numberShape}[\\s-]*for[\\s-]*${numberShape}(?![\\d:/-])`, 'i');
/** Matches `3:1` and `1/10`, which can also be times and dates. */
const colonShape = new RegExp(`(?<![\\d.,:/-])${numberShape}\\s?[:/]\\s?${numberShape}(?![\\d:/-])`);

/**
 * Finds the ratio in a text. `1:3` is written for both forward and reverse splits, so only the word "reverse" or a
 * larger first number settles it. Returns undefined if the text contains no ratio.
 */
export function readSplitTerms(text: string, isReverse = /reverse|consolidat/i.test(text)): SplitTerms | undefined {
  const spoken = forShape.exec(text);
  const [, first = '', second = ''] =
    spoken ?? (/split|ratio|consolidat/i.test(text) ? colonShape.exec(text) : null) ?? [];
  const [a, b] = [parseQuantity(first) ?? 0n, parseQuantity(second) ?? 0n];
  if (a === 0n || b === 0n || a === b) return undefined;
  const [larger, smaller] = a > b ? [first, second] : [second, first];
  if (isReverse) return { fresh: smaller, old: larger };
  return spoken !== null || a > b ? { fresh: first, old: second } : undefined;
}

/** Writes a split in one row as a Lotbook CSV line. The meaning of its quantity is never guessed. */
export function splitLine(values: MappedValues, mapping: Mapping, line: LotbookTexts): LotbookTexts | Outcome {
  const { cells } = values;
  const base = { ...line, type: 'split', amount: '', fee: '', currency: '', ratio: '', quantity: '' };
  const stated = values.text('ratio');
  const isReverse = cells.row.cells.some((cell) => /reverse|consolidat/i.test(cell));
  const terms = [`ratio ${stated}`, ...cells.row.cells]
    .map((text) => readSplitTerms(text, isReverse))
    .find((one) => one !== undefined);
  if (terms !== undefined) return { ...base, ratio: `${terms.fresh}:${terms.old}` };
  if (/^\d+(?:\.\d+)?$/.test(stated)) return { ...base, ratio: stated };
  if (stated !== '') return cells.rejected(values.column('ratio'), rejections.newSharesUnclear);
  const counted = values.counted('quantity')?.value ?? null;
  const column = values.column('quantity');
  if (counted === null || counted === 0n) return cells.rejected(column, rejections.ratioMissing);
  const units = formatQuantity(magnitude(counted) ?? counted);
  if (mapping.splitQuantity === 'ratio' && counted > 0n) return { ...base, ratio: `${units}:1` };
  if (mapping.splitQuantity === 'added') return { ...base, quantity: formatQuantity(counted) };
  return cells.rejected(column, rejections.splitQuantityUnclear(units));
}

/** One half of a split that is booked as two rows. Old units are removed and new ones are added. */
interface SplitHalf {
  readonly key: string;
  readonly cells: Cells;
  readonly isOut: boolean;
  /** Whether the position was short, in which case added units close it. Undefined if the row does not show it. */
  readonly effect: 'open' | 'close' | undefined;
  readonly units: Quantity;
  readonly read: (line: LotbookTexts) => readonly Outcome[];
  readonly line: LotbookTexts;
  /** Reads the row without its other half. Null if there must be another half. */
  readonly readAlone: (() => readonly Outcome[]) | null;
}

/** Joins the two halves of each split, which can be anywhere in the file. */
export class SplitHalves {
  private readonly waiting = new Map<string, SplitHalf>();

  add(half: SplitHalf): readonly Outcome[] {
    const other = this.waiting.get(half.key);
    if (other === undefined && this.waiting.size < waitingMax) {
      this.waiting.set(half.key, half);
      return [];
    }
    if (other === undefined || other.isOut === half.isOut) return readUnpaired(half);
    this.waiting.delete(half.key);
    return joinHalves(half, other);
  }

  end(): readonly Outcome[] {
    const halves = [...this.waiting.values()];
    this.waiting.clear();
    return halves.flatMap(readUnpaired);
  }
}

const waitingMax = 10_000;

function joinHalves(half: SplitHalf, other: SplitHalf): readonly Outcome[] {
  const [out, into] = half.isOut ? [half, other] : [other, half];
  const isShort = into.effect === 'close' || out.effect === 'open';
  const [old, fresh] = isShort ? [into, out] : [out, into];
  const ratio = `${formatQuantity(fresh.units)}:${formatQuantity(old.units)}`;
  const first = half.cells.line < other.cells.line ? half : other;
  const lines = [half.cells.line, other.cells.line].sort((a, b) => a - b);
  const read = first.read({ ...first.line, type: 'split', quantity: '', amount: '', fee: '', currency: '', ratio });
  return read.map((outcome) => ({ ...outcome, lines }));
}

function readUnpaired({ cells, readAlone }: SplitHalf): readonly Outcome[] {
  if (readAlone !== null) return readAlone();
  return [cells.rejected(null, rejections.splitRowMissing)];
}
