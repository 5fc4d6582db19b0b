import { hash } from 'node:crypto';
import { formatDay } from '../../../base/day.ts';
import { formatMoney, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue } from '../../../engine/model.ts';
import type { RowIssue } from '../../../formats/format.ts';
import { stakeOf } from '../../../formats/rejected-row.ts';
import { dayOf, moneyOf } from '../rows/columns.ts';
import { type OpenRejectRow, selectOpenRejects } from './queries.ts';
import type { RejectedLine } from './rejected-line.ts';

/** Makes rejected lines of the issues of one file. */
export class RejectedLines {
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly format: string,
    private readonly header: readonly string[],
  ) {}

  of(issue: RowIssue): RejectedLine {
    const { on, amount } = stakeOf(this.header, issue);
    const content = hash('sha256', JSON.stringify([this.format, issue.cells.map((cell) => cell.trim())]), 'hex').slice(
      0,
      32,
    );
    const occurrence = (this.seen.get(content) ?? 0) + 1;
    if (occurrence > 1 || this.seen.size < contentsMax) this.seen.set(content, occurrence);
    return {
      ...issue,
      on: on === null ? null : formatDay(on),
      amount: amount === null ? null : formatMoney(amount),
      content,
      occurrence,
      words: wordsIn(issue.cells),
    };
  }
}

/** A file of junk must not fill the memory. */
const contentsMax = 200_000;

function wordsIn(cells: readonly string[]): string[] {
  const words = cells.slice(0, 100).flatMap((cell) =>
    cell
      .slice(0, 200)
      .toUpperCase()
      .split(/[\s,;:()]+/),
  );
  return [...new Set(words.filter((word) => /^[A-Z][A-Z0-9.\-/]{0,19}$/.test(word)))].slice(0, 40);
}

/** The book that holds the issues of rejected lines. No asset's key is in it. */
export const rejectedBook = 'rejected lines';

/** The lines of the completed imports that nobody mended, told otherwise or set aside: an open question of their year. */
export async function readRejectedLines(sql: Sql, taxpayerId: string): Promise<Issue[]> {
  return (await selectOpenRejects(sql, taxpayerId)).map(issueOf);
}

function issueOf(row: OpenRejectRow): Issue {
  const on = dayOf(row.on_day);
  const amount = row.amount === null ? null : moneyOf(row.amount);
  const where = `${row.file_name ?? 'a file'}, line ${row.line}${row.column_name === null ? '' : `, ${row.column_name}`}`;
  return rejectedLineIssue({ id: rejectedIssueId(row), on, amount, where, reason: row.reason });
}

interface RejectedLineText {
  readonly id: string;
  readonly on: Issue['on'];
  readonly amount: Parameters<typeof roundToCents>[0] | null;
  readonly where: string;
  readonly reason: string;
}

export function rejectedLineIssue({ id, on, amount, where, reason }: RejectedLineText): Issue {
  const stated = amount === null ? '' : ` It states ${formatMoney(amount)}.`;
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
    detail: `A line could not be read and is left out (${where}): ${reason}.${stated}`,
  };
}

export function rejectedIssueId({ content, occurrence }: Pick<RejectedLine, 'content' | 'occurrence'>): string {
  return `rejected/${occurrence}/rejected_line/${content}`;
}

/** The line that an id of an issue names. Undefined for issues of other kinds. */
export function rejectedLineOf(issueId: string): Pick<RejectedLine, 'content' | 'occurrence'> | undefined {
  const [, occurrence = '', content = ''] = /^rejected\/(\d{1,9})\/rejected_line\/([0-9a-f]{32})$/.exec(issueId) ?? [];
  return content === '' ? undefined : { content, occurrence: Number(occurrence) };
}
