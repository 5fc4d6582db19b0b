import { nextTurn } from '../../base/turn.ts';
import type { Sql } from '../../db/connection.ts';
import type { Issue } from '../../engine/model.ts';
import { dayOf, instantOf, moneyOf, placeInOrder, quantityOf, ratioOf } from '../transactions/rows/columns.ts';
import { BalanceCheck, balanceIssues, type CheckedBalance, type StatedBalance } from './check.ts';
import { type BalanceRow, selectBalances, selectUnitRows, type UnitColumns } from './queries.ts';
import { decimalsOf } from './read-balances.ts';
import { actionTypes, endingTypes, type UnitRow } from './units.ts';

/** A stored statement. */
export interface StoredBalance extends StatedBalance {
  readonly row: BalanceRow;
}

/** The issues of all balances stated, or of those of some assets. */
export async function readBalanceIssues(
  sql: Sql,
  taxpayerId: string,
  assets: readonly string[] | null,
): Promise<Issue[]> {
  const rows = await selectBalances(sql, taxpayerId, assets);
  return rows.length === 0 ? [] : balanceIssues(await checkBalances(sql, taxpayerId, rows));
}

/** What the rows come to on the day of each statement. */
export async function checkBalances(
  sql: Sql,
  taxpayerId: string,
  rows: readonly BalanceRow[],
): Promise<CheckedBalance<StoredBalance>[]> {
  const check = new BalanceCheck(rows.map(statedIn));
  const types = { actions: [...actionTypes], endings: [...endingTypes] };
  const assets = [...new Set(rows.map(({ asset }) => asset))];
  for await (const batch of selectUnitRows(sql, taxpayerId, assets, types)) {
    for (const row of batch) check.take(unitRowOf(row));
    // A history may have a million rows: others have their turn in between.
    await nextTurn();
  }
  return check.end();
}

function statedIn(row: BalanceRow): StoredBalance {
  const { account, asset, on_day, quantity, counted_until, is_least: isLeast } = row;
  const until = counted_until === null ? null : Number(counted_until);
  const units = { quantity: quantityOf(quantity), decimals: decimalsOf(quantity), isLeast };
  return { account, asset, on: dayOf(on_day), ...units, until, row };
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
