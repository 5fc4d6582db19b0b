import { extname } from 'node:path';
import { formatDay, yearMax, yearMin } from '../../base/day.ts';
import { type Cents, formatCents, zeroCents } from '../../base/decimal.ts';
import { lotMethods } from '../../engine/model.ts';
import { rowsSides } from '../../formats/format.ts';
import { assumedFormTexts } from '../../forms/assumed-forms.ts';
import type { FormChoices } from '../../forms/choices.ts';
import { warningsOf } from '../../forms/draft.ts';
import { reportFormat, reportFormats } from '../../forms/index.ts';
import type { ReportBooks, ReportFormat } from '../../forms/report.ts';
import { CommandError } from '../command.ts';
import { exitCodes } from '../command-table.ts';
import { splitWords } from '../options.ts';
import { writeOut } from '../out.ts';
import { booksOfYear } from './books.ts';
import { choiceOptions, choiceUsage, chosen, readChoices } from './choices.ts';
import { type FilesOrder, filesOptions, readFilesOrder, readOrdered } from './files-order.ts';
import { Messages } from './messages.ts';
import { summaryReport } from './summary.ts';

/** Totals for the eye are the command's own; the rest is what the service gives too. */
const formatIds = [summaryReport, ...reportFormats].map(({ id }) => id).join(', ');

/** The format of a file named by `--out` unless `--format` names another one. */
const formatOfExtension: Readonly<Record<string, string>> = {
  '.pdf': '8949',
  '.txf': 'txf',
  '.csv': 'csv',
  '.json': 'json',
  '.txt': 'summary',
};

const usage = `lotbook report FILE.csv… --year YEAR [options]

  FILE               an export of a broker or exchange; - is stdin
  --year YEAR        the tax year
  --method METHOD    ${lotMethods.join(', ')} (FIFO)
  --settings FILE    elections as JSON, as GET /v1/tax/settings answers them: methods, accounts, wash sales…
  --prices FILE      date,asset,usd: what rows in other currencies and without a value are worth
  --balances FILE    account,asset,on,quantity: what accounts held, to be compared with the rows
  --format FORMAT    ${formatIds}
                     (by default from the extension of --out: .pdf is 8949, .txt is summary, .txf, .csv and .json
                     are themselves; summary without --out)
  --out FILE         the file to write (- or none: stdout)
  --time-zone ZONE   of times without offset, and of the days on which times are taxed (UTC)
  --source FORMAT    what the files are, where their headers do not say
  --mapping FILE     which column holds what, as JSON, for files that no format knows
  --date-order ORDER mdy, dmy or ymd: which part comes first in 3/4/2025 or 25-03-04, if the files do not say
  --side SIDE        ${rowsSides.join(', ')}: which way the rows go of a file that does not say
  --account NAME     of rows that name none (what the file calls it, or the source's name)
  --form NAME=FORM   the form that the broker of an account sends: 1099-B, 1099-DA or none; separate several with commas
  --strict           exit code 3 where a line of the files could not be read
  --name NAME        the taxpayer, as on the return
  --tin NUMBER       social security or other taxpayer identification number

How it is written, where the format takes the choice:
${choiceUsage}
${exitCodes}`;

/** What `report` was asked for. */
export interface ReportOrder extends FilesOrder {
  readonly year: number;
  readonly format: ReportFormat;
  readonly out: string | null;
  readonly name: string;
  readonly tin: string;
  readonly choices: FormChoices;
  /** Whether lines that could not be read fail the command. */
  readonly strict: boolean;
}

/** What a report is made of. */
interface ReadFiles {
  readonly books: ReportBooks;
  /** How many lines of all years could not be read. */
  readonly rejected: number;
}

/** Lines could not be read, and `--strict` was asked for. */
const exitRejected = 3;

/** The same formats, engine and forms as the service's, over files: no server, no database, nothing kept. */
export async function report(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const order = readOrder(args);
  if (order.out === null && process.stdout.isTTY && order.format.mediaType === 'application/pdf') {
    throw new CommandError(`A PDF is not for a terminal: add --out FILE, or send it through a pipe.`);
  }
  const { format } = order;
  const messages = new Messages();
  const read = await readYear(order, messages);
  const books = chosen(read.books, format, order.choices);
  reportIssues(books, messages);
  // The totals list the assumed forms themselves.
  const listed = format.id === summaryReport.id ? assumedFormTexts(books) : [];
  for (const warning of warningsOf(format, books)) if (!listed.includes(warning)) messages.say(warning);
  if (format.mediaTypeOf?.(books) === 'application/zip') {
    messages.say(`So many rows make several files: this is a ZIP of them, ${format.fileName(books)}.`);
  }
  await writeOut(order.out, format.render(books));
  // A report on stdout is not mixed with anything but text.
  if (read.rejected > 0 && (order.out !== null || format.id === summaryReport.id))
    process.stdout.write(`${rejectedText(read.rejected)}\n`);
  return read.rejected > 0 && order.strict ? exitRejected : 0;
}

export async function readBooks(order: ReportOrder, messages: Messages): Promise<ReportBooks> {
  return (await readYear(order, messages)).books;
}

/** What the files, the elections and the prices make of the year. */
async function readYear(order: ReportOrder, messages: Messages): Promise<ReadFiles> {
  const { history, stated } = await readOrdered(order, messages);
  const onRows = (done: number): void => {
    if (history.length >= shownRowsMin) messages.progress(`Following the lots: ${percentOf(done, history.length)} %`);
  };
  const { year, name, tin } = order;
  const books = booksOfYear(history, { ...stated, year, name, tin, lists: order.format.reads, onRows });
  messages.wipe();
  return { books, rejected: stated.rejected.length };
}

function rejectedText(lines: number): string {
  return lines === 1
    ? '1 line could not be read and is left out. It is an open issue of its year.'
    : `${lines} lines could not be read and are left out. Each is an open issue of its year.`;
}

/** A smaller history is replayed before anybody looks. */
const shownRowsMin = 100_000;

/** Rows of several books count in each. */
function percentOf(done: number, all: number): number {
  return Math.min(100, Math.floor((100 * done) / all));
}

export function readOrder(args: readonly string[]): ReportOrder {
  const { words: files, options } = splitWords(args, { values: optionNames, flags }, usage);
  if (files.length === 0) throw new CommandError(`No file is named.\n\n${usage}`);
  const year = Number(options.get('year') ?? Number.NaN);
  if (!Number.isInteger(year) || year < yearMin || year > yearMax) {
    throw new CommandError('--year wants a tax year, as --year 2025.');
  }
  const out = options.get('out') === '-' ? null : (options.get('out') ?? null);
  const format = formatNamed(options.get('format') ?? formatIdFor(out));
  return {
    ...readFilesOrder(files, options),
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
  'year',
  'format',
  'out',
  'name',
  'tin',
  ...filesOptions,
  ...choiceOptions,
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
  if (format === undefined) throw new CommandError(`--format wants one of ${formatIds}.`);
  return format;
}

/** What could not be known, with the lines that led there: the forms carry DRAFT until it is settled. */
function reportIssues({ issues, sources }: ReportBooks, messages: Messages): void {
  // Lines that could not be read are named one by one already.
  const others = issues.filter(({ issue }) => issue !== 'rejected_line');
  const found = others.slice(0, issuesShownMax).map((issue) => {
    const lines = issue.transactions.map((id) => sources.get(id)).filter((source) => source !== undefined);
    const where = lines.map(({ file, line }) => `${file} line ${line}`).join(', ');
    const what = [formatDay(issue.on), issue.asset, issue.account].filter((word) => word !== '').join(' ');
    const stake = stakeOf(issue.dollars);
    return `${what}: ${issue.detail}${stake}${where === '' ? '' : ` [${where}]`}`;
  });
  messages.sayFirst(found, others.length, (more) => `${more} more issues are open.`);
}

function stakeOf(dollars: Cents | null): string {
  if (dollars === null) return ' (amount not known)';
  return dollars === zeroCents ? '' : ` (up to $${formatCents(dollars)})`;
}

const issuesShownMax = 1_000;
