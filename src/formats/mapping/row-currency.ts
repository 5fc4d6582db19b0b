import type { Cells } from '../cells/cells.ts';
import { signsOfHeader } from '../cells/currency-signs.ts';
import { saysNone } from '../cells/fields.ts';

/** The currency of the row, by its column, the signs beside its amounts and those in their headers. */
export function currencyOfMappedRow(cells: Cells, column: string, stated: string): string {
  if (minorUnits.has(stated)) cells.reject(column, 'bad_currency', inMinorUnits);
  return cells.currencyOfRow(stated.toUpperCase());
}

/** Where the row has money in this column, the currency in its header counts. */
export function noteCurrencyOfHeader(cells: Cells, column: string | undefined): void {
  if (column === undefined || saysNone(cells.text(column))) return;
  if (minorHeader.test(column)) cells.reject(column, 'bad_currency', inMinorUnits);
  cells.addCurrency(column, signsOfHeader(column));
}

const minorUnits: ReadonlySet<string> = new Set(['GBp', 'GBX', 'GBx', 'ZAc', 'ZAC', 'ILA']);
const minorHeader = /\((?:p|pence|gbx|cents?|¢)\)|\b(?:pence|GBX)\b/i;
const inMinorUnits = 'these amounts are in pence or cents: state them in whole units of the currency';
