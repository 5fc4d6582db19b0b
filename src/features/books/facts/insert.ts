import type { Sql } from '../../../db/connection.ts';
import type { Fact } from '../../../engine/model.ts';
import {
  contractColumns,
  disposalColumns,
  incomeColumns,
  issueColumns,
  type Numbered,
  washSaleColumns,
} from './columns.ts';
import type { FactsOfDay } from './days.ts';
import {
  type BookScope,
  insertContracts,
  insertDisposals,
  insertIncomes,
  insertIssues,
  insertWashSales,
} from './queries.ts';

/** All that some days caused. */
export async function insertFacts(sql: Sql, scope: BookScope, days: readonly FactsOfDay[]): Promise<void> {
  const disposals = days.flatMap((day) => numbered(day.disposals.all));
  for (const part of partsOf(disposals, lines)) await insertDisposals(sql, scope, disposalColumns(part));
  const washSales = days.flatMap((day) => numbered(day.washSales.all));
  for (const part of partsOf(washSales, lines)) await insertWashSales(sql, scope, washSaleColumns(part));
  for (const part of partsOf(
    days.flatMap((day) => day.others),
    () => 1,
  )) {
    await insertKind(part, 'income', (own) => insertIncomes(sql, scope, incomeColumns(own)));
    await insertKind(part, 'contract_1256', (own) => insertContracts(sql, scope, contractColumns(own)));
    await insertKind(part, 'issue', (own) => insertIssues(sql, scope, issueColumns(own)));
  }
}

function numbered<Group>(groups: readonly Group[]): Numbered<Group>[] {
  return groups.map((group, number) => ({ ...group, number }));
}

function lines({ count }: { readonly count: number }): number {
  return count;
}

async function insertKind<Kind extends Fact['kind']>(
  facts: readonly Fact[],
  kind: Kind,
  insert: (own: Extract<Fact, { readonly kind: Kind }>[]) => Promise<void>,
): Promise<void> {
  const own = facts.filter((fact): fact is Extract<Fact, { readonly kind: Kind }> => fact.kind === kind);
  if (own.length > 0) await insert(own);
}

/** Few enough that writing them down for the database does not hold up other requests. */
const factsPerStatement = 1_000;

function* partsOf<Item>(items: readonly Item[], factsIn: (item: Item) => number): Generator<readonly Item[]> {
  let [first, facts] = [0, 0];
  for (const [at, item] of items.entries()) {
    if (facts >= factsPerStatement) {
      yield items.slice(first, at);
      [first, facts] = [at, 0];
    }
    facts += factsIn(item);
  }
  if (first < items.length) yield items.slice(first);
}
