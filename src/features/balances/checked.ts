import { nextTurn } from '../../base/turn.ts';
import type { Sql } from '../../db/connection.ts';
import { bookNameOf, otherNamesOf } from '../../engine/events/same-assets.ts';
import type { Issue, Rules } from '../../engine/model.ts';
import { selectElections } from '../transactions/queries.ts';
import { dayOf, instantOf, moneyOf, placeInOrder, quantityOf, ratioOf } from '../transactions/rows/columns.ts';
import { BalanceCheck, balanceIssues, type CheckedBalance, type StatedBalance } from './check.ts';
import { type BalanceRow, selectBalances, selectUnitRows, type UnitColumns } from './queries.ts';
import { decimalsOf } from './read-balances.ts';
import { actionTypes, endingTypes, type UnitRow } from './units.ts';

/** A stored statement. */
export interface StoredBalance extends StatedBalance {
  readonly row: BalanceRow;
}

/** Returns the issues of all stated balances, or of those under some names (`namesInBalances`). */
export async function readBalanceIssues(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[] | null,
): Promise<Issue[]> {
  const rows = await selectBalances(sql, taxpayerId, assets);
  return rows.length === 0 ? [] : balanceIssues(await checkBalances(sql, taxpayerId, rows));
}

/** Returns the balances calculated from the rows on the day of each statement. */
export async function checkBalances(
  sql: Sql,
  taxpayerId: string,
  rows: readonly BalanceRow[],
): Promise<CheckedBalance<StoredBalance>[]> {
  const elected = await selectElections(sql, taxpayerId);
  const stated = rows.map((row) => statedIn(row, elected.settings.assets));
  const check = new BalanceCheck(stated);
  const types = { actions: [...actionTypes], endings: [...endingTypes] };
  const assets = [...new Set(stated.map(({ asset }) => asset))];
  for await (const batch of selectUnitRows(sql, taxpayerId, assets, types)) {
    for (const row of batch) check.take(unitRowOf(row));
    // A history may have a million rows, so other requests run in between.
    await nextTurn();
  }
  return check.end();
}

/** Returns these assets under every name that a balance may use. */
export async function namesInBalances(sql: Sql, taxpayerId: string, assets: readonly string[]): Promise<string[]> {
  const { settings } = await selectElections(sql, taxpayerId);
  const booked = [...new Set(assets.map((asset) => bookNameOf(asset, settings.assets)))];
  return booked.flatMap((asset) => [asset, ...otherNamesOf(asset, settings.assets)]);
}

function statedIn(row: BalanceRow, assets: Rules['assets']): StoredBalance {
  const { account, asset: name, on_day, quantity, counted_until, is_least: isLeast } = row;
  const until = counted_until === null ? null : Number(counted_until);
  const units = { quantity: quantityOf(quantity), decimals: decimalsOf(quantity), isLeast };
  const asset = bookNameOf(name, assets);
  const named = asset === name ? { asset } : { asset, statedAs: name };
  return { account, ...named, on: dayOf(on_day), ...units, until, row };
}

function unitRowOf(row: UnitColumns): UnitRow {
  return {
    id: row.id,
    line: placeInOrder(row.line, row.tie),
    type: row.type,
    at: instantOf(row.at),
    on: dayOf(row.on_day),
    account: row.account,
    asset: row.asset,
    assetClass: row.asset_class,
    quantity: quantityOf(row.quantity),
    amount: moneyOf(row.amount),
    receivedAsset: row.received_asset,
    receivedQuantity: quantityOf(row.received_quantity),
    feeAsset: row.fee_asset,
    feeQuantity: quantityOf(row.fee_quantity),
    toAccount: row.to_account,
    ratio: ratioOf(row.ratio_numerator, row.ratio_denominator),
    shares: quantityOf(row.shares),
    underlying: row.underlying,
    right: row.option_right,
  };
}
