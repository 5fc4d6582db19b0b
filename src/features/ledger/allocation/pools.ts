import { addDays, type Day, formatDay, lastDayOf } from '../../../base/day.ts';
import type { Cents, Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { OpenLot } from '../../../engine/book/book.ts';
import { transitPrefix, universalAccount } from '../../../engine/book/own-accounts.ts';
import { remainingBasis, shareUpTo } from '../../../engine/book/remaining.ts';
import { isRetirementType } from '../../../engine/elections.ts';
import type { AssetClass, Rules, Transaction } from '../../../engine/model.ts';
import { emptyBook, replay } from '../../../engine/replay.ts';
import { resolveLotAccount } from '../../../engine/rules/lots/take.ts';
import { pairingDays } from '../../../engine/rules/transfers/transfers.ts';
import { byAge } from '../books/lots.ts';
import { readHistory } from '../books/state/history.ts';
import { readRestatements } from '../transactions/resolutions.ts';
import { selectCoinBooks, selectFirstUses } from './allocation.queries.ts';

/**
 * The last day of the universal pool. The allocation covers the units held at the end of it (Rev. Proc. 2024-28,
 * section 4).
 */
const lastUniversalDay: Day = lastDayOf(2024);
const lastArrival = addDays(lastUniversalDay, pairingDays);

/** The lots of a coin with unused basis, and the wallets that hold its units. */
export interface UniversalPool {
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly lots: readonly PooledLot[];
  readonly units: Quantity;
  readonly wallets: readonly WalletHolding[];
  /** The day of the first disposal or transfer of units after 2024. Null if there is none. */
  readonly firstUse: string | null;
}

export interface PooledLot {
  readonly id: string;
  /**
   * The name of the lot in transaction rows: the id of the row that opened it, or the lot's own id if one row opened
   * several lots.
   */
  readonly name: string;
  readonly acquired: Day;
  readonly quantity: Quantity;
  /** Null if unknown. */
  readonly basis: Cents | null;
  /** Returns the basis of the first `units` units of the lot. */
  readonly basisUpTo: (units: bigint) => bigint;
}

export interface WalletHolding {
  readonly wallet: string;
  readonly units: Quantity;
}

/** Returns the universal pools as of the end of 2024: one pool per coin, sorted by asset. */
export async function loadPools(sql: Sql, taxpayerId: string, rules: Rules): Promise<UniversalPool[]> {
  const members = Map.groupBy(await selectCoinBooks(sql, taxpayerId), (row) => row.book);
  const restatements = await readRestatements(sql, taxpayerId);
  const pools: UniversalPool[] = [];
  for (const rows of members.values()) {
    const keys = rows.map((row) => row.asset_key);
    const history = await readHistory(sql, taxpayerId, { keys, after: null }, restatements);
    pools.push(...buildPools(history.transactions(), new Set(keys), rules));
  }
  const firstUses = new Map(
    (
      await selectFirstUses(
        sql,
        taxpayerId,
        pools.map((pool) => pool.key),
      )
    ).map((row) => [row.asset_key, row.day]),
  );
  return pools
    .map((pool) => ({ ...pool, firstUse: firstUses.get(pool.key) ?? null }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function buildPools(history: readonly Transaction[], keys: ReadonlySet<string>, rules: Rules): UniversalPool[] {
  const until = history.filter((tx) => tx.on <= lastUniversalDay);
  if (until.length === 0) return [];
  const { pools } = replay(emptyBook(), until, { ...rules, digitalAssetScopeBefore2025: 'universal' }, keys).book;
  const holdings = replayHoldings(history, keys, { ...rules, digitalAssetScopeBefore2025: 'per_wallet' });
  return pools.flatMap(({ key, account, lots }) => {
    const [first] = lots;
    if (account !== universalAccount || first === undefined) return [];
    const labels = Map.groupBy(lots, (lot) => lot.label);
    const pooledLots = lots.map((lot) => toPooledLot(lot, labels.get(lot.label)?.length === 1)).sort(byAge);
    const { asset, assetClass } = first;
    const wallets = holdings.get(key) ?? [];
    return { key, asset, assetClass, lots: pooledLots, units: sumQuantities(pooledLots), wallets, firstUse: null };
  });
}

function toPooledLot(lot: OpenLot, isOnlyOne: boolean): PooledLot {
  const { id, label, acquired, basisUnknown } = lot;
  const isName = isOnlyOne && label !== '' && label === label.trim() && !label.includes(';');
  return {
    id,
    name: isName ? label : id,
    acquired,
    quantity: lot.quantity as Quantity,
    basis: basisUnknown ? null : (remainingBasis(lot) as Cents),
    basisUpTo: (units) => shareUpTo(lot, units),
  };
}

/**
 * Replays the rows of each wallet separately to find its units. Excludes coins in an IRA, because the taxpayer does not
 * own them.
 */
function replayHoldings(
  history: readonly Transaction[],
  keys: ReadonlySet<string>,
  rules: Rules,
): Map<string, WalletHolding[]> {
  const until = history.filter((tx) => tx.on <= lastUniversalDay);
  // Counts units in transit at the end of 2024 toward the wallet that received them. If they never arrived, counts them
  // toward the wallet that sent them.
  const arrivals = history.filter(({ type, on }) => type === 'deposit' && on > lastUniversalDay && on <= lastArrival);
  const arrived = new Set(arrivals.map((tx) => tx.id));
  const senders = new Map(until.map((tx) => [transitPrefix + tx.id, tx]));
  const atEnd = replay(emptyBook(), until, rules, keys).book;
  const book = arrivals.length === 0 ? atEnd : replay(atEnd, arrivals, rules, keys).book;
  const held = book.pools.flatMap(({ key, account, lots }) => {
    const sender = senders.get(account);
    const wallet =
      sender === undefined ? account : resolveLotAccount(rules, sender.assetClass, sender.account, sender.on);
    const units = sumQuantities(lots.filter((lot) => !arrived.has(lot.openedBy)));
    return units === 0n || isRetirementType(rules.accounts[wallet]?.type) ? [] : [{ key, wallet, units }];
  });
  return new Map([...Map.groupBy(held, ({ key }) => key)].map(([key, own]) => [key, byWallet(own)]));
}

function byWallet(held: readonly WalletHolding[]): WalletHolding[] {
  return [...Map.groupBy(held, ({ wallet }) => wallet)]
    .map(([wallet, own]) => ({ wallet, units: own.reduce((sum, { units }) => sum + units, 0n) as Quantity }))
    .sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
}

export function sumQuantities(lots: readonly { readonly quantity: bigint }[]): Quantity {
  return lots.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity;
}

export function allocationDay(): string {
  return formatDay(lastUniversalDay);
}
