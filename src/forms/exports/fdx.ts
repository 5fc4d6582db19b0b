import { formatDay } from '../../base/day.ts';
import { type Cents, formatCents, formatQuantity, type Quantity } from '../../base/decimal.ts';
import type { Box, Line } from '../../engine/model.ts';
import { formOfBox } from '../../engine/rules/lines/box.ts';
import { choicesByFormat } from '../choices.ts';
import { draftMark, draftSuffix } from '../draft.ts';
import { eachRow, type FormRow } from '../lines.ts';
import { unknownDate } from '../missing-basis.ts';
import { paperBox } from '../pages.ts';
import type { ReportBooks, ReportFormat } from '../report.ts';
import { createWashPartLookup, pickRowChoices } from '../rows.ts';
import { countLines, encodeChunks } from './text.ts';

/**
 * Writes the lines as a tax statement in the format of the Financial Data Exchange (JSON). Each account has a
 * `tax1099B`, a `tax1099DA` or both, with the field names that `formats/rows/fdx.ts` reads. Numbers keep all their
 * digits.
 *
 * The format supports neither column (f) codes nor adjustments other than the wash sale amount. INHERITED becomes the
 * date of death, EXPIRED becomes an amount of zero, and whole dollars end in .00. A year without lines produces no
 * forms, so importing the file finds no rows.
 */
export const fdxReport: ReportFormat = {
  id: 'fdx',
  name: 'FDX tax documents 1099-B and 1099-DA (JSON)',
  mediaType: 'application/json',
  takes: choicesByFormat.fdx,
  reads: ['lines', 'washSales'],
  fileName: (books) => `fdx-${books.year}${draftSuffix(books)}.json`,
  render: (books) => encodeChunks(pieces(books)),
  warnings,
};

/** Writes details one at a time, so that a year with a million lines is never held as one string. */
function* pieces(books: ReportBooks): Generator<string> {
  const [choices, washPart] = [pickRowChoices(books), createWashPartLookup(books)];
  const head = [['taxYear', String(books.year)], ...draftMembers(books)] as const;
  const forms = Map.groupBy(books.lines, ({ disposal }) => `${formOf(disposal.box)}\n${disposal.account}`);
  yield `{${joinMembers(head)},"forms":[`;
  let beforeForm = '\n';
  for (const [key, lines] of forms) {
    const [form = ''] = key.split('\n');
    const account = JSON.stringify(key.slice(form.length + 1));
    yield `${beforeForm}{"${form}":{${joinMembers([...head, ['accountId', account]])},"securityDetails":[`;
    beforeForm = ',\n';
    let beforeDetail = '\n';
    for (const row of eachRow(lines, choices)) {
      yield `${beforeDetail}{${joinMembers(buildDetailMembers(row, washPart(row)))}}`;
      beforeDetail = ',\n';
    }
    yield '\n]}}';
  }
  yield '\n]}\n';
}

/** A name and its value in JSON. */
type JsonMember = readonly [name: string, json: string];

/** Returns the draft mark. It is on the statement and on each form, because a program may show only the forms. */
function draftMembers(books: ReportBooks): readonly JsonMember[] {
  const mark = draftMark(books);
  return mark === '' ? [] : [['attributes', JSON.stringify([{ name: 'status', value: mark }])]];
}

function buildDetailMembers(row: FormRow, wash: Cents | null): readonly JsonMember[] {
  const { disposal } = row.lines[0];
  const isDigital = formOf(row.box) === 'tax1099DA';
  const quantity = row.lines.reduce((total, line) => total + line.disposal.quantity, 0n) as Quantity;
  return [
    ['checkboxOnForm8949', JSON.stringify(row.box)],
    [isDigital ? 'digitalAssetName' : 'securityName', JSON.stringify(disposal.asset)],
    ['saleDescription', JSON.stringify(row.description)],
    [isDigital ? 'numberOfUnits' : 'numberOfShares', formatQuantity(quantity)],
    ...buildAcquiredMembers(row),
    ['dateOfSale', JSON.stringify(formatDay(disposal.sold))],
    ['salesPrice', formatCents(row.proceeds)],
    ['costBasis', formatCents(row.basis)],
    ...(wash === null ? [] : [['washSaleLossDisallowed', formatCents(wash)] as const]),
    ['longOrShort', JSON.stringify(row.term.toUpperCase())],
  ];
}

/**
 * Returns the fields for column (b). FDX has a field for various dates, but no field for inherited property. An unknown
 * date is omitted.
 */
function buildAcquiredMembers({ acquired, lines: [{ disposal }] }: FormRow): readonly JsonMember[] {
  if (acquired === unknownDate) return [];
  if (acquired === 'VARIOUS') return [['variousDatesAcquired', 'true']];
  const [month, day, year] = acquired.split('/');
  const iso = acquired === 'INHERITED' ? formatDay(disposal.acquired) : `${year}-${month}-${day}`;
  return [['dateAcquired', JSON.stringify(iso)]];
}

function formOf(box: Box): 'tax1099B' | 'tax1099DA' {
  return paperBox(box) === box ? 'tax1099B' : 'tax1099DA';
}

function joinMembers(members: readonly JsonMember[]): string {
  return members.map(([name, json]) => `"${name}":${json}`).join(',');
}

function warnings({ lines }: ReportBooks): readonly string[] {
  const count = (of: (line: Line) => boolean): number => lines.filter(of).length;
  const otherCodes = count(({ code }) => code !== '' && code !== 'W');
  const inherited = count(({ disposal }) => disposal.inherited);
  const onNoForm = count(({ disposal }) => formOfBox(disposal.box) === undefined);
  return [
    ...(otherCodes > 0
      ? [`This file includes wash sale amounts but no other adjustments. Enter ${otherCodes} adjustments manually.`]
      : []),
    ...(inherited > 0
      ? [
          `${countLines(inherited, 'is', 'are')} inherited property. The date acquired is the date of death: mark it as inherited manually.`,
        ]
      : []),
    ...(onNoForm > 0
      ? [
          `${countLines(onNoForm, 'was', 'were')} not on a Form 1099 (boxes C, F, I and L). After the import, check the box.`,
        ]
      : []),
  ];
}
