import { hash } from 'node:crypto';
import { addDays, type Day, formatDay, yearOf } from '../base/day.ts';
import { collectGarbage } from '../base/garbage.ts';
import { canonicalJson } from '../base/json.ts';
import type { Fact, Lot, TaxYearSummary, Transaction } from '../engine/model.ts';
import { linesOf, summarize, type YearFacts } from '../engine/year.ts';
import { carriedOf, carryThrough } from '../features/gains/carryover.ts';
import { sumOf } from '../features/gains/netting.ts';
import { type Elections, electionsOf, type StoredSettings } from '../features/transactions/elections.ts';
import { transactionsNamedBy } from '../forms/named.ts';
import type { ListName, ReportBooks } from '../forms/report.ts';
import type { History } from './report-history.ts';
import { rankOf, replayBooks } from './report-replay.ts';
import { rowsInOrder } from './report-rows.ts';

export interface BooksOrder {
  readonly year: number;
  readonly settings: StoredSettings;
  readonly name: string;
  readonly tin: string;
  readonly valued: (transaction: Transaction) => Transaction;
  /** What the numbers come from, in so many words. */
  readonly sources: readonly string[];
  /** Which of the books' lists are read: the others stay empty, but for the issues. */
  readonly lists: readonly ListName[];
  /** Told after each book: rows of the books done. */
  readonly onRows: (done: number) => void;
}

/** One fold over everything the files tell: years before bring the lots, the one after may wash a loss. */
export function booksOfYear(history: History, order: BooksOrder): ReportBooks {
  const { year } = order;
  const elections = electionsOf(order.settings);
  const rows = rowsInOrder(history);
  const reads = (list: ListName): boolean => order.lists.includes(list);
  const own = new FactsOfYear();
  const totals = new Totals();
  const lots: Lot[] = [];
  const through = lastDayOf(history);
  const lotsOf = reads('openLots') ? year : null;
  const years = new FactsByYear(year, (one, facts) => {
    totals.add(one, facts);
    if (one === year) own.join(facts, order.lists);
  });
  let done = 0;
  replayBooks(
    { history, rows, rules: elections.rules, through, lotsOf, valued: order.valued },
    {
      facts: (facts) => years.add(facts),
      end: (lotsOfBook, rowsOfBook) => {
        years.settle(null);
        for (const lot of lotsOfBook) lots.push(lot);
        done += rowsOfBook;
        order.onRows(done);
      },
    },
  );
  own.sort();
  const summaries = totals.summaries();
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
    lines: linesOf(own.disposals, own.washes),
    washSales: reads('washSales') ? own.washes : [],
    incomes: own.incomes,
    contracts: own.contracts,
    issues: own.issues,
    openLots: lots.sort(byAge),
  };
  const named = reads('sources') ? transactionsNamedBy(books) : books.issues.flatMap((issue) => issue.transactions);
  const sources = named.map((id) => [id, sourceOf(history, rows[rankOf(id)] ?? 0)] as const);
  return { ...books, sources: new Map(sources) };
}

function electedFor(year: number, { rules, wholeDollars, choices, filingStatus, taxableIncome }: Elections) {
  return { rules, wholeDollars, choices, filingStatus, taxableIncome: taxableIncome.get(year) ?? null };
}

/** Every fact of the year, for its lines and its totals. */
class FactsOfYear implements YearFacts {
  readonly disposals: Extract<Fact, { kind: 'disposal' }>[] = [];
  readonly washes: Extract<Fact, { kind: 'wash' }>[] = [];
  readonly incomes: Extract<Fact, { kind: 'income' }>[] = [];
  readonly contracts: Extract<Fact, { kind: 'contract_1256' }>[] = [];
  readonly issues: Extract<Fact, { kind: 'issue' }>[] = [];

  add(fact: Fact): void {
    switch (fact.kind) {
      case 'disposal':
        this.disposals.push(fact);
        break;
      case 'wash':
        this.washes.push(fact);
        break;
      case 'income':
        this.incomes.push(fact);
        break;
      case 'contract_1256':
        this.contracts.push(fact);
        break;
      case 'issue':
        this.issues.push(fact);
        break;
      default:
        fact satisfies never;
    }
  }

  *all(): Generator<Fact> {
    yield* this.disposals;
    yield* this.washes;
    yield* this.incomes;
    yield* this.contracts;
    yield* this.issues;
  }

  /** Those that the lists ask for: washes make lines too. */
  join(facts: FactsOfYear, lists: readonly ListName[]): void {
    for (const issue of facts.issues) this.issues.push(issue);
    if (lists.includes('incomes')) for (const income of facts.incomes) this.incomes.push(income);
    if (lists.includes('contracts')) for (const contract of facts.contracts) this.contracts.push(contract);
    if (lists.includes('lines')) for (const disposal of facts.disposals) this.disposals.push(disposal);
    if (!lists.includes('lines') && !lists.includes('washSales')) return;
    for (const wash of facts.washes) this.washes.push(wash);
  }

  /** As the service lists them. Lines have an order of their own. */
  sort(): void {
    for (const facts of [this.washes, this.incomes, this.contracts, this.issues]) facts.sort(compareFacts);
  }
}

/**
 * Facts of a book by their years, up to a last one. They are handed on when the book ends, and of a big book before: a
 * wash is a fact of its loss's day and known 30 days later, so that what is older is complete.
 */
class FactsByYear {
  private years = new Map<number, FactsOfYear>();
  private held = 0;
  private heldMax = factsHeldMax;

  constructor(
    private readonly last: number,
    private readonly hand: (year: number, facts: FactsOfYear) => void,
  ) {}

  /** Those of one day of the book. */
  add(facts: readonly Fact[]): void {
    let [on, own]: [Day | null, FactsOfYear | undefined] = [null, undefined];
    for (const fact of facts) {
      if (fact.on !== on) {
        on = fact.on;
        own = this.of(yearOf(on));
      }
      if (own === undefined) continue;
      own.add(fact);
      this.held += 1;
    }
    const today = facts[0]?.causedOn;
    if (this.held > this.heldMax && today !== undefined) this.settle(addDays(today, -daysOpen));
  }

  /** Hands on what lies on that day or before it; all of it without a day. */
  settle(until: Day | null): void {
    const years = this.years;
    this.years = new Map();
    this.held = 0;
    for (const [year, facts] of years) {
      if (until === null) {
        this.hand(year, facts);
        continue;
      }
      const settled = new FactsOfYear();
      for (const fact of facts.all()) {
        if (fact.on <= until) settled.add(fact);
        else {
          this.of(year)?.add(fact);
          this.held += 1;
        }
      }
      this.hand(year, settled);
    }
    this.heldMax = factsHeldMax + this.held;
    if (until !== null) collectGarbage();
  }

  private of(year: number): FactsOfYear | undefined {
    if (year > this.last) return undefined;
    const own = this.years.get(year) ?? new FactsOfYear();
    this.years.set(year, own);
    return own;
  }
}

const factsHeldMax = 200_000;
const daysOpen = 62;

/** The years up to the one asked for, netted book by book: of those before it nothing else stays. */
class Totals {
  private readonly parts = new Map<number, TaxYearSummary[]>();

  add(year: number, facts: YearFacts): void {
    const parts = this.parts.get(year) ?? [];
    parts.push(summarize(year, facts));
    this.parts.set(year, parts);
  }

  summaries(): TaxYearSummary[] {
    return [...this.parts].sort(([a], [b]) => a - b).map(([year, parts]) => sumOf(year, parts));
  }
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
