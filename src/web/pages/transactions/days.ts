/** The rows of one day, or all rows if the list is not sorted by date. */
export interface DayGroup {
  readonly date: string | null;
  readonly count: number;
}

/**
 * The layout of the whole list before any row is read: for each day a heading and its rows. Item numbers start at 0 and
 * include headings. Row numbers start at 0 and exclude them.
 */
export interface DayLayout {
  readonly groups: readonly DayGroup[];
  /** The item index of each group's heading. */
  readonly heads: readonly number[];
  readonly items: number;
  readonly rows: number;
}

/** The item at an index: a group's heading or one of its rows. */
interface ItemPosition {
  readonly group: number;
  /** Null for the heading. */
  readonly row: number | null;
}

export function computeLayout(groups: readonly DayGroup[]): DayLayout {
  const heads: number[] = [];
  let items = 0;
  for (const { count } of groups) {
    heads.push(items);
    items += count + 1;
  }
  return { groups, heads, items, rows: items - groups.length };
}

export function getItemPosition({ heads }: DayLayout, item: number): ItemPosition {
  const group = lastAtMost(heads, item);
  const head = heads[group] ?? 0;
  return { group, row: item === head ? null : item - group - 1 };
}

/** Returns the nearest item that is a row, skipping headings in the given direction, or null past the ends. */
export function rowFrom(layout: DayLayout, item: number, direction: 1 | -1): number | null {
  for (let at = item; at >= 0 && at < layout.items; at += direction) {
    if (getItemPosition(layout, at).row !== null) return at;
  }
  return null;
}

/** Rows per page. */
export const pageRows = 100;

/** Returns the day on which a page of rows starts, and how many rows of that day come before it. */
export function pageStart(
  { groups, heads }: DayLayout,
  pageNumber: number,
): { date: string | null; offset: number } | null {
  const row = pageNumber * pageRows;
  const starts = heads.map((head, group) => head - group);
  const group = lastAtMost(starts, row);
  const dayGroup = groups[group];
  return dayGroup === undefined ? null : { date: dayGroup.date, offset: row - (starts[group] ?? 0) };
}

/** Returns the last index whose number is at most this one. The numbers ascend. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
