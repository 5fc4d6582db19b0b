import { nextTurn } from '../../../base/deadline.ts';
import type { Sql } from '../../../db/connection.ts';
import { listOtherNames, toBookName } from '../../../engine/events/same-assets.ts';
import type { Issue, Rules } from '../../../engine/model.ts';
import {
  computeLinePosition,
  parseDayColumn,
  parseInstantColumn,
  parseMoneyColumn,
  parseQuantityColumn,
  parseRatioColumns,
} from '../transactions/rows/columns.ts';
import { selectElections } from '../transactions/transactions.queries.ts';
import { type BalanceRow, selectBalances, selectUnitRows, type UnitColumns } from './balances.queries.ts';
import { BalanceCheck, balanceIssues, type CheckedBalance, type StatedBalance } from './check.ts';
import { countDecimals } from './read-balances.ts';
import { actionTypes, endingTypes, type UnitRow } from './units.ts';

/** A stated balance from the database. */
export interface StoredBalance extends StatedBalance {
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
export async function checkBalances(
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
