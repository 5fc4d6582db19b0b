import { yearOf } from '../../../base/day.ts';
import { allEnded } from '../../../base/deadline.ts';
import { formatCents, roundToCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { isSummed, yearsOfIssue } from '../../../engine/facts.ts';
import type { Fact, Issue, TaxYearSummary } from '../../../engine/model.ts';
import { summarize } from '../../../engine/rules/year/year.ts';
import { rowOf } from '../../../engine/transaction-types.ts';
import { totalsText } from '../../../forms/figures.ts';
import type { TryChange } from '../../../http/years-preview.ts';
import type { Elections } from '../transactions/elections.ts';
import { inTurnTakenBack } from '../transactions/store.ts';
import {
  type BookYearOf,
  deleteBookYears,
  deleteYears,
  selectBookYears,
  selectSummaryYears,
  selectYears,
  upsertBookYears,
  upsertYears,
  type YearRow,
} from './books.queries.ts';
import type { FactChanges } from './fact-writer.ts';
import {
  type Carryover,
  carryoverFromText,
  carryoverText,
  carryThrough,
  getCarryover,
  summaryFromText,
  summaryText,
  sumSummaries,
  without,
} from './netting.ts';

/** Summaries of the facts that a change removes from each year and adds to it. */
type YearChanges = Map<number, { readonly minus: TaxYearSummary[]; readonly plus: TaxYearSummary[] }>;

/** The effect of a changed book on the totals of years, and the years whose facts changed. */
export interface BookChanges {
  readonly years: Set<number>;
  readonly changes: YearChanges;
}

export function noChanges(): BookChanges {
  return { years: new Set(), changes: new Map() };
}

export function addChanges(all: BookChanges, more: BookChanges): void {
  for (const year of more.years) all.years.add(year);
  mergeChanges(all.changes, more.changes);
}

/** Replaces the year totals of each book. `known` lists the books that have stored totals. */
export async function netBooks(
  sql: Sql,
  taxpayerId: string,
  books: ReadonlyMap<string, readonly TaxYearSummary[]>,
  known: readonly string[] = [...books.keys()],
): Promise<YearChanges> {
  const all: YearChanges = new Map();
  const stored = await storedYears(sql, taxpayerId, known);
  const rewritten: { left: BookYearOf[]; came: BookYearOf[] } = { left: [], came: [] };
  for (const [book, summaries] of books) {
    const before = stored.get(book) ?? new Map<number, string>();
    const now = new Map(summaries.map((summary) => [summary.year, summaryText(summary)]));
    const left = [...before].filter(([year, text]) => now.get(year) !== text);
    const came = [...now].filter(([year, text]) => before.get(year) !== text);
    rewritten.left.push(...left.map(([year, summary]) => ({ book, year, summary })));
    rewritten.came.push(...came.map(([year, summary]) => ({ book, year, summary })));
    mergeChanges(
      all,
      collectYearChanges(
        left.map(([, text]) => summaryFromText(text)),
        came.map(([, text]) => summaryFromText(text)),
      ),
    );
  }
  await replaceBookYears(sql, taxpayerId, rewritten.left, rewritten.came);
  return all;
}

/** Updates the year totals of books from their removed and added facts. */
export async function netBookChanges(
  sql: Sql,
  taxpayerId: string,
  books: ReadonlyMap<string, FactChanges>,
): Promise<YearChanges> {
  const all: YearChanges = new Map();
  const changed = new Map<string, YearChanges>();
  for (const [book, { gone, come, beside }] of books) {
    const changes = collectYearChanges(summarizeByYear([...gone, ...beside]), summarizeByYear([...come, ...beside]));
    if (changes.size > 0) changed.set(book, changes);
    mergeChanges(all, changes);
  }
  const stored = await storedYears(sql, taxpayerId, [...changed.keys()]);
  const rewritten: { left: Omit<BookYearOf, 'summary'>[]; came: BookYearOf[] } = { left: [], came: [] };
  for (const [book, changes] of changed) {
    for (const year of changes.keys()) {
      const text = stored.get(book)?.get(year);
      const now = changedYear(year, text === undefined ? null : summaryFromText(text), changes);
      rewritten.left.push({ book, year });
      if (now !== null) rewritten.came.push({ book, year, summary: summaryText(now) });
    }
  }
  await replaceBookYears(sql, taxpayerId, rewritten.left, rewritten.came);
  return all;
}

/** Removes the totals of some books from all years. */
export async function forgetBookYears(sql: Sql, taxpayerId: string, books: readonly string[]): Promise<YearChanges> {
  return netBooks(sql, taxpayerId, new Map(books.map((book) => [book, []])));
}

async function storedYears(
  sql: Sql,
  taxpayerId: string,
  books: readonly string[],
): Promise<Map<string, Map<number, string>>> {
  const rows = books.length === 0 ? [] : await selectSummaryYears(sql, taxpayerId, books);
  return new Map(
    [...Map.groupBy(rows, ({ book }) => book)].map(([book, own]) => [
      book,
      new Map(own.map(({ year, summary }) => [year, summary])),
    ]),
  );
}

async function replaceBookYears(
  sql: Sql,
  taxpayerId: string,
  left: readonly Pick<BookYearOf, 'book' | 'year'>[],
  came: readonly BookYearOf[],
): Promise<void> {
  const kept = new Set(came.map(({ book, year }) => `${year} ${book}`));
  const emptied = left.filter(({ book, year }) => !kept.has(`${year} ${book}`));
  if (emptied.length > 0) await deleteBookYears(sql, taxpayerId, emptied);
  if (came.length > 0) await upsertBookYears(sql, taxpayerId, came);
}

function mergeChanges(all: YearChanges, more: YearChanges): void {
  for (const [year, { minus, plus }] of more) {
    const known = all.get(year) ?? { minus: [], plus: [] };
    known.minus.push(...minus);
    known.plus.push(...plus);
    all.set(year, known);
  }
}

function collectYearChanges(minus: readonly TaxYearSummary[], plus: readonly TaxYearSummary[]): YearChanges {
  const changes: YearChanges = new Map();
  for (const part of minus) mergeChanges(changes, new Map([[part.year, { minus: [part], plus: [] }]]));
  for (const part of plus) mergeChanges(changes, new Map([[part.year, { minus: [], plus: [part] }]]));
  return changes;
}

function summarizeByYear(facts: readonly Fact[]): TaxYearSummary[] {
  return [...Map.groupBy(facts.filter(isSummed), (fact) => yearOf(fact.on))].map(([year, own]) =>
    summarizeFacts(year, own),
  );
}

/** Returns a year with the removed parts subtracted and the new parts added. Null if nothing remains. */
function changedYear(year: number, before: TaxYearSummary | null, changes: YearChanges): TaxYearSummary | null {
  const { minus, plus } = changes.get(year) ?? { minus: [], plus: [] };
  return without(sumSummaries(year, before === null ? plus : [before, ...plus]), minus);
}

export function summarizeFacts(year: number, facts: readonly Fact[]): TaxYearSummary {
  return summarize(year, {
    disposals: facts.filter((fact) => fact.kind === 'disposal'),
    washes: facts.filter((fact) => fact.kind === 'wash'),
    incomes: facts.filter((fact) => fact.kind === 'income'),
    contracts: facts.filter((fact) => fact.kind === 'contract_1256'),
    issues: facts.filter((fact) => fact.kind === 'issue'),
  });
}

/** Returns summaries that count each issue in the years whose forms it makes a draft. */
export function summariesOfIssues(issues: readonly Issue[]): TaxYearSummary[] {
  const years = Map.groupBy(
    issues.flatMap((issue) => yearsOfIssue(issue).map((year) => ({ year, issue }))),
    ({ year }) => year,
  );
  return [...years].map(([year, own]) =>
    summarizeFacts(
      year,
      own.map(({ issue }) => issue),
    ),
  );
}

/** Applies the changes to the years, then carries losses through all years. Writes only years that changed. */
export async function refreshYears(
  sql: Sql,
  taxpayerId: string,
  changes: YearChanges,
  elections: Elections,
): Promise<number> {
  const stored = await selectYears(sql, taxpayerId);
  const summaries = new Map(stored.map((row) => [row.year, summaryFromText(row.summary)]));
  for (const year of changes.keys()) {
    const now = changedYear(year, summaries.get(year) ?? null, changes);
    if (now === null) summaries.delete(year);
    else summaries.set(year, now);
  }
  return writeYears(sql, taxpayerId, stored, summaries, elections);
}

/** Recalculates all years from the totals of all books, ignoring the previous totals of the years. */
export async function renewYears(sql: Sql, taxpayerId: string, elections: Elections): Promise<number> {
  const [ofBooks, stored] = await allEnded([selectBookYears(sql, taxpayerId), selectYears(sql, taxpayerId)]);
  const parts = Map.groupBy(ofBooks, (part) => part.year);
  const summaries = new Map(
    [...parts].map(([year, own]) => [
      year,
      sumSummaries(
        year,
        own.map((part) => summaryFromText(part.summary)),
      ),
    ]),
  );
  return writeYears(sql, taxpayerId, stored, summaries, elections);
}

/** Writes the changed years. Returns the number of issues in all years. */
async function writeYears(
  sql: Sql,
  taxpayerId: string,
  stored: readonly YearRow[],
  summaries: ReadonlyMap<number, TaxYearSummary>,
  elections: Elections,
): Promise<number> {
  const rows = yearRows([...summaries.values()], elections);
  const before = new Map(stored.map((row) => [row.year, row]));
  const changedRows = rows.filter((row) => {
    const old = before.get(row.year);
    return old === undefined || old.summary !== row.summary || old.carryover !== row.carryover;
  });
  const emptyYears = stored.filter((row) => !summaries.has(row.year)).map((row) => row.year);
  if (emptyYears.length > 0) await deleteYears(sql, taxpayerId, emptyYears);
  if (changedRows.length > 0) await upsertYears(sql, taxpayerId, changedRows);
  return [...summaries.values()].reduce((sum, summary) => sum + summary.issues, 0);
}

/** Returns the rows to store for the years, with losses carried over from year to year. */
function yearRows(summaries: readonly TaxYearSummary[], elections: Elections): YearRow[] {
  const ascending = summaries.toSorted((a, b) => a.year - b.year);
  const carried = carryThrough(ascending, elections);
  return ascending.map((summary) => ({
    year: summary.year,
    summary: summaryText(summary),
    carryover: carryoverText(getCarryover(carried, summary.year)),
  }));
}

/** The years at one moment, for comparison with later ones. */
type YearsSeen = ReadonlyMap<number, YearRow>;

export async function readYearsSeen(sql: Sql, taxpayerId: string): Promise<YearsSeen> {
  return new Map((await selectYears(sql, taxpayerId)).map((row) => [row.year, row]));
}

/** Returns the changed years in the format of the API. */
export function yearChanges(before: YearsSeen, after: YearsSeen) {
  const years = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return years
    .filter((year) => textOf(before.get(year)) !== textOf(after.get(year)))
    .map((year) => ({ year, before: toFigures(before.get(year)), after: toFigures(after.get(year)) }));
}

function textOf(row: YearRow | undefined): string | undefined {
  return row === undefined ? undefined : `${row.summary} ${row.carryover}`;
}

function toFigures(row: YearRow | undefined) {
  if (row === undefined) return null;
  const summary: TaxYearSummary = summaryFromText(row.summary);
  const carryover: Carryover = carryoverFromText(row.carryover);
  const received = summary.income.filter(({ type }) => rowOf(type).isWithheld !== true);
  const income = received.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    shortTerm: totalsText(summary.shortTerm),
    longTerm: totalsText(summary.longTerm),
    total: totalsText(summary.total),
    washSaleDisallowed: formatCents(summary.washSaleDisallowed),
    income: formatCents(roundToCents(income as Parameters<typeof roundToCents>[0])),
    deductible: formatCents(carryover.deductible),
    issues: summary.issues,
  };
}

/** Returns a function that shows the effect of a change on the tax years and stores nothing. */
export const createTryChange =
  (deps: Deps): TryChange =>
  (taxpayerId, work) =>
    inTurnTakenBack(deps, taxpayerId, async (sql) => {
      const before = await readYearsSeen(sql, taxpayerId);
      const result = await work(sql);
      return { ...result, preview: { years: yearChanges(before, await readYearsSeen(sql, taxpayerId)) } };
    });
