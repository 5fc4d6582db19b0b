import { extname } from 'node:path';
import { formatDay, yearMax, yearMin } from '../../base/day.ts';
import { type Cents, formatCents, zeroCents } from '../../base/decimal.ts';
import { Refusal } from '../../base/refusal.ts';
import { lotMethods } from '../../engine/model.ts';
import { rowsSides } from '../../formats/format.ts';
import { assumedFormTexts } from '../../forms/assumed-forms.ts';
import { columnBChoices, digitalAssetChoices, type FormChoices, mergeChoices } from '../../forms/choices.ts';
import { listWarnings } from '../../forms/draft.ts';
import { withChoices } from '../../forms/format-choices.ts';
import { reportFormat, reportFormats } from '../../forms/index.ts';
import type { ReportBooks, ReportFormat } from '../../forms/report.ts';
import { CommandError } from '../command.ts';
import { exitCodes } from '../command-table.ts';
import { readWholeNumber, readWord, splitWords } from '../options.ts';
import { writeOut } from '../output.ts';
import { booksOfYear } from './books.ts';
import { type FilesRequest, filesOptions, loadRequestedFiles, readFilesRequest } from './files-request.ts';
import { Messages } from './messages.ts';
import { summaryReport } from './summary.ts';

/** Only the command has the totals for a terminal. All other formats are the service's. */
const formatIds = [summaryReport, ...reportFormats].map(({ id }) => id).join(', ');

/** The format implied by the file name in `--out`, unless `--format` names another. */
const formatOfExtension: Readonly<Record<string, string>> = {
  '.pdf': '8949',
  '.txf': 'txf',
  '.csv': 'csv',
  '.json': 'json',
  '.txt': 'summary',
  '.zip': 'preparer',
};

/** The choices for a download as options of the command, with the names in the API. */
const choiceOptions = [
  'whole-dollars',
  'column-b',
  'merge',
  'digital-assets',
  'exception1',
  'exception2',
  'lines-max',
  'part',
] as const;

const choiceUsage = `  --whole-dollars yes   amounts in whole dollars
  --column-b CHOICE     ${columnBChoices.join(', ')}: the date acquired of lots with a tacked period
  --merge CHOICE        ${mergeChoices.join(', ')}: one row for parts of a lot sold on a day, or for all lots of a sale
  --digital-assets WHAT ${digitalAssetChoices.join(', ')}: in TXF, which has no code for them
  --exception1 yes      totals of lines that need no Form 8949 directly on Schedule D
  --exception2 yes      a row of totals for each account and box, code M, with a statement
  --lines-max NUMBER    maximum rows per file; more are split into several files in a ZIP
  --part NUMBER         only this one of those files
`;

const usage = `lotbook report FILE.csv… --year YEAR [options]

  FILE               an export of a broker or exchange; - is stdin
  --year YEAR        the tax year
  --method METHOD    ${lotMethods.join(', ')} (FIFO)
  --settings FILE    elections as JSON, as returned by GET /v1/tax/settings: methods, accounts, wash sales…
  --prices FILE      date,asset,usd: prices for rows in other currencies and without a value
  --balances FILE    account,asset,on,quantity: balances of accounts, to compare with the rows
  --format FORMAT    ${formatIds} (8949; on a terminal, summary)
  --out FILE         the output file; - or none is stdout
  --time-zone ZONE   time zone of times without an offset and of tax days (UTC)
  --source FORMAT    format of the files, if their headers do not identify it
  --mapping FILE     meaning of each column, as JSON, for files of unknown formats
  --date-order ORDER mdy, dmy or ymd: order of the parts in 3/4/2025 or 25-03-04, if ambiguous
  --side SIDE        ${rowsSides.join(', ')}: order of the rows, if ambiguous
  --account NAME     account of rows that name none (default: its name in the file, or the source's name)
  --form NAME=FORM   form that an account's broker sends: 1099-B, 1099-DA or none; separate several with commas
  --strict           exit code 3 if a line of the files could not be read
  --name NAME        the taxpayer, as on the return
  --tin NUMBER       social security or other taxpayer identification number

Output options, if the format supports them:
${choiceUsage}
${exitCodes}`;

/** The request of the `report` command. */
interface ReportRequest extends FilesRequest {
  readonly year: number;
  readonly format: ReportFormat;
  readonly out: string | null;
  readonly name: string;
  readonly tin: string;
  readonly choices: FormChoices;
  /** Whether unreadable lines make the command fail. */
  readonly strict: boolean;
}

/** The input of a report. */
interface ReadFiles {
  readonly books: ReportBooks;
  /** The number of unreadable lines in all years. */
  readonly rejected: number;
}

/** Some lines could not be read, and `--strict` was set. */
const exitRejected = 3;

/**
 * Applies the formats, engine and forms of the service to files, without a server or database and without storing
 * anything.
 */
export async function report(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const request = readReportRequest(args);
  const fileKind = { 'application/pdf': 'PDF', 'application/zip': 'ZIP' }[request.format.mediaType];
  if (request.out === null && process.stdout.isTTY && fileKind !== undefined) {
    throw new CommandError(`A ${fileKind} can't be printed to a terminal. Add --out FILE, or use a pipe.`);
  }
  const { format } = request;
  const messages = new Messages();
  const read = await readYear(request, messages);
  const books = chosen(read.books, format, request.choices);
  reportIssues(books, messages);
  // The totals themselves list the assumed forms.
  const listed = format.id === summaryReport.id ? assumedFormTexts(books) : [];
  for (const warning of listWarnings(format, books)) if (!listed.includes(warning)) messages.say(warning);
  if (format.mediaTypeOf?.(books) === 'application/zip') {
    messages.say(`The rows need several files. This is a ZIP of them, ${format.fileName(books)}.`);
  }
  await writeOut(request.out, format.render(books));
  // Only text reports on stdout are mixed with messages.
  if (read.rejected > 0 && (request.out !== null || format.id === summaryReport.id))
    process.stdout.write(`${rejectedText(read.rejected)}\n`);
  return read.rejected > 0 && request.strict ? exitRejected : 0;
}

export async function readBooks(request: ReportRequest, messages: Messages): Promise<ReportBooks> {
  return (await readYear(request, messages)).books;
}

/** Computes the year from the files, the elections and the prices. */
async function readYear(request: ReportRequest, messages: Messages): Promise<ReadFiles> {
  const { history, stated } = await loadRequestedFiles(request, messages);
  const onRows = (done: number): void => {
    if (history.length >= shownRowsMin) messages.progress(`Following the lots: ${percentOf(done, history.length)}%`);
  };
  const { year, name, tin } = request;
  const books = booksOfYear(history, { ...stated, year, name, tin, lists: request.format.reads, onRows });
  messages.wipe();
  return { books, rejected: stated.rejected.length };
}

function rejectedText(lines: number): string {
  return lines === 1
    ? '1 line could not be read and was skipped. It is an open issue of its year.'
    : `${lines} lines could not be read and were skipped. Each is an open issue of its year.`;
}

/** A smaller history is replayed before the user would notice any progress. */
const shownRowsMin = 100_000;

/** Returns the percentage done, at most 100 because a row that belongs to several books counts in each. */
function percentOf(done: number, all: number): number {
  return Math.min(100, Math.floor((100 * done) / all));
}

export function readReportRequest(args: readonly string[]): ReportRequest {
  const { words: files, options } = splitWords(args, { values: optionNames, flags }, usage);
  if (files.length === 0) throw new CommandError(`Name at least one file.\n\n${usage}`);
  const year = Number(options.get('year') ?? Number.NaN);
  if (!Number.isInteger(year) || year < yearMin || year > yearMax) {
    throw new CommandError('--year needs a tax year, like --year 2025.');
  }
  const out = options.get('out') === '-' ? null : (options.get('out') ?? null);
  const format = formatNamed(options.get('format') ?? formatIdFor(out));
  return {
    ...readFilesRequest(files, options),
    year,
    format,
    out,
    name: options.get('name') ?? '',
    tin: options.get('tin') ?? '',
    choices: readChoices(options),
    strict: options.has('strict'),
  };
}

export const optionNames: ReadonlySet<string> = new Set([
  ...['year', 'format', 'out', 'name', 'tin'],
  ...[...filesOptions, ...choiceOptions],
]);

/** Options without a value. */
export const flags: ReadonlySet<string> = new Set(['strict']);

function formatIdFor(out: string | null): string {
  const extension = extname(out ?? '').toLowerCase();
  if (extension === '') return summaryReport.id;
  const id = formatOfExtension[extension];
  if (id !== undefined) return id;
  throw new CommandError(`No report format has the extension ${extension} of --out ${out}. Add --format FORMAT.`);
}

function formatNamed(name: string): ReportFormat {
  const id = name.toLowerCase();
  const format = id === summaryReport.id ? summaryReport : reportFormat(id);
  if (format === undefined) throw new CommandError(`--format must be one of ${formatIds}.`);
  return format;
}

/** Lists the open issues with their lines. The forms are marked DRAFT until they are resolved. */
function reportIssues({ issues, sources }: ReportBooks, messages: Messages): void {
  // Unreadable lines were already reported one by one.
  const others = issues.filter(({ issue }) => issue !== 'rejected_line');
  const issueLines = others.slice(0, issuesShownMax).map((issue) => {
    const lines = issue.transactions.map((id) => sources.get(id)).filter((source) => source !== undefined);
    const where = lines.map(({ file, line }) => `${file} line ${line}`).join(', ');
    const what = [formatDay(issue.on), issue.asset, issue.account].filter((word) => word !== '').join(' ');
    const stake = formatStake(issue.dollars);
    return `${what}: ${issue.detail}${stake}${where === '' ? '' : ` [${where}]`}`;
  });
  messages.sayFirst(issueLines, others.length, (more) => `${more} more issues are open.`);
}

function formatStake(dollars: Cents | null): string {
  if (dollars === null) return ' (amount not known)';
  return dollars === zeroCents ? '' : ` (up to $${formatCents(dollars)})`;
}

const issuesShownMax = 1_000;

function readChoices(options: ReadonlyMap<string, string>): FormChoices {
  const choices = {
    wholeDollars: readYesOrNo(options, 'whole-dollars'),
    columnB: readWord(options, 'column-b', columnBChoices),
    merge: readWord(options, 'merge', mergeChoices),
    digitalAssets: readWord(options, 'digital-assets', digitalAssetChoices),
    exception1: readYesOrNo(options, 'exception1'),
    exception2: readYesOrNo(options, 'exception2'),
    linesMax: readWholeNumber(options, 'lines-max'),
    part: readWholeNumber(options, 'part'),
  };
  return Object.fromEntries(Object.entries(choices).filter(([, choice]) => choice !== undefined));
}

/** Returns the books with the choices. Reports a choice that the format does not support in a sentence. */
function chosen(books: ReportBooks, format: ReportFormat, choices: FormChoices): ReportBooks {
  try {
    const made = withChoices(books, format, choices);
    format.fileName(made);
    return made;
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(error.detail) : error;
  }
}

function readYesOrNo(options: ReadonlyMap<string, string>, name: (typeof choiceOptions)[number]): boolean | undefined {
  const word = readWord(options, name, ['yes', 'no']);
  return word === undefined ? undefined : word === 'yes';
}
