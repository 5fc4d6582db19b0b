import { parseDay } from '../../../base/day.ts';
import { type Money, parseMoney, type Quantity, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact, Issue, Transaction, TransactionType } from '../../../engine/model.ts';
import { type MemberOfKind, membersOfKind } from '../../../engine/statement-members.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import {
  type ResolutionValues,
  type RestatementRow,
  selectAccepted,
  selectPairs,
  selectRestatements,
} from './row-issues.queries.ts';
import { parseDayColumn, parseMoneyColumn, parseQuantityColumn, type TouchedKeys, touch } from './rows.ts';

/**
 * The taxpayer's answers, which are applied when rows are read for the engine and the export. The stored rows do not
 * change, so an import can be undone and repeated without losing the answers.
 */
export interface Restatements {
  readonly byRow: ReadonlyMap<string, readonly RestatementRow[]>;
  /** Deposits that are the other end of a withdrawal. They do not count as separate rows. */
  readonly arrived: ReadonlySet<string>;
}

/** Used for a taxpayer without answers. */
export const noRestatements: Restatements = { byRow: new Map(), arrived: new Set() };

export async function readRestatements(sql: Sql, taxpayerId: string): Promise<Restatements> {
  const rows = await selectRestatements(sql, taxpayerId);
  return {
    byRow: Map.groupBy(rows, (row) => row.transaction_id),
    arrived: new Set(rows.flatMap((row) => (row.other_id === null ? [] : [row.other_id]))),
  };
}

/** Returns the rows with pairs joined and cost basis added. Values are set later, after prices are applied. */
export function restate(transactions: readonly Transaction[], restatements: Restatements): Transaction[] {
  const { byRow, arrived } = restatements;
  if (byRow.size === 0) return transactions as Transaction[];
  return transactions.flatMap((tx) => {
    if (arrived.has(tx.id)) return [];
    return [(byRow.get(tx.id) ?? []).reduce(restateRow, tx)];
  });
}

/** Sets values from answers. They take precedence over prices. */
export function setValues(transactions: readonly Transaction[], { byRow }: Restatements): Transaction[] {
  if (byRow.size === 0) return transactions as Transaction[];
  return transactions.map((tx) =>
    (byRow.get(tx.id) ?? []).reduce((one, row) => (row.action === 'value' ? applyValue(one, row.given) : one), tx),
  );
}

/** Adds the books of every pair that a change affects, from the day of the withdrawal on. */
export async function addPairs(sql: Sql, taxpayerId: string, touched: TouchedKeys): Promise<TouchedKeys> {
  const pairs = (await selectPairs(sql, taxpayerId)).filter((pair) => touched.has(pair.asset_key));
  if (pairs.length === 0) return touched;
  const reached = new Map(touched);
  for (const { keys, day } of pairs) for (const key of keys) touch(reached, key, parseDayColumn(day));
  return reached;
}

function restateRow(tx: Transaction, row: RestatementRow): Transaction {
  if (row.action === 'pair') return row.other_id === null ? { ...tx, alone: true } : joinTransfer(tx, row);
  if (row.action === 'basis') return applyBasis(tx, row.given);
  return tx;
}

/** Joins a withdrawal and its deposit into one transfer. The difference in quantity is the network fee. */
function joinTransfer(tx: Transaction, row: RestatementRow): Transaction {
  if (tx.quantity === null || row.arrived === null || row.to_account === null) return tx;
  const quantity = parseQuantityColumn(row.arrived);
  const short = (tx.quantity - quantity) as Quantity;
  const transfer = { ...tx, type: 'transfer' as const, toAccount: row.to_account, quantity };
  const stated = tx.feeAsset === tx.asset && tx.feeQuantity !== null ? tx.feeQuantity : null;
  if (short <= 0n || stated === short) return transfer;
  return { ...transfer, feeAsset: tx.asset, feeQuantity: short, fee: null };
}

/** Returns whether an answer can add a basis to a row of this type. */
export function takesBasis(type: TransactionType): boolean {
  return rowOf(type).basisAnswer !== undefined;
}

/** Returns whether units of this type are always acquired on the row's own day. */
export function isDatedByRow(type: TransactionType): boolean {
  return rowOf(type).basisAnswer === 'amount';
}

function applyBasis(tx: Transaction, values: ResolutionValues): Transaction {
  const basis = parseOptionalMoney(values.basis);
  const acquired = parseDay(values.acquired ?? '') ?? tx.acquired;
  const { basisAnswer } = rowOf(tx.type);
  if (basisAnswer === 'fmv') return { ...inUsd(tx), fmv: basis, acquired };
  if (basisAnswer === 'amount') return { ...inUsd(tx), amount: basis, fee: tx.feeAsset === '' ? null : tx.fee };
  // Units of unknown origin become an opening lot.
  const type = tx.type === 'deposit' ? ('opening_lot' as const) : tx.type;
  const stated = tx.type === 'reported_sale' ? tx : inUsd(tx);
  return { ...stated, type, basis, acquired, fmv: parseOptionalMoney(values.amount) ?? stated.fmv };
}

function applyValue(tx: Transaction, values: ResolutionValues): Transaction {
  if (values.figure === 'marketDiscount') return { ...tx, marketDiscount: parseOptionalMoney(values.amount) };
  const stated = inUsd(tx);
  const fee = values.fee === undefined ? stated.fee : parseOptionalMoney(values.fee);
  const amount = parseOptionalMoney(values.amount);
  switch (values.figure) {
    case 'fee':
      return { ...stated, fee: amount };
    case 'fmv':
      return { ...stated, fee, fmv: amount };
    default:
      return { ...stated, fee, amount };
  }
}

/** Replaces all amounts in another currency, because a manual answer is in dollars. */
function inUsd(tx: Transaction): Transaction {
  if (tx.currency === 'USD' || tx.currency === '') return tx;
  return { ...tx, currency: 'USD', ...noMoney };
}

const noMoney = Object.fromEntries(membersOfKind('money').map((name) => [name, null])) as Record<
  MemberOfKind<'money'>,
  null
>;

function parseOptionalMoney(text: string | undefined): Money | null {
  return text === undefined ? null : (parseMoney(text) ?? null);
}

/** Accepted issues by id, with their content when the taxpayer accepted them. */
export type AcceptedIssues = ReadonlyMap<string, Pick<Issue, 'dollars' | 'units'>>;

/** Used for a taxpayer who has accepted no issues. */
export const noneAccepted: AcceptedIssues = new Map();

export async function readAccepted(sql: Sql, taxpayerId: string): Promise<AcceptedIssues> {
  const rows = await selectAccepted(sql, taxpayerId);
  return new Map(
    rows.map(({ issue_id, dollars, units }) => [
      issue_id,
      {
        dollars: dollars === null ? null : roundToCents(parseMoneyColumn(dollars)),
        units: parseQuantityColumn(units) ?? undefined,
      },
    ]),
  );
}

/**
 * Removes accepted issues, which are still listed but do not count. Keeps an issue that has grown since it was
 * accepted.
 */
export function withoutAccepted<F extends Fact>(facts: readonly F[], accepted: AcceptedIssues): F[] {
  if (accepted.size === 0) return facts as F[];
  return facts.filter((fact) => fact.kind !== 'issue' || !isCovered(fact, accepted));
}

/** Returns the issues that are not accepted. */
export async function openIssues(sql: Sql, taxpayerId: string, issues: readonly Issue[]): Promise<Issue[]> {
  return issues.length === 0 ? [] : withoutAccepted(issues, await readAccepted(sql, taxpayerId));
}

function isCovered(issue: Issue, accepted: AcceptedIssues): boolean {
  const then = accepted.get(issue.id);
  if (then === undefined || isMore(issue.dollars, then.dollars)) return false;
  return issue.units === undefined || then.units === undefined || issue.units <= then.units;
}

/** Returns whether the amount at stake has grown. An issue that was accepted with an unknown amount never grows. */
function isMore(dollars: Issue['dollars'], then: Issue['dollars']): boolean {
  return then !== null && (dollars === null || dollars > then);
}
