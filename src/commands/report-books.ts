import { hash } from 'node:crypto';
import { type Day, formatDay, yearOf } from '../base/day.ts';
import { canonicalJson } from '../base/json.ts';
import type { Fact, Lot, TaxYearSummary, Transaction } from '../engine/model.ts';
import { linesOf, summarize, type YearFacts } from '../engine/year.ts';
import { carriedOf, carryThrough } from '../features/gains/carryover.ts';
import { sumOf } from '../features/gains/netting.ts';
import { type Elections, electionsOf, type StoredSettings } from '../features/transactions/elections.ts';
import { transactionsNamedBy } from '../forms/named.ts';
import type { ReportBooks } from '../forms/report.ts';
import type { Ledger } from './report-ledger.ts';
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
  /** Whether the lines, lots and other facts of the year are asked for, or its totals and issues alone. */
  readonly detailed: boolean;
}

/** One fold over everything the files tell: years before bring the lots, the one after may wash a loss. */
export function booksOfYear(ledger: Ledger, order: BooksOrder): ReportBooks {
  const { year } = order;
  const elections = electionsOf(order.settings);
  const rows = rowsInOrder(ledger);
  const own = new FactsOfYear();
  const totals = new Totals(year);
  const lots: Lot[] = [];
  const { rules } = elections;
  for (const book of replayBooks({ ledger, rows, rules, year, valued: order.valued, lots: order.detailed })) {
    totals.add(book.facts);
    for (const fact of book.facts) {
      if (yearOf(fact.on) === year && (order.detailed || fact.kind === 'issue')) own.add(fact);
    }
    for (const lot of book.lots) lots.push(lot);
  }
  own.sort();
  const summaries = totals.summaries();
  const summary = summaries.find((one) => one.year === year) ?? sumOf(year, []);
  const carryover = carriedOf(carryThrough(summaries, elections, year), year);
  const books = {
    taxpayer: { name: order.name, tin: order.tin },
    year,
    revision: revisionOf(order),
    asOf: formatDay(lastDayOf(ledger)),
    ...electedFor(year, elections),
    carryoverIn: carryover.in,
    summary,
    lines: linesOf(own.disposals, own.washes),
    washSales: own.washes,
    incomes: own.incomes,
    contracts: own.contracts,
    issues: own.issues,
    openLots: lots,
  };
  const sources = transactionsNamedBy(books).map((id) => [id, sourceOf(ledger, rows[rankOf(id)] ?? 0)] as const);
  return { ...books, sources: new Map(sources) };
}

function electedFor(year: number, { rules, wholeDollars, filingStatus, taxableIncome }: Elections) {
  return { rules, wholeDollars, filingStatus, taxableIncome: taxableIncome.get(year) ?? null };
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

  /** As the service lists them. Lines have an order of their own. */
  sort(): void {
    for (const facts of [this.washes, this.incomes, this.contracts, this.issues]) facts.sort(compareFacts);
  }
}

/** The years up to the one asked for, netted book by book: of those before it nothing else stays. */
class Totals {
  private readonly parts = new Map<number, TaxYearSummary[]>();

  constructor(private readonly last: number) {}

  add(facts: readonly Fact[]): void {
    const byYear = new Map<number, FactsOfYear>();
    for (const fact of facts) {
      const year = yearOf(fact.on);
      if (year > this.last) continue;
      const own = byYear.get(year) ?? new FactsOfYear();
      byYear.set(year, own);
      own.add(fact);
    }
    for (const [year, own] of byYear) {
      const parts = this.parts.get(year) ?? [];
      parts.push(summarize(year, own));
      this.parts.set(year, parts);
    }
  }

  summaries(): TaxYearSummary[] {
    return [...this.parts].sort(([a], [b]) => a - b).map(([year, parts]) => sumOf(year, parts));
  }
}

function compareFacts(a: Fact, b: Fact): number {
  return a.on - b.on || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function lastDayOf(ledger: Ledger): Day {
  let last = ledger.onOf(0);
  for (let row = 1; row < ledger.length; row++) if (ledger.onOf(row) > last) last = ledger.onOf(row);
  return last;
}

function sourceOf(ledger: Ledger, row: number): { readonly file: string; readonly line: number } {
  return { file: ledger.fileOf(row).name, line: ledger.lineOf(row) };
}

/** The same files under the same settings are the same revision, in whatever order they were named. */
function revisionOf({ sources, settings }: BooksOrder): string {
  return hash('sha256', [canonicalJson(settings), ...sources.toSorted()].join('\n'), 'hex').slice(0, 16);
}
