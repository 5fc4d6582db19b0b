import { hash } from 'node:crypto';
import { formatDay } from '../../base/day.ts';
import { type Cents, formatCents, formatQuantity, parseQuantity, type Quantity } from '../../base/decimal.ts';
import { canonicalJson } from '../../base/json.ts';
import { Refusal, type RefusalError } from '../../base/refusal.ts';
import { universalAccount } from '../../engine/book/lots.ts';
import { factIdOf, urlSafe } from '../../forms/ids.ts';
import { type Pool, type PooledLot, sumOf, type Wallet } from './pools.ts';

export const allocationRules = ['FIFO', 'LIFO', 'HIFO', 'LOFO'] as const;
export type AllocationRule = (typeof allocationRules)[number];

/** Units of one lot that belong to a wallet from 2025 on. */
export interface Share {
  readonly pool: Pool;
  readonly lot: PooledLot;
  readonly wallet: string;
  readonly quantity: Quantity;
  readonly basis: Cents | null;
}

/** What the taxpayer knows better: how many units a wallet held, and which units of basis go where. */
export interface Corrections {
  readonly wallets: readonly { readonly asset: string; readonly wallet: string; readonly quantity: string }[];
  readonly lots: readonly { readonly lotId: string; readonly wallet: string; readonly quantity: string }[];
}

/** The wallets of each coin as corrected. */
export function correctedPools(pools: readonly Pool[], { wallets }: Corrections): Pool[] {
  const errors: RefusalError[] = [];
  const known = new Set(pools.map((pool) => pool.asset));
  wallets.forEach(({ asset, wallet, quantity }, at) => {
    if (!known.has(asset)) errors.push(wrong(`/wallets/${at}/asset`, 'The pool holds none of it.'));
    if (wallet === universalAccount) errors.push(wrong(`/wallets/${at}/wallet`, 'The pool itself is no wallet.'));
    if ((parseQuantity(quantity) ?? -1n) < 0n)
      errors.push(wrong(`/wallets/${at}/quantity`, 'A decimal, not negative.'));
  });
  refuse(errors);
  return pools.map((pool) => {
    const own = new Map(pool.wallets.map(({ wallet, units }) => [wallet, units]));
    for (const { asset, wallet, quantity } of wallets) {
      if (asset === pool.asset) own.set(wallet, parseQuantity(quantity) ?? (0n as Quantity));
    }
    const corrected = [...own].map(([wallet, units]): Wallet => ({ wallet, units }));
    return { ...pool, wallets: corrected.sort((a, b) => (a.wallet < b.wallet ? -1 : 1)) };
  });
}

/**
 * Global allocation by a rule: lots in its order fill the wallets in theirs (Rev. Proc. 2024-28, section
 * 5.02(2)(b): rule and order leave no choice to make).
 */
export function byRule(pools: readonly Pool[], rule: AllocationRule): Share[] {
  return pools.flatMap((pool) => {
    const shares: { lot: PooledLot; wallet: string; quantity: Quantity }[] = [];
    const lots = [...pool.lots].sort(orders[rule]).map((lot) => ({ lot, left: lot.quantity as bigint }));
    for (const { wallet, units } of pool.wallets) {
      let missing: bigint = units;
      for (const one of lots) {
        const quantity = one.left < missing ? one.left : missing;
        if (quantity <= 0n) continue;
        shares.push({ lot: one.lot, wallet, quantity: quantity as Quantity });
        one.left -= quantity;
        missing -= quantity;
      }
    }
    return based(pool, shares);
  });
}

/** Specific unit allocation: each lot wholly dealt out, each wallet as many units as it held. */
export function byUnit(pools: readonly Pool[], { lots }: Corrections): Share[] {
  const errors: RefusalError[] = [];
  const known = new Map(pools.flatMap((pool) => pool.lots.map((lot) => [lot.id, { pool, lot }] as const)));
  const chosen = lots.flatMap(({ lotId, wallet, quantity: text }, at) => {
    const found = known.get(factIdOf(lotId));
    const quantity = parseQuantity(text);
    if (found === undefined) errors.push(wrong(`/lots/${at}/lotId`, 'The pool has no such lot.'));
    if (quantity === undefined || quantity <= 0n) errors.push(wrong(`/lots/${at}/quantity`, 'A decimal above zero.'));
    if (found === undefined || quantity === undefined) return [];
    return [{ ...found, wallet, quantity }];
  });
  refuse(errors);
  return pools.flatMap((pool) =>
    based(
      pool,
      chosen.filter((one) => one.pool === pool),
    ),
  );
}

/** Refuses what would use basis twice, lose some, or give a wallet other units than it holds (section 5.02(2)). */
export function checkShares(pools: readonly Pool[], shares: readonly Share[]): void {
  const errors: RefusalError[] = [];
  for (const pool of pools) {
    const own = shares.filter((share) => share.pool === pool);
    for (const lot of pool.lots) {
      const dealt = sumOf(own.filter((share) => share.lot === lot));
      if (dealt === lot.quantity) continue;
      const detail = `Of the ${formatQuantity(lot.quantity)} ${pool.asset} of ${formatDay(lot.acquired)} (${urlSafe(lot.id)}) ${formatQuantity(dealt)} are allocated.`;
      errors.push(wrong('/lots', detail));
    }
    for (const wallet of new Set([...pool.wallets.map((one) => one.wallet), ...own.map((share) => share.wallet)])) {
      const held = pool.wallets.find((one) => one.wallet === wallet)?.units ?? (0n as Quantity);
      const dealt = sumOf(own.filter((share) => share.wallet === wallet));
      if (dealt === held) continue;
      const detail = `${wallet} holds ${formatQuantity(held)} ${pool.asset}, and ${formatQuantity(dealt)} are allocated to it. Correct the lots or the wallet.`;
      errors.push(wrong('/wallets', detail));
    }
  }
  refuse(errors);
}

/** Of canonical JSON, for whoever reads it elsewhere may have its members in another order. */
export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** Names what the pool held: other records, another name. */
export function poolHash(pools: readonly Pool[]): string {
  return hashOf(
    pools.map((pool) => [
      pool.key,
      pool.lots.map((lot) => [
        lot.id,
        formatQuantity(lot.quantity),
        lot.basis === null ? null : formatCents(lot.basis),
      ]),
    ]),
  );
}

/** The basis of a lot goes with its units as the books will take it, so that the shares sum to it. */
function based(pool: Pool, shares: readonly { lot: PooledLot; wallet: string; quantity: Quantity }[]): Share[] {
  const reached = new Map<PooledLot, bigint>();
  return shares.map((share) => {
    const { lot } = share;
    const before = reached.get(lot) ?? 0n;
    reached.set(lot, before + share.quantity);
    const cents = lot.basisUpTo(before + share.quantity) - lot.basisUpTo(before);
    const basis = lot.basis === null ? null : (cents as Cents);
    return { ...share, pool, basis };
  });
}

type Order = (a: PooledLot, b: PooledLot) => number;
const byAge: Order = (a, b) => a.acquired - b.acquired || (a.id < b.id ? -1 : 1);
const byUnitBasis: Order = (a, b) => {
  const [left, right] = [(a.basis ?? 0n) * b.quantity, (b.basis ?? 0n) * a.quantity];
  return left < right ? -1 : left > right ? 1 : 0;
};
const orders: Readonly<Record<AllocationRule, Order>> = {
  FIFO: byAge,
  LIFO: (a, b) => -byAge(a, b),
  HIFO: (a, b) => byUnitBasis(b, a) || byAge(a, b),
  LOFO: (a, b) => byUnitBasis(a, b) || byAge(a, b),
};

const errorsMax = 20;

function wrong(pointer: string, detail: string): RefusalError {
  return { pointer, code: 'invalid', detail };
}

function refuse(errors: readonly RefusalError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  const detail = `This is no allocation of all units of basis to the wallets that hold them: ${first.detail}`;
  throw new Refusal('invalid', detail, { errors: errors.slice(0, errorsMax) });
}
