/** The rows of one day; without one all rows of a list that is not sorted by date. */
export interface DayGroup {
  readonly date: string | null;
  readonly count: number;
}

/**
 * The whole list before any row of it is read: of each day a head, then its rows. Items are counted from 0, heads
 * included; rows are counted from 0, heads left out.
 */
export interface DayLayout {
  readonly groups: readonly DayGroup[];
  /** The item that is the head of each group. */
  readonly heads: readonly number[];
  readonly items: number;
  readonly rows: number;
}

/** What stands at an item: the head of a group, or a row of it. */
export interface ItemPlace {
  readonly group: number;
  /** Null: the head. */
  readonly row: number | null;
}

export function layoutOf(groups: readonly DayGroup[]): DayLayout {
  const heads: number[] = [];
  let items = 0;
  for (const { count } of groups) {
    heads.push(items);
    items += count + 1;
  }
  return { groups, heads, items, rows: items - groups.length };
}

export function placeAt({ heads }: DayLayout, item: number): ItemPlace {
  const group = lastAtMost(heads, item);
  const head = heads[group] ?? 0;
  return { group, row: item === head ? null : item - group - 1 };
}

/** The nearest item that is a row, going on in the same direction past heads; null beyond the ends. */
export function rowFrom(layout: DayLayout, item: number, direction: 1 | -1): number | null {
  for (let at = item; at >= 0 && at < layout.items; at += direction) {
    if (placeAt(layout, at).row !== null) return at;
  }
  return null;
}

/** Rows are read in pages of so many. */
export const pageRows = 100;

/** The day at which a page of rows begins, and how many rows of that day come before it. */
export function pageStart(
  { groups, heads }: DayLayout,
  pageNumber: number,
): { date: string | null; offset: number } | null {
  const row = pageNumber * pageRows;
  const starts = heads.map((head, group) => head - group);
  const group = lastAtMost(starts, row);
  const found = groups[group];
  return found === undefined ? null : { date: found.date, offset: row - (starts[group] ?? 0) };
}

/** The last place whose number is at most this one. The numbers ascend. */
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
