import { type Day, formatDay, lastDayOf } from '../../../base/day.ts';
import type { Cents, Quantity } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { assetKeyOf } from '../../../engine/keys.ts';
import type { AssetClass, Rules, Transaction } from '../../../engine/model.ts';
import { type Book, emptyBook, openLots, replay } from '../../../engine/replay.ts';
import { readRestatements } from '../../transactions/resolutions/restate.ts';
import { readHistory } from '../history.ts';
import { byAge } from '../lots.ts';
import { selectCoinBooks, selectFirstUses } from './queries.ts';

/** Rev. Proc. 2024-28, section 4: what is allocated is what was there at the end of this day. */
export const lastUniversalDay: Day = lastDayOf(2024);
const universal = 'UNIVERSAL';

/** A coin's units of unused basis, and the wallets that hold as many. */
export interface Pool {
  readonly key: string;
  readonly asset: string;
  readonly assetClass: AssetClass;
  readonly lots: readonly PooledLot[];
  readonly units: Quantity;
  readonly wallets: readonly Wallet[];
  /** When units were first disposed of or moved after 2024; null where they have not been. */
  readonly firstUse: string | null;
}

export interface PooledLot {
  readonly id: string;
  readonly acquired: Day;
  readonly inherited: boolean;
  readonly quantity: Quantity;
  /** null: not known. */
  readonly basis: Cents | null;
}

export interface Wallet {
  readonly wallet: string;
  readonly units: Quantity;
}

/** Every coin that the universal pool holds at the end of 2024, by asset. */
export async function poolsOf(sql: Sql, taxpayerId: string, rules: Rules): Promise<Pool[]> {
  const members = Map.groupBy(await selectCoinBooks(sql, taxpayerId), (row) => row.book);
  const restatements = await readRestatements(sql, taxpayerId);
  const pools: Pool[] = [];
  for (const rows of members.values()) {
    const keys = rows.map((row) => row.asset_key);
    const history = await readHistory(sql, taxpayerId, keys, null, restatements);
    pools.push(...poolsIn(history.transactions(), new Set(keys), rules));
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

function poolsIn(history: readonly Transaction[], keys: ReadonlySet<string>, rules: Rules): Pool[] {
  const until = history.filter((tx) => tx.on <= lastUniversalDay);
  if (until.length === 0) return [];
  const pooled = replay(emptyBook(), until, { ...rules, digitalAssetScopeBefore2025: 'universal' }, keys).book;
  // Where units lie is told by following each wallet's own movements.
  const perWallet = replay(emptyBook(), until, { ...rules, digitalAssetScopeBefore2025: 'per_wallet' }, keys).book;
  const unknown = unknownIn(pooled);
  const lots = openLots(pooled).filter((lot) => lot.account === universal);
  return [...Map.groupBy(lots, (lot) => assetKeyOf(lot.asset, lot.assetClass))].flatMap(([key, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const { asset, assetClass } = first;
    return {
      key,
      asset,
      assetClass,
      lots: own.sort(byAge).map((lot) => ({
        id: lot.id,
        acquired: lot.acquired,
        inherited: lot.inherited,
        quantity: lot.quantity,
        basis: unknown.has(lot.id) ? null : lot.basis,
      })),
      units: sumOf(own),
      wallets: walletsOf(perWallet, key, rules),
      firstUse: null,
    };
  });
}

function unknownIn(book: Book): Set<string> {
  return new Set(book.pools.flatMap((pool) => pool.lots.filter((lot) => lot.basisUnknown).map((lot) => lot.id)));
}

/** Coins in an IRA are not the taxpayer's. */
function walletsOf(book: Book, key: string, rules: Rules): Wallet[] {
  const held = openLots(book).filter(
    (lot) => assetKeyOf(lot.asset, lot.assetClass) === key && !isRetirement(lot.account, rules),
  );
  return [...Map.groupBy(held, (lot) => lot.account)]
    .map(([wallet, own]) => ({ wallet, units: sumOf(own) }))
    .sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
}

function isRetirement(account: string, rules: Rules): boolean {
  const type = rules.accounts[account]?.type;
  return type === 'ira' || type === 'roth_ira';
}

export function sumOf(lots: readonly { readonly quantity: Quantity }[]): Quantity {
  return lots.reduce((sum, lot) => sum + lot.quantity, 0n) as Quantity;
}

export function dayOfPool(): string {
  return formatDay(lastUniversalDay);
}
