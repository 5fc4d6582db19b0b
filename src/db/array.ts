/** A value of many rows as one parameter: the text of a PostgreSQL array, for `${…}::text[]` and what text casts to. */
export type ArrayText = string;

type Item = string | number | null;

/**
 * Written here and not by the driver: of a million rows with forty columns most items are digits, which want no quotes
 * and no search for what to escape.
 */
export function arrayOf<Row>(rows: readonly Row[], read: (row: Row) => Item): ArrayText {
  let text = '{';
  for (let at = 0; at < rows.length; at++) text += (at === 0 ? '' : ',') + itemText(read(rows[at] as Row));
  return `${text}}`;
}

/** As arrayOf; null where no row states anything, as with most columns: that is neither written nor sent. */
export function statedArrayOf<Row>(rows: readonly Row[], read: (row: Row) => Item): ArrayText | null {
  for (const row of rows) if (read(row) !== null) return arrayOf(rows, read);
  return null;
}

/** As statedArrayOf, for what is made of digits, letters and points only: numbers, days, instants, hashes. */
export function plainArrayOf<Row>(rows: readonly Row[], read: (row: Row) => string | null): ArrayText | null {
  for (const row of rows) if (read(row) !== null) return plainText(rows, read);
  return null;
}

function plainText<Row>(rows: readonly Row[], read: (row: Row) => string | null): ArrayText {
  let text = '{';
  for (let at = 0; at < rows.length; at++) text += (at === 0 ? '' : ',') + (read(rows[at] as Row) ?? 'NULL');
  return `${text}}`;
}

const bare = /^[\w.:#+-]+$/;
const escaped = /["\\]/g;

function itemText(item: Item): string {
  if (item === null) return 'NULL';
  if (typeof item === 'number') return `${item}`;
  // A word of four letters may be the one that means nothing.
  return item.length !== 4 && bare.test(item) ? item : `"${item.replace(escaped, '\\$&')}"`;
}
