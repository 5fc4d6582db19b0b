import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { addDays, formatDay } from '../../base/day.ts';
import { toBookName } from '../../engine/events/same-assets.ts';
import type { Rules, Transaction } from '../../engine/model.ts';
import { type Figure, inDollars, listPriceNeeds, type PriceNeed } from '../../features/ledger/prices/price-needs.ts';
import { readPrices } from '../../features/ledger/prices/read-prices.ts';
import { openInput } from './input.ts';
import { type Messages, namedRefusal } from './messages.ts';
import { showUnread } from './unread-lines.ts';

/** Dollars by day and asset, joined as one key. Null without prices. */
export type PriceTable = ReadonlyMap<string, string> | null;

export interface Prices {
  readonly known: PriceTable;
  /** SHA-256 of the prices in hexadecimal, or null without prices. */
  readonly digest: string | null;
}

/** Reads `date,asset,usd` in the format of `POST /v1/prices`. Unreadable lines are reported and skipped. */
export async function readPriceFile(path: string | null, messages: Messages): Promise<Prices> {
  if (path === null) return { known: null, digest: null };
  const name = basename(path);
  const { prices, rejected, rejects } = await readPrices(openInput(path)).catch((error: unknown) => {
    throw namedRefusal(name, error);
  });
  showUnread(name, rejects, rejected, messages);
  const digest = createHash('sha256');
  const known = new Map<string, string>();
  for (const { asset, day, usd } of prices) {
    known.set(`${day} ${asset}`, usd);
    digest.update(`${day} ${asset} ${usd}\n`);
  }
  return { known, digest: digest.digest('hex') };
}

/** Adds prices that are listed under other names for a security. A price under its own name takes precedence. */
export function pricesUnderBookNames(known: PriceTable, assets: Rules['assets']): PriceTable {
  const others = Object.keys(assets ?? {}).filter((name) => toBookName(name, assets) !== name);
  if (known === null || others.length === 0) return known;
  const named = new Map(known);
  for (const [key, usd] of [...known].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [day, asset] = [key.slice(0, dayLength), key.slice(dayLength + 1)];
    const booked = `${day} ${toBookName(asset, assets)}`;
    if (!named.has(booked)) named.set(booked, usd);
  }
  return named;
}

const dayLength = '2025-12-31'.length;

/** Returns the transaction in dollars, as far as the prices are known. */
export function createDollarConverter(known: PriceTable): (transaction: Transaction) => Transaction {
  return (transaction) => (known === null ? transaction : valuedBy(known, transaction));
}

function valuedBy(known: ReadonlyMap<string, string>, transaction: Transaction): Transaction {
  const asks = listPriceNeeds(transaction);
  if (asks.length === 0) return transaction;
  const pricesByFigure = new Map<Figure, string>();
  for (const ask of asks) {
    const usd = findLatestPrice(known, ask);
    if (usd !== undefined) pricesByFigure.set(ask.figure, usd);
  }
  return pricesByFigure.size === 0 ? transaction : inDollars(transaction, pricesByFigure);
}

/** Returns the price for the day, or the last earlier one that is not too old. */
function findLatestPrice(known: ReadonlyMap<string, string>, { asset, day, within }: PriceNeed): string | undefined {
  for (let age = 0; age <= within; age++) {
    const usd = known.get(`${formatDay(addDays(day, -age))} ${asset}`);
    if (usd !== undefined) return usd;
  }
  return undefined;
}
