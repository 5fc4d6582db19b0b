/**
 * Whether a spreadsheet could run a text as a formula: its first character, the full-width forms included
 * (OWASP, "CSV Injection").
 */
export function startsFormula(text: string): boolean {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text);
}

/** A record of RFC 4180, CRLF included. A cell with blanks at its edges is quoted: readers would trim them. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
