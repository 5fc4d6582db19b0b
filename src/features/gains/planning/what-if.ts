import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import {
  type Cents,
  formatCents,
  formatMoney,
  formatQuantity,
  type Money,
  type Quantity,
  zeroMoney,
} from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { transitAccount, universalAccount } from '../../../engine/book/own-accounts.ts';
import { resolveAssetClass } from '../../../engine/events/classes.ts';
import { isCurrencyKey, toAssetKey } from '../../../engine/events/keys.ts';
import { toBookName } from '../../../engine/events/same-assets.ts';
import { isSummed } from '../../../engine/facts.ts';
import { isAllowed } from '../../../engine/lot-methods.ts';
import {
  type AssetClass,
  assetClasses,
  type Fact,
  type IssueKind,
  type Line,
  type Lot,
  type LotMethod,
  lotMethods,
  type Rules,
  type TaxYearSummary,
} from '../../../engine/model.ts';
import { openLots } from '../../../engine/replay.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { unstatedMembers } from '../../../engine/unstated-members.ts';
import {
  selectBooks,
  selectLastDay,
  selectTaxpayer,
  selectYears,
  type YearRow,
} from '../../ledger/books/books.queries.ts';
import { lineView } from '../../ledger/books/line-members.ts';
import {
  carryoverFromText,
  carryoverText,
  carryThrough,
  getCarryover,
  summaryFromText,
  summaryText,
  sumSummaries,
} from '../../ledger/books/netting.ts';
import { summarizeFacts } from '../../ledger/books/summaries.ts';
import { summaryView, type YearBooks } from '../../ledger/books/view.ts';
import { type Elections, toElections } from '../../ledger/transactions/elections.ts';
import { parseDayColumn } from '../../ledger/transactions/rows.ts';
import { computeTaxChange } from './gain-tax.ts';
import { selectLatestUse, selectOtherBookYears, selectStoredKeys } from './planning.queries.ts';
import { type ParsedSale, parseSales, refuseIfInvalid, type SaleInput, transactionOfSale } from './sales.ts';
import { bookOn, type HypotheticalSale, openSimulatedBook, type SimulatedBook, simulate } from './simulation.ts';
import { computeWorth, type UnitValue, unitValues } from './valuation.ts';

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

/** Planned sales with the values that the books supply, grouped by book. */
interface ResolvedSales {
  readonly opened: readonly { readonly book: SimulatedBook; readonly sales: readonly HypotheticalSale[] }[];
  readonly sales: readonly ResolvedSale[];
}

interface ResolvedSale {
  readonly sale: ParsedSale;
  readonly hypothetical: HypotheticalSale;
  readonly held: Quantity;
  readonly valuedBy: UnitValue | null;
}

/**
 * Looks up the book, asset class, account and value of each sale. Refuses a sale if one of them is missing or
 * ambiguous.
 */
async function findSales(
  sql: Sql,
  taxpayerId: string,
  sales: readonly ParsedSale[],
  rules: Rules,
): Promise<ResolvedSales> {
  const members = Map.groupBy(await selectBooks(sql, taxpayerId), (row) => row.book);
  const bookOfKey = new Map([...members].flatMap(([book, rows]) => rows.map((row) => [row.asset_key, book] as const)));
  const named = sales.map((sale) => {
    return { ...sale, asked: { ...sale.asked, asset: toBookName(sale.asked.asset, rules.assets) } };
  });
  const keyed = await Promise.all(named.map((sale) => findSaleKey(sql, taxpayerId, sale, rules)));
  const books = Map.groupBy(keyed, ({ key }) => bookOfKey.get(key) ?? key);
  const opened: { book: SimulatedBook; sales: HypotheticalSale[] }[] = [];
  const resolvedSales: ResolvedSale[] = [];
  for (const [book, own] of books) {
    const from = Math.min(...own.map(({ sale }) => sale.on)) as Day;
    const keys = members.get(book)?.map((row) => row.asset_key) ?? [book];
    const openedBook = await openSimulatedBook(sql, { taxpayerId, book }, keys, from, rules);
    const completed: ResolvedSale[] = [];
    for (const one of own) completed.push(await completeSale(sql, taxpayerId, openedBook, one, rules));
    opened.push({ book: openedBook, sales: completed.map(({ hypothetical }) => hypothetical) });
    resolvedSales.push(...completed);
  }
  resolvedSales.sort((a, b) => a.sale.at - b.sale.at);
  refuseIfInvalid(conflictingMethods(resolvedSales));
  return { opened, sales: resolvedSales };
}

interface KeyedSale {
  readonly sale: ParsedSale;
  readonly key: string;
}

/**
 * Returns the asset key of a sale. A coin and a stock may share a name. If the books contain both, the request must
 * name the class.
 */
async function findSaleKey(sql: Sql, taxpayerId: string, sale: ParsedSale, rules: Rules): Promise<KeyedSale> {
  const { asset, account, assetClass } = sale.asked;
  if (assetClass !== undefined) return { sale, key: toAssetKey(asset, assetClass) };
  const all = [...new Set(assetClasses.map((one) => toAssetKey(asset, one)))];
  const known = await selectStoredKeys(sql, taxpayerId, all);
  const [first] = known;
  if (known.length > 1) {
    const detail = `Your books contain more than one asset named ${asset}. Set assetClass.`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/assetClass`, code: 'ambiguous', detail }]);
  }
  const unclassified = { ...unstatedMembers, type: 'sell', asset, account: account ?? '' } as const;
  return { sale, key: first ?? toAssetKey(asset, resolveAssetClass(unclassified, rules, null)) };
}

async function completeSale(
  sql: Sql,
  taxpayerId: string,
  book: SimulatedBook,
  { sale, key }: KeyedSale,
  rules: Rules,
): Promise<ResolvedSale> {
  const { asset } = sale.asked;
  if (isCurrencyKey(key)) {
    const detail = `${asset} is a currency. Its gain is ordinary income and not reported on Form 8949 (IRC 988(a)(1)).`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/asset`, code: 'invalid', detail }]);
  }
  const lots = openLots(bookOn(book, sale.on, rules)).filter((lot) => toAssetKey(lot.asset, lot.assetClass) === key);
  const latest = await selectLatestUse(sql, taxpayerId, key);
  const account = sale.asked.account ?? findOnlyAccount(sale, lots) ?? latest?.account ?? '';
  const assetClass = sale.asked.assetClass ?? lots[0]?.assetClass ?? findAssetClass(key, asset, latest?.asset_class);
  const value =
    sale.amount === null ? (await unitValues(sql, taxpayerId, [{ key, asset }], sale.on)).get(key) : undefined;
  if (sale.amount === null && value === undefined) {
    const detail = `No price is known for ${asset}. Enter the amount or the price.`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/amount`, code: 'required', detail }]);
  }
  const amount = sale.amount ?? (value === undefined ? (0n as Money) : computeWorth(value, sale.quantity));
  const transaction = transactionOfSale(sale, { account, assetClass, amount });
  const reachable = lots.filter((lot) => lot.account === account || lot.account === universalAccount);
  return {
    sale,
    hypothetical: { transaction, method: sale.asked.method ?? null },
    held: reachable.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity,
    valuedBy: value ?? null,
  };
}

/**
 * Returns the only account that holds the asset. If several accounts hold it, the request must name one, because lots
 * belong to accounts (26 CFR 1.1012-1(c)(1), (j)).
 */
function findOnlyAccount(sale: ParsedSale, lots: readonly Lot[]): string | undefined {
  const accounts = [...new Set(lots.map((lot) => lot.account))].filter(
    (name) => name !== universalAccount && name !== transitAccount,
  );
  if (accounts.length > 1) {
    const held = accounts.map((name) => `${name} (${formatQuantity(sumUnits(lots, name))})`).join(', ');
    const detail = `Several accounts hold ${sale.asked.asset}: ${held}. Set the account to sell from.`;
    refuseIfInvalid([{ pointer: `/sales/${sale.at}/account`, code: 'ambiguous', detail }]);
  }
  return accounts[0];
}

function sumUnits(lots: readonly Lot[], account: string): Quantity {
  return lots.reduce((sum, lot) => (lot.account === account ? sum + lot.quantity : sum), 0n) as Quantity;
}

function findAssetClass(key: string, asset: string, latest: AssetClass | undefined): AssetClass {
  if (latest !== undefined && toAssetKey(asset, latest) === key) return latest;
  return assetClasses.find((one) => toAssetKey(asset, one) === key) ?? 'stock';
}

/**
 * Returns an error for each sale whose lot method conflicts with the lot method of another sale. A lot method applies
 * to a day, account and asset.
 */
function conflictingMethods(resolvedSales: readonly ResolvedSale[]) {
  const stated = new Map<string, ResolvedSale>();
  return resolvedSales.flatMap((one) => {
    const { transaction, method } = one.hypothetical;
    const saleKey = JSON.stringify([transaction.on, transaction.account, transaction.asset]);
    const other = stated.get(saleKey) ?? one;
    stated.set(saleKey, other);
    if (other.hypothetical.method === method) return [];
    const detail = `Sale ${other.sale.at + 1} sells the same asset on the same day from the same account with another method. Use one method for both.`;
    return [{ pointer: `/sales/${one.sale.at}/method`, code: 'invalid', detail }];
  });
}
