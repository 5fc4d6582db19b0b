import { api, request, unwrapResponse } from './api.ts';
import { booksChanged } from './changes.ts';
import { Problem } from './problem.ts';

/** The price of one unit of an asset on a day, in US dollars. */
interface OwnPrice {
  readonly asset: string;
  readonly date: string;
  readonly usd: string;
}

/** Stores a price. Returns a function that restores the previous price. */
export async function savePrice(price: OwnPrice): Promise<() => Promise<void>> {
  const before = await ownPrice(price);
  await store(price);
  return async () => {
    if (before !== undefined) return store({ ...price, usd: before.usd });
    const storedPrice = await ownPrice(price);
    if (storedPrice !== undefined) await unwrapResponse(api.prices({ id: storedPrice.id }).delete());
    booksChanged();
  };
}

async function store({ asset, date, usd }: OwnPrice): Promise<void> {
  const body = `date,asset,usd\n${date},"${asset.replaceAll('"', '""')}",${usd}\n`;
  const response = await request('/v1/prices', { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
  const { rejects } = (await response.json()) as { rejects: readonly { reason: string }[] };
  const [refused] = rejects;
  if (refused !== undefined) throw new Problem('invalid', 422, refused.reason, null);
  booksChanged();
}

async function ownPrice({ asset, date }: OwnPrice) {
  const query = { asset, from: date, source: 'own', limit: 1 } as const;
  const { data } = await unwrapResponse(api.prices.get({ query }));
  return data.find((each) => each.date === date);
}
