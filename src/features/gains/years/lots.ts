import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { toAssetKey } from '../../../engine/events/keys.ts';
import type { Lot } from '../../../engine/model.ts';
import { openLotsOn, toLot } from '../../ledger/books/lots.ts';
import { lotView } from '../../ledger/books/view.ts';
import { loadAssetNames } from '../../ledger/transactions/asset-names/asset-names.ts';
import { computeWorthCents, unitValues, unitValueView } from '../planning/valuation.ts';
import { selectLots } from './years.queries.ts';

interface LotPageRequest {
  readonly asset: string | null;
  readonly account: string | null;
  readonly after: { readonly acquired: string; readonly id: string } | null;
  readonly limit: number;
  /** Lots at the end of this day. Undefined means after the last transaction. */
  readonly on: Day | undefined;
}

/** Returns open lots by day of acquisition, plus one more if another page follows. */
export async function readLots(sql: Sql, taxpayerId: string, pageRequest: LotPageRequest): Promise<Lot[]> {
  const { asset, account, after, limit, on } = pageRequest;
  if (on === undefined) return (await selectLots(sql, taxpayerId, { asset, account }, after, limit)).map(toLot);
  return (await openLotsOn(sql, taxpayerId, on))
    .filter((lot) => (asset ?? lot.asset) === lot.asset && (account ?? lot.account) === lot.account)
    .filter((lot) => after === null || isAfter(lot, after))
    .slice(0, limit + 1);
}

function isAfter(lot: Lot, after: { readonly acquired: string; readonly id: string }): boolean {
  const acquired = formatDay(lot.acquired);
  return acquired > after.acquired || (acquired === after.acquired && lot.id > after.id);
}

/** Adds the values on a given day to lots. */
export async function lotViewsOn(sql: Sql, taxpayerId: string, lots: readonly Lot[], day: Day) {
  const keyOf = ({ asset, assetClass }: Lot): string => toAssetKey(asset, assetClass);
  const assets = new Map(lots.map((lot) => [keyOf(lot), { key: keyOf(lot), asset: lot.asset }]));
  const values = await unitValues(sql, taxpayerId, [...assets.values()], day);
  const nameOf = await loadAssetNames(
    sql,
    taxpayerId,
    lots.map(({ asset }) => asset),
  );
  return (lot: Lot) => {
    const assetName = nameOf(lot.asset, lot.assetClass);
    const by = values.get(keyOf(lot));
    const worth = by === undefined ? null : computeWorthCents(by, lot.quantity);
    return {
      ...lotView(lot),
      assetClass: lot.assetClass,
      ...(assetName === undefined ? {} : { assetName }),
      valuedBy: by === undefined ? null : unitValueView(by),
      value: worth === null ? null : formatCents(worth),
      unrealized: worth === null ? null : formatCents((worth - lot.basis) as Cents),
    };
  };
}
