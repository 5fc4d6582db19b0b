import { dayIn, formatDay, yearOf } from '../../../base/day.ts';
import { formatMoney, formatQuantity, type Money, roundToCents } from '../../../base/decimal.ts';
import { limits } from '../../../base/limits.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue, Transaction } from '../../../engine/model.ts';
import { toLotbookCells } from '../../../formats/lotbook/lotbook-write.ts';
import { memberOf } from '../../../formats/lotbook-columns.ts';
import { resultDiffers } from '../../../formats/stated-results.ts';
import type { Resolution } from './derive.ts';
import { selectTransactions } from './list.queries.ts';
import { openIssues } from './resolutions.ts';
import {
  type OpenRejectRow,
  type ProposedRow,
  type RejectedLine,
  selectOpenProposed,
  selectOpenRejects,
} from './row-issues.queries.ts';
import { parseDayColumn, parseMoneyColumn, parseStatedNames, toStatedTransaction, toTransaction } from './rows.ts';
import { type PreparedRow, prepare } from './staging.ts';

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

/** Returns an issue for each row in a later file that differs from a stored row and is not resolved. */
export async function readProposedRows(sql: Sql, taxpayerId: string): Promise<Issue[]> {
  const rows = await selectOpenProposed(sql, taxpayerId);
  if (rows.length === 0) return [];
  const targets = [...new Set(rows.map((row) => row.transaction_id))];
  const stored = new Map((await selectTransactions(sql, taxpayerId, targets)).map((row) => [row.id, row]));
  const issues = rows.map((row) => {
    const where = `${row.file_name ?? 'a later file'}, line ${row.file_line}`;
    const target = stored.get(row.transaction_id);
    const before = target === undefined ? undefined : toStatedTransaction(target);
    return { ...proposedIssue(row.id, toStatedTransaction(row), before, where), asset: (target ?? row).asset };
  });
  return openIssues(sql, taxpayerId, issues);
}

/** Returns the issue about a proposed row. `stored` is undefined if the stored row is no longer in the books. */
export function proposedIssue(id: string, row: Transaction, stored: Transaction | undefined, where: string): Issue {
  const { on, asset, account, type, quantity } = stored ?? row;
  const units = quantity === null ? asset : `${formatQuantity(quantity)} ${asset}`;
  const what = `the ${type} of ${units} on ${formatDay(on)}`;
  return {
    kind: 'issue',
    causedOn: on,
    id: proposedIssueId(id),
    issue: 'row_differs',
    on,
    asset,
    account,
    transactions: stored === undefined ? [] : [stored.id],
    dollars: computeStake(row, stored),
    detail:
      stored === undefined
        ? `A later file (${where}) contains ${what}. It differed from a transaction that has since been deleted.`
        : `A later file (${where}) has different values for ${what}: ${describeDifferences(stored, row)}. Choose which values to keep.`,
  };
}

function proposedIssueId(id: string): string {
  return `proposed/1/row_differs/${id}`;
}

/** Returns the id of the proposed row from an issue id. Undefined for other kinds of issues. */
export function parseProposedId(issueId: string): string | undefined {
  return /^proposed\/1\/row_differs\/([0-9a-f-]{36})$/.exec(issueId)?.[1];
}

function describeDifferences(stored: Transaction, row: Transaction): string {
  const [before, after] = [toLotbookCells(stored), toLotbookCells(row)];
  const columns = (Object.keys(after) as (keyof typeof after)[]).filter((column) => before[column] !== after[column]);
  const stated = columns.filter((column) => column !== 'note');
  const parts = (stated.length === 0 ? columns : stated).map(
    (column) => `${memberOf(column)} ${after[column] || 'blank'} instead of ${before[column] || 'blank'}`,
  );
  return parts.length === 0 ? 'the values are the same but are read under different settings' : parts.join(', ');
}

/**
 * Returns the amount at stake: the difference between the amounts, or the larger amount if the quantity or year differs
 * or the stored row is gone. Null if an amount is not in dollars.
 */
function computeStake(row: Transaction, stored: Transaction | undefined): Issue['dollars'] {
  const [now, before] = [getDollarAmount(row), stored === undefined ? 0n : getDollarAmount(stored)];
  if (now === null || before === null) return null;
  const isOtherTrade = stored === undefined || row.quantity !== stored.quantity || yearOf(row.on) !== yearOf(stored.on);
  const larger = pickLarger(magnitude(now), magnitude(before));
  const fees = magnitude((row.fee ?? 0n) - (stored?.fee ?? 0n));
  return roundToCents((isOtherTrade ? larger : magnitude(now - before) + fees) as Money);
}

function getDollarAmount({ amount, currency }: Transaction): bigint | null {
  return currency === 'USD' || currency === '' ? amount : null;
}

function pickLarger(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Prepares a row from its file, under the current elections. `line` is its position. */
export function prepareProposed(row: ProposedRow, line: number, resolution: Resolution): PreparedRow {
  const before = toTransaction(row);
  const on = before.at === null ? before.on : dayIn(before.at, row.time_zone ?? resolution.timeZone);
  const statement = { ...before, ...parseStatedNames(row), on, assetClass: row.stated_class };
  return prepare(statement, line, {
    ...resolution,
    sourceClass: row.source_class,
    timeZone: row.time_zone,
    lines: row.lines,
  });
}
