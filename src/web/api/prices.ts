import { api, booksChanged, request, unwrapResponse } from './api.ts';
import { Problem } from './problem.ts';
import type { previewSettings } from './settings.ts';

/** The price of one unit of an asset on a day, in US dollars. */
interface OwnPrice {
  readonly asset: string;
  readonly date: string;
  readonly usd: string;
}

type PreviewedYears = Awaited<ReturnType<typeof previewSettings>>;

interface SavedPrices {
  readonly rejects: readonly { readonly reason: string }[];
  readonly preview?: { readonly years: PreviewedYears };
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

/** Previews the effect of a price on each year. Nothing is saved. */
export async function previewPrice(price: OwnPrice): Promise<PreviewedYears> {
  return (await send(price, '/v1/prices?dryRun=true')).preview?.years ?? [];
}

async function store(price: OwnPrice): Promise<void> {
  await send(price, '/v1/prices');
  booksChanged();
}

async function send({ asset, date, usd }: OwnPrice, path: string) {
  const body = `date,asset,usd\n${date},"${asset.replaceAll('"', '""')}",${usd}\n`;
  const response = await request(path, { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
  const stored = (await response.json()) as SavedPrices;
  const [refused] = stored.rejects;
  if (refused !== undefined) throw new Problem('invalid', 422, refused.reason, null);
  return stored;
}

async function ownPrice({ asset, date }: OwnPrice) {
  const query = { asset, from: date, source: 'own', limit: 1 } as const;
  const { data } = await unwrapResponse(api.prices.get({ query }));
  return data.find((each) => each.date === date);
}
