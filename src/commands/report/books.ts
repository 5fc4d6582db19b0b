import { hash } from 'node:crypto';
import { formatDay, yearOf } from '../../base/day.ts';
import { reuseGarbage } from '../../base/garbage.ts';
import { canonicalJson } from '../../base/json.ts';
import { isOnOtherReturn } from '../../engine/book/separate-returns.ts';
import { findFormNames, typesOfHistory } from '../../engine/events/form-names.ts';
import { isFormRow } from '../../engine/events/form-rows.ts';
import { listAssetKeys } from '../../engine/events/keys.ts';
import type { Fact, FormAssetNames, Issue, Lot, Rules, TaxYearSummary, Transaction } from '../../engine/model.ts';
import { accountTypeIssues, joinAccountYears } from '../../engine/rules/questions/account-types.ts';
import { otherClassIssues } from '../../engine/rules/questions/class-of-name.ts';
import { zoneIssues } from '../../engine/rules/questions/new-year.ts';
import { findNamePairs, namedYears, sameSecurityIssues } from '../../engine/rules/questions/same-security.ts';
import { buildLines } from '../../engine/rules/year/year.ts';
import type { StatedBalance } from '../../features/ledger/balances/check.ts';
import { carryoverIssues, carryThrough, getCarryover, sumSummaries } from '../../features/ledger/books/netting.ts';
import { summarizeFacts } from '../../features/ledger/books/summaries.ts';
import {
  type Elections,
  getFilingStatus,
  type StoredSettings,
  toElections,
} from '../../features/ledger/transactions/elections.ts';
import { formIssues } from '../../forms/reconciliation/form-issues.ts';
import {
  formatTin,
  type ListName,
  type ReportBooks,
  type ReportedGift,
  transactionsNamedBy,
} from '../../forms/report.ts';
import { balancePart, issuesPart } from './balances.ts';
import { idOfRank, type ReplayInput, rankOfId } from './book-ledger.ts';
import { type FileHistory, toTransaction } from './history.ts';
import { type BookRows, splitIntoBooks } from './partition.ts';
import type { PriceTable } from './prices.ts';
import { findProposedRows, proposedIssues } from './proposed-rows.ts';
import { type BookPart, replayBookRows } from './replay.ts';
import { computeRanks, repeatedRank, rowsInOrder } from './row-order.ts';

export interface BooksOptions {
  readonly year: number;
  readonly settings: StoredSettings;
  readonly timeZone: string;
  readonly name: string;
  readonly tin: string;
  readonly prices: PriceTable;
  readonly balances: readonly StatedBalance[];
  /** A description of the input that the numbers come from. */
  readonly sources: readonly string[];
  /** Issues for unreadable lines in all years. */
  readonly rejected: readonly Issue[];
  /** The lists that are read from the books. All other lists stay empty, except for the issues. */
  readonly lists: readonly ListName[];
  /** Called after each book with the number of rows done in all books. */
  readonly onRows: (done: number) => void;
}

/** The books for a year and the settings they were computed with. */
export interface BooksAndYears {
  readonly books: ReportBooks;
  /** Years up to that one with results from the rows, ascending. */
  readonly years: readonly TaxYearSummary[];
  readonly elections: Elections;
}

export function booksOfYear(history: FileHistory, options: BooksOptions): ReportBooks {
  return booksAndYears(history, options).books;
}

/**
 * Replays every row in the files, not only those in the year: earlier rows create the lots, and later ones may wash a
 * loss.
 */
export function booksAndYears(history: FileHistory, options: BooksOptions): BooksAndYears {
  const { year, lists } = options;
  const { tickers, evidence } = history;
  const settings = {
    ...options.settings,
    ...(tickers === undefined ? {} : { tickers }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  const proposed = findProposedRows(history);
  const rows = rowsInOrder(history, proposed.rows);
  const ranks = computeRanks(rows, history);
  const formNames = readFormNames(history, ranks, settings.assets);
  const elections = toElections(formNames === undefined ? settings : { ...settings, formNames }, options.timeZone);
  const unread = [...options.rejected, ...proposedIssues(proposed, ranks, history)];
  const reads = (list: ListName): boolean => lists.includes(list);
  const through = history.lastDay;
  const { rules } = elections;
  const reported = listReportedRows(history, ranks, year, rules);
  // Issues about forms depend on the lines, too.
  const listsRead = reported.length === 0 || reads('lines') ? lists : [...lists, 'lines' as const];
  const input = { history, ranks, rules, prices: options.prices, year, through, lists: listsRead };
  const books = splitIntoBooks(history, formNames);
  const ofBooks = replayAllBooks(books, input, options.onRows);
  const oversold = ofBooks.flatMap(({ facts }) => facts.issues.filter(({ issue }) => issue === 'oversold'));
  const twins = otherClassIssues(
    oversold.sort(compareFacts),
    books.flatMap(({ keys }) => [...keys]),
  );
  const suspects = joinAccountYears(ofBooks.flatMap((part) => part.suspects));
  const near = ofBooks.flatMap((part) => part.near);
  const gains = ofBooks.flatMap((part) => part.gains);
  const questions = [...twins, ...accountTypeIssues(suspects), ...zoneIssues(near), ...gains];
  const parts = [...ofBooks, balancePart(options.balances, input), issuesPart(questions, input)];
  const washes = parts.flatMap(({ facts }) => facts.washes).sort(compareFacts);
  const lines = buildLines(
    parts.flatMap(({ facts }) => facts.disposals),
    washes,
  );
  parts.push(issuesPart(formIssues({ lines, reported, year, rules }), input));
  parts.push(issuesPart(buildNameIssues(books, ofBooks, { history, rules }), input));
  const read = buildSummaries(parts, unread);
  const carried = issuesPart(carryoverIssues(read, elections), input);
  parts.push(carried);
  const summaries = carried.totals.length === 0 ? read : buildSummaries(parts, unread);
  const summary = summaries.find((one) => one.year === year) ?? sumSummaries(year, []);
  const carryover = getCarryover(carryThrough(summaries, elections, year), year);
  const report = {
    taxpayer: { name: options.name, tin: formatTin(options.tin) },
    year,
    revision: revisionOf(options),
    asOf: formatDay(through),
    ...electedFor(year, elections),
    carryoverIn: carryover.in,
    summary,
    lines,
    washSales: reads('washSales') ? washes : [],
    incomes: parts.flatMap(({ facts }) => facts.incomes).sort(compareFacts),
    contracts: parts.flatMap(({ facts }) => facts.contracts).sort(compareFacts),
    issues: [
      ...parts.flatMap(({ facts }) => facts.issues),
      ...unread.filter((issue) => yearOf(issue.on) === year),
    ].sort(compareFacts),
    openLots: parts.flatMap(({ lots }) => lots).sort(byAge),
    fundInterests: parts.flatMap(({ interests }) => interests),
    gifts: buildReportedGifts(parts, history, rows),
    deferrals: parts.flatMap(({ deferrals }) => deferrals).sort(compareFacts),
    reported: reads('reported') ? reported : [],
  };
  const named = reads('sources') ? transactionsNamedBy(report) : report.issues.flatMap((issue) => issue.transactions);
  const sources = named.map((id) => [id, sourceOf(history, rows[rankOfId(id)] ?? 0)] as const);
  return { books: { ...report, sources: new Map(sources) }, years: summaries, elections };
}

/** Applies to every book. Books are independent, so the memory of one is freed before the next. */
function replayAllBooks(books: readonly BookRows[], input: ReplayInput, onRows: (done: number) => void): BookPart[] {
  let [done, collected] = [0, 0];
  return books.map((book) => {
    const part = replayBookRows(book, input);
    done += countBookRows(book);
    if (done - collected >= rowsPerCollection) {
      reuseGarbage();
      collected = done;
    }
    onRows(done);
    return part;
  });
}

/** Finds issues about names with the same CUSIP or ISIN, from the lines of the year. */
function buildNameIssues(
  books: readonly BookRows[],
  parts: readonly BookPart[],
  { history, rules }: Pick<ReplayInput, 'history' | 'rules'>,
): Issue[] {
  const named = new Map(books.flatMap(({ keys }, book) => [...keys].map((key) => [key, String(book)] as const)));
  const pairs = findNamePairs({ books: named, numbers: history.numbers, assets: rules.assets });
  return sameSecurityIssues(pairs, namedYears(parts.flatMap(({ facts }) => facts.disposals)));
}

/** Returns the gifts, each with the type of the row that acquired it. */
function buildReportedGifts(parts: readonly BookPart[], history: FileHistory, rows: Uint32Array): ReportedGift[] {
  const gifts = parts.flatMap(({ facts }) => facts.gifts).sort(compareFacts);
  return gifts.map((gift) => {
    const opener = gift.lotId.split('/')[0] ?? '';
    const row = rows[rankOfId(opener)];
    const isKnown = !gift.basisUnknown && row !== undefined;
    return { ...gift, acquiredBy: isKnown ? history.transactionAt(row, opener).type : null };
  });
}

/** Returns the rows on the year's Forms 1099 that belong on this return. */
function listReportedRows(history: FileHistory, ranks: Int32Array, year: number, rules: Rules): Transaction[] {
  return history.others.flatMap((other) => {
    const { type, on } = other.stated;
    const rank = ranks[other.row] as number;
    const isReported = type === 'reported_sale' || type === 'reported_total';
    if (!isReported || yearOf(on) !== year || rank === repeatedRank) return [];
    const row = toTransaction(other, idOfRank(rank), history.getPosition(other.row));
    return isOnOtherReturn(rules, row.account, on) ? [] : [row];
  });
}

function countBookRows({ trades, others }: BookRows): number {
  return trades.reduce((rows, one) => rows + one.rows.length, others.length);
}

/** The books leave several hundred megabytes behind. */
const rowsPerCollection = 50_000;

/** Returns the years up to the report's year, each the sum of its books. */
function buildSummaries(parts: readonly BookPart[], unread: readonly Issue[]): TaxYearSummary[] {
  const summaries = [...Map.groupBy(unread, ({ on }) => yearOf(on))].map(([year, own]) => summarizeFacts(year, own));
  const byYear = Map.groupBy([...parts.flatMap(({ totals }) => totals), ...summaries], ({ year }) => year);
  return [...byYear].sort(([a], [b]) => a - b).map(([year, totals]) => sumSummaries(year, totals));
}

function electedFor(year: number, elections: Elections) {
  const { rules, wholeDollars, choices, taxableIncome } = elections;
  const filingStatus = getFilingStatus(elections, year);
  return { rules, wholeDollars, choices, filingStatus, taxableIncome: taxableIncome.get(year) ?? null };
}

function compareFacts(a: Fact, b: Fact): number {
  return a.on - b.on || compareIds(a, b);
}

/** Sorts lots in the same order as the service. */
export function byAge(a: Lot, b: Lot): number {
  return a.acquired - b.acquired || compareIds(a, b);
}

export function compareIds(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function sourceOf(history: FileHistory, row: number): { readonly file: string; readonly line: number } {
  return { file: history.findFileOfRow(row).name, line: history.getLine(row) };
}

/** Returns a revision that is the same for the same files under the same settings, in any order. */
function revisionOf({ sources, settings }: BooksOptions): string {
  return hash('sha256', [canonicalJson(settings), ...sources.toSorted()].join('\n'), 'hex').slice(0, 16);
}

/**
 * Finds the transactions' names for assets that Forms 1099 name differently. `ranks` is explained at `computeRanks`.
 */
function readFormNames(
  history: FileHistory,
  ranks: Int32Array,
  assets: Rules['assets'] | undefined,
): FormAssetNames | undefined {
  const rows = listOtherTransactions(history, ranks);
  const forms = rows.filter(isFormRow);
  if (forms.length === 0) return undefined;
  // Nearly all histories name their assets as the forms do. In that case, no trade is read.
  const known = new Set(history.trades.flatMap(({ ledger }) => ledger.places.map(toAccountAssetKey)));
  for (const row of rows)
    if (typesOfHistory.has(row.type))
      for (const key of listAssetKeys(row)) known.add(toAccountAssetKey({ ...row, key }));
  const isKnown = (row: Transaction): boolean => {
    const [key = ''] = listAssetKeys(row);
    return assets?.[row.asset]?.formNameOf === undefined && known.has(toAccountAssetKey({ ...row, key }));
  };
  return forms.every(isKnown) ? undefined : findFormNames(concatenate(rows, iterateTrades(history, ranks)), assets);
}

function* concatenate(...lists: readonly Iterable<Transaction>[]): Generator<Transaction> {
  for (const list of lists) yield* list;
}

function toAccountAssetKey({ account, key }: { readonly account: string; readonly key: string }): string {
  return `${key} ${account}`;
}

function listOtherTransactions({ others }: FileHistory, ranks: Int32Array): Transaction[] {
  return others.filter(({ row }) => ranks[row] !== repeatedRank).map((other) => toTransaction(other, '', 0));
}

function* iterateTrades({ trades }: FileHistory, ranks: Int32Array): Generator<Transaction> {
  for (const { ledger, rows } of trades)
    for (const [trade, row] of rows.entries()) if (ranks[row] !== repeatedRank) yield ledger.trade(trade);
}
