import { api, unwrapResponse } from '../../api/api.ts';
import { useResource } from '../../api/resource.ts';

/** Suggestions for assets and accounts. Long lists are truncated, and any name can be typed. */
export function useKnownNames(): { readonly assets: readonly string[]; readonly accounts: readonly string[] } {
  const { data } = useResource('names of assets', () =>
    unwrapResponse(api.tax.assets.get({ query: { limit: 1_000 } })),
  );
  const assets = data?.data ?? [];
  return {
    assets: sortNames(assets.map(({ asset }) => asset)),
    accounts: sortNames(assets.flatMap(({ accounts }) => accounts)),
  };
}

function sortNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '').sort((a, b) => a.localeCompare(b));
}
