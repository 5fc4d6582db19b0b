import { type Day, yearOf } from '../../../base/day.ts';
import { roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact, Issue, LotMethod, Rules, TaxYearSummary, Transaction } from '../../../engine/model.ts';
import { emptyBook, replay } from '../../../engine/replay.ts';
import { accountTypeIssues, isSuspected } from '../../../engine/rules/questions/account-types.ts';
import { otherClassIssues } from '../../../engine/rules/questions/class-of-name.ts';
import { zoneIssues } from '../../../engine/rules/questions/new-year.ts';
import { findNamePairs, namedYears, sameSecurityIssues } from '../../../engine/rules/questions/same-security.ts';
import {
  differingSales,
  listPurchaseIds,
  type OpeningRow,
  pickSaleFacts,
  rememberReplays,
  replayedRowsMax,
  rulesUnder,
  type SaleFacts,
  type StatedSale,
  statedGainIssues,
} from '../../../engine/rules/questions/stated-gains.ts';
import { formIssues } from '../../../forms/reconciliation/form-issues.ts';
import type { Elections } from '../transactions/elections.ts';
import { openIssues, readRestatements } from '../transactions/resolutions.ts';
import { readProposedRows, readRejectedLines, rejectedBook } from '../transactions/row-issues.ts';
import { parseDayColumn, parseMoneyColumn, parseQuantityColumn } from '../transactions/rows.ts';
import {
  type StatedSaleRow,
  selectAccountYears,
  selectBooks,
  selectKeysOfBook,
  selectLastSale,
  selectLinesOfNames,
  selectLinesOfSales,
  selectNearNewYear,
  selectOpenings,
  selectSecurityNumbers,
  selectStatedSales,
  selectStatingBooks,
  selectTaxed,
  selectUnbookedIssues,
  selectWashesOfBooks,
  selectYears,
  selectYearsOfForms,
} from './books.queries.ts';
import { readLines, readReported } from './books.ts';
import { toFact } from './fact-tables.ts';
import { replaceFacts, writeFacts } from './fact-writer.ts';
import { deleteFacts, spanAllDays } from './facts.queries.ts';
import { carryoverIssues, summaryFromText, yearsOfOtherStatus } from './netting.ts';
import { readHistory } from './state/history.ts';
import { countMoving } from './state/state.queries.ts';
import { type BookChanges, netBooks, noChanges, summariesOfIssues, summarizeFacts } from './summaries.ts';

/**
 * Reads the issues about names with two asset classes. `oversold` contains the issues about units that were sold but
 * not held.
 */
export async function readOtherClassIssues(sql: Sql, taxpayerId: string, oversold: readonly Issue[]): Promise<Issue[]> {
  if (oversold.length === 0) return [];
  const books = await selectBooks(sql, taxpayerId);
  return otherClassIssues(
    oversold,
    books.map(({ asset_key }) => asset_key),
  );
}

/** Reads the issues about different names with the same CUSIP or ISIN, which are one security. */
export async function readStoredNameIssues(
  sql: Sql,
  taxpayerId: string,
  { assets }: Pick<Rules, 'assets'>,
): Promise<Issue[]> {
  const books = new Map((await selectBooks(sql, taxpayerId)).map(({ asset_key, book }) => [asset_key, book]));
  const pairs = findNamePairs({ books, numbers: await selectSecurityNumbers(sql, taxpayerId), assets });
  const names = [...new Set(pairs.flatMap(({ name, sameAs }) => [name, sameAs]))];
  const lines = names.length === 0 ? [] : await selectLinesOfNames(sql, taxpayerId, names);
  return sameSecurityIssues(
    pairs,
    lines.map(({ on, losses, gains, ...line }) => {
      return {
        ...line,
        on: parseDayColumn(on),
        losses: roundToCents(parseMoneyColumn(losses)),
        gains: roundToCents(parseMoneyColumn(gains)),
      };
    }),
  );
}

/**
 * Finds different names for one security in facts that were just calculated. `books` contains the keys of each book.
 */
export async function readNameIssues(
  sql: Sql,
  taxpayerId: string,
  { assets }: Pick<Rules, 'assets'>,
  books: readonly ReadonlySet<string>[],
  facts: readonly Fact[],
): Promise<Issue[]> {
  const named = new Map(books.flatMap((keys, book) => [...keys].map((key) => [key, String(book)] as const)));
  const pairs = findNamePairs({ books: named, numbers: await selectSecurityNumbers(sql, taxpayerId), assets });
  return sameSecurityIssues(pairs, namedYears(facts.filter((fact) => fact.kind === 'disposal')));
}

/** Reads the issues about accounts whose names suggest that they are tax-advantaged. */
export async function readAccountIssues(sql: Sql, taxpayerId: string, rules: Rules): Promise<Issue[]> {
  const named = Object.entries(rules.evidence ?? {}).flatMap(([name, { taxFreeName }]) => (taxFreeName ? [name] : []));
  const suspects = named.filter((name) => isSuspected(rules, name));
  if (suspects.length === 0) return [];
  const years = await selectAccountYears(sql, taxpayerId, suspects);
  return accountTypeIssues(
    years.map(({ account, on, asset, transaction, dollars }) => {
      const money = parseMoneyColumn(dollars);
      return {
        account,
        on: parseDayColumn(on),
        asset,
        transaction,
        dollars: money === null ? 0n : roundToCents(money),
      };
    }),
  );
}

/** Reads the issue about the time zone, if the dates of rows near New Year's depend on it. */
export async function readZoneIssues(sql: Sql, taxpayerId: string, rules: Rules): Promise<Issue[]> {
  if (rules.timeZone !== undefined) return [];
  const rows = await selectNearNewYear(sql, taxpayerId);
  const dayOfRow = new Map(rows.map(({ id, on }) => [id, on]));
  const taxed = await selectTaxed(sql, taxpayerId, rows);
  return zoneIssues(
    taxed
      .filter(({ transaction, on }) => dayOfRow.get(transaction) === on)
      .map(({ on, dollars, ...row }) => ({
        ...row,
        on: parseDayColumn(on),
        dollars: roundToCents(parseMoneyColumn(dollars)),
      })),
  );
}

/** Compares the Forms 1099 for these years with the stored lines. Returns issues about the differences. */
export async function readFormIssues(
  sql: Sql,
  taxpayerId: string,
  rules: Rules,
  isWanted: (year: number) => boolean,
): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const year of await selectYearsOfForms(sql, taxpayerId)) {
    if (!isWanted(year)) continue;
    const reported = await readReported(sql, taxpayerId, year, rules);
    issues.push(...formIssues({ year, rules, reported, lines: await readLines(sql, taxpayerId, year) }));
  }
  return issues;
}

/** Reads the issues about carried losses that must be divided between spouses. `before` are the stored issues. */
export async function readCarryoverIssues(
  sql: Sql,
  taxpayerId: string,
  elections: Elections,
  before: readonly Issue[],
): Promise<Issue[]> {
  const years = yearsOfOtherStatus(elections);
  if (years.length === 0) return [];
  const issueYears = before.map(({ on }) => yearOf(on));
  // Excludes years that exist only because of an earlier carryover issue. Otherwise, the issue would keep itself alive.
  const summaries = (await selectYears(sql, taxpayerId))
    .map(({ summary }) => summaryFromText(summary))
    .filter((summary) => !isEmpty(summary, issueYears.filter((year) => year === summary.year).length));
  const rows = new Map<number, string>();
  for (const year of years) {
    const row = await selectLastSale(sql, taxpayerId, `${year}-01-01`);
    if (row !== undefined) rows.set(year, row);
  }
  return carryoverIssues(summaries, elections, rows);
}

/** Returns whether a year contains nothing except this number of carryover issues. */
function isEmpty({ total, income, contracts1256, issues }: TaxYearSummary, questions: number): boolean {
  return total.count === 0 && income.length === 0 && contracts1256.count === 0 && issues === questions;
}

interface StatedGainScope {
  readonly rules: Rules;
  /** The day of the last row. */
  readonly through: Day | null;
  readonly assets?: ReadonlySet<string> | null;
  /** The facts of all books. Defaults to the stored facts. */
  readonly facts?: readonly Fact[];
}

/** Compares the stated gains of sales of these assets with the lines. Null means all assets. */
export async function readStatedGainIssues(
  sql: Sql,
  taxpayerId: string,
  { rules, through, assets = null, facts }: StatedGainScope,
): Promise<Issue[]> {
  const names = assets === null ? null : [...assets];
  const books = await selectStatingBooks(sql, taxpayerId, names);
  if (books.length === 0) return [];
  const rows = await selectStatedSales(sql, taxpayerId, names, facts === undefined ? books : null);
  if (rows.length === 0) return [];
  const sales = rows.map(toStatedSale);
  const saleFacts = facts === undefined ? await readSaleFacts(sql, taxpayerId, books, sales) : pickSaleFacts(facts);
  const openings = await readOpenings(sql, taxpayerId, listPurchaseIds(sales, saleFacts));
  const differing = differingSales(sales, saleFacts, openings);
  if (differing.length === 0) return [];
  const bookOf = new Map(rows.map(({ id, book }) => [id, book]));
  const booksWithQuestions = new Set(differing.map(({ sale }) => bookOf.get(sale.id) ?? ''));
  const histories = await readShortHistories(sql, taxpayerId, [...booksWithQuestions]);
  const bookOfSale = ({ id }: StatedSale): string => bookOf.get(id) ?? '';
  const replayUnder = rememberReplays((method, sale) => {
    const history = histories.get(bookOfSale(sale));
    return history === undefined ? null : replayAs(method, history, rules, through);
  }, bookOfSale);
  return statedGainIssues(differing, openings, rules, replayUnder);
}

interface BookRowsOfAll {
  readonly keys: ReadonlySet<string>;
  readonly transactions: readonly Transaction[];
}

function replayAs(method: LotMethod, { keys, transactions }: BookRowsOfAll, rules: Rules, through: Day | null) {
  return pickSaleFacts(replay(emptyBook(), transactions, rulesUnder(method, rules), keys, { through }).facts);
}

/** Returns the histories of these books, except those that would take too long to replay again. */
async function readShortHistories(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
): Promise<Map<string, BookRowsOfAll>> {
  const histories = new Map<string, BookRowsOfAll>();
  const restatements = await readRestatements(sql, taxpayerId);
  for (const book of books) {
    const span = { keys: await selectKeysOfBook(sql, taxpayerId, book), after: null };
    const counts = await countMoving(sql, taxpayerId, [{ ...span, book }], replayedRowsMax);
    if ((counts.get(book) ?? 0) >= replayedRowsMax) continue;
    const ledger = await readHistory(sql, taxpayerId, span, restatements);
    histories.set(book, { keys: new Set(span.keys), transactions: [...ledger.transactions()] });
  }
  return histories;
}

async function readSaleFacts(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
  sales: readonly StatedSale[],
): Promise<SaleFacts> {
  const ids = sales.map(({ id }) => id);
  const lines = await selectLinesOfSales(sql, taxpayerId, books, ids);
  const washes = await selectWashesOfBooks(sql, taxpayerId, books);
  return {
    disposals: lines.map((row) => toFact('disposal', row)),
    washes: washes.map((row) => toFact('wash', row)),
  };
}

async function readOpenings(
  sql: Sql,
  taxpayerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OpeningRow>> {
  const rows = await selectOpenings(sql, taxpayerId, ids);
  return new Map(
    rows.map(({ id, quantity, fee }) => [
      id,
      { id, quantity: parseQuantityColumn(quantity), fee: parseMoneyColumn(fee) },
    ]),
  );
}

function toStatedSale(row: StatedSaleRow): StatedSale {
  const { id, type, account, asset } = row;
  return {
    ...{ id, type, account, asset },
    on: parseDayColumn(row.on_day),
    quantity: parseQuantityColumn(row.quantity),
    amount: parseMoneyColumn(row.amount),
    fee: parseMoneyColumn(row.fee),
    statedGain: parseMoneyColumn(row.stated_gain),
  };
}

/** Storage names for issues that belong to no book. No asset key has these names. */
const unbookedNames = [
  'balances',
  'classes',
  'accounts',
  'zones',
  'forms',
  'carryover',
  'gains',
  'names',
  rejectedBook,
] as const;
export type UnbookedName = (typeof unbookedNames)[number];

/** Stored issues that other issues depend on. */
export interface StoredIssues {
  /** Issues about units that were sold but not held. */
  readonly oversold: readonly Issue[];
  /** Issues that belong to no book, by name. */
  readonly beside: Readonly<Record<UnbookedName, readonly Issue[]>>;
}

export async function readStoredIssues(sql: Sql, taxpayerId: string): Promise<StoredIssues> {
  const rows = await selectUnbookedIssues(sql, taxpayerId, unbookedNames);
  const listIssues = (isWanted: (row: (typeof rows)[number]) => boolean): Issue[] =>
    rows.filter(isWanted).map((row) => toFact('issue', row));
  const beside = unbookedNames.map((name) => [name, listIssues(({ book }) => book === name)] as const);
  return {
    oversold: listIssues(({ issue }) => issue === 'oversold'),
    beside: Object.fromEntries(beside) as unknown as StoredIssues['beside'],
  };
}

/** The current issues of one kind, before those that the taxpayer accepted are removed. */
export interface FoundIssues {
  readonly found: readonly Issue[];
  /** Whether a stored issue stays, because what it is about did not change and was not checked again. */
  readonly isKept?: (stored: Issue) => boolean;
}

/** Replaces the issues stored under a name. Returns the effect on the years and the issues that are now stored. */
export async function updateUnbooked(
  sql: Sql,
  taxpayerId: string,
  name: UnbookedName,
  { beside }: StoredIssues,
  { found, isKept = () => false }: FoundIssues,
): Promise<{ readonly changes: BookChanges; readonly issues: readonly Issue[] }> {
  const before = beside[name];
  const issues = [...before.filter(isKept), ...(await openIssues(sql, taxpayerId, found))];
  if (serializeIssues(before) === serializeIssues(issues)) return { changes: noChanges(), issues };
  await deleteFacts(sql, taxpayerId, [spanAllDays(name)]);
  await writeFacts(sql, taxpayerId, [{ book: name, come: issues }]);
  const changes = await netBooks(sql, taxpayerId, new Map([[name, summariesOfIssues(issues)]]));
  return { changes: { years: new Set(changes.keys()), changes }, issues };
}

function serializeIssues(issues: readonly Issue[]): string {
  return issues
    .map((issue) => JSON.stringify(issue, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort()
    .join('\n');
}

/** The effect of rejected lines on the books. */
interface RejectedLinesChange {
  readonly changes: BookChanges;
  /** The ids of the open lines. */
  readonly lines: readonly string[];
}

/** Replaces the issues about rejected lines with those about the open ones. Stores them under a separate book name. */
export async function renewRejectedLines(
  sql: Sql,
  taxpayerId: string,
  stored: readonly Issue[],
): Promise<RejectedLinesChange> {
  const open = [...(await readRejectedLines(sql, taxpayerId)), ...(await readProposedRows(sql, taxpayerId))];
  const lines = open.map(({ id }) => id);
  if (sameTexts(open.map(textOf), stored.map(textOf))) return { changes: noChanges(), lines };
  const days = Map.groupBy(open, ({ causedOn }) => causedOn);
  const changed = { gone: [], come: new Set(days.keys()) };
  const book = rejectedBook;
  const years = await replaceFacts(sql, taxpayerId, [{ book, days, changed, asOf: null, waitedAfter: '-infinity' }]);
  const summaries = [...Map.groupBy(open, ({ on }) => yearOf(on))].map(([year, own]) => summarizeFacts(year, own));
  return {
    changes: { years: new Set(years), changes: await netBooks(sql, taxpayerId, new Map([[book, summaries]])) },
    lines,
  };
}

function textOf({ id, on, dollars, detail }: Issue): string {
  return [id, on, dollars, detail].join('\n');
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  const known = new Set(right);
  return left.length === right.length && left.every((text) => known.has(text));
}
