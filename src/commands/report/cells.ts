/** A column of a history. Its cells lie in memory that threads share: a second one reads them without a copy. */
export interface Column {
  readonly state: ColumnState;
  /** Is from now on what another one was, or is in another thread. */
  adopt(state: ColumnState): void;
  /** Takes the first so many rows of another column behind its own, which end at `row`. */
  append(state: ColumnState, row: number, count: number): void;
}

/** What of a column crosses from thread to thread. */
export interface ColumnState {
  readonly cells: readonly (SharedCells | null)[];
  readonly values: readonly unknown[] | null;
}

type SharedCells =
  | Int32Array<SharedArrayBuffer>
  | Float64Array<SharedArrayBuffer>
  | BigInt64Array<SharedArrayBuffer>
  | Uint8Array<SharedArrayBuffer>;

interface Cells<Self> {
  readonly length: number;
  set(cells: Self, from?: number): void;
  subarray(from: number, to: number): Self;
}

/** The same cells where there is a place for the row, else twice as many. */
export function withRoom<Array extends Cells<Array>>(
  cells: Array | null,
  row: number,
  make: (length: number) => Array,
): Array {
  if (cells !== null && row < cells.length) return cells;
  const grown = make(Math.max(firstLength, 2 ** Math.ceil(Math.log2(row + 1))));
  if (cells !== null) grown.set(cells);
  return grown;
}

const firstLength = 4096;

/** Cells with the first so many others from a row on; as they are where the others state nothing. */
export function behind<Array extends Cells<Array>>(
  cells: Array | null,
  others: Array | null,
  row: number,
  count: number,
  make: (length: number) => Array,
): Array | null {
  if (others === null) return cells;
  const roomy = withRoom(cells, row + count - 1, make);
  roomy.set(others.subarray(0, count), row);
  return roomy;
}

export const wholes = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length));
export const doubles = (length: number) => new Float64Array(new SharedArrayBuffer(8 * length));
export const integers = (length: number) => new BigInt64Array(new SharedArrayBuffer(8 * length));
export const bytes = (length: number) => new Uint8Array(new SharedArrayBuffer(length));
