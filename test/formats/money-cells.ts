import { normalizeHeader } from '../../src/formats/cells/cells.ts';
import type { Row } from '../../src/formats/format.ts';
import { readRows } from '../../src/formats/rows/rows.ts';
import type { FormatFixture } from './format-fixtures.ts';
import { readWhole, streamOf } from './reading.ts';

/** Money columns by their names, for any source. */
const namesMoney =
  /\b(?:amount|total|proceeds|net|gross|subtotal|cash|fees?|commissions?|comm|value|cost|basis|tax|withh\w*|charges?|interest|dividend|income|consideration|paid|betrag|importe|montant|debit|credit|usd|worth|deal)\b/;
const namesOther =
  /\b(?:price|balance|rate|currency|asset|type|ticker|symbol|date|coin|account|id|period|unit|shares|name|qty|per)\b/;
const looksLikeNumber = /^[^\p{L}\d]{0,3}\d[\d.,]*\)?(?: ?[A-Z]{2,5}\)?)?$/u;

/** Returns true if a column contains money, according to its name. */
export function isOfMoney(column: string): boolean {
  const name = wordsOf(column);
  return namesMoney.test(name) && !namesOther.test(name);
}

/** Returns the words of a header. Both `fee_quantity` and `FeeQuantity` are two words. */
export function wordsOf(column: string): string {
  return normalizeHeader(column.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll('_', ' '));
}

export function isNumber(text: string): boolean {
  return looksLikeNumber.test(text);
}

/** Returns the rows of a fixture, each in one line. */
export async function fixtureRows({ text }: FormatFixture): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readRows(streamOf(text))) rows.push(...batch);
  return rows.map(inOneLine);
}

/** Returns the header above a line. In a file with sections, each section has its own. */
export async function readHeader(
  rows: readonly Row[],
  { format }: FormatFixture,
): Promise<(line: number) => Row | undefined> {
  if (format.sectioned === true)
    return (line) =>
      rows.slice(0, line - 1).findLast(({ cells }) => cells[0] === rows[line - 1]?.cells[0] && cells[1] === 'Header');
  const { headerLine } = await readWhole(csvOf(rows));
  const header = rows[headerLine - 1];
  return () => header;
}

function inOneLine(row: Row, at: number): Row {
  return { line: at + 1, cells: row.cells.map((cell) => cell.replace(/\r\n|\r|\n/g, ' ')) };
}

export function csvOf(rows: readonly Row[]): string {
  return rows.map(({ cells }) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
}
