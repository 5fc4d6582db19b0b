import { nextTurn } from '../../../base/deadline.ts';
import { formatQuantity } from '../../../base/decimal.ts';
import { invalidMember } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { listOtherNames, toBookName } from '../../../engine/events/same-assets.ts';
import type { Issue, Rules } from '../../../engine/model.ts';
import type { FileBalance } from '../../../formats/running-balances.ts';
import { notFound } from '../../../http/errors.ts';
import type { StageScope } from '../transactions/rows.queries.ts';
import {
  computeLinePosition,
  parseDayColumn,
  parseInstantColumn,
  parseMoneyColumn,
  parseQuantityColumn,
  parseRatioColumns,
  type TouchedKeys,
} from '../transactions/rows.ts';
import { selectElections } from '../transactions/transactions.queries.ts';
import {
  type BalanceRow,
  deleteBalance,
  deleteSources,
  deleteSourcesAt,
  deriveBalances,
  insertBalanceSources,
  type NewBalance,
  selectBalance,
  selectBalances,
  selectUnitRows,
  type UnitColumns,
  upsertBalances,
} from './balances.queries.ts';
import { BalanceCheck, balanceIssues, type CheckedBalance, type StatedBalance } from './check.ts';
import { type BalancesRead, countDecimals, findBalanceFault } from './read-balances.ts';
import { actionTypes, endingTypes, type UnitRow } from './units.ts';

/**
 * Updates the issues after stated balances change. `app.ts` injects this function, because gains depend on this
 * feature.
 */
export type Recheck = (
  sql: Sql,
  taxpayerId: string,
  touched: TouchedKeys,
  options: { readonly stated: ReadonlySet<string> },
) => Promise<unknown>;

interface BalancesContext {
  readonly deps: Deps;
  readonly recheck: Recheck;
}

/**
 * Stores a balance that the taxpayer enters. This function and those below must run in the caller's transaction, under
 * the taxpayer's lock.
 */
export async function stateBalance(
  { deps, recheck }: BalancesContext,
  sql: Sql,
  taxpayerId: string,
  newBalance: NewBalance,
) {
  const fault = findBalanceFault(newBalance);
  if (fault !== undefined) {
    const { column, detail } = fault;
    throw invalidMember(`/${column}`, detail);
  }
  const changed = await upsertBalances(sql, taxpayerId, [newBalance], 'hand', deps.clock.now());
  if (changed.length > 0) await recheck(sql, taxpayerId, new Map(), { stated: new Set([newBalance.asset]) });
  const row = await selectBalance(sql, taxpayerId, newBalance);
  const [view] = row === undefined ? [] : await viewBalances(sql, taxpayerId, [row]);
  if (view === undefined) throw new Error('A stored balance is missing.');
  return view;
}

const rowsPerStatement = 10_000;

export async function storeBalances(
  { deps, recheck }: BalancesContext,
  sql: Sql,
  taxpayerId: string,
  { balances, rows, repeated, rejected, rejects }: BalancesRead,
) {
  const changed: { asset: string; added: boolean }[] = [];
  for (let from = 0; from < balances.length; from += rowsPerStatement) {
    const part = balances.slice(from, from + rowsPerStatement);
    changed.push(...(await upsertBalances(sql, taxpayerId, part, 'file', deps.clock.now())));
  }
  const stated = new Set(changed.map(({ asset }) => asset));
  if (stated.size > 0) await recheck(sql, taxpayerId, new Map(), { stated });
  const added = changed.filter((one) => one.added).length;
  return {
    rows,
    added,
    updated: changed.length - added,
    unchanged: balances.length - changed.length + repeated,
    rejected,
    differing: await countDiffering(sql, taxpayerId, balances),
    rejects: [...rejects],
  };
}

export async function removeBalance(
  { deps, recheck }: BalancesContext,
  sql: Sql,
  taxpayerId: string,
  id: string,
): Promise<void> {
  const row = await deleteBalance(sql, taxpayerId, id);
  if (row === undefined) throw notFound();
  await uncoverBalance(deps, sql, taxpayerId, row);
  await recheck(sql, taxpayerId, new Map(), { stated: new Set([row.asset]) });
}

/** Returns stated balances in the given order, with the balances calculated from the rows. */
export async function viewBalances(sql: Sql, taxpayerId: string, rows: readonly BalanceRow[]) {
  if (rows.length === 0) return [];
  const checked = await checkBalances(sql, taxpayerId, rows);
  const views = new Map(checked.map((one) => [one.stated.row.id, toBalanceView(one)]));
  return rows.flatMap((row) => views.get(row.id) ?? []);
}

function toBalanceView({ stated, counted, difference }: CheckedBalance<StoredBalance>) {
  const { id, account, asset, on_day, source } = stated.row;
  return {
    ...{ id, account, asset, on: on_day, quantity: formatQuantity(stated.quantity), source },
    books: formatQuantity(counted),
    difference: formatQuantity(difference),
  };
}

async function countDiffering(sql: Sql, taxpayerId: string, balances: readonly NewBalance[]): Promise<number> {
  const names = new Set(balances.map(({ account, asset, day }) => JSON.stringify([account, asset, day])));
  const rows = await selectBalances(sql, taxpayerId, [...new Set(balances.map(({ asset }) => asset))]);
  const namedRows = rows.filter(({ account, asset, on_day }) => names.has(JSON.stringify([account, asset, on_day])));
  return (await viewBalances(sql, taxpayerId, namedRows)).filter(({ difference }) => difference !== '0').length;
}

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
async function uncoverBalance(
  { clock }: Pick<Deps, 'clock'>,
  sql: Sql,
  taxpayerId: string,
  row: BalanceRow,
): Promise<void> {
  if (row.source === 'import') await deleteSourcesAt(sql, taxpayerId, row);
  else await deriveBalances(sql, taxpayerId, [row], clock.now());
}

/** A stated balance from the database. */
interface StoredBalance extends StatedBalance {
  readonly row: BalanceRow;
}

/**
 * Returns the issues from all stated balances, or only from those of the given assets. Use `namesInBalances` to expand
 * the asset names.
 */
export async function readBalanceIssues(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[] | null,
): Promise<Issue[]> {
  const rows = await selectBalances(sql, taxpayerId, assets);
  return rows.length === 0 ? [] : balanceIssues(await checkBalances(sql, taxpayerId, rows));
}

/** Compares stated balances with the balances calculated from the rows. */
async function checkBalances(
  sql: Sql,
  taxpayerId: string,
  rows: readonly BalanceRow[],
): Promise<CheckedBalance<StoredBalance>[]> {
  const elected = await selectElections(sql, taxpayerId);
  const stated = rows.map((row) => toStoredBalance(row, elected.settings.assets));
  const check = new BalanceCheck(stated);
  const types = { actions: [...actionTypes], endings: [...endingTypes] };
  const assets = [...new Set(stated.map(({ asset }) => asset))];
  for await (const batch of selectUnitRows(sql, taxpayerId, assets, types)) {
    for (const row of batch) check.take(toUnitRow(row));
    // A history may contain a million rows. This lets the server handle other requests between batches.
    await nextTurn();
  }
  return check.end();
}

/** Returns all names that stated balances may use for these assets. */
export async function namesInBalances(sql: Sql, taxpayerId: string, assets: readonly string[]): Promise<string[]> {
  const { settings } = await selectElections(sql, taxpayerId);
  const booked = [...new Set(assets.map((asset) => toBookName(asset, settings.assets)))];
  return booked.flatMap((asset) => [asset, ...listOtherNames(asset, settings.assets)]);
}

function toStoredBalance(row: BalanceRow, assets: Rules['assets']): StoredBalance {
  const { account, asset: name, on_day, quantity, counted_until, is_least: isLeast } = row;
  const until = counted_until === null ? null : Number(counted_until);
  const units = { quantity: parseQuantityColumn(quantity), decimals: countDecimals(quantity), isLeast };
  const asset = toBookName(name, assets);
  const named = asset === name ? { asset } : { asset, statedAs: name };
  return { account, ...named, on: parseDayColumn(on_day), ...units, until, row };
}

function toUnitRow(row: UnitColumns): UnitRow {
  return {
    id: row.id,
    line: computeLinePosition(row.line, row.tie),
    type: row.type,
    at: parseInstantColumn(row.at),
    on: parseDayColumn(row.on_day),
    account: row.account,
    asset: row.asset,
    assetClass: row.asset_class,
    quantity: parseQuantityColumn(row.quantity),
    amount: parseMoneyColumn(row.amount),
    receivedAsset: row.received_asset,
    receivedQuantity: parseQuantityColumn(row.received_quantity),
    feeAsset: row.fee_asset,
    feeQuantity: parseQuantityColumn(row.fee_quantity),
    toAccount: row.to_account,
    ratio: parseRatioColumns(row.ratio_numerator, row.ratio_denominator),
    shares: parseQuantityColumn(row.shares),
    underlying: row.underlying,
    right: row.option_right,
  };
}
