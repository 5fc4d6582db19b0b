import type { FileHistory, HistoryFile } from './history.ts';

/**
 * The rows of all files in one order, the same in whatever order the files were read: by day, by their place in the
 * file, and where two files or two drafts of one line have the same, as the service orders them, by their content. Of
 * rows that are in several files, one: two equal fills of one file are two, the same fill in two files is one.
 */
export function rowsInOrder(history: FileHistory, held: ReadonlySet<number> = new Set()): Uint32Array {
  const rows = history.files.length === 1 ? everyRow(history) : differentRows(history, held);
  const contents = new Map<number, string>();
  const contentOf = (row: number): string => {
    const known = contents.get(row) ?? history.contentOf(row);
    contents.set(row, known);
    return known;
  };
  const compare = (a: number, b: number): number =>
    history.onOf(a) - history.onOf(b) ||
    history.placeOf(a) - history.placeOf(b) ||
    (contentOf(a) < contentOf(b) ? -1 : contentOf(a) > contentOf(b) ? 1 : a - b);
  // Exports run by date: nearly always there is nothing to sort.
  return isSorted(rows, compare) ? rows : rows.sort(compare);
}

/** The number of each row in that order; `repeated` of one that another file has too. */
export function ranksOf(rows: Uint32Array, history: FileHistory): Int32Array {
  const ranks = new Int32Array(history.length).fill(repeated);
  for (let rank = 0; rank < rows.length; rank++) ranks[rows[rank] as number] = rank;
  return ranks;
}

export const repeated = -1;

function isSorted(rows: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let at = 1; at < rows.length; at++) if (compare(rows[at - 1] ?? 0, rows[at] ?? 0) > 0) return false;
  return true;
}

function everyRow(history: FileHistory): Uint32Array {
  const rows = new Uint32Array(history.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return history.files[0]?.descending === true ? rows.reverse() : rows;
}

/** Without those held back. */
function differentRows(history: FileHistory, held: ReadonlySet<number>): Uint32Array {
  const known = new Map<string, number>();
  for (const file of history.files) {
    for (const [id, row] of idsOf(file, history)) {
      const before = known.get(id);
      if (held.has(row)) continue;
      if (before === undefined || history.placeOf(row) < history.placeOf(before)) known.set(id, row);
    }
  }
  return Uint32Array.from(known.values());
}

/** As in the service, identity comes from the content and its occurrence, so that the order of the files changes nothing. */
export function idsOf(file: HistoryFile, history: FileHistory): Map<string, number> {
  const occurrences = new Map<string, number>();
  const ids = new Map<string, number>();
  for (const row of rowsOf(file, history)) {
    const content = history.contentOf(row);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    ids.set(`${content}#${occurrence}`, row);
  }
  return ids;
}

/** By their places. */
function rowsOf(file: HistoryFile, history: FileHistory): number[] {
  const rows = Array.from({ length: file.endRow - file.firstRow }, (_, at) => file.firstRow + at);
  return rows.sort((a, b) => history.placeOf(a) - history.placeOf(b));
}
