import {
  classesOf,
  classReasonOf,
  isAlsoCoin,
  isCoin,
  isDigital,
  type UnclassifiedAsset,
} from '../../engine/events/classes.ts';
import { underlyingOf } from '../../engine/events/keys.ts';
import type { AssetClass, ClassRules, TickerReading } from '../../engine/model.ts';
import { looksLikeWallet } from '../../engine/rules/questions/account-names.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import { looksLikeBroker } from '../../formats/information-returns.ts';

/**
 * What the other rows of an account say of a name that says nothing by itself: a ticker that is also a coin, a name that
 * no list has, or an unlisted thing that became worthless. What other rows say of the name itself goes first: their class,
 * the other side of their trade. Otherwise the other assets of the account decide: in an account that trades only
 * securities it is a stock, in one that trades only coins a coin. Where they say both or nothing, or the account has the name
 * of a wallet or an exchange and no known coin, it is asked. It follows
 * from all rows of the account, in whatever order they came.
 *
 * A name on the list of coins alone is weak evidence: trusts of coins have such symbols, too (BTC, ETH). In an account that
 * is named like a broker of securities, or whose rows state securities, it is asked about unless something else says that the
 * account has coins.
 */

/** A row, or rows alike, with the class that it has and what that was resolved from. */
export interface ClassifiedRow extends UnclassifiedAsset {
  readonly resolvedClass: AssetClass;
  readonly sourceClass: AssetClass | null;
  readonly feeAsset: string;
}

/** Whether a row's own asset has a name that says nothing. */
export function isOpenName(row: UnclassifiedAsset, rules: ClassRules, sourceClass: AssetClass | null): boolean {
  if (row.assetClass !== null || (row.type !== 'worthless' && !isAlsoCoin(row.asset))) return false;
  const reason = classReasonOf(row, { ...rules, tickers: {} }, sourceClass);
  return reason === 'unknown' || (row.type === 'worthless' && reason === 'default');
}

/** By account and asset, in one order. Undefined where no name is open. */
export function tickersIn(
  rows: readonly ClassifiedRow[],
  rules: ClassRules,
): NonNullable<ClassRules['tickers']> | undefined {
  const entries = [...Map.groupBy(rows, ({ account }) => account)].sort(byName).flatMap(([account, own]) => {
    const name = { isWallet: looksLikeWallet(account), isBroker: looksLikeBroker(account) };
    const readings = readingsIn(own, rules, name);
    return readings.length === 0 ? [] : [[account, Object.fromEntries(readings.sort(byName))] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** What is known of a name, or of all names of an account. */
interface Seen {
  coins: boolean;
  securities: boolean;
}

/** What the name of an account says: a sign, and no proof. */
interface AccountSigns {
  readonly isWallet: boolean;
  readonly isBroker: boolean;
}

function readingsIn(
  rows: readonly ClassifiedRow[],
  rules: ClassRules,
  { isWallet, isBroker }: AccountSigns,
): [string, TickerReading][] {
  const [open, unlisted, listed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const known = new Map<string, Seen>();
  for (const row of rows) {
    const reason = classReasonOf(row, { ...rules, tickers: {} }, row.sourceClass);
    if (isOpenName(row, rules, row.sourceClass)) open.add(row.asset);
    else if (reason === 'default') unlisted.add(row.asset);
    // No broker exchanges a coin for a security, so a trade of two assets says more than the list.
    else if (reason === 'name' && row.type !== 'trade') listed.add(row.asset);
    else if (reason !== 'unknown') for (const [name, assetClass] of classesIn(row)) see(known, name, assetClass);
    if (ofSecurities.has(row.type)) see(known, row.asset, 'stock');
  }
  const stated = seenIn(known);
  const isDoubtful = listed.size > 0 && !stated.coins && (isBroker || stated.securities);
  if (!isDoubtful) for (const name of listed) see(known, name, 'crypto');
  const account = { coins: stated.coins || listed.size > 0, securities: stated.securities };
  const asked = isDoubtful ? [...listed].map((name): [string, TickerReading] => [name, 'unknown']) : [];
  const own = { open, unlisted, known };
  return [...asked, ...readingsOfOthers(own, { account, isWallet, isDoubtful, isStated: stated.coins })];
}

function seenIn(known: ReadonlyMap<string, Seen>): Seen {
  const seen = [...known.values()];
  return { coins: seen.some(({ coins }) => coins), securities: seen.some(({ securities }) => securities) };
}

interface NamesOfAccount {
  readonly open: ReadonlySet<string>;
  readonly unlisted: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, Seen>;
}

interface AccountReading {
  readonly account: Seen;
  readonly isWallet: boolean;
  /** Whether its coins may be securities. */
  readonly isDoubtful: boolean;
  /** Whether more than the list of names says that it has coins. */
  readonly isStated: boolean;
}

/** The readings of shared names and of names on no list. */
function readingsOfOthers(
  { open, unlisted, known }: NamesOfAccount,
  { account, isWallet, isDoubtful, isStated }: AccountReading,
): [string, TickerReading][] {
  const hasCoins = account.coins && !isDoubtful;
  const unlistedAlone = [...unlisted].filter((name) => name !== '' && !open.has(name) && !known.has(name));
  // In an account without coins an unlisted name is that of a security. Two of them beside coins say nothing of each other.
  // The name of a wallet or an exchange contradicts the one, and proves nothing.
  const isAsked = isWallet && !account.coins;
  // Beside coins that only a list knows, in an account of any name, one unlisted name may be either.
  const isEither = unlistedAlone.length > 1 || (!isStated && !isWallet);
  const ofAlone = !hasCoins ? 'stock' : isEither ? 'unknown' : readingOf(account);
  const ofUnlisted = isAsked ? 'unknown' : ofAlone;
  const securities = account.securities || (unlistedAlone.length > 0 && ofUnlisted !== 'crypto');
  const otherwise = isAsked || isDoubtful ? 'unknown' : readingOf({ ...account, securities });
  const ofName = (name: string, reading: TickerReading): [string, TickerReading] => {
    const own = known.get(name);
    return [name, own === undefined ? reading : readingOf(own)];
  };
  const besideCoins = hasCoins || isWallet ? [...unlisted].filter((name) => name !== '' && !open.has(name)) : [];
  return [
    ...[...open].map((name) => ofName(name, otherwise)),
    ...besideCoins.map((name) => ofName(name, ofUnlisted)).filter(([, reading]) => reading !== 'stock'),
  ];
}

function readingOf({ coins, securities }: Seen): TickerReading {
  return coins === securities ? 'unknown' : coins ? 'crypto' : 'stock';
}

/** Types of rows that only securities have. */
export const ofSecurities = typesWhere((row) => row.onlySecurities);

/** The assets of a row with their classes: the other side of a trade is what its own asset is traded for. */
function classesIn(row: ClassifiedRow): [string, AssetClass][] {
  const classes = classesOf({ ...row, assetClass: row.resolvedClass });
  const underlying = underlyingOf(row);
  return [
    [row.asset, classes.asset],
    [row.receivedAsset, classes.received],
    ...(underlying === '' ? [] : [[underlying, 'stock'] as [string, AssetClass]]),
  ];
}

function see(known: Map<string, Seen>, name: string, assetClass: AssetClass): void {
  if (name === '' || name === 'USD' || assetClass === 'currency') return;
  const seen = known.get(name) ?? { coins: false, securities: false };
  if (isCoin(assetClass)) seen.coins = true;
  else if (!isDigital(assetClass)) seen.securities = true;
  known.set(name, seen);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
