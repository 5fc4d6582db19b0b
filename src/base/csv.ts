/**
 * Returns whether a spreadsheet could run a text as a formula. Checks its first character, including full-width forms
 * (OWASP, "CSV Injection").
 */
export function startsFormula(text: string): boolean {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text);
}

/**
 * Returns a record as in RFC 4180, including CRLF. Quotes a cell with blanks at its edges because readers would trim
 * them.
 */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`;
}

function quoteCell(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
