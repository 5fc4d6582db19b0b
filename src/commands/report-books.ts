import { hash } from 'node:crypto';
import { type Day, formatDay, yearOf } from '../base/day.ts';
import { assetKeysOf } from '../engine/keys.ts';
import type { Fact, Issue, Lot, LotMethod, Transaction } from '../engine/model.ts';
import { emptyBook, openLots, replay } from '../engine/replay.ts';
import { linesOf, summarize, type YearFacts } from '../engine/year.ts';
import { carriedOf, carryThrough } from '../features/gains/carryover.ts';
import { electionsOf } from '../features/transactions/elections.ts';
import type { ReportBooks } from '../forms/report.ts';
import type { ReadRow } from './report-files.ts';

export interface BooksOrder {
  readonly year: number;
  readonly method: LotMethod;
  readonly name: string;
  readonly tin: string;
}

/** One fold over everything the files tell: years before bring the lots, the one after may wash a loss. */
export function booksOfYear(rows: readonly ReadRow[], order: BooksOrder): ReportBooks {
  const { year } = order;
  const elections = electionsOf({ method: order.method });
  const transactions = rows.map(({ transaction }) => transaction);
  const keys = new Set(transactions.flatMap(assetKeysOf));
  let lots: readonly Lot[] = [];
  const { facts } = replay(emptyBook(), transactions, elections.rules, keys, (ended, book) => {
    if (ended <= year) lots = openLots(book);
  });
  const byYear = Map.groupBy(facts, (fact) => yearOf(fact.on));
  const summaries = [...byYear].sort(([a], [b]) => a - b).map(([one, own]) => summarize(one, factsOf(own)));
  const own = factsOf(byYear.get(year) ?? []);
  const carryover = carriedOf(carryThrough(summaries, elections, year), year);
  return {
    taxpayer: { name: order.name, tin: order.tin },
    year,
    revision: revisionOf(
      transactions.map(({ id }) => id),
      order.method,
    ),
    asOf: formatDay(lastDayOf(transactions)),
    rules: elections.rules,
    wholeDollars: elections.wholeDollars,
    filingStatus: elections.filingStatus,
    taxableIncome: null,
    carryoverIn: carryover.in,
    summary: summarize(year, own),
    lines: linesOf(own.disposals, own.washes),
    washSales: own.washes,
    incomes: own.incomes,
    contracts: own.contracts,
    issues: own.issues,
    openLots: lots,
    sources: new Map(rows.map(({ transaction, source }) => [transaction.id, source])),
  };
}

function lastDayOf(transactions: readonly Transaction[]): Day {
  return transactions.reduce((last, { on }) => Math.max(last, on), Number.NEGATIVE_INFINITY) as Day;
}

function factsOf(facts: readonly Fact[]): YearFacts {
  const ofKind = <Kind extends Fact['kind']>(kind: Kind) =>
    facts.filter((fact): fact is Extract<Fact, { readonly kind: Kind }> => fact.kind === kind);
  return {
    disposals: ofKind('disposal'),
    washes: ofKind('wash'),
    incomes: ofKind('income'),
    contracts: ofKind('contract_1256'),
    issues: ofKind('issue').toSorted(compareIssues),
  };
}

function compareIssues(a: Issue, b: Issue): number {
  return a.on - b.on || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The same rows under the same method are the same revision, in whatever files they came. */
function revisionOf(ids: readonly string[], method: LotMethod): string {
  return hash('sha256', [method, ...ids.toSorted()].join('\n'), 'hex').slice(0, 16);
}
