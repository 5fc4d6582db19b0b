import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import type { StageScope } from '../transactions/rows/rows.queries.ts';
import type { BalanceRow } from './balances.queries.ts';
import { deleteSources, deleteSourcesAt, deriveBalances, insertBalanceSources } from './sources.queries.ts';

/** Stores the balances that a file of transactions contains. Returns the assets whose balances changed. */
export async function storeFileBalances(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  scope: StageScope,
  balances: readonly FileBalance[],
): Promise<string[]> {
  if (balances.length === 0) return [];
  await insertBalanceSources(sql, scope, balances);
  const balanceKeys = balances.map(({ account, asset, day }) => ({ account, asset, on_day: day }));
  return deriveBalances(sql, scope.taxpayerId, balanceKeys, clock.now());
}

/** Removes the balances of an import. Returns the assets whose balances changed. */
export async function withdrawBalances({ clock }: Pick<Deps, 'clock'>, sql: Sql, scope: StageScope): Promise<string[]> {
  const balanceKeys = await deleteSources(sql, scope);
  return balanceKeys.length === 0 ? [] : deriveBalances(sql, scope.taxpayerId, balanceKeys, clock.now());
}

/**
 * Updates the sources after a balance is deleted. If the taxpayer entered the balance, the balance from the imports
 * replaces it. If it came from an import, its sources are deleted too.
 */
export async function uncoverBalance(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  taxpayerId: string,
  row: BalanceRow,
): Promise<void> {
  if (row.source === 'import') await deleteSourcesAt(sql, taxpayerId, row);
  else await deriveBalances(sql, taxpayerId, [row], clock.now());
}
