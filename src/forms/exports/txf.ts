import { type Cents, formatCents } from '../../base/decimal.ts';
import type { Box } from '../../engine/model.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark } from '../draft.ts';
import type { FormRow } from '../lines.ts';
import { unknownDate } from '../missing-basis.ts';
import { paperBox } from '../pages.ts';
import type { ReportBooks } from '../report.ts';
import { createWashPartLookup } from '../rows.ts';
import { tabularReport } from './tabular.ts';
import { countLines, usDate } from './text.ts';

/**
 * Writes TXF V042 (Intuit's Tax Exchange Format): one field per line, starting with a one-character tag, CRLF line
 * ends, and `^` after each record.
 */
export const txfReport = tabularReport({
  id: 'txf',
  name: 'TXF for TurboTax and H&R Block desktop',
  mediaType: 'text/plain; charset=us-ascii',
  takes: choicesByFormat.txf,
  reads: ['lines', 'washSales'],
  stem: 'lotbook',
  extension: 'txf',
  head: (books) => txfHead({ program: buildProgramName(books), exportDate: usDate(books.asOf) }),
  recordOf: createRecordFormatter,
  warnings: (books) => txfWarnings(books),
});

/**
 * Returns the program name for the header, which importers show. It is free text, so it also contains the draft mark.
 */
function buildProgramName(books: ReportBooks): string {
  return `Lotbook ${draftMark(books)}`.trimEnd();
}

/** One sale, as a Schedule D detail record. Dates are MM/DD/YYYY, VARIOUS, INHERITED or empty. */
interface TxfSale {
  readonly box: Box;
  readonly description: string;
  readonly acquired: string;
  readonly sold: string;
  /** Null if unknown. The line is then written without a value. */
  readonly basis: Cents | null;
  readonly proceeds: Cents | null;
  /** The disallowed loss. With an amount, the record uses format 5. If it is null, it uses format 4. */
  readonly wash: Cents | null;
}

interface TxfProgram {
  readonly program: string;
  /** MM/DD/YYYY. */
  readonly exportDate: string;
}

export function txfHead({ program, exportDate }: TxfProgram): string {
  return `V042\r\nA${ascii(program)}\r\nD${exportDate}\r\n^\r\n`;
}

export function txfRecord(sale: TxfSale): string {
  const fields = [
    'TD',
    `N${getRefnum(sale.box)}`,
    'C1',
    'L1',
    `P${ascii(sale.description)}`,
    `D${sale.acquired}`,
    `D${sale.sold}`,
    // Cost comes before proceeds.
    `$${sale.basis === null ? '' : formatCents(sale.basis)}`,
    `$${sale.proceeds === null ? '' : formatCents(sale.proceeds)}`,
    ...(sale.wash === null ? [] : [`$${formatCents(sale.wash)}`]),
    '^',
  ];
  return `${fields.join('\r\n')}\r\n`;
}

/**
 * TXF's refnums for Schedule D. 682 and 718 (for a loss that is disallowed in full) date from before 2011 and leave
 * TurboTax's category blank.
 */
const refnums: Readonly<Partial<Record<Box, number>>> = { A: 321, B: 711, C: 712, D: 323, E: 713, F: 714 };

/**
 * Returns the refnum for a box. Digital asset boxes have none, so they are written as "not reported to you", with a
 * warning.
 */
export function getRefnum(box: Box): number {
  return refnums[paperBox(box)] ?? 714;
}

/** Returns warnings about what the user must complete manually in the tax program. */
export function txfWarnings(books: ReportBooks): readonly string[] {
  const digital = books.lines.filter((line) => paperBox(line.disposal.box) !== line.disposal.box);
  const letters = [...new Set(digital.map((line) => line.disposal.box))].sort().join(', ');
  const otherCodes = books.lines.filter((line) => line.code !== '' && line.code !== 'W').length;
  const inherited = books.lines.filter((line) => line.disposal.inherited).length;
  const isLeftOut = books.choices?.digitalAssets === 'left_out';
  const became = isLeftOut
    ? 'left out; enter what is missing in the tax program'
    : 'written as box C or F; change the box in the tax program';
  return [
    ...(digital.length > 0
      ? [
          `TXF has no code for digital assets: ${countLines(digital.length, 'of', 'of')} box ${letters} ${digital.length === 1 ? 'is' : 'are'} ${became}.`,
        ]
      : []),
    ...(otherCodes > 0
      ? [
          `TXF includes wash sale amounts but no other adjustments. Complete the other codes manually: ${countLines(otherCodes, 'has', 'have')} one.`,
        ]
      : []),
    ...(inherited > 0
      ? [`${countLines(inherited, 'has', 'have')} the word INHERITED as date acquired. Check after the import.`]
      : []),
  ];
}

function createRecordFormatter(books: ReportBooks): (row: FormRow) => string {
  const washPart = createWashPartLookup(books);
  return (row) =>
    txfRecord({ ...row, acquired: row.acquired === unknownDate ? '' : row.acquired, wash: washPart(row) });
}

const charactersMax = 40;

/** Converts to printable ASCII on one line. The format has no escapes, and importers truncate long descriptions. */
function ascii(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '?')
    .slice(0, charactersMax);
}
