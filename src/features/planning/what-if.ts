import { type Day, formatDay, yearOf } from '../../base/day.ts';
import { type Cents, formatCents, formatMoney, formatQuantity, zeroMoney } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import { isAllowed } from '../../engine/lot-methods.ts';
import {
  type Fact,
  type IssueKind,
  type Line,
  type LotMethod,
  lotMethods,
  type TaxYearSummary,
} from '../../engine/model.ts';
import { linesOf } from '../../engine/rules/year/year.ts';
import { lineView } from '../books/line-members.ts';
import { selectLastDay, selectTaxpayer } from '../books/queries.ts';
import { carriedOf, carryoverText, carryThrough } from '../books/summaries/carryover.ts';
import { summaryFromText, summaryText, sumOf } from '../books/summaries/netting.ts';
import { selectYears, type YearRow } from '../books/summaries/queries.ts';
import { summaryOf } from '../books/summaries/summaries.ts';
import { summaryView, type YearBooks } from '../books/view.ts';
import { type Elections, electionsOf } from '../transactions/elections.ts';
import { dayOf } from '../transactions/rows/columns.ts';
import { type Found, type FoundSale, findSales } from './find.ts';
import { selectYearsBeside } from './queries.ts';
import { readSales, type SaleAsked } from './sales.ts';
import { simulate } from './simulate.ts';

/** Sales that are not stored: their lines, the years as they would be, and what each lot method would make of them. */
export async function whatIf(sql: Sql, taxpayerId: string, asked: readonly SaleAsked[]) {
  const read = readSales(asked);
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = electionsOf(taxpayer.settings, taxpayer.time_zone);
  const found = await findSales(sql, taxpayerId, read, elections.rules);
  const beside = await selectYearsBeside(
    sql,
    taxpayerId,
    found.stages.map(({ stage }) => stage.book),
  );
  const others = beside.map((row) => summaryFromText(row.summary));
  const stored = await selectYears(sql, taxpayerId);
  const lastDay = await selectLastDay(sql, taxpayerId);
  const books = { found, others, elections, through: lastDay === null ? null : dayOf(lastDay) };
  const own = outcomeOf(books, null);
  const lastSale = formatDay(Math.max(...read.map((sale) => sale.on)) as Day);
  const asOf = lastDay === null || lastDay < lastSale ? lastSale : lastDay;
  const view = (books: YearBooks) => summaryView(books, elections.rules, { revision: taxpayer.revision, asOf });
  const changed = own.years.filter((books) => isChanged(books, stored));
  const first = yearOf(Math.min(...read.map((sale) => sale.on)) as Day);
  return {
    sales: found.sales.map((sale) => saleView(sale)),
    disposals: own.lines.map(lineView),
    summary: view(yearIn(own.years, first, elections)),
    years: changed.map(view),
    issues: own.issues,
    comparison: methodsFor(found).map((method) => comparisonView(method, outcomeOf(books, method))),
  };
}

interface Books {
  readonly found: Found;
  /** Years of the books that no supposed sale moves. */
  readonly others: readonly TaxYearSummary[];
  readonly elections: Elections;
  readonly through: Day | null;
}

interface Outcome {
  /** The lines of the supposed sales. */
  readonly lines: readonly Line[];
  readonly years: readonly YearBooks[];
  readonly issues: { kind: IssueKind; asset: string; account: string; dollars: string; detail: string }[];
}

/** `method`: for all supposed sales; null for the one that each states, or the one in force. */
function outcomeOf({ found, others, elections, through }: Books, method: LotMethod | null): Outcome {
  const facts = found.stages.flatMap(({ stage, sales }) => {
    const taken = method === null ? sales : sales.map((sale) => ({ ...sale, method }));
    return simulate(stage, taken, elections.rules, through).map((fact) => ({ book: stage.book, fact }));
  });
  const ids = new Set(found.sales.map(({ supposed }) => supposed.transaction.id));
  const all = facts.map(({ fact }) => fact);
  const disposals = all.filter((fact) => fact.kind === 'disposal');
  const washes = all.filter((fact) => fact.kind === 'wash');
  const supposed = disposals.filter((disposal) => ids.has(disposal.saleId));
  return {
    lines: linesOf(supposed, washes),
    years: yearsOf(facts, others, elections),
    issues: all
      .filter((fact) => fact.kind === 'issue')
      .filter((issue) => issue.transactions.some((id) => ids.has(id)))
      .map(({ issue, asset, account, dollars, detail }) => ({
        kind: issue,
        asset,
        account,
        dollars: formatCents(dollars),
        detail,
      })),
  };
}

function yearsOf(
  facts: readonly { readonly book: string; readonly fact: Fact }[],
  others: readonly TaxYearSummary[],
  elections: Elections,
): YearBooks[] {
  // Book by book, as they are stored: what of contracts is long-term is rounded once a year.
  const parts = [...others];
  for (const own of Map.groupBy(facts, ({ book, fact }) => `${yearOf(fact.on)} ${book}`).values()) {
    const [first] = own;
    if (first !== undefined) {
      parts.push(
        summaryOf(
          yearOf(first.fact.on),
          own.map(({ fact }) => fact),
        ),
      );
    }
  }
  const summaries = [...Map.groupBy(parts, (part) => part.year)].map(([year, group]) => sumOf(year, group));
  summaries.sort((a, b) => a.year - b.year);
  const carried = carryThrough(summaries, elections);
  return summaries.map((summary) => ({ summary, carryover: carriedOf(carried, summary.year) }));
}

function isChanged({ summary, carryover }: YearBooks, stored: readonly YearRow[]): boolean {
  const before = stored.find((row) => row.year === summary.year);
  return (
    before === undefined || before.summary !== summaryText(summary) || before.carryover !== carryoverText(carryover)
  );
}

/** A sale out of an IRA leaves no fact in its year. */
function yearIn(years: readonly YearBooks[], year: number, elections: Elections): YearBooks {
  const found = years.find(({ summary }) => summary.year === year);
  if (found !== undefined) return found;
  const carried = carryThrough(
    years.map(({ summary }) => summary).filter((summary) => summary.year < year),
    elections,
    year,
  );
  return { summary: sumOf(year, []), carryover: carriedOf(carried, year) };
}

/** Those that any of the sales can be made by: average basis is for funds alone (IRC 1012(d)). */
function methodsFor(found: Found): LotMethod[] {
  const classes = found.sales.map(({ supposed }) => supposed.transaction.assetClass);
  return lotMethods.filter((method) => classes.some((assetClass) => isAllowed(method, assetClass)));
}

function comparisonView(method: LotMethod, { lines, years }: Outcome) {
  const sum = (of: (line: Line) => bigint, only: readonly Line[] = lines): string =>
    formatCents(only.reduce((total, line) => total + of(line), 0n) as Cents);
  const gain = (line: Line): bigint => line.gain;
  return {
    method,
    proceeds: sum((line) => line.disposal.proceeds),
    basis: sum((line) => line.disposal.basis),
    adjustment: sum((line) => line.adjustment),
    gain: sum(gain),
    count: lines.length,
    shortTermGain: sum(
      gain,
      lines.filter(({ disposal }) => disposal.term === 'short'),
    ),
    longTermGain: sum(
      gain,
      lines.filter(({ disposal }) => disposal.term === 'long'),
    ),
    years: years
      .filter(({ summary }) => lines.some(({ disposal }) => yearOf(disposal.on) === summary.year))
      .map(({ summary }) => ({
        year: summary.year,
        gain: formatCents(summary.total.gain),
        shortTermGain: formatCents(summary.shortTerm.gain),
        longTermGain: formatCents(summary.longTerm.gain),
        washSaleDisallowed: formatCents(summary.washSaleDisallowed),
      })),
  };
}

function saleView({ supposed: { transaction }, held, valuedBy }: FoundSale) {
  const missing = (transaction.quantity ?? 0n) - held;
  return {
    id: transaction.id,
    asset: transaction.asset,
    assetClass: transaction.assetClass,
    account: transaction.account,
    date: formatDay(transaction.on),
    quantity: formatQuantity(transaction.quantity ?? held),
    amount: formatMoney(transaction.amount ?? zeroMoney),
    held: formatQuantity(held),
    oversold: formatQuantity((missing > 0n ? missing : 0n) as typeof held),
    valuedBy:
      valuedBy === null ? null : { source: valuedBy.source, date: valuedBy.day, transactionId: valuedBy.transactionId },
  };
}
