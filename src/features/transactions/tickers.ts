import {
  classifyAssets,
  explainClass,
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
 * Classifies ambiguous names from the other rows of an account: a ticker that is both a stock and a coin, a name on no
 * list, or an unlisted asset that became worthless. Other rows of the same name take precedence: their class, or the
 * other side of their trade. Otherwise the other assets of the account decide: in an account that trades only
 * securities it is a stock, in one that trades only coins a coin. If they point both ways or neither, or the account
 * has the name of a wallet or an exchange and no known coin, the name becomes a question. The result depends on all
 * rows of the account, in any order.
 *
 * A name that only the list of coins has is weak evidence: crypto trusts use such symbols too (BTC, ETH). In an account
 * that is named like a securities broker, or whose rows state securities, the name becomes a question unless other
 * evidence shows that the account has coins.
 */

/** A row, or several equal ones, with its class and the values it was resolved from. */
export interface ClassifiedRow extends UnclassifiedAsset {
  readonly resolvedClass: AssetClass;
  readonly sourceClass: AssetClass | null;
  readonly feeAsset: string;
}

/** Returns whether a row's own asset has an ambiguous name. */
export function isOpenName(row: UnclassifiedAsset, rules: ClassRules, sourceClass: AssetClass | null): boolean {
  if (row.assetClass !== null || (row.type !== 'worthless' && !isAlsoCoin(row.asset))) return false;
  const reason = explainClass(row, { ...rules, tickers: {} }, sourceClass);
  return reason === 'unknown' || (row.type === 'worthless' && reason === 'default');
}

/** Returns the classes by account and asset, in a fixed order. Undefined if no name is ambiguous. */
export function findTickers(
  rows: readonly ClassifiedRow[],
  rules: ClassRules,
): NonNullable<ClassRules['tickers']> | undefined {
  const entries = [...Map.groupBy(rows, ({ account }) => account)].sort(byName).flatMap(([account, own]) => {
    const name = { isWallet: looksLikeWallet(account), isBroker: looksLikeBroker(account) };
    const readings = findReadings(own, rules, name);
    return readings.length === 0 ? [] : [[account, Object.fromEntries(readings.sort(byName))] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The evidence for a name, or for all names of an account. */
interface Seen {
  coins: boolean;
  securities: boolean;
}

/** Hints from an account's name. They are not proof. */
interface AccountSigns {
  readonly isWallet: boolean;
  readonly isBroker: boolean;
}

function findReadings(
  rows: readonly ClassifiedRow[],
  rules: ClassRules,
  { isWallet, isBroker }: AccountSigns,
): [string, TickerReading][] {
  const [open, unlisted, listed] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const known = new Map<string, Seen>();
  for (const row of rows) {
    const reason = explainClass(row, { ...rules, tickers: {} }, row.sourceClass);
    if (isOpenName(row, rules, row.sourceClass)) open.add(row.asset);
    else if (reason === 'default') unlisted.add(row.asset);
    // Brokers do not exchange a coin for a security, so a trade of two assets is stronger evidence than the list.
    else if (reason === 'name' && row.type !== 'trade') listed.add(row.asset);
    else if (reason !== 'unknown') for (const [name, assetClass] of listRowClasses(row)) see(known, name, assetClass);
    if (ofSecurities.has(row.type)) see(known, row.asset, 'stock');
  }
  const stated = mergeSeen(known);
  const isDoubtful = listed.size > 0 && !stated.coins && (isBroker || stated.securities);
  if (!isDoubtful) for (const name of listed) see(known, name, 'crypto');
  const account = { coins: stated.coins || listed.size > 0, securities: stated.securities };
  const asked = isDoubtful ? [...listed].map((name): [string, TickerReading] => [name, 'unknown']) : [];
  const own = { open, unlisted, known };
  return [...asked, ...readingsOfOthers(own, { account, isWallet, isDoubtful, isStated: stated.coins })];
}

function mergeSeen(known: ReadonlyMap<string, Seen>): Seen {
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
  /** Whether there is evidence of coins beyond the list of names. */
  readonly isStated: boolean;
}

/** Returns the classes of ambiguous names and of names on no list. */
function readingsOfOthers(
  { open, unlisted, known }: NamesOfAccount,
  { account, isWallet, isDoubtful, isStated }: AccountReading,
): [string, TickerReading][] {
  const hasCoins = account.coins && !isDoubtful;
  const unlistedAlone = [...unlisted].filter((name) => name !== '' && !open.has(name) && !known.has(name));
  // In an account without coins, an unlisted name is a security. Two unlisted names in an account with coins prove
  // nothing about each other. The name of a wallet or an exchange rules out a security but proves nothing else.
  const isAsked = isWallet && !account.coins;
  // If an account is not named like a wallet and its coins are known only from the list, a single unlisted name can be
  // either.
  const isEither = unlistedAlone.length > 1 || (!isStated && !isWallet);
  const ofAlone = !hasCoins ? 'stock' : isEither ? 'unknown' : toReading(account);
  const ofUnlisted = isAsked ? 'unknown' : ofAlone;
  const securities = account.securities || (unlistedAlone.length > 0 && ofUnlisted !== 'crypto');
  const otherwise = isAsked || isDoubtful ? 'unknown' : toReading({ ...account, securities });
  const ofName = (name: string, reading: TickerReading): [string, TickerReading] => {
    const own = known.get(name);
    return [name, own === undefined ? reading : toReading(own)];
  };
  const besideCoins = hasCoins || isWallet ? [...unlisted].filter((name) => name !== '' && !open.has(name)) : [];
  return [
    ...[...open].map((name) => ofName(name, otherwise)),
    ...besideCoins.map((name) => ofName(name, ofUnlisted)).filter(([, reading]) => reading !== 'stock'),
  ];
}

function toReading({ coins, securities }: Seen): TickerReading {
  return coins === securities ? 'unknown' : coins ? 'crypto' : 'stock';
}

/** Types of rows that only securities have. */
export const ofSecurities = typesWhere((row) => row.onlySecurities);

/**
 * Returns the assets of a row with their classes. The other side of a trade is the asset that its own asset is traded
 * for.
 */
function listRowClasses(row: ClassifiedRow): [string, AssetClass][] {
  const classes = classifyAssets({ ...row, assetClass: row.resolvedClass });
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
