import { formatDollars, parseMoney, roundToCents } from '../../../base/decimal.ts';
import { contentOf, type LockedColumn, type LockedLine, lockedColumns } from './locked-lines.ts';

/** A line that was added, removed or changed after the year was locked. */
export type LineChange =
  | { readonly change: 'added'; readonly before: null; readonly after: LockedLine }
  | { readonly change: 'gone'; readonly before: LockedLine; readonly after: null }
  | { readonly change: 'changed'; readonly before: LockedLine; readonly after: LockedLine };

/**
 * Returns the changed lines, sorted by day of sale, asset and id. Lines with equal content count as the same line, even
 * if their source rows differ. Among the remaining lines, two with the same id count as one changed line.
 */
export function changesBetween(before: readonly LockedLine[], after: readonly LockedLine[]): LineChange[] {
  const removed = without(before, after);
  const added = new Map(without(after, before).map((line) => [line.id, line]));
  const changes = removed.map((line): LineChange => {
    const now = added.get(line.id);
    if (now === undefined) return { change: 'gone', before: line, after: null };
    added.delete(line.id);
    return { change: 'changed', before: line, after: now };
  });
  const fresh = [...added.values()].map((line): LineChange => ({ change: 'added', before: null, after: line }));
  return [...changes, ...fresh].sort(compareChanges);
}

export function lineOf(change: LineChange): LockedLine {
  return change.change === 'added' ? change.after : change.before;
}

export function buildSortKey(change: LineChange): [sold: string, asset: string, id: string, change: string] {
  const { sold, asset, id } = lineOf(change);
  return [sold, asset, id, change.change];
}

export function compareSortKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

/**
 * Formats a change, for example as `10 AAPL sold 2024-06-03 from Schwab: cost basis $1,000.00 → $900.00, gain $200.00 →
 * $300.00`.
 */
export function describeChange(change: LineChange): string {
  const { quantity, asset, account, sold, gain } = lineOf(change);
  const name = `${shortenQuantity(quantity)} ${asset} sold ${sold} from ${account}`;
  switch (change.change) {
    case 'added':
      return `${name} would become a new entry with ${formatResult(gain)}`;
    case 'gone':
      return `${name}, with ${formatResult(gain)}, would be removed`;
    case 'changed':
      return `${name}: ${columnsChanged(change.before, change.after)
        .map((column) => {
          const [before, after] = [change.before, change.after].map((line) => columnText(column, line[column]));
          return `${columnWords[column]} ${before} → ${after}`;
        })
        .join(', ')}`;
    default:
      return change satisfies never;
  }
}

/** Shortens a quantity of many digits: `0.488512345678901234` → `about 0.4885`. */
function shortenQuantity(quantity: string): string {
  const short = /^(?:[1-9]\d*\.\d{4}|0\.0*\d{4})/.exec(quantity)?.[0];
  return short === undefined || short === quantity ? quantity : `about ${short}`;
}

function formatResult(gain: string): string {
  return gain.startsWith('-')
    ? `a loss of ${columnText('gain', gain.slice(1))}`
    : `a gain of ${columnText('gain', gain)}`;
}

const columnWords: Readonly<Record<LockedColumn, string>> = {
  box: 'box',
  asset: 'property',
  account: 'account',
  quantity: 'quantity',
  acquired: 'date acquired',
  heldSince: 'start of the holding period',
  sold: 'date sold',
  proceeds: 'proceeds',
  basis: 'cost basis',
  code: 'adjustment code',
  adjustment: 'adjustment',
  gain: 'gain',
  term: 'term',
  description: 'description',
};

const moneyColumns: readonly LockedColumn[] = ['proceeds', 'basis', 'adjustment', 'gain'];

function columnText(column: LockedColumn, text: string): string {
  if (text === '') return 'none';
  const money = moneyColumns.includes(column) ? parseMoney(text) : undefined;
  return money === undefined ? text : formatDollars(roundToCents(money));
}

export function columnsChanged(before: LockedLine, after: LockedLine): LockedColumn[] {
  return lockedColumns.filter((column) => before[column] !== after[column]);
}

/**
 * Returns the lines whose content is missing from the other list. If the same content occurs more often in `lines` than
 * in `others`, returns only the surplus lines.
 */
function without(lines: readonly LockedLine[], others: readonly LockedLine[]): LockedLine[] {
  const known = new Map<string, number>();
  for (const other of others) {
    const content = contentOf(other);
    known.set(content, (known.get(content) ?? 0) + 1);
  }
  return lines.filter((line) => {
    const content = contentOf(line);
    const left = known.get(content) ?? 0;
    if (left > 0) known.set(content, left - 1);
    return left === 0;
  });
}

function compareChanges(a: LineChange, b: LineChange): number {
  return compareSortKeys(buildSortKey(a), buildSortKey(b));
}
