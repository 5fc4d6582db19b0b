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
 * Formats a change, for example as `10 AAPL sold 2024-06-03 from Schwab: basis 1000.00 → 900.00, gain 200.00 → 300.00`.
 */
export function describeChange(change: LineChange): string {
  const { quantity, asset, account, sold, proceeds, basis, gain } = lineOf(change);
  const name = `${quantity} ${asset} sold ${sold} from ${account}`;
  const amounts = `proceeds ${proceeds}, basis ${basis}, gain ${gain}`;
  switch (change.change) {
    case 'added':
      return `${name}: line would be added (${amounts})`;
    case 'gone':
      return `${name}: line would be removed (${amounts})`;
    case 'changed':
      return `${name}: ${columnsChanged(change.before, change.after)
        .map((column) => `${column} ${orNone(change.before[column])} → ${orNone(change.after[column])}`)
        .join(', ')}`;
    default:
      return change satisfies never;
  }
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

function orNone(text: string): string {
  return text === '' ? 'none' : text;
}
