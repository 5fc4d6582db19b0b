import {
  classifyAssets,
  explainClass,
  isAlsoCoin,
  isCoin,
  isDigital,
  type UnclassifiedAsset,
} from '../../../engine/events/classes.ts';
import { underlyingOf } from '../../../engine/events/keys.ts';
import type { AssetClass, ClassRules, TickerReading } from '../../../engine/model.ts';
import { looksLikeWallet } from '../../../engine/rules/questions/account-names.ts';
import { typesWhere } from '../../../engine/transaction-types.ts';
import { looksLikeBroker } from '../../../formats/information-returns.ts';

/** A row, or several equal rows, with its class and the values that determine the class. */
export interface ClassifiedRow extends UnclassifiedAsset {
  readonly resolvedClass: AssetClass;
  readonly sourceClass: AssetClass | null;
  readonly feeAsset: string;
}

/** Returns whether the name of the row's own asset is ambiguous. */
export function isOpenName(row: UnclassifiedAsset, rules: ClassRules, sourceClass: AssetClass | null): boolean {
  if (row.assetClass !== null || (row.type !== 'worthless' && !isAlsoCoin(row.asset))) return false;
  const reason = explainClass(row, { ...rules, tickers: {} }, sourceClass);
  return reason === 'unknown' || (row.type === 'worthless' && reason === 'default');
}

/**
 * Classifies ambiguous names by the other rows in an account: tickers of both a stock and a coin, names on no list, and
 * unlisted assets that became worthless. Other rows with the same name take precedence: their class, or the other side
 * of their trade. Otherwise, the other assets in the account decide. In an account that trades only securities, the
 * name is a stock. In one that trades only coins, it is a coin. If they point both ways or neither way, or if the
 * account is named like a wallet or an exchange and has no known coin, the name raises an issue. The result depends on
 * all rows of the account, but not on their order.
 *
 * A name that is only in the list of coins is weak evidence, because crypto trusts also use such symbols (BTC, ETH). In
 * an account that is named like a securities broker or contains securities, the name raises an issue unless there is
 * other evidence that the account has coins.
 *
 * Returns the classes by account and asset, in a fixed order. Undefined if no name is ambiguous.
 */
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

/** The evidence about a name, or about all names in an account. */
interface NameEvidence {
  coins: boolean;
  securities: boolean;
}

/** Hints from an account's name. They prove nothing. */
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
  const known = new Map<string, NameEvidence>();
  for (const row of rows) {
    const reason = explainClass(row, { ...rules, tickers: {} }, row.sourceClass);
    if (isOpenName(row, rules, row.sourceClass)) open.add(row.asset);
    else if (reason === 'default') unlisted.add(row.asset);
    // Brokers do not exchange a coin for a security, so a trade between two assets is stronger evidence than the list.
    else if (reason === 'name' && row.type !== 'trade') listed.add(row.asset);
    else if (reason !== 'unknown')
      for (const [name, assetClass] of listRowClasses(row)) noteName(known, name, assetClass);
    if (ofSecurities.has(row.type)) noteName(known, row.asset, 'stock');
  }
  const stated = mergeEvidence(known);
  const isDoubtful = listed.size > 0 && !stated.coins && (isBroker || stated.securities);
  if (!isDoubtful) for (const name of listed) noteName(known, name, 'crypto');
  const account = { coins: stated.coins || listed.size > 0, securities: stated.securities };
  const questions = isDoubtful ? [...listed].map((name): [string, TickerReading] => [name, 'unknown']) : [];
  const evidence = { open, unlisted, known };
  return [...questions, ...readingsOfOthers(evidence, { account, isWallet, isDoubtful, isStated: stated.coins })];
}

function mergeEvidence(known: ReadonlyMap<string, NameEvidence>): NameEvidence {
  const seen = [...known.values()];
  return { coins: seen.some(({ coins }) => coins), securities: seen.some(({ securities }) => securities) };
}

interface NamesOfAccount {
  readonly open: ReadonlySet<string>;
  readonly unlisted: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, NameEvidence>;
}

interface AccountReading {
  readonly account: NameEvidence;
  readonly isWallet: boolean;
  /** Whether the account's coins may be securities. */
  readonly isDoubtful: boolean;
  /** Whether there is other evidence of coins than the list of names. */
  readonly isStated: boolean;
}

/** Returns the classes of ambiguous names and of names on no list. */
function readingsOfOthers(
  { open, unlisted, known }: NamesOfAccount,
  { account, isWallet, isDoubtful, isStated }: AccountReading,
): [string, TickerReading][] {
  const hasCoins = account.coins && !isDoubtful;
  const unlistedAlone = [...unlisted].filter((name) => name !== '' && !open.has(name) && !known.has(name));
  // In an account without coins, an unlisted name is a security. In an account with coins, two unlisted names prove
  // nothing about each other. An account named like a wallet or an exchange has no securities, but this proves nothing
  // else.
  const isAsked = isWallet && !account.coins;
  // If the account is not named like a wallet and its coins are known only from the list, a single unlisted name can be
  // either a coin or a security.
  const isEither = unlistedAlone.length > 1 || (!isStated && !isWallet);
  const ofAlone = !hasCoins ? 'stock' : isEither ? 'unknown' : toReading(account);
  const ofUnlisted = isAsked ? 'unknown' : ofAlone;
  const securities = account.securities || (unlistedAlone.length > 0 && ofUnlisted !== 'crypto');
  const otherwise = isAsked || isDoubtful ? 'unknown' : toReading({ ...account, securities });
  const ofName = (name: string, reading: TickerReading): [string, TickerReading] => {
    const evidence = known.get(name);
    return [name, evidence === undefined ? reading : toReading(evidence)];
  };
  const besideCoins = hasCoins || isWallet ? [...unlisted].filter((name) => name !== '' && !open.has(name)) : [];
  return [
    ...[...open].map((name) => ofName(name, otherwise)),
    ...besideCoins.map((name) => ofName(name, ofUnlisted)).filter(([, reading]) => reading !== 'stock'),
  ];
}

function toReading({ coins, securities }: NameEvidence): TickerReading {
  return coins === securities ? 'unknown' : coins ? 'crypto' : 'stock';
}

/** Types of rows that only apply to securities. */
export const ofSecurities = typesWhere((row) => row.onlySecurities);

/** Returns the assets of a row and their classes. The other side of a trade is the asset received. */
function listRowClasses(row: ClassifiedRow): [string, AssetClass][] {
  const classes = classifyAssets({ ...row, assetClass: row.resolvedClass });
  const underlying = underlyingOf(row);
  return [
    [row.asset, classes.asset],
    [row.receivedAsset, classes.received],
    ...(underlying === '' ? [] : [[underlying, 'stock'] as [string, AssetClass]]),
  ];
}

function noteName(known: Map<string, NameEvidence>, name: string, assetClass: AssetClass): void {
  if (name === '' || name === 'USD' || assetClass === 'currency') return;
  const seen = known.get(name) ?? { coins: false, securities: false };
  if (isCoin(assetClass)) seen.coins = true;
  else if (!isDigital(assetClass)) seen.securities = true;
  known.set(name, seen);
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
