import { GrowingText } from './growing-text.ts';

/** The values of many rows as one parameter: the text of a PostgreSQL array, for `${…}::text[]` and casts from it. */
export type ArrayText = string;

type Item = string | number | null;

/**
 * Returns the text of an array. The driver does not write it because most items need no quotes and therefore no search
 * for characters to escape.
 */
export function toArrayText<Row>(rows: readonly Row[], read: (row: Row) => Item): ArrayText {
  let text = '{';
  for (let at = 0; at < rows.length; at++) text += (at === 0 ? '' : ',') + itemText(read(rows[at] as Row));
  return `${text}}`;
}

/** Matches text that must be quoted to be read as an item. */
const quoted = /[\s{},"\\]/;
const escaped = /["\\]/g;

function itemText(item: Item): string {
  if (item === null) return 'NULL';
  if (typeof item === 'number') return `${item}`;
  // A text of four letters may be the word null, which must be quoted. Writing an id without quotes is several times as
  // fast.
  if (item !== '' && item.length !== 4 && !quoted.test(item)) return item;
  return `"${item.replace(escaped, '\\$&')}"`;
}

/**
 * A column that grows row by row. Leading empty rows are omitted until a row has a value, so a column without values is
 * neither written nor sent.
 */
export class ArrayColumn {
  private readonly text = new GrowingText();
  private rows = 0;
  private readonly written = new Map<string, string>();

  /**
   * Adds ASCII letters, digits and points, but not the word null: numbers, days, instants, hashes. These need no
   * quotes.
   */
  plain(row: number, item: string | null): void {
    if (item !== null) this.add(row, item);
  }

  /** Adds a name that many rows repeat. */
  name(row: number, item: string): void {
    let written = this.written.get(item);
    if (written === undefined) {
      if (this.written.size >= namesMax) this.written.clear();
      written = itemText(item);
      this.written.set(item, written);
    }
    this.add(row, written);
  }

  /** Adds any text. */
  free(row: number, item: string | null): void {
    if (item !== null) this.add(row, itemText(item));
  }

  /** Returns the array for the given number of rows, or null if no row has a value, and resets the column. */
  take(rows: number): ArrayText | null {
    if (this.rows === 0) return null;
    this.upTo(rows);
    this.text.drop(1);
    this.text.addCode(closingBrace);
    this.rows = 0;
    return this.text.take();
  }

  private add(row: number, written: string): void {
    if (this.rows === 0) this.text.addCode(openingBrace);
    this.upTo(row);
    this.text.add(written);
    this.text.addCode(comma);
    this.rows = row + 1;
  }

  private upTo(row: number): void {
    for (; this.rows < row; this.rows++) this.text.add('NULL,');
  }
}

const namesMax = 1_000;
const [comma, openingBrace, closingBrace] = [44, 123, 125];
