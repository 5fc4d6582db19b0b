import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { parseDay } from '../../base/day.ts';
import { parseQuantity } from '../../base/decimal.ts';
import { assetOfKey } from '../../engine/events/keys.ts';
import { toBookName } from '../../engine/events/same-assets.ts';
import { yearsOfIssue } from '../../engine/facts.ts';
import type { Issue, Rules } from '../../engine/model.ts';
import { BalanceCheck, balanceIssues, type StatedBalance } from '../../features/ledger/balances/check.ts';
import { countDecimals, readBalances } from '../../features/ledger/balances/read-balances.ts';
import { compareUnitRows, type UnitRow } from '../../features/ledger/balances/units.ts';
import { summariesOfIssues } from '../../features/ledger/books/summaries.ts';
import type { FileBalance } from '../../formats/running-balances.ts';
import { buildLedger, type ReplayInput } from './book-ledger.ts';
import { openInput } from './input.ts';
import { type Messages, namedRefusal } from './messages.ts';
import { splitIntoBooks } from './partition.ts';
import type { BookPart } from './replay.ts';
import { showUnread } from './unread-lines.ts';
import { FactsOfYear } from './year-facts.ts';

export interface Balances {
  readonly stated: readonly StatedBalance[];
  /** SHA-256 of the balances in hexadecimal, or null without balances. */
  readonly digest: string | null;
}

/** Reads positions in the format of `POST /v1/balances/import`. Unreadable lines are reported and skipped. */
export async function readBalanceFile(path: string | null, timeZone: string, messages: Messages): Promise<Balances> {
  if (path === null) return { stated: [], digest: null };
  const name = basename(path);
  const given = { account: null, on: null, timeZone };
  const { balances, rejected, rejects } = await readBalances(openInput(path), given).catch((error: unknown) => {
    throw namedRefusal(name, error);
  });
  showUnread(name, rejects, rejected, messages);
  const digest = createHash('sha256');
  const stated = balances.flatMap(({ account, asset, day, quantity }) => {
    digest.update(`${JSON.stringify([account, asset, day, quantity])}\n`);
    const [on, units] = [parseDay(day), parseQuantity(quantity)];
    return on === undefined || units === undefined
      ? []
      : [{ account, asset, on, quantity: units, decimals: countDecimals(quantity), until: null, isLeast: false }];
  });
  return { stated, digest: digest.digest('hex') };
}

/**
 * Adds balances from the transaction files for which no balance is given. The latest moment counts, then the smallest
 * quantity.
 */
export function mergeFileBalances(
  files: readonly FileBalance[],
  statedBalances: readonly StatedBalance[],
): StatedBalance[] {
  const known = new Map(statedBalances.map((one) => [toBalanceKey(one), one] as const));
  const newest = new Map<string, StatedBalance>();
  for (const { account, asset, day, until, quantity, isLeast } of files) {
    const [on, units] = [parseDay(day), parseQuantity(quantity)];
    if (on === undefined || units === undefined) continue;
    const stated = { account, asset, on, quantity: units, decimals: countDecimals(quantity), until, isLeast };
    const other = newest.get(toBalanceKey(stated));
    if (!known.has(toBalanceKey(stated)) && (other === undefined || goesBefore(stated, other)))
      newest.set(toBalanceKey(stated), stated);
  }
  return [...known.values(), ...newest.values()];
}

/** Returns the statement under the name that the books use. */
export function underBookName(stated: StatedBalance, assets: Rules['assets']): StatedBalance {
  const asset = toBookName(stated.asset, assets);
  return asset === stated.asset ? stated : { ...stated, asset, statedAs: stated.asset };
}

function toBalanceKey({ account, asset, on }: StatedBalance): string {
  return JSON.stringify([account, asset, on]);
}

function goesBefore(one: StatedBalance, other: StatedBalance): boolean {
  const [until, otherUntil] = [one.until ?? Number.MAX_SAFE_INTEGER, other.until ?? Number.MAX_SAFE_INTEGER];
  return until > otherUntil || (until === otherUntil && one.quantity < other.quantity);
}

/** Returns the issues about balances that differ from the rows, as a part of the report separate from its books. */
export function balancePart(stated: readonly StatedBalance[], input: ReplayInput): BookPart {
  const check = new BalanceCheck(stated);
  if (stated.length > 0) for (const row of listUnitRows(stated, input)) check.take(row);
  return issuesPart(balanceIssues(check.end()), input);
}

/** Returns the year's issues that belong to no book, as a part of the report. */
export function issuesPart(issues: readonly Issue[], input: Pick<ReplayInput, 'year'>): BookPart {
  const facts = new FactsOfYear();
  for (const issue of issues) if (yearsOfIssue(issue).includes(input.year)) facts.add(issue);
  const totals = summariesOfIssues(issues).filter(({ year }) => year <= input.year);
  return { totals, facts, lots: [], interests: [], deferrals: [], suspects: [], gains: [], near: [] };
}

/** Returns the rows in books with an asset that has a reported balance, each once, in order. */
function listUnitRows(stated: readonly StatedBalance[], input: ReplayInput): UnitRow[] {
  const assets = new Set(stated.map(({ asset }) => asset));
  const rows = new Map<string, UnitRow>();
  for (const book of splitIntoBooks(input.history)) {
    if (![...book.keys].some((key) => assets.has(assetOfKey(key)))) continue;
    for (const row of buildLedger(book, input).transactions()) rows.set(row.id, row);
  }
  return [...rows.values()].sort(compareUnitRows);
}
