import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import { type Cents, formatCents, formatMoney, formatQuantity, zeroMoney } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { isSummed } from '../../../engine/facts.ts';
import { isAllowed } from '../../../engine/lot-methods.ts';
import {
  type Fact,
  type IssueKind,
  type Line,
  type LotMethod,
  lotMethods,
  type TaxYearSummary,
} from '../../../engine/model.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { selectLastDay, selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import {
  carryoverFromText,
  carryoverText,
  carryThrough,
  getCarryover,
} from '../../ledger/books/summaries/carryover.ts';
import { summaryFromText, summaryText, sumSummaries } from '../../ledger/books/summaries/netting.ts';
import { selectYears, type YearRow } from '../../ledger/books/summaries/summaries.queries.ts';
import { summarizeFacts } from '../../ledger/books/summaries/summaries.ts';
import { summaryView, type YearBooks } from '../../ledger/books/view.ts';
import { type Elections, toElections } from '../../ledger/transactions/elections.ts';
import { parseDayColumn } from '../../ledger/transactions/rows/columns.ts';
import { computeTaxChange } from './gain-tax.ts';
import { selectOtherBookYears } from './planning.queries.ts';
import { findSales, type ResolvedSale, type ResolvedSales } from './sale-lookup.ts';
import { parseSales, type SaleInput } from './sales.ts';
import { simulate } from './simulation.ts';

/**
 * Calculates planned sales without storing them. Returns their lines, the changed years, and the result under each lot
 * method.
 */
export async function whatIf(sql: Sql, taxpayerId: string, inputs: readonly SaleInput[]) {
  const parsed = parseSales(inputs);
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = toElections(taxpayer.settings, taxpayer.time_zone);
  const resolvedSales = await findSales(sql, taxpayerId, parsed, elections.rules);
  const otherYears = await selectOtherBookYears(
    sql,
    taxpayerId,
    resolvedSales.opened.map(({ book }) => book.book),
  );
  const others = otherYears.map((row) => summaryFromText(row.summary));
  const stored = await selectYears(sql, taxpayerId);
  const lastDay = await selectLastDay(sql, taxpayerId);
  const books = { found: resolvedSales, others, elections, through: lastDay === null ? null : parseDayColumn(lastDay) };
  const firstOutcome = computeOutcome(books, null);
  const lastSale = formatDay(Math.max(...parsed.map((sale) => sale.on)) as Day);
  const asOf = lastDay === null || lastDay < lastSale ? lastSale : lastDay;
  const view = (books: YearBooks) => summaryView(books, elections.rules, { revision: taxpayer.revision, asOf });
  const changed = firstOutcome.years.filter((books) => isChanged(books, stored));
  const first = yearOf(Math.min(...parsed.map((sale) => sale.on)) as Day);
  return {
    sales: resolvedSales.sales.map((sale) => saleView(sale)),
    disposals: firstOutcome.lines.map(lineView),
    summary: view(findYearBooks(firstOutcome.years, first, elections)),
    years: changed.map(view),
    taxes: changed.flatMap((after) => {
      const change = computeTaxChange(after.summary.year, elections, storedYear(stored, after.summary.year), after);
      return change === null ? [] : [change];
    }),
    issues: firstOutcome.issues,
    comparison: methodsFor(resolvedSales).map((method) => comparisonView(method, computeOutcome(books, method))),
  };
}

/** Returns the stored books of a year, or empty books if the year is not stored. */
function storedYear(stored: readonly YearRow[], year: number): YearBooks {
  const row = stored.find((one) => one.year === year);
  if (row === undefined) return { summary: sumSummaries(year, []), carryover: getCarryover(new Map(), year) };
  return { summary: summaryFromText(row.summary), carryover: carryoverFromText(row.carryover) };
}

interface WhatIfBooks {
  readonly found: ResolvedSales;
  /** The yearly summaries of books without a planned sale. */
  readonly others: readonly TaxYearSummary[];
  readonly elections: Elections;
  readonly through: Day | null;
}

interface WhatIfOutcome {
  /** The lines of the planned sales. */
  readonly lines: readonly Line[];
  readonly years: readonly YearBooks[];
  readonly issues: { kind: IssueKind; asset: string; account: string; dollars: string | null; detail: string }[];
}

/**
 * Calculates the planned sales. `method` applies to all of them. Null keeps each sale's own method or the current one.
 */
function computeOutcome({ found, others, elections, through }: WhatIfBooks, method: LotMethod | null): WhatIfOutcome {
  const facts = found.opened.flatMap(({ book, sales }) => {
    const applied = method === null ? sales : sales.map((sale) => ({ ...sale, method }));
    return simulate(book, applied, elections.rules, through).map((fact) => ({ book: book.book, fact }));
  });
  const ids = new Set(found.sales.map(({ hypothetical }) => hypothetical.transaction.id));
  const all = facts.map(({ fact }) => fact);
  const disposals = all.filter((fact) => fact.kind === 'disposal');
  const washes = all.filter((fact) => fact.kind === 'wash');
  const planned = disposals.filter((disposal) => ids.has(disposal.saleId));
  return {
    lines: buildLines(planned, washes),
    years: buildYearBooks(facts, others, elections),
    issues: all
      .filter((fact) => fact.kind === 'issue')
      .filter((issue) => issue.transactions.some((id) => ids.has(id)))
      .map(({ issue, asset, account, dollars, detail }) => ({
        kind: issue,
        asset,
        account,
        dollars: dollars === null ? null : formatCents(dollars),
        detail,
      })),
  };
}

function buildYearBooks(
  facts: readonly { readonly book: string; readonly fact: Fact }[],
  others: readonly TaxYearSummary[],
  elections: Elections,
): YearBooks[] {
  // Sums each book separately, as stored summaries do, because the long-term part of contracts is rounded once per book
  // and year.
  const parts = [...others];
  const summed = facts.filter(({ fact }) => isSummed(fact));
  for (const own of Map.groupBy(summed, ({ book, fact }) => `${yearOf(fact.on)} ${book}`).values()) {
    const [first] = own;
    if (first !== undefined) {
      parts.push(
        summarizeFacts(
          yearOf(first.fact.on),
          own.map(({ fact }) => fact),
        ),
      );
    }
  }
  const summaries = [...Map.groupBy(parts, (part) => part.year)].map(([year, group]) => sumSummaries(year, group));
  summaries.sort((a, b) => a.year - b.year);
  const carried = carryThrough(summaries, elections);
  return summaries.map((summary) => ({ summary, carryover: getCarryover(carried, summary.year) }));
}

function isChanged({ summary, carryover }: YearBooks, stored: readonly YearRow[]): boolean {
  const before = stored.find((row) => row.year === summary.year);
  return (
    before === undefined || before.summary !== summaryText(summary) || before.carryover !== carryoverText(carryover)
  );
}

/** Returns the books of a year, or empty books if the year has no facts, such as after a sale in an IRA. */
function findYearBooks(years: readonly YearBooks[], year: number, elections: Elections): YearBooks {
  const yearBooks = years.find(({ summary }) => summary.year === year);
  if (yearBooks !== undefined) return yearBooks;
  const carried = carryThrough(
    years.map(({ summary }) => summary).filter((summary) => summary.year < year),
    elections,
    year,
  );
  return { summary: sumSummaries(year, []), carryover: getCarryover(carried, year) };
}

/**
 * Returns the lot methods that are allowed for at least one of the sales. Average basis is allowed for funds only (IRC
 * 1012(d)).
 */
function methodsFor(resolvedSales: ResolvedSales): LotMethod[] {
  const classes = resolvedSales.sales.map(({ hypothetical }) => hypothetical.transaction.assetClass);
  return lotMethods.filter((method) => classes.some((assetClass) => isAllowed(method, assetClass)));
}

function comparisonView(method: LotMethod, { lines, years }: WhatIfOutcome) {
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

function saleView({ hypothetical: { transaction }, held, valuedBy }: ResolvedSale) {
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
