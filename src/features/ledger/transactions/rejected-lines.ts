import { hash } from 'node:crypto';
import { formatDay, yearOf } from '../../../base/day.ts';
import { formatMoney, type Money, roundToCents } from '../../../base/decimal.ts';
import { limits } from '../../../base/limits.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue } from '../../../engine/model.ts';
import type { RowIssue } from '../../../formats/format.ts';
import { amountOfRow } from '../../../formats/rejected-row.ts';
import { resultDiffers } from '../../../formats/stated-results.ts';
import { type OpenRejectRow, type RejectedLine, selectOpenRejects } from './rejected.queries.ts';
import { parseDayColumn, parseMoneyColumn } from './rows/columns.ts';
import { RowIds } from './rows/row-ids.ts';

/** Converts the issues of one file to rejected lines. */
class RejectedLines {
  private readonly seen = new Map<string, number>();
  private readonly names: RowIds;

  constructor(
    private readonly format: string,
    private readonly header: readonly string[],
    idKey: Uint8Array,
  ) {
    this.names = new RowIds(idKey);
  }

  of({ result, ...issue }: RowIssue): RejectedLine {
    // The row itself was read and stored. Only the difference is open, and no other row can resolve it.
    const amount = result?.difference ?? amountOfRow(this.header, issue.cells);
    const cells = issue.cells.map((cell) => cell.trim());
    const content = this.names.hashText(
      hash(
        'sha256',
        JSON.stringify([this.format, cells, ...(issue.code === resultDiffers ? [issue.code] : [])]),
        'hex',
      ),
    );
    const occurrence = (this.seen.get(content) ?? 0) + 1;
    if (occurrence > 1 || this.seen.size < contentsMax) this.seen.set(content, occurrence);
    return {
      ...issue,
      on: issue.on === undefined ? null : formatDay(issue.on),
      amount: amount === null ? null : formatMoney(amount),
      stated: result === undefined ? null : formatMoney(result.stated),
      computed: result === undefined ? null : formatMoney(result.computed),
      content,
      occurrence,
      words: result === undefined ? listTickerWords(issue.cells) : [],
    };
  }
}

/** Limits memory use for a file with many unreadable lines. */
const contentsMax = 200_000;

function listTickerWords(cells: readonly string[]): string[] {
  const words = cells.slice(0, 100).flatMap((cell) =>
    cell
      .slice(0, 200)
      .toUpperCase()
      .split(/[\s,;:()]+/),
  );
  return [...new Set(words.filter((word) => /^[A-Z][A-Z0-9.\-/]{0,19}$/.test(word)))].slice(0, 40);
}

/** The book name for issues about rejected lines. No asset has this key. */
export const rejectedBook = 'rejected lines';

/**
 * Returns an issue for each rejected line of a completed import that is not fixed, dismissed or covered by another row.
 */
export async function readRejectedLines(sql: Sql, taxpayerId: string): Promise<Issue[]> {
  return boundByYear((await selectOpenRejects(sql, taxpayerId)).map(toRejectedIssue));
}

/**
 * Limits the number of issues per year. Keeps lines with unknown amounts first, and then those with the largest
 * amounts. Combines all other lines into one issue. Thousands of unreadable lines usually mean that the file is of a
 * different kind.
 */
export function boundByYear(issues: readonly Issue[]): Issue[] {
  return [...Map.groupBy(issues, ({ on }) => yearOf(on))].flatMap(([year, own]) => {
    if (own.length <= limits.rejectsAskedOfYear) return own;
    const sorted = own.toSorted(byStake);
    const rest = sorted.slice(limits.rejectsAskedOfYear);
    return [...sorted.slice(0, limits.rejectsAskedOfYear), restIssue(year, rest)];
  });
}

function byStake(a: Issue, b: Issue): number {
  if (a.dollars !== b.dollars) {
    if (a.dollars === null || b.dollars === null) return a.dollars === null ? -1 : 1;
    return a.dollars > b.dollars ? -1 : 1;
  }
  return a.on - b.on || (a.id < b.id ? -1 : 1);
}

function restIssue(year: number, rest: readonly Issue[]): Issue {
  const on = Math.max(...rest.map((issue) => issue.on)) as Issue['on'];
  const known = rest.flatMap(({ dollars }) => (dollars === null ? [] : [dollars]));
  const count = rest.length.toLocaleString('en-US');
  return {
    kind: 'issue',
    causedOn: on,
    id: restIssueId(year),
    issue: 'rejected_line',
    on,
    asset: '',
    account: '',
    transactions: [],
    dollars:
      known.length < rest.length ? null : (known.reduce((sum: bigint, one) => sum + one, 0n) as Issue['dollars']),
    detail: `${count} more rows of ${year} could not be read and are not included. If an import read the wrong file, undo it; otherwise dismiss all of them.`,
  };
}

function restIssueId(year: number): string {
  return `rejected/rest/rejected_line/${year}`;
}

/** Returns the year from the id of an issue that combines lines. Undefined for other kinds of issues. */
function parseRestYear(issueId: string): number | undefined {
  const [, year] = /^rejected\/rest\/rejected_line\/(\d{4})$/.exec(issueId) ?? [];
  return year === undefined ? undefined : Number(year);
}

/**
 * Returns the lines that an issue covers: a single line, or the combined lines of a year. Undefined for other kinds of
 * issues.
 */
export async function linesOfIssue(sql: Sql, taxpayerId: string, issueId: string): Promise<LinesOfIssue | undefined> {
  const one = parseRejectedKey(issueId);
  if (one !== undefined) return { lines: [one], together: false };
  const year = parseRestYear(issueId);
  if (year === undefined) return undefined;
  const yearIssues = (await selectOpenRejects(sql, taxpayerId))
    .map(toRejectedIssue)
    .filter(({ on }) => yearOf(on) === year);
  const rest = yearIssues.toSorted(byStake).slice(limits.rejectsAskedOfYear);
  return { lines: rest.flatMap(({ id }) => parseRejectedKey(id) ?? []), together: true };
}

export function isOfRejectedLines(issueId: string): boolean {
  return parseRejectedKey(issueId) !== undefined || parseRestYear(issueId) !== undefined;
}

export interface LinesOfIssue {
  readonly lines: readonly RejectedKey[];
  /** Whether the issue combines several lines. */
  readonly together: boolean;
}

type RejectedKey = Pick<RejectedLine, 'content' | 'occurrence'>;

function toRejectedIssue(row: OpenRejectRow): Issue {
  const on = parseDayColumn(row.on_day);
  const amount = row.amount === null ? null : parseMoneyColumn(row.amount);
  const where = `${row.file_name ?? 'a file'}, line ${row.line}${row.column_name === null ? '' : `, ${row.column_name}`}`;
  return rejectedLineIssue({ id: rejectedIssueId(row), on, amount, code: row.code, where, reason: row.reason });
}

interface RejectedLineText {
  readonly id: string;
  readonly on: Issue['on'];
  readonly amount: Parameters<typeof roundToCents>[0] | null;
  readonly code: string;
  readonly where: string;
  readonly reason: string;
}

export function rejectedLineIssue({ id, on, amount, code, where, reason }: RejectedLineText): Issue {
  const stated = amount === null ? '' : ` Amount in the file: $${formatMoney(amount)}.`;
  return {
    kind: 'issue',
    causedOn: on,
    id,
    issue: 'rejected_line',
    on,
    asset: '',
    account: '',
    transactions: [],
    dollars: amount === null ? null : roundToCents(amount),
    detail:
      code === resultDiffers
        ? `A result in your file differs from our calculation (${where}): ${reason}.`
        : `A row could not be read and is not included (${where}): ${reason}.${stated}`,
  };
}

export function rejectedIssueId({ content, occurrence }: Pick<RejectedLine, 'content' | 'occurrence'>): string {
  return `rejected/${occurrence}/rejected_line/${content}`;
}

/** Returns the line that an issue id identifies. Undefined for other kinds of issues. */
export function parseRejectedKey(issueId: string): RejectedKey | undefined {
  const [, occurrence = '', content = ''] = /^rejected\/(\d{1,9})\/rejected_line\/([0-9a-f]{32})$/.exec(issueId) ?? [];
  return content === '' ? undefined : { content, occurrence: Number(occurrence) };
}

/**
 * Collects the rejected lines of a file. Keeps the first lines individually, and combines the rest into one summary
 * line per year.
 */
export class KeptLines {
  private readonly rest = new Map<string, RestOfYear>();
  private readonly lines: RejectedLines;
  private count = 0;

  constructor(format: string, header: readonly string[], idKey: Uint8Array) {
    this.lines = new RejectedLines(format, header, idKey);
  }

  /**
   * Adds a line and returns it if it is kept individually. `known` are the values from its draft, if the format could
   * read it.
   */
  add(issue: RowIssue, known: Partial<RejectedLine> = {}): RejectedLine | undefined {
    const line = { ...this.lines.of(issue), ...known };
    this.count++;
    if (this.count <= limits.rejectsKept) return line;
    const year = line.on?.slice(0, 4) ?? '';
    const rest = this.rest.get(year);
    if (rest === undefined)
      this.rest.set(year, { count: 1, last: line, amount: amountOf(line), content: line.content });
    else {
      const amount = amountOf(line);
      rest.count++;
      rest.amount = rest.amount === null || amount === null ? null : rest.amount + amount;
      rest.content = hash('sha256', rest.content + line.content, 'hex').slice(0, 32);
      if (line.on !== null && (rest.last.on === null || line.on > rest.last.on)) rest.last = line;
    }
    return undefined;
  }

  /** Returns the summary lines. Must be called after the last line of the file. */
  end(): RejectedLine[] {
    return [...this.rest].map(([year, { count, last, amount, content }]) => ({
      line: last.line,
      column: null,
      code: moreLines,
      reason: `${count.toLocaleString('en-US')} more rows${year === '' ? '' : ` of ${year}`} could not be read. Only their number was saved`,
      cells: [''],
      on: last.on,
      amount: amount === null ? null : formatMoney(amount as Money),
      stated: null,
      computed: null,
      content,
      occurrence: 1,
      words: [],
    }));
  }
}

/** The code of a summary line. */
export const moreLines = 'more_lines';

/** The lines of a year that are not kept individually. */
interface RestOfYear {
  count: number;
  /** The line with the latest date. */
  last: RejectedLine;
  /** Null if one of the amounts is unknown. */
  amount: bigint | null;
  /** A hash of the content of all lines, so that rereading the same file leads to the same issue. */
  content: string;
}

function amountOf({ amount }: RejectedLine): bigint | null {
  return amount === null ? null : parseMoneyColumn(amount);
}
