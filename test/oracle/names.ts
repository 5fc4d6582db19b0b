import type { AssetClass, Rules, Transaction } from '../../src/engine/model.ts';

/**
 * Classifies the asset names in rows that state no class. A name is no evidence if it belongs to both a coin and a
 * listed security, or if it is on no list. In that case, the rest of the account determines the class. The taxpayer's
 * own statement takes precedence over everything.
 */

/** Listed at coin exchanges and at no US securities exchange. */
const coins: ReadonlySet<string> = new Set(['BTC', 'ETH', 'USDC', 'USDT']);
/** Compound and Compass, Chainlink and Interlink, Internet Computer, The Graph, Aptos, Solana and their namesakes. */
const both: ReadonlySet<string> = new Set(['COMP', 'LINK', 'ICP', 'GRT', 'APT', 'SOL']);
/** Returns true if the name belongs to a coin, even if it also belongs to another asset. */
export function mayBeCoin(name: string): boolean {
  return coins.has(name) || both.has(name);
}

/** Foreign currencies. Money is not property of the kind listed on Form 8949 (IRC 988). */
export const money: ReadonlySet<string> = new Set(['EUR', 'GBP', 'JPY', 'CHF', 'CAD', 'AUD']);
/**
 * Only a corporation or a fund pays these on its shares (IRC 316, 301(c)(2), 852(b)(3)). Only a bond has premium (171).
 * A gain is deferred by an interest in a corporation or partnership (1400Z-2(d)(1)).
 */
const onShares: ReadonlySet<string> = new Set([
  'dividend',
  'reinvest',
  'espp_purchase',
  'return_of_capital',
  'capital_gain_distribution',
  'bond_amortization',
  'original_issue_discount',
  'defer_gain',
]);

/** Some names of accounts at coin custodians. */
const coinPlaces = /\b(?:wallet|coinbase|kraken|metamask|crypto)\b/i;

/** Some names of accounts at securities brokers, where a coin's symbol may be that of a trust that holds the coin. */
const brokers = /\b(?:schwab|fidelity|robinhood|vanguard)\b/i;

type Kind = 'coin' | 'security';

/** The evidence for a class: the rows, whether each states its class, and the class that its source trades in. */
export interface ClassEvidence extends Pick<Rules, 'accounts' | 'assets'> {
  readonly rows: readonly Transaction[];
  readonly states: (row: Transaction) => boolean;
  readonly dealsIn: (row: Transaction) => AssetClass | null;
}

/** Returns the class of a name. `isSaid` is true if there is evidence other than a list of names. */
export function namedClass(
  row: Transaction,
  evidence: ClassEvidence,
): { readonly assetClass: AssetClass; readonly isSaid: boolean } {
  const known = knownClass(row, evidence);
  if (known !== null) return { assetClass: known, isSaid: true };
  const rows = evidence.rows.filter(({ account }) => account === row.account);
  const { said, isDoubtful, isStated } = saidOf(rows, evidence);
  if (isListed(row, evidence)) return { assetClass: 'crypto', isSaid: !isDoubtful };
  // If no coin is traded, an unlisted name is a security.
  const hasCoins = [...said.values()].some((kinds) => kinds.has('coin'));
  if (!hasCoins && coinPlaces.test(row.account)) {
    // If the account's name indicates coins, the taxpayer is asked about names without other evidence.
    const alone = one(said.get(row.asset));
    if (alone !== null) return { assetClass: alone === 'coin' ? 'crypto' : 'stock', isSaid: true };
    return { assetClass: both.has(row.asset) ? 'crypto' : 'stock', isSaid: false };
  }
  if (isUnlisted(row) && !hasCoins) return { assetClass: 'stock', isSaid: true };
  // If only the list indicates coins in the account, an unlisted name may belong to either class.
  const isSure = isStated || coinPlaces.test(row.account);
  const byOthers = said.has(row.asset) || isDoubtful ? null : one(othersOf(row, rows, said, isSure));
  const kind = one(said.get(row.asset)) ?? byOthers;
  if (kind === 'coin' && isUnlisted(row) && !said.has(row.asset) && !isSure)
    return { assetClass: 'stock', isSaid: false };
  if (kind !== null) return { assetClass: kind === 'coin' ? 'crypto' : 'stock', isSaid: true };
  // There is no evidence. Until the taxpayer decides, a name that also belongs to a coin counts as the coin.
  return { assetClass: both.has(row.asset) ? 'crypto' : 'stock', isSaid: false };
}

/** Returns the class indicated by the row itself, without the other assets in the account. */
function knownClass(row: Transaction, { accounts, assets, states, dealsIn }: ClassEvidence): AssetClass | null {
  const word = assets?.[row.asset]?.accounts?.[row.account] ?? assets?.[row.asset]?.assetClass;
  if (word !== undefined) return word;
  if (money.has(row.asset) && (!states(row) || row.assetClass === 'crypto')) return 'currency';
  if (states(row)) return row.assetClass;
  const stated = accounts[row.account]?.assetClass ?? dealsIn(row);
  if (stated !== null) return stated;
  return row.type === 'trade' && (coins.has(row.receivedAsset) || coins.has(row.asset)) ? 'crypto' : null;
}

/** Returns true if the list of coins is the only evidence. An asset exchanged for another asset is certainly a coin. */
function isListed(row: Transaction, evidence: ClassEvidence): boolean {
  return knownClass(row, evidence) === null && row.type !== 'trade' && coins.has(row.asset);
}

function one(kinds: ReadonlySet<Kind> = new Set()): Kind | null {
  const [first, ...more] = kinds;
  return first === undefined || more.length > 0 ? null : first;
}

interface Said {
  readonly said: Map<string, Set<Kind>>;
  /** True if a listed coin name may be a security here. */
  readonly isDoubtful: boolean;
  /** True if there is evidence of coins other than the list. */
  readonly isStated: boolean;
}

/**
 * Returns the evidence for a name in an account's rows: their class, the other side of a trade, and payments that only
 * shares make.
 */
function saidOf(rows: readonly Transaction[], evidence: ClassEvidence): Said {
  const said = new Map<string, Set<Kind>>();
  const listed = new Set<string>();
  const say = (name: string, kind: Kind | null): void => {
    if (name === '' || money.has(name)) return;
    const kinds = said.get(name) ?? new Set();
    said.set(name, kind === null ? kinds : kinds.add(kind));
  };
  for (const row of rows) {
    const sides = row.type === 'trade' ? [row.asset, row.receivedAsset] : [row.asset];
    const known = knownClass(row, evidence);
    // Foreign currency in a row is exchanged for coins. A purchase of shares is paid with the row's amount.
    if (isListed(row, evidence)) listed.add(row.asset);
    else if (known !== null) for (const name of sides) say(name, known === 'currency' ? 'coin' : kindOf(known));
    else if (sides.some((name) => coins.has(name))) for (const name of sides) say(name, 'coin');
    if (onShares.has(row.type)) say(row.asset, 'security');
    const [, root] = /^(\S+) \d{4}-\d{2}-\d{2} [CP] [\d.]+$/.exec(row.asset) ?? [];
    if (root !== undefined) for (const name of [row.asset, root]) say(name, 'security');
  }
  const kinds = new Set([...said.values()].flatMap((some) => [...some]));
  const isBroker = rows.some(({ account }) => brokers.test(account));
  const isDoubtful = listed.size > 0 && !kinds.has('coin') && (isBroker || kinds.has('security'));
  const isStated = kinds.has('coin');
  // A coin that may be a security is no evidence that other names are coins, or that an ambiguous name is a stock.
  if (!isDoubtful) for (const name of listed) say(name, 'coin');
  return { said, isDoubtful, isStated };
}

/** Returns the kinds of the account's other assets. Names without evidence that are on no list count as securities. */
function othersOf(
  row: Transaction,
  rows: readonly Transaction[],
  said: Map<string, Set<Kind>>,
  isSure: boolean,
): Set<Kind> {
  const kinds = new Set([...said].flatMap(([name, kind]) => (name === row.asset ? [] : [...kind])));
  const others = new Set(rows.map(({ asset }) => asset).filter((name) => !money.has(name) && !said.has(name)));
  for (const name of [...others]) if (both.has(name) || name === '' || name === row.asset) others.delete(name);
  if (kinds.has('coin') && !kinds.has('security') && others.size === 1 && !isUnlisted(row) && isSure) return kinds;
  if (others.size > 0) kinds.add('security');
  return kinds;
}

/**
 * Returns true if the name is on no list. A worthless asset may be a security, but that does not prove that it is one
 * (IRC 165(g)).
 */
function isUnlisted({ asset, type }: Transaction): boolean {
  return !both.has(asset) && type !== 'worthless';
}

/** Returns the kind of a class. A tokenized security has no kind, because it is both a digital asset and a security. */
function kindOf(assetClass: AssetClass): Kind | null {
  if (assetClass === 'tokenized_security') return null;
  return assetClass === 'crypto' || assetClass === 'nft' ? 'coin' : 'security';
}
