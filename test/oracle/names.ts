import type { AssetClass, Rules, Transaction } from '../../src/engine/model.ts';

/**
 * What a name stands for, in rows that state no class. A name is no evidence where a coin and a listed security share
 * it, or where nobody lists it: then the rest of the account is, and the taxpayer's word goes before everything.
 */

/** Listed at exchanges of coins and at no US exchange of securities. */
const coins: ReadonlySet<string> = new Set(['BTC', 'ETH', 'SOL', 'USDC', 'USDT']);
/** Compound and Compass, Chainlink and Interlink, Internet Computer, The Graph, Aptos and their namesakes. */
const both: ReadonlySet<string> = new Set(['COMP', 'LINK', 'ICP', 'GRT', 'APT']);
/** Units of account of other countries: money is no property of the kind that Form 8949 lists (IRC 988). */
export const money: ReadonlySet<string> = new Set(['EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD']);
/** A corporation or a fund pays them on its shares (IRC 316, 301(c)(2), 852(b)(3)); premium is that of a bond (171). */
const onShares: ReadonlySet<string> = new Set([
  'dividend',
  'reinvest',
  'return_of_capital',
  'capital_gain_distribution',
  'bond_amortization',
]);

type Kind = 'coin' | 'security';

/** `states`: whether the row states its class. */
export function namedClass(
  row: Transaction,
  states: (row: Transaction) => boolean,
  all: readonly Transaction[],
  { accounts, assets }: Pick<Rules, 'accounts' | 'assets'>,
): AssetClass {
  const word = assets?.[row.asset]?.accounts?.[row.account] ?? assets?.[row.asset]?.assetClass;
  if (word !== undefined) return word;
  if (money.has(row.asset) && (!states(row) || row.assetClass === 'crypto')) return 'currency';
  if (states(row)) return row.assetClass;
  const ofAccount = accounts[row.account]?.assetClass;
  if (ofAccount !== undefined) return ofAccount;
  if (row.type === 'trade' && coins.has(row.receivedAsset)) return 'crypto';
  if (coins.has(row.asset)) return 'crypto';
  const own = all.filter(({ account }) => account === row.account);
  const said = saidOf(own, states);
  const kind = one(said.get(row.asset)) ?? (said.has(row.asset) ? null : one(othersOf(row, own, said)));
  if (kind !== null) return kind === 'coin' ? 'crypto' : 'stock';
  // Nobody says it. Until the taxpayer does, a name that coins share counts as that of the coin.
  return both.has(row.asset) ? 'crypto' : 'stock';
}

function one(kinds: ReadonlySet<Kind> = new Set()): Kind | null {
  const [first, ...more] = kinds;
  return first === undefined || more.length > 0 ? null : first;
}

/** What the rows of an account say of a name: by their class, by the other side of a trade, by what shares pay. */
function saidOf(own: readonly Transaction[], states: (row: Transaction) => boolean): Map<string, Set<Kind>> {
  const said = new Map<string, Set<Kind>>();
  const say = (name: string, kind: Kind): void => {
    if (name !== '' && !money.has(name)) said.set(name, (said.get(name) ?? new Set()).add(kind));
  };
  for (const row of own) {
    const sides = row.type === 'trade' ? [row.asset, row.receivedAsset] : [row.asset];
    if (states(row)) for (const name of sides) say(name, isCoin(row.assetClass) ? 'coin' : 'security');
    else if (sides.some((name) => coins.has(name))) for (const name of sides) say(name, 'coin');
    if (onShares.has(row.type)) say(row.asset, 'security');
    const [, root] = /^(\S+) \d{4}-\d{2}-\d{2} [CP] [\d.]+$/.exec(row.asset) ?? [];
    if (root !== undefined) for (const name of [row.asset, root]) say(name, 'security');
  }
  return said;
}

/** What the other assets of the account are. Names that say nothing: of a list of none, they are those of securities. */
function othersOf(row: Transaction, own: readonly Transaction[], said: Map<string, Set<Kind>>): Set<Kind> {
  const kinds = new Set([...said].flatMap(([name, kind]) => (name === row.asset ? [] : [...kind])));
  const others = new Set(own.map(({ asset }) => asset).filter((name) => !money.has(name) && !said.has(name)));
  for (const name of [...others]) if (both.has(name) || name === '' || name === row.asset) others.delete(name);
  const isUnlisted = !both.has(row.asset) && row.type !== 'worthless';
  if (kinds.has('coin') && !kinds.has('security') && others.size === 1 && !isUnlisted) return kinds;
  if (others.size > 0 || (isUnlisted && !kinds.has('coin'))) kinds.add('security');
  return kinds;
}

function isCoin(assetClass: AssetClass): boolean {
  return assetClass === 'crypto' || assetClass === 'nft';
}
