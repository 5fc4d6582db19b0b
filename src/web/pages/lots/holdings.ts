import type { AssetClass } from '../../../engine/model.ts';
import { api, unwrapResponse } from '../../api/api.ts';

export type HeldBy = 'asset' | 'account';

/** The end of this day. Null means after the last transaction. */
type AsOf = string | null;

/** Which holdings to show. Shows all if there is no asset. */
interface HoldingsQuery {
  readonly by: HeldBy;
  readonly asset: string | null;
  readonly asOf: AsOf;
  readonly limit: number;
}

export function readHoldings({ by, asset, asOf, limit }: HoldingsQuery) {
  return unwrapResponse(
    api.tax.holdings.get({ query: { by, limit, ...(asset === null ? {} : { asset }), ...on(asOf) } }),
  );
}

export type HoldingsResponse = Awaited<ReturnType<typeof readHoldings>>;
export type HeldAsset = HoldingsResponse['data'][number];

/** Enough years to show a chart of books whose last prices are old. */
const historyMonths = 36;

/** Returns the value at the end of each month, of all holdings or of one asset. */
export async function fetchHistory(asset: string | null) {
  const query = { months: historyMonths, ...(asset === null ? {} : { asset }) };
  return (await unwrapResponse(api.tax.holdings.history.get({ query }))).data;
}

export type MonthEnd = Awaited<ReturnType<typeof fetchHistory>>[number];

/** Returns the lots of an asset. If a coin and a stock share a name, limits the result to this class. */
export async function fetchLots({ asset, assetClass, account }: LotsQuery, asOf: AsOf, cursor: { cursor?: string }) {
  const query = { asset, limit: 100, ...on(asOf), ...(account === null ? {} : { account }), ...cursor };
  const page = await unwrapResponse(api.tax.lots.get({ query }));
  return { ...page, data: page.data.filter((lot) => lot.assetClass === assetClass) };
}

interface LotsQuery {
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly account: string | null;
}

const on = (asOf: AsOf): { asOf?: string } => (asOf === null ? {} : { asOf });

/** Identifies a holding in the URL. */
export function holdingKey({ asset, assetClass, account }: LotsQuery): string {
  return [asset, assetClass, account ?? ''].join('|');
}

/** The parts of an unrealized gain, in the order in which they are shown. */
export const partNames = [
  { part: 'short', name: 'short-term' },
  { part: 'long', name: 'long-term' },
  { part: 'contracts1256', name: 'section 1256' },
  { part: 'ordinary', name: 'ordinary' },
  { part: 'taxFree', name: 'not taxed' },
] as const;
