import { parseDay } from '../base/day.ts';
import { Refusal } from '../base/refusal.ts';

export const limitDefault = 50;
export const limitMax = 1000;

export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** The sort key of a page's last row. The next page starts after it. */
type CursorKey = readonly (string | number)[];

/**
 * Creates a page by keyset. Queries read `limit + 1` rows after the cursor in their sort order, and the extra row shows
 * that there is another page. Paging by key lists each row once, even if rows are inserted in the meantime.
 */
export function page<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => CursorKey): Page<Row>;
/** Also converts each row for the response. */
export function page<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => CursorKey,
  itemOf: (row: Row) => Item,
): Page<Item>;
export function page<Row, Item>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => CursorKey,
  itemOf?: (row: Row) => Item,
): Page<Row | Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  const data = itemOf === undefined ? shown : shown.map(itemOf);
  return { data, hasMore, nextCursor: hasMore && last !== undefined ? writeCursor(keyOf(last)) : null };
}

/** Returns the same page with each row converted for the response. */
export function mapPage<Row, Item>(rows: Page<Row>, itemOf: (row: Row) => Item): Page<Item> {
  return { ...rows, data: rows.data.map(itemOf) };
}

type CursorPart = 'string' | 'number' | 'uuid' | 'instant' | 'day' | 'integer';
type CursorValues<Shape extends readonly CursorPart[]> = {
  readonly [Place in keyof Shape]: Shape[Place] extends 'number' ? number : string;
};

/**
 * Returns the key inside a cursor, or undefined without one. The cursor is neither secret nor trusted: row-level
 * security determines which rows a caller sees. The shape is checked here, so a forged cursor is a 400, or at worst a
 * position in the caller's list.
 */
export function readCursor<const Shape extends readonly CursorPart[]>(
  text: string | undefined,
  shape: Shape,
): CursorValues<Shape> | undefined {
  if (text === undefined) return undefined;
  const key = decode(text);
  if (!hasShape(key, shape)) throw invalidCursor();
  return key;
}

function hasShape<Shape extends readonly CursorPart[]>(key: unknown, shape: Shape): key is CursorValues<Shape> {
  return Array.isArray(key) && key.length === shape.length && key.every((value, index) => fits(value, shape[index]));
}

/** Returns the sequence number inside a cursor for a list in order of creation, or null without a cursor. */
export function readSequence(text: string | undefined): string | null {
  const [sequence] = readCursor(text, ['integer']) ?? [];
  return sequence === undefined ? null : String(sequence);
}

export function writeCursor(key: CursorKey): string {
  return new TextEncoder().encode(JSON.stringify(key)).toBase64({ alphabet: 'base64url', omitPadding: true });
}

const cursorLengthMax = 1000;
const patterns = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  instant: /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?Z$/,
  /** A bigint from the database, as text. */
  integer: /^-?\d{1,18}$/,
} as const;

function decode(text: string): unknown {
  if (text.length > cursorLengthMax) throw invalidCursor();
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: 'base64url' });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidCursor();
  }
}

function fits(value: unknown, part: CursorPart | undefined): boolean {
  if (part === 'number') return typeof value === 'number' && Number.isSafeInteger(value);
  if (typeof value !== 'string' || value.includes('\0')) return false;
  if (part === 'string') return true;
  if (part === 'day') return parseDay(value) !== undefined;
  if (part === 'instant') return patterns.instant.test(value) && parseDay(value.slice(0, 10)) !== undefined;
  return part !== undefined && patterns[part].test(value);
}

export function invalidCursor(): Refusal {
  return new Refusal('invalid_cursor', 'The cursor is not from this list. Start without one.');
}
