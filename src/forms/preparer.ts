import { csvRecord } from '../base/csv.ts';
import { formatDayUs } from '../base/day.ts';
import { formatCents, formatDollars } from '../base/decimal.ts';
import { writeZip, type ZipEntry } from '../base/zip.ts';
import { issueKindTable } from '../engine/model.ts';
import { answerLines } from './answers.ts';
import { choicesByFormat } from './choices.ts';
import { draftMark, draftSuffix, isDraft, listWarnings } from './draft.ts';
import { csvReport } from './exports/csv.ts';
import { fdxReport } from './exports/fdx.ts';
import { form8997Csv } from './exports/form-8997.ts';
import { encodeChunks, safeText } from './exports/text.ts';
import { txfReport } from './exports/txf.ts';
import { formReport } from './form-report.ts';
import { withChoices } from './format-choices.ts';
import { fullReport } from './full/full-report.ts';
import { leftOut, listSettings } from './full/settings.ts';
import { previewNotice } from './preview.ts';
import { reconciliationReport } from './reconciliation/statement.ts';
import { listNames, type ReportBooks, type ReportFormat } from './report.ts';

/** Writes everything that a tax preparer needs for the year, as one ZIP with a README. */
export const preparerFiles: ReportFormat = {
  id: 'preparer',
  name: 'Everything for a preparer (ZIP)',
  mediaType: 'application/zip',
  takes: choicesByFormat.preparer,
  reads: listNames,
  fileName: (books) => `for-my-preparer-${books.year}${draftSuffix(books)}.zip`,
  render: (books) => writeZip(listEntries(books)),
  warnings: (books) => formReport.warnings?.(books) ?? [],
};

interface PreparerFile extends ZipEntry {
  /** What the file contains, for the README. */
  readonly about: string;
}

function listEntries(books: ReportBooks): readonly ZipEntry[] {
  const files = listFiles(books);
  return [{ name: 'README.txt', content: encodeText(readmeLines(books, files)) }, ...files];
}

function listFiles(books: ReportBooks): readonly PreparerFile[] {
  const named = (stem: string, extension: string) => `${stem}-${books.year}${draftSuffix(books)}.${extension}`;
  return [
    renderFile(books, formReport, 'Form 8949 and Schedule D, ready to attach.'),
    renderFile(books, fullReport, 'Every number with its lots, wash sales and source rows.'),
    renderFile(books, csvReport, 'The Form 8949 entries as a table, for a spreadsheet.'),
    renderFile(books, txfReport, 'The entries for tax software that imports TXF files.'),
    renderFile(books, fdxReport, 'The entries for tax software that imports FDX tax documents.'),
    ...(books.reported.length === 0
      ? []
      : [renderFile(books, reconciliationReport, 'Each row of the Forms 1099 next to its entry.')]),
    ...(books.deferrals.length === 0 && books.fundInterests.length === 0
      ? []
      : [renderFile(books, form8997Csv, 'The data for Form 8997 (qualified opportunity funds).')]),
    ...(isDraft(books)
      ? [
          {
            name: named('open-issues', 'csv'),
            content: encodeRecords(issueRecords(books)),
            about: 'The open issues, with the dollars affected.',
          },
        ]
      : []),
    {
      name: named('assumptions', 'txt'),
      content: encodeText(assumptionLines(books)),
      about: 'What the numbers assume, and what they leave out.',
    },
    ...(books.answers === undefined
      ? []
      : [
          {
            name: named('answered-by-you', 'txt'),
            content: encodeText(answerLines(books)),
            about: 'Items kept as they are with the reasons, costs entered by hand, and confirmations.',
          },
        ]),
    {
      name: named('elections', 'txt'),
      content: encodeText(electionLines(books)),
      about: 'The lot methods, elections and settings behind the numbers.',
    },
  ];
}

function renderFile(books: ReportBooks, format: ReportFormat, about: string): PreparerFile {
  const own = withChoices(books, format, {});
  const render = async function* () {
    yield* format.render(own);
  };
  return { name: format.fileName(own), content: render(), about };
}

function readmeLines(books: ReportBooks, files: readonly PreparerFile[]): readonly string[] {
  const { taxpayer, year, summary, asOf, revision } = books;
  const { count, gain } = summary.total;
  const width = Math.max(...files.map(({ name }) => name.length));
  return [
    `Capital gains of ${year}${taxpayer.name === '' ? '' : ` for ${taxpayer.name}`}`,
    '',
    `${count} Form 8949 ${count === 1 ? 'entry' : 'entries'}, net gain or loss ${formatDollars(gain)}.`,
    `Prepared with Lotbook from the records of ${asOf.slice(0, 10)} (ledger revision ${revision}).`,
    '',
    ...stateLines(books),
    '',
    'Files',
    '',
    ...files.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'Before you file',
    '',
    ...listWarnings(formReport, books).map((text) => `- ${text}`),
    '- Compare the totals of each box with Schedule D after an import into tax software.',
    '',
    'Prepared from the records provided. Not tax advice.',
  ];
}

/** Returns whether the files are final, and the notice for a year whose forms were not compared yet. */
function stateLines(books: ReportBooks): readonly string[] {
  const preview = previewNotice(books.year);
  const state = isDraft(books)
    ? `${draftMark(books)}. The numbers can still change. open-issues-${books.year}${draftSuffix(books)}.csv lists what is missing.`
    : 'There are no open issues.';
  return [state, ...(preview === '' ? [] : [preview])];
}

function assumptionLines(books: ReportBooks): readonly string[] {
  // Without a format, the warnings are those about the books.
  const assumed = listWarnings({ takes: [] }, books);
  return [
    `Assumptions, ${books.year}`,
    '',
    ...(assumed.length === 0 ? ['Nothing is assumed.'] : assumed.map((text) => `- ${text}`)),
    '',
    leftOut,
  ];
}

function electionLines(books: ReportBooks): readonly string[] {
  const mark = draftMark(books);
  return [
    `Methods, elections and settings, ${books.year}`,
    '',
    ...(mark === '' ? [] : [mark, '']),
    ...listSettings(books).map(([name, value]) => `${name}: ${value}`),
  ];
}

function* issueRecords(books: ReportBooks): Generator<string> {
  yield csvRecord(['Date', 'Issue', 'Asset', 'Account', 'Dollars Affected', 'Details', draftMark(books)]);
  for (const { on, issue, asset, account, dollars, detail } of books.issues) {
    const texts = [issueKindTable[issue].words, asset, account].map(safeText);
    yield csvRecord([
      formatDayUs(on),
      ...texts,
      dollars === null ? 'unknown' : formatCents(dollars),
      safeText(detail),
      'DRAFT',
    ]);
  }
}

async function* encodeRecords(records: Iterable<string>): AsyncGenerator<Uint8Array> {
  yield* encodeChunks(records);
}

function encodeText(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${line}\r\n`).join(''));
}
