import { transitAccount, universalAccount } from '../../engine/book/own-accounts.ts';
import {
  type LotMethod,
  lotMethods,
  lotMethodTable,
  type OrderMethod,
  orderMethods,
} from '../../engine/lot-methods.ts';
import type { AssetClass } from '../../engine/model.ts';

/** Lot methods, named as brokers name them. */
export const methodNames: Readonly<Record<LotMethod, string>> = named(lotMethods);

/** Methods that a standing order can use. */
export const orderNames: Readonly<Record<OrderMethod, string>> = named(orderMethods);

function named<Method extends LotMethod>(methods: readonly Method[]): Record<Method, string> {
  const entries = methods.map((method) => [method, `${lotMethodTable[method].words} (${method})`]);
  return Object.fromEntries(entries) as Record<Method, string>;
}

/** Returns the term of a line, or null if the purchase is unknown. */
export function termName(term: keyof typeof termNames | null): string {
  return term === null ? 'term unknown' : termNames[term];
}

export const termNames = { short: 'short-term', long: 'long-term' } as const;

/** Display names of the asset classes. */
export const classNames: Readonly<Record<AssetClass, string>> = {
  stock: 'Stock',
  fund: 'Fund',
  option: 'Option',
  bond: 'Bond',
  treasury_bill: 'Treasury bill',
  crypto: 'Crypto',
  tokenized_security: 'Tokenized security',
  nft: 'NFT',
  future: 'Future',
  section_1256: 'Section 1256 contract',
  currency: 'Foreign currency',
};

/** Returns the name of an account, with the engine's own accounts in words. */
export function accountName(account: string): string {
  if (account === transitAccount) return 'In transit';
  return account === universalAccount ? 'Universal pool' : account;
}
