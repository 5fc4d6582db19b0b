import type { AssetClass, Transaction } from '../model.ts';
import { typesWhere } from '../transaction-types.ts';
import { classifyAssets, isContract1256 } from './classes.ts';

/** The key of dollars, which have no lots. Transactions that involve only cash are in a separate book. */
export const cashKey = 'cash:';

/**
 * Returns the asset key. It separates two assets with the same name: a coin and a stock called ATOM have different
 * books. Classes share a prefix if a lot of one may replace or succeed a lot of the other.
 */
export function toAssetKey(asset: string, assetClass: AssetClass): string {
  if (asset === '' || asset === 'USD') return cashKey;
  switch (assetClass) {
    case 'stock':
    case 'fund':
    case 'bond':
    case 'treasury_bill':
    case 'option':
      return internKey('security', asset);
    case 'crypto':
    case 'nft':
      return internKey('coin', asset);
    case 'tokenized_security':
      return internKey('token', asset);
    case 'future':
    case 'section_1256':
      return internKey('contract', asset);
    case 'currency':
      return internKey('currency', asset);
    default:
      return assetClass satisfies never;
  }
}

/** Returns the asset name in a key. */
export function assetOfKey(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Returns whether a key is that of a section 1256 contract or a future. */
export function isContractKey(key: string): boolean {
  return key.startsWith('contract:');
}

/** Returns whether a key is that of a foreign currency. */
export function isCurrencyKey(key: string): boolean {
  return key.startsWith('currency:');
}

/**
 * Returns the same string object for the same asset, so that map lookups are fast. There are few assets and many rows.
 */
function internKey(family: keyof typeof knownKeys, asset: string): string {
  const known = knownKeys[family];
  const key = known.get(asset);
  if (key !== undefined) return key;
  if (known.size >= keysKeptMax) known.clear();
  const made = `${family}:${asset}`;
  known.set(asset, made);
  return made;
}

const keysKeptMax = 10_000;
const knownKeys = {
  security: new Map<string, string>(),
  coin: new Map<string, string>(),
  token: new Map<string, string>(),
  contract: new Map<string, string>(),
  currency: new Map<string, string>(),
};

/** Returns the keys of all books that the transaction changes: asset, received asset, fee asset, underlying. */
export function listAssetKeys(transaction: Transaction): string[] {
  const classes = classifyAssets(transaction);
  const keys = [toAssetKey(transaction.asset, classes.asset)];
  if (transaction.receivedAsset !== '') keys.push(toAssetKey(transaction.receivedAsset, classes.received));
  if (transaction.feeAsset !== '') keys.push(toAssetKey(transaction.feeAsset, classes.fee));
  const underlying = findUnderlyingKey(transaction);
  if (underlying !== null) keys.push(underlying);
  return [...new Set(keys)];
}

/**
 * Returns pairs of keys that a transaction joins into one book, because basis can flow between them: an option and its
 * underlying, or the assets of a rename, a merger or a spin-off.
 */
export function listAssetLinks(transaction: Transaction): [string, string][] {
  const classes = classifyAssets(transaction);
  const key = toAssetKey(transaction.asset, classes.asset);
  const links: [string, string][] = [];
  const underlying = findUnderlyingKey(transaction);
  if (underlying !== null && underlying !== key) links.push([key, underlying]);
  if (successions.has(transaction.type) && transaction.receivedAsset !== '') {
    const successor = toAssetKey(transaction.receivedAsset, classes.received);
    if (successor !== key) links.push([key, successor]);
  }
  return links;
}

const successions = typesWhere((row) => row.joinsBooks);

export interface OptionName {
  readonly underlying: string;
  readonly expires: string;
  readonly right: 'call' | 'put';
  readonly strike: string;
}

/** Parses `AAPL 2025-01-17 C 150`, the spelling of options in the books. Returns undefined for any other text. */
export function parseOption(symbol: string): OptionName | undefined {
  const match = /^(.+) (\d{4}-\d{2}-\d{2}) ([CP]) (\d+(?:\.\d+)?)$/.exec(symbol);
  if (match === null) return undefined;
  const [, underlying = '', expires = '', right, strike = ''] = match;
  return { underlying, expires, right: right === 'C' ? 'call' : 'put', strike };
}

/**
 * Returns the ticker of the stock. A digit after the root marks a mini option (`AAPL7`) or an adjusted contract
 * (`AAPL1`).
 */
export function stockOfRoot(root: string): string {
  return root.replace(/\d$/, '');
}

/** Returns the underlying stock of an option, or an empty string if neither the row nor the symbol states it. */
export function underlyingOf(transaction: Pick<Transaction, 'asset' | 'underlying'>): string {
  if (transaction.underlying !== '') return transaction.underlying;
  return parseOption(transaction.asset)?.underlying ?? '';
}

export function rightOf(transaction: Pick<Transaction, 'asset' | 'right'>): 'call' | 'put' | null {
  return transaction.right ?? parseOption(transaction.asset)?.right ?? null;
}

/**
 * Returns whether a transaction may sell units that are not held: a short sale, or stock sold by an assigned call or an
 * exercised put.
 */
export function maySellShort(transaction: Transaction): boolean {
  const { type } = transaction;
  if (type === 'assign') return rightOf(transaction) === 'call';
  return type === 'short_sell' || (type === 'exercise' && rightOf(transaction) === 'put');
}

function findUnderlyingKey(transaction: Transaction): string | null {
  const brings = transaction.type === 'exercise' || transaction.type === 'assign';
  const { asset } = classifyAssets(transaction);
  // A section 1256 contract settles in cash and never brings shares.
  if (isContract1256(asset) || (asset !== 'option' && !brings)) return null;
  const underlying = underlyingOf(transaction);
  return underlying === '' ? null : toAssetKey(underlying, 'stock');
}
