import { type Day, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Fact } from '../../../engine/model.ts';
import type { ChangedDays } from './days.ts';
import { insertFacts } from './insert.ts';
import {
  type BookScope,
  deleteFacts,
  selectDisposalsNamed,
  selectWashSalesOf,
  takeContracts,
  takeDisposals,
  takeIncomes,
  takeIssues,
  takeWashSales,
} from './queries.ts';
import { contractOf, disposalOf, incomeOf, issueOf, washSaleOf } from './rows.ts';

/** What of a book's facts is written again. */
export interface Rewriting {
  /** All that the replay told. */
  readonly facts: readonly Fact[];
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
export async function rewriteFacts(sql: Sql, scope: BookScope, rewriting: Rewriting): Promise<FactChanges> {
  const { changed, waitedAfter } = rewriting;
  const gone = changed.gone.length + (waitedAfter === null ? 0 : 1) === 0 ? [] : await takeFacts(sql, scope, rewriting);
  const come = comingOf(rewriting);
  const beside = await factsBeside(sql, scope.taxpayerId, gone, come);
  await insertFacts(sql, scope, come);
  return { gone, come, beside };
}

/** As rewriteFacts, but without reading what left. Returns the years whose facts changed. */
export async function replaceFacts(sql: Sql, scope: BookScope, rewriting: Rewriting): Promise<number[]> {
  const { changed, waitedAfter } = rewriting;
  const lost =
    changed.gone.length === 0 && waitedAfter === null ? [] : await deleteFacts(sql, scope, changed.gone, waitedAfter);
  const come = comingOf(rewriting);
  await insertFacts(sql, scope, come);
  return [...new Set([...lost, ...come.map((fact) => yearOf(fact.on))])];
}

function comingOf({ facts, changed, asOf }: Rewriting): Fact[] {
  return facts.filter((fact) => changed.come.has(fact.causedOn) || asOf === null || fact.causedOn > asOf);
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
  return [
    ...disposals.map(disposalOf),
    ...washes.map(washSaleOf),
    ...incomes.map(incomeOf),
    ...contracts.map(contractOf),
    ...issues.map(issueOf),
  ];
}

/** A line is a disposal with its wash sales: of those that changed in one part the others stay, and count. */
async function factsBeside(
  sql: Sql,
  taxpayerId: string,
  gone: readonly Fact[],
  come: readonly Fact[],
): Promise<Fact[]> {
  const here = new Set<string>();
  const washed = new Set<string>();
  for (const fact of come) {
    if (fact.kind === 'disposal') here.add(fact.id);
    else if (fact.kind === 'wash') washed.add(fact.disposalId);
  }
  for (const fact of gone) {
    if (fact.kind === 'wash') washed.add(fact.disposalId);
    else if (fact.kind === 'disposal') {
      here.add(fact.id);
      washed.add(fact.id);
    }
  }
  const elsewhere = [...washed].filter((id) => !here.has(id));
  const disposals = elsewhere.length === 0 ? [] : await selectDisposalsNamed(sql, taxpayerId, elsewhere);
  const known = gone.length === 0 ? elsewhere : [...washed];
  const washes = known.length === 0 ? [] : await selectWashSalesOf(sql, taxpayerId, known);
  return [...disposals.map(disposalOf), ...washes.map(washSaleOf)];
}
