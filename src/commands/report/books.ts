import { hash } from 'node:crypto';
import { type Day, formatDay } from '../../base/day.ts';
import { collectGarbage } from '../../base/garbage.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Fact, Lot, TaxYearSummary } from '../../engine/model.ts';
import { linesOf } from '../../engine/rules/year/year.ts';
import { carriedOf, carryThrough } from '../../features/books/summaries/carryover.ts';
import { sumOf } from '../../features/books/summaries/netting.ts';
import { type Elections, electionsOf, type StoredSettings } from '../../features/transactions/elections.ts';
import { transactionsNamedBy } from '../../forms/named.ts';
import type { ListName, ReportBooks } from '../../forms/report.ts';
import type { Helper } from './helper.ts';
import type { History } from './history.ts';
import type { BookPart, PartsOrder } from './parts.ts';
import type { PriceTable } from './prices.ts';
import { rankOf } from './replay.ts';
import { rowsInOrder } from './rows.ts';
import { newTurns, partsInTurn } from './turns.ts';

export interface BooksOrder {
  readonly year: number;
  readonly settings: StoredSettings;
  readonly timeZone: string;
  readonly name: string;
  readonly tin: string;
  readonly prices: PriceTable;
  /** What the numbers come from, in so many words. */
  readonly sources: readonly string[];
  /** Which of the books' lists are read: the others stay empty, but for the issues. */
  readonly lists: readonly ListName[];
  readonly helper: Helper;
  /** Told after each book: rows of the books done. */
  readonly onRows: (done: number) => void;
}

/** One fold over everything the files tell: years before bring the lots, the one after may wash a loss. */
export async function booksOfYear(history: History, order: BooksOrder): Promise<ReportBooks> {
  const { year, lists } = order;
  const elections = electionsOf(order.settings, order.timeZone);
  const rows = rowsInOrder(history);
  const reads = (list: ListName): boolean => lists.includes(list);
  const through = lastDayOf(history);
  const asked = { year, rules: elections.rules, through, prices: order.prices, lists };
  const parts = await partsOf(history, rows, asked, order);
  const washes = parts.flatMap(({ facts }) => facts.washes).sort(compareFacts);
  const summaries = summariesOf(parts);
  const summary = summaries.find((one) => one.year === year) ?? sumOf(year, []);
  const carryover = carriedOf(carryThrough(summaries, elections, year), year);
  const books = {
    taxpayer: { name: order.name, tin: order.tin },
    year,
    revision: revisionOf(order),
    asOf: formatDay(through),
    ...electedFor(year, elections),
    carryoverIn: carryover.in,
    summary,
    lines: linesOf(
      parts.flatMap(({ facts }) => facts.disposals),
      washes,
    ),
    washSales: reads('washSales') ? washes : [],
    incomes: parts.flatMap(({ facts }) => facts.incomes).sort(compareFacts),
    contracts: parts.flatMap(({ facts }) => facts.contracts).sort(compareFacts),
    issues: parts.flatMap(({ facts }) => facts.issues).sort(compareFacts),
    openLots: parts.flatMap(({ lots }) => lots).sort(byAge),
  };
  const named = reads('sources') ? transactionsNamedBy(books) : books.issues.flatMap((issue) => issue.transactions);
  const sources = named.map((id) => [id, sourceOf(history, rows[rankOf(id)] ?? 0)] as const);
  return { ...books, sources: new Map(sources) };
}

/**
 * Of all books, in their order. Where the second thread takes part it hands over what it made: sums are small, while lines
 * take longer to cross over than to make, and those of plain sales would lose on the way what they tell by getters.
 */
async function partsOf(history: History, rows: Uint32Array, order: PartsOrder, { helper, onRows }: BooksOrder) {
  const turns = newTurns();
  // What was read is columns by now: all else of it is left behind.
  if (history.length >= rowsShared) collectGarbage(0);
  const isShared = history.length >= rowsShared && order.lists.length === 0;
  const others = isShared ? helper.replay({ history: history.state, rows: shared(rows), order, turns }) : null;
  const parts = [...partsInTurn(history, rows, order, turns, onRows), ...((await others) ?? [])];
  return parts.sort(([a], [b]) => a - b).map(([, part]) => part);
}

/** Below it the second thread is not worth its start. */
const rowsShared = 500_000;

function shared(rows: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const copy = new Uint32Array(new SharedArrayBuffer(rows.byteLength));
  copy.set(rows);
  return copy;
}

/** The years up to the one asked for, each the sum of what its books add. */
function summariesOf(parts: readonly BookPart[]): TaxYearSummary[] {
  const byYear = Map.groupBy(
    parts.flatMap(({ totals }) => totals),
    ({ year }) => year,
  );
  return [...byYear].sort(([a], [b]) => a - b).map(([year, totals]) => sumOf(year, totals));
}

function electedFor(year: number, { rules, wholeDollars, choices, filingStatus, taxableIncome }: Elections) {
  return { rules, wholeDollars, choices, filingStatus, taxableIncome: taxableIncome.get(year) ?? null };
}

function compareFacts(a: Fact, b: Fact): number {
  return a.on - b.on || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** As the service lists them. */
function byAge(a: Lot, b: Lot): number {
  return a.acquired - b.acquired || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function lastDayOf(history: History): Day {
  let last = history.onOf(0);
  for (let row = 1; row < history.length; row++) if (history.onOf(row) > last) last = history.onOf(row);
  return last;
}

function sourceOf(history: History, row: number): { readonly file: string; readonly line: number } {
  return { file: history.fileOf(row).name, line: history.lineOf(row) };
}

/** The same files under the same settings are the same revision, in whatever order they were named. */
function revisionOf({ sources, settings }: BooksOrder): string {
  return hash('sha256', [canonicalJson(settings), ...sources.toSorted()].join('\n'), 'hex').slice(0, 16);
}
