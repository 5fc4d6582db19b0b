import type { Sql } from '../../db/connection.ts';
import type { Lot } from '../../engine/model.ts';
import { lotColumns } from './facts/columns.ts';
import type { BookScope } from './facts/queries.ts';
import { type LotRow, lotOf } from './facts/rows.ts';
import { deleteLots, upsertLots } from './queries.ts';

/** The open lots of a book become these; of thousands that stay as they are none is written. */
export async function replaceLots(
  sql: Sql,
  scope: BookScope,
  stored: readonly LotRow[],
  lots: readonly Lot[],
): Promise<void> {
  const before = new Map(stored.map((row) => [row.id, textOf(lotOf(row))]));
  const changed = lots.filter((lot) => before.get(lot.id) !== textOf(lot));
  for (const lot of lots) before.delete(lot.id);
  if (before.size > 0) await deleteLots(sql, scope, [...before.keys()]);
  for (let at = 0; at < changed.length; at += lotsPerStatement) {
    await upsertLots(sql, scope, lotColumns(changed.slice(at, at + lotsPerStatement)));
  }
}

const lotsPerStatement = 10_000;

function textOf(lot: Lot): string {
  const { asset, assetClass, account, quantity, basis, acquired, heldSince, inherited } = lot;
  return JSON.stringify([asset, assetClass, account, `${quantity}`, `${basis}`, acquired, heldSince, inherited]);
}
