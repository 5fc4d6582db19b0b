import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The project's own cases in `test/cases/*.md`. `## ` begins a case, and the text below it cites the authority. The first
 * word of a fenced block names it:
 *
 * - `settings`: the body of PATCH /tax/settings.
 * - `balances`: a file of positions, sent after the transactions.
 * - `transactions`: Lotbook CSV, or another source's export (`file NAME.csv`). Several files are imported in order.
 * - `lines`, `lots`, `issues`: the expected rows of GET /tax/disposals, /tax/lots and /tax/issues, as CSV with their
 *   members as columns. If `lines` or `issues` is missing, there must be none. If `lots` is missing, lots are not
 *   compared.
 * - `gifts`: the list `gifts` in the JSON reports of all years. If it is missing, gifts are not compared.
 * - `summary YEAR`: members of GET /tax/summary, one path and value per line (`shortTerm.gain 100.00`,
 *   `income.dividend 5.00`).
 *
 * A case whose text contains `Oracle: no`, with a reason, is not compared with the oracle.
 */
export interface WorkedCase {
  readonly subject: string;
  readonly name: string;
  readonly settings: string;
  readonly files: readonly CaseFile[];
  /** Null if the case states none. */
  readonly balances: string | null;
  readonly inOracle: boolean;
  readonly lines: readonly Row[];
  readonly lots: readonly Row[] | null;
  readonly issues: readonly Row[];
  readonly gifts: readonly Row[] | null;
  readonly summaries: readonly ExpectedSummary[];
}

export interface CaseFile {
  readonly name: string;
  readonly text: string;
}

export type Row = Readonly<Record<string, string>>;

interface ExpectedSummary {
  readonly year: number;
  readonly figures: Row;
}

const folder = join(dirname(fileURLToPath(import.meta.url)), '../cases');

export function workedCases(): WorkedCase[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return files.sort().flatMap((file) => {
    const [, ...sections] = readFileSync(join(folder, file), 'utf8').split(/^## /m);
    return sections.map((section) => caseOf(file.slice(0, -'.md'.length), section));
  });
}

const blockLabel = /^(settings|balances|transactions|file .+|lines|lots|issues|gifts|summary \d{4})$/;

function caseOf(subject: string, section: string): WorkedCase {
  const name = section.slice(0, section.indexOf('\n')).trim();
  const blocks = [...section.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, label = '', text = '']) => ({
    label,
    text,
  }));
  const fences = section.match(/^```/gm)?.length ?? 0;
  const unknown = blocks.find(({ label }) => !blockLabel.test(label));
  if (fences !== 2 * blocks.length || unknown !== undefined) {
    throw new Error(`${subject}: "${name}" has a block that is not closed, or of no known name (${unknown?.label}).`);
  }
  const authority = section
    .slice(name.length)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .trim();
  if (authority === '') throw new Error(`${subject}: "${name}" states no authority.`);
  const block = (label: string): string | undefined => blocks.find((one) => one.label === label)?.text;
  const lots = block('lots');
  const gifts = block('gifts');
  return {
    subject,
    name,
    settings: block('settings') ?? '{}',
    files: blocks.flatMap(({ label, text }) => {
      if (label === 'transactions') return [{ name: 'transactions.csv', text }];
      return label.startsWith('file ') ? [{ name: label.slice('file '.length), text }] : [];
    }),
    balances: block('balances') ?? null,
    inOracle: !/^Oracle: no/m.test(authority) && blocks.every(({ label }) => !label.startsWith('file ')),
    lines: rowsOf(block('lines') ?? ''),
    lots: lots === undefined ? null : rowsOf(lots),
    issues: rowsOf(block('issues') ?? ''),
    gifts: gifts === undefined ? null : rowsOf(gifts),
    summaries: blocks.flatMap(({ label, text }) => {
      const year = /^summary (\d{4})$/.exec(label)?.[1];
      return year === undefined ? [] : [{ year: Number(year), figures: figuresOf(text) }];
    }),
  };
}

/** Reads CSV without quotes, because cells of these members contain no commas. */
function rowsOf(csv: string): Row[] {
  const [header = '', ...lines] = csv.split('\n').filter((line) => line !== '');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}

function figuresOf(text: string): Row {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
}

/** The results of all years. */
export interface CaseResult {
  readonly lines: readonly Resource[];
  readonly lots: readonly Resource[];
  readonly issues: readonly Resource[];
  readonly gifts: readonly Resource[];
  readonly summaries: readonly Resource[];
}

export type Resource = Readonly<Record<string, unknown>>;

/** Returns the parts of a result that the case covers. It equals `expectedOf` if the result is correct. */
export function comparedOf(result: CaseResult, expected: WorkedCase) {
  return {
    lines: asTexts(result.lines, membersOf(expected.lines)),
    lots: expected.lots === null ? null : asTexts(result.lots, membersOf(expected.lots)),
    issues: asTexts(result.issues, membersOf(expected.issues)),
    gifts: expected.gifts === null ? null : asTexts(result.gifts, membersOf(expected.gifts)),
    summaries: expected.summaries.map(({ year, figures }) => ({
      year,
      figures: Object.fromEntries(
        Object.keys(figures).map((path) => [
          path,
          figureAt(
            result.summaries.find((one) => one.year === year),
            path,
          ),
        ]),
      ),
    })),
  };
}

export function expectedOf(expected: WorkedCase) {
  return {
    lines: asTexts(expected.lines, membersOf(expected.lines)),
    lots: expected.lots === null ? null : asTexts(expected.lots, membersOf(expected.lots)),
    issues: asTexts(expected.issues, membersOf(expected.issues)),
    gifts: expected.gifts === null ? null : asTexts(expected.gifts, membersOf(expected.gifts)),
    summaries: expected.summaries.map(({ year, figures }) => ({ year, figures: { ...figures } })),
  };
}

function membersOf(rows: readonly Row[]): string[] {
  return Object.keys(rows[0] ?? { id: '' });
}

function asTexts(rows: readonly Resource[], members: readonly string[]): string[] {
  return rows.map((row) => members.map((member) => `${member}=${row[member] ?? ''}`).join(' ')).sort();
}

/**
 * Returns the value at a path such as `shortTerm.gain`. In a list, the path contains the item's first member:
 * `income.dividend`, `boxes.A.gain`.
 */
function figureAt(summary: Resource | undefined, path: string): string {
  let value: unknown = summary;
  for (const name of path.split('.')) {
    value = Array.isArray(value)
      ? value.find((item) => Object.values(item)[0] === name)
      : (value as Resource | undefined)?.[name];
  }
  const amount = (value as Resource | null | undefined)?.amount ?? value;
  return typeof amount === 'object' && amount !== null ? JSON.stringify(amount) : String(amount);
}
