import { dayIn, formatDay, yearOf } from '../../../base/day.ts';
import { formatQuantity, type Money, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Issue, Transaction } from '../../../engine/model.ts';
import { toLotbookCells } from '../../../formats/lotbook/lotbook-write.ts';
import { memberOf } from '../../../formats/lotbook-columns.ts';
import type { Resolution } from './derive.ts';
import { selectTransactions } from './list.queries.ts';
import { type ProposedRow, selectOpenProposed } from './proposed-rows.queries.ts';
import { openIssues } from './resolutions.ts';
import { parseStatedNames, toStatedTransaction, toTransaction } from './rows/columns.ts';
import { type PreparedRow, prepare } from './staged/prepare.ts';

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
