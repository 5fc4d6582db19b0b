import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact } from '../../../engine/model.ts';
import type { ChangedDays, FactsOfDay } from './days.ts';
import { insertFacts } from './insert.ts';
import {
  type BookScope,
  deleteFacts,
  selectDisposalsOn,
  selectWashSalesOn,
  takeContracts,
  takeDisposals,
  takeIncomes,
  takeIssues,
  takeWashSales,
} from './queries.ts';
import { contractOf, incomeOf, issueOf } from './rows.ts';

/** What of a book's facts is written again. */
export interface Rewriting {
  /** All that the replay told, by the day that caused it. */
  readonly days: ReadonlyMap<Day, FactsOfDay>;
  readonly changed: ChangedDays;
  /** The last day of the book: what is caused later waits for a day to come, and is told again each time. */
  readonly asOf: Day | null;
  /** The last day of the book before, where something may have waited then. */
  readonly waitedAfter: string | null;
}

/** Facts that left and came, with those that stay and are to be read together with them. */
export interface FactChanges {
  readonly gone: readonly Fact[];
  readonly come: readonly Fact[];
  readonly beside: readonly Fact[];
}

/** The facts of a book become these; of days that stay as they are none is read nor written. */
export async function rewriteFacts(
  sql: Sql,
  scope: BookScope,
  rewriting: Rewriting,
  facts: readonly Fact[],
): Promise<FactChanges> {
  const { changed, waitedAfter } = rewriting;
  const gone = changed.gone.length + (waitedAfter === null ? 0 : 1) === 0 ? [] : await takeFacts(sql, scope, rewriting);
  const come = facts.filter((fact) => comes(rewriting, fact.causedOn));
  const beside = await factsBeside(sql, scope, gone, come);
  await insertFacts(sql, scope, comingOf(rewriting));
  return { gone, come, beside };
}

/** As rewriteFacts, but without reading what left. Returns the years whose facts changed. */
export async function replaceFacts(sql: Sql, scope: BookScope, rewriting: Rewriting): Promise<number[]> {
  const { changed, waitedAfter } = rewriting;
  const lost =
    changed.gone.length === 0 && waitedAfter === null ? [] : await deleteFacts(sql, scope, changed.gone, waitedAfter);
  const come = comingOf(rewriting);
  await insertFacts(sql, scope, come);
  const years = new Set(lost);
  for (const { disposals, washSales, others } of come) {
    for (const { on } of [...disposals.all, ...washSales.all, ...others]) years.add(yearOf(on));
  }
  return [...years];
}

function comingOf(rewriting: Rewriting): FactsOfDay[] {
  return [...rewriting.days].filter(([day]) => comes(rewriting, day)).map(([, own]) => own);
}

function comes({ changed, asOf }: Rewriting, day: Day): boolean {
  return changed.come.has(day) || asOf === null || day > asOf;
}

async function takeFacts(sql: Sql, scope: BookScope, { changed, waitedAfter }: Rewriting): Promise<Fact[]> {
  const issues = await takeIssues(sql, scope, changed.gone, waitedAfter);
  if (changed.gone.length === 0) return issues.map(issueOf);
  const [disposals, washes, incomes, contracts] = await Promise.all([
    takeDisposals(sql, scope, changed.gone),
    takeWashSales(sql, scope, changed.gone),
    takeIncomes(sql, scope, changed.gone),
    takeContracts(sql, scope, changed.gone),
  ]);
  return [...disposals, ...washes, ...incomes.map(incomeOf), ...contracts.map(contractOf), ...issues.map(issueOf)];
}

/**
 * A line is a disposal with its wash sales: of those that changed in one part the others stay, and count. Those of this
 * book only: what a row caused in a book that it leaves may still be there.
 */
async function factsBeside(sql: Sql, scope: BookScope, gone: readonly Fact[], come: readonly Fact[]): Promise<Fact[]> {
  const here = new Set<string>();
  // A wash sale has the day of its disposal.
  const washed = new Map<string, Day>();
  for (const fact of come) {
    if (fact.kind === 'disposal') here.add(fact.id);
    else if (fact.kind === 'wash') washed.set(fact.disposalId, fact.on);
  }
  for (const fact of gone) {
    if (fact.kind === 'wash') washed.set(fact.disposalId, fact.on);
    else if (fact.kind === 'disposal') {
      here.add(fact.id);
      washed.set(fact.id, fact.on);
    }
  }
  const elsewhere = new Map([...washed].filter(([id]) => !here.has(id)));
  const known = gone.length === 0 ? elsewhere : washed;
  const disposals = elsewhere.size === 0 ? [] : await selectDisposalsOn(sql, scope, daysOf(elsewhere));
  const washes = known.size === 0 ? [] : await selectWashSalesOn(sql, scope, daysOf(known));
  return [
    ...disposals.filter(({ id }) => elsewhere.has(id)),
    ...washes.filter(({ disposalId }) => known.has(disposalId)),
  ];
}

function daysOf(disposals: ReadonlyMap<string, Day>): string[] {
  return [...new Set(disposals.values())].map(formatDay);
}
