import type { FileHistory, HistoryFile } from './history.ts';

/**
 * Orders the rows of all files regardless of the order of the files: by day, by position in the file, and, if two files
 * or two drafts from one line are equal, by content, as the service does. A row that is in several files is kept once:
 * two equal fills in one file are two rows, but the same fill in two files is one.
 */
export function rowsInOrder(history: FileHistory, held: ReadonlySet<number> = new Set()): Uint32Array {
  const rows = history.files.length === 1 ? everyRow(history) : differentRows(history, held);
  const contents = new Map<number, string>();
  const getCachedFingerprint = (row: number): string => {
    const known = contents.get(row) ?? history.toContentFingerprint(row);
    contents.set(row, known);
    return known;
  };
  const compare = (a: number, b: number): number =>
    history.getDay(a) - history.getDay(b) ||
    history.getPosition(a) - history.getPosition(b) ||
    (getCachedFingerprint(a) < getCachedFingerprint(b)
      ? -1
      : getCachedFingerprint(a) > getCachedFingerprint(b)
        ? 1
        : a - b);
  // Exports are ordered by date, so there is almost never anything to sort.
  return isSorted(rows, compare) ? rows : rows.sort(compare);
}

/** Returns the rank of each row in that order, or `repeated` for a row that another file also has. */
export function computeRanks(rows: Uint32Array, history: FileHistory): Int32Array {
  const ranks = new Int32Array(history.length).fill(repeatedRank);
  for (let rank = 0; rank < rows.length; rank++) ranks[rows[rank] as number] = rank;
  return ranks;
}

export const repeatedRank = -1;

function isSorted(rows: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let at = 1; at < rows.length; at++) if (compare(rows[at - 1] ?? 0, rows[at] ?? 0) > 0) return false;
  return true;
}

function everyRow(history: FileHistory): Uint32Array {
  const rows = new Uint32Array(history.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  return history.files[0]?.descending === true ? rows.reverse() : rows;
}

/** Returns each row once, without the rows that are held back. */
function differentRows(history: FileHistory, held: ReadonlySet<number>): Uint32Array {
  const known = new Map<string, number>();
  for (const file of history.files) {
    for (const [id, row] of buildRowIds(file, history)) {
      const before = known.get(id);
      if (held.has(row)) continue;
      if (before === undefined || history.getPosition(row) < history.getPosition(before)) known.set(id, row);
    }
  }
  return Uint32Array.from(known.values());
}

/**
 * Returns the rows of a file by identity. As in the service, the content and the occurrence of a row identify it, so
 * the order of the files does not matter.
 */
export function buildRowIds(file: HistoryFile, history: FileHistory): Map<string, number> {
  const occurrences = new Map<string, number>();
  const ids = new Map<string, number>();
  for (const row of listFileRows(file, history)) {
    const content = history.toContentFingerprint(row);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    ids.set(`${content}#${occurrence}`, row);
  }
  return ids;
}

/** Returns the rows of a file, indexed by position. */
function listFileRows(file: HistoryFile, history: FileHistory): number[] {
  const rows = Array.from({ length: file.endRow - file.firstRow }, (_, at) => file.firstRow + at);
  return rows.sort((a, b) => history.getPosition(a) - history.getPosition(b));
}
