import { scaled } from '../../format/amounts.ts';
import type { HeldAsset, HoldingsResponse } from './holdings.ts';

export const usualSort = 'asset';

/** The value of each sortable column. Null sorts last. */
const sortValues: Readonly<Record<string, (holding: HeldAsset) => bigint | string | null>> = {
  asset: ({ asset }) => asset,
  basis: ({ basis }) => scaled(basis),
  price: ({ valuedBy }) => valuedBy?.date ?? null,
  value: ({ value }) => (value === null ? null : scaled(value)),
  gain: ({ unrealized }) => (unrealized === null ? null : scaled(unrealized.total)),
  return: ({ unrealized, basis }) =>
    unrealized === null || scaled(basis) === 0n ? null : (scaled(unrealized.total) * precision) / scaled(basis),
};
const precision = 10n ** 12n;

/**
 * Returns the holdings whose symbol, name or account contains the text, in the order of the URL's `sort`. Rows of an
 * account stay together when grouped by account.
 */
export function selectShown({ by, data }: HoldingsResponse, text: string, sort: string): readonly HeldAsset[] {
  const wanted = text.trim().toLowerCase();
  const found = data.filter(({ asset, assetName = '', account }) =>
    [asset, assetName, account ?? ''].some((one) => one.toLowerCase().includes(wanted)),
  );
  const [name, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1];
  const sortValue = sortValues[name] ?? (({ asset }: HeldAsset) => asset);
  const compare = (a: HeldAsset, b: HeldAsset): number => {
    const [one, other] = [sortValue(a), sortValue(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return one === other ? 0 : one < other ? -sign : sign;
  };
  const byAccount = (a: HeldAsset, b: HeldAsset): number =>
    by === 'asset' ? 0 : (a.account ?? '').localeCompare(b.account ?? '');
  return found.toSorted((a, b) => byAccount(a, b) || compare(a, b));
}
