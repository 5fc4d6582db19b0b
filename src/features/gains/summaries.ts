import { yearOf } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Fact, TaxYearSummary } from '../../engine/model.ts';
import { summarize } from '../../engine/year.ts';
import type { Elections } from '../transactions/elections.ts';
import { carriedOf, carryoverText, carryThrough } from './carryover.ts';
import {
  type BookScope,
  selectContracts,
  selectDisposals,
  selectIncomes,
  selectIssues,
  selectWashSales,
} from './facts/queries.ts';
import { contractOf, disposalOf, incomeOf, issueOf, washSaleOf } from './facts/rows.ts';
import { summaryFromText, summaryText, sumOf } from './netting.ts';
import { deleteYears, replaceBookYears, selectBookYears, selectYears, upsertYears, type YearRow } from './queries.ts';

/** What the facts of a book come to in these years. `facts`: all of the book's, where they are at hand. */
export async function netBookYears(
  sql: Sql,
  scope: BookScope,
  years: readonly number[],
  facts: readonly Fact[] | null,
): Promise<void> {
  if (years.length === 0) return;
  const known = facts ?? (await factsOf(sql, scope, Math.min(...years), Math.max(...years)));
  const byYear = Map.groupBy(known, (fact) => yearOf(fact.on));
  const summaries = years.flatMap((year) => {
    const own = byYear.get(year);
    return own === undefined ? [] : [{ year, summary: summaryText(summaryOf(year, own)) }];
  });
  await replaceBookYears(sql, scope, years, summaries);
}

export function summaryOf(year: number, facts: readonly Fact[]): TaxYearSummary {
  return summarize(year, {
    disposals: facts.filter((fact) => fact.kind === 'disposal'),
    washes: facts.filter((fact) => fact.kind === 'wash'),
    incomes: facts.filter((fact) => fact.kind === 'income'),
    contracts: facts.filter((fact) => fact.kind === 'contract_1256'),
    issues: facts.filter((fact) => fact.kind === 'issue'),
  });
}

async function factsOf(sql: Sql, scope: BookScope, first: number, last: number): Promise<Fact[]> {
  const within = { ...scope, from: `${first}-01-01`, before: `${last + 1}-01-01` };
  return [
    ...(await selectDisposals(sql, within)).map(disposalOf),
    ...(await selectWashSales(sql, within)).map(washSaleOf),
    ...(await selectIncomes(sql, within)).map(incomeOf),
    ...(await selectContracts(sql, within)).map(contractOf),
    ...(await selectIssues(sql, within)).map(issueOf),
  ];
}

/** Nets these years over all books, then carries losses through all of them; writes only what changed. */
export async function refreshYears(
  sql: Sql,
  taxpayerId: string,
  years: readonly number[],
  elections: Elections,
): Promise<void> {
  const stored = await selectYears(sql, taxpayerId);
  const parts = Map.groupBy(await selectBookYears(sql, taxpayerId, years), (part) => part.year);
  const summaries = new Map(stored.map((row) => [row.year, summaryFromText(row.summary)]));
  for (const year of years) {
    const own = parts.get(year);
    if (own === undefined) summaries.delete(year);
    else
      summaries.set(
        year,
        sumOf(
          year,
          own.map((part) => summaryFromText(part.summary)),
        ),
      );
  }
  const rows = yearRows([...summaries.values()], elections);
  const before = new Map(stored.map((row) => [row.year, row]));
  const changed = rows.filter((row) => {
    const old = before.get(row.year);
    return old === undefined || old.summary !== row.summary || old.carryover !== row.carryover;
  });
  const gone = stored.filter((row) => !summaries.has(row.year)).map((row) => row.year);
  if (gone.length > 0) await deleteYears(sql, taxpayerId, gone);
  if (changed.length > 0) await upsertYears(sql, taxpayerId, changed);
}

/** The years as they are stored, losses carried from each into the next. */
export function yearRows(summaries: readonly TaxYearSummary[], elections: Elections): YearRow[] {
  const ascending = summaries.toSorted((a, b) => a.year - b.year);
  const carried = carryThrough(ascending, elections);
  return ascending.map((summary) => ({
    year: summary.year,
    summary: summaryText(summary),
    carryover: carryoverText(carriedOf(carried, summary.year)),
  }));
}
