import type { Sql } from '../../../db/connection.ts';
import type { Fact } from '../../../engine/model.ts';
import { contractColumns, disposalColumns, incomeColumns, issueColumns, washColumns } from './columns.ts';
import {
  type BookScope,
  insertContracts,
  insertDisposals,
  insertIncomes,
  insertIssues,
  insertWashSales,
} from './queries.ts';

export async function insertFacts(sql: Sql, scope: BookScope, facts: readonly Fact[]): Promise<void> {
  for (let at = 0; at < facts.length; at += factsPerStatement) {
    const part = facts.slice(at, at + factsPerStatement);
    await insertKind(part, 'disposal', (own) => insertDisposals(sql, scope, disposalColumns(own)));
    await insertKind(part, 'wash', (own) => insertWashSales(sql, scope, washColumns(own)));
    await insertKind(part, 'income', (own) => insertIncomes(sql, scope, incomeColumns(own)));
    await insertKind(part, 'contract_1256', (own) => insertContracts(sql, scope, contractColumns(own)));
    await insertKind(part, 'issue', (own) => insertIssues(sql, scope, issueColumns(own)));
  }
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
const factsPerStatement = 2_500;
