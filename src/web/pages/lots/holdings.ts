import type { AssetClass } from '../../../engine/model.ts';
import { api, got } from '../../api/api.ts';

export type HeldBy = 'asset' | 'account';

/** The end of this day; null means after the last transaction. */
type AsOf = string | null;

/** Which holdings; all if there is no asset. */
interface HoldingsAsked {
  readonly by: HeldBy;
  readonly asset: string | null;
  readonly asOf: AsOf;
  readonly limit: number;
}

export function readHoldings({ by, asset, asOf, limit }: HoldingsAsked) {
  return got(api.tax.holdings.get({ query: { by, limit, ...(asset === null ? {} : { asset }), ...on(asOf) } }));
}

export type HoldingsAnswer = Awaited<ReturnType<typeof readHoldings>>;
export type HeldAsset = HoldingsAnswer['data'][number];

/** If a coin and a stock share a name, limits the result to this class. */
export async function readLotsOf({ asset, assetClass, account }: LotsAsked, asOf: AsOf, limit: number) {
  const query = { asset, limit, ...on(asOf), ...(account === null ? {} : { account }) };
  const { data, hasMore } = await got(api.tax.lots.get({ query }));
  return { lots: data.filter((lot) => lot.assetClass === assetClass), hasMore };
}

interface LotsAsked {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string | null;
}

export type OpenLotRow = Awaited<ReturnType<typeof readLotsOf>>['lots'][number];

function on(asOf: AsOf): { asOf?: string } {
  return asOf === null ? {} : { asOf };
}

/** Identifies a holding in the URL. */
export function holdingKey({ asset, assetClass, account }: LotsAsked): string {
  return [asset, assetClass, account ?? ''].join('|');
}
