import { Cells, type Conventions, HeaderColumns } from './cells/cells.ts';
import type { Format, Layout, Outcome, Row } from './format.ts';

/** Reads a file in which every row is independent. */
export function rowByRow(
  readRow: (cells: Cells, layout: Layout, columns: HeaderColumns) => Outcome,
  conventions: Conventions = {},
): Format['open'] {
  return (layout, header, context) => {
    const columns = new HeaderColumns(header);
    return { read: (row) => [readRow(new Cells(row, columns, context, conventions), layout, columns)], end: () => [] };
  };
}

/**
 * Renames repeated (or unnamed) columns after the column before each: the first one after the first partner, and so on.
 * `Buy,Cur.,Sell,Cur.` becomes `Buy,Buy Cur.,Sell,Sell Cur.`.
 */
export function nameRepeatedColumns(header: Row, name: string, partners: readonly string[]): Row {
  const key = (cell: string): string =>
    cell
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase();
  const standing = header.cells.filter((cell) => partners.some((partner) => key(partner) === key(cell)));
  let next = 0;
  const cells = header.cells.map((cell) => {
    if (key(cell) !== key(name)) return cell;
    const partner = standing[next++];
    return partner === undefined ? cell : `${partner.trim()} ${name}`.trim() + (name === '' ? ' (unnamed)' : '');
  });
  return { ...header, cells };
}

/** Returns the text of a row with only one cell. '' if it has more. */
export function readOnlyCell(row: Row): string {
  const filled = row.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length === 1 ? (filled[0] ?? '') : '';
}
