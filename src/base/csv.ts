/** A record of RFC 4180, CRLF included. A cell with blanks at its edges is quoted: readers would trim them. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
