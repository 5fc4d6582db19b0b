import { addDays, type Day, formatDay, lastDayOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { type FundInterest, fundInterests } from '../../../engine/book/fund-interests.ts';
import { openLots } from '../../../engine/book/lots.ts';
import { isOnOtherReturn } from '../../../engine/book/separate-returns.ts';
import type { Disposal, Line, Rules, TaxYearSummary, Transaction, WashSale } from '../../../engine/model.ts';
import { buildLines } from '../../../engine/rules/year/year.ts';
import { formatTin, type ReportBooks, type ReportedGift, transactionsNamedBy } from '../../../forms/report.ts';
import { getFilingStatus, toElections } from '../transactions/elections.ts';
import { toTransaction } from '../transactions/rows.ts';
import {
  selectActiveYears,
  selectLastDay,
  selectReported,
  selectSources,
  selectTaxpayer,
  selectTypes,
  selectYears,
} from './books.queries.ts';
import { type FactScope, selectFacts, selectIssuesOfYear } from './facts.queries.ts';
import { booksOn, byAge } from './lots.ts';
import {
  type Carryover,
  carryoverFromText,
  carryThrough,
  getCarryover,
  summaryFromText,
  sumSummaries,
} from './netting.ts';

/** Reads the books for reports and the assistant. Returns only stored figures. */

/** Returns all data for a year's report. The caller must hold the taxpayer's lock or read from one snapshot. */
export async function reportBooks(sql: Sql, taxpayerId: string, year: number): Promise<ReportBooks> {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = toElections(taxpayer.settings, taxpayer.time_zone);
  const within = toYearScope(taxpayerId, year);
  const { summary, carryover } = await readYear(sql, taxpayerId, year);
  const washSales = await selectFacts(sql, 'wash', within);
  const lines = buildLines(await selectFacts(sql, 'disposal', within), washSales);
  const books = {
    taxpayer: { name: taxpayer.taxpayer_name || taxpayer.name, tin: formatTin(taxpayer.tin) },
    year,
    revision: taxpayer.revision,
    asOf: (await selectLastDay(sql, taxpayerId)) ?? `${year}-12-31`,
    rules: elections.rules,
    wholeDollars: elections.wholeDollars,
    // Omits empty choices, so that books without any stay byte-identical to books from before choices existed.
    ...(Object.keys(elections.choices).length === 0 ? {} : { choices: elections.choices }),
    filingStatus: getFilingStatus(elections, year),
    taxableIncome: elections.taxableIncome.get(year) ?? null,
    carryoverIn: carryover.in,
    summary,
    lines,
    washSales,
    incomes: await selectFacts(sql, 'income', within),
    contracts: await selectFacts(sql, 'contract_1256', within),
    issues: await selectIssuesOfYear(sql, taxpayerId, year),
    ...(await readHoldings(sql, taxpayerId, lastDayOf(year))),
    gifts: await readGifts(sql, taxpayerId, year),
    reported: await readReported(sql, taxpayerId, year, elections.rules),
    deferrals: await readDeferrals(sql, taxpayerId, year),
  };
  return { ...books, sources: await readSources(sql, taxpayerId, transactionsNamedBy(books)) };
}

/** Returns the summary of a year, with zeros if the year has no activity. */
export async function readSummary(sql: Sql, taxpayerId: string, year: number): Promise<TaxYearSummary> {
  return (await readYear(sql, taxpayerId, year)).summary;
}

export async function readYear(
  sql: Sql,
  taxpayerId: string,
  year: number,
): Promise<{ summary: TaxYearSummary; carryover: Carryover }> {
  const rows = await selectYears(sql, taxpayerId);
  const row = rows.find((one) => one.year === year);
  if (row !== undefined) return { summary: summaryFromText(row.summary), carryover: carryoverFromText(row.carryover) };
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = toElections(taxpayer.settings, taxpayer.time_zone);
  const summaries = rows.map((one) => summaryFromText(one.summary)).filter((summary) => summary.year < year);
  return { summary: sumSummaries(year, []), carryover: getCarryover(carryThrough(summaries, elections, year), year) };
}

/** Returns every year with any activity, including purchases, in ascending order. */
export async function readYears(sql: Sql, taxpayerId: string): Promise<TaxYearSummary[]> {
  const known = new Map((await selectYears(sql, taxpayerId)).map((row) => [row.year, summaryFromText(row.summary)]));
  for (const year of await selectActiveYears(sql, taxpayerId)) {
    if (!known.has(year)) known.set(year, sumSummaries(year, []));
  }
  return [...known.values()].sort((a, b) => a.year - b.year);
}

/** Returns the lines on Form 8949 for a year in canonical order: all lines, or those for one asset or account. */
export async function readLines(
  sql: Sql,
  taxpayerId: string,
  year: number,
  part: Pick<FactScope, 'asset' | 'account'> = {},
): Promise<Line[]> {
  const within = toYearScope(taxpayerId, year);
  const disposals = await selectFacts(sql, 'disposal', { ...within, ...part });
  return buildLines(disposals, await selectFacts(sql, 'wash', within));
}

/** Returns the current elections. */
export async function readRules(sql: Sql, taxpayerId: string): Promise<Rules> {
  const { settings, time_zone } = await selectTaxpayer(sql, taxpayerId);
  return toElections(settings, time_zone).rules;
}

/** Returns the rows from Forms 1099 for a year that belong on this return. */
export async function readReported(sql: Sql, taxpayerId: string, year: number, rules: Rules): Promise<Transaction[]> {
  const rows = (await selectReported(sql, taxpayerId, year)).map(toTransaction);
  return rows.filter(({ account, on }) => !isOnOtherReturn(rules, account, on));
}

/**
 * Returns the lines from this and earlier years that defer a gain in an opportunity fund or include a deferred gain.
 */
export async function readDeferrals(sql: Sql, taxpayerId: string, year: number): Promise<Disposal[]> {
  const { before } = toYearScope(taxpayerId, year);
  return selectFacts(sql, 'disposal', { taxpayerId, ...(before === undefined ? {} : { before }), codes: 'YZ' });
}

/** Returns a year's disallowed losses. */
export async function readWashSales(sql: Sql, taxpayerId: string, year: number): Promise<WashSale[]> {
  return selectFacts(sql, 'wash', toYearScope(taxpayerId, year));
}

/** Returns the lots that are open at the end of a day, and the interests in opportunity funds among them. */
async function readHoldings(
  sql: Sql,
  taxpayerId: string,
  on: Day,
): Promise<Pick<ReportBooks, 'openLots' | 'fundInterests'>> {
  const books = await booksOn(sql, taxpayerId, on);
  return { openLots: books.flatMap(openLots).sort(byAge), fundInterests: books.flatMap(fundInterests) };
}

/** Returns the interests in opportunity funds held at the end of a year. */
export async function readFundInterests(sql: Sql, taxpayerId: string, year: number): Promise<FundInterest[]> {
  return (await booksOn(sql, taxpayerId, lastDayOf(year))).flatMap(fundInterests);
}

/** Returns a year's gifts and donations, with the types of the rows that acquired them. */
async function readGifts(sql: Sql, taxpayerId: string, year: number): Promise<ReportedGift[]> {
  const gifts = await selectFacts(sql, 'gift', toYearScope(taxpayerId, year));
  const openers = gifts.map(({ lotId }) => lotId.split('/')[0] ?? '');
  const types = new Map((await selectTypes(sql, taxpayerId, openers)).map(({ id, type }) => [id, type]));
  return gifts.map((gift, at) => ({
    ...gift,
    acquiredBy: gift.basisUnknown ? null : (types.get(openers[at] ?? '') ?? null),
  }));
}

function toYearScope(taxpayerId: string, year: number): FactScope {
  const last = lastDayOf(year);
  return { taxpayerId, from: `${year}-01-01`, before: formatDay(addDays(last, 1)) };
}

/** Returns the file and line that first contained each transaction. */
async function readSources(
  sql: Sql,
  taxpayerId: string,
  transactionIds: readonly string[],
): Promise<Map<string, { file: string; line: number }>> {
  const rows = await selectSources(sql, taxpayerId, transactionIds);
  return new Map(rows.map((row) => [row.id, { file: row.file, line: row.line }]));
}
