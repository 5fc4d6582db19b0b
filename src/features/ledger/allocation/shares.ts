import { hash } from 'node:crypto';
import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, formatQuantity, parseQuantity, type Quantity } from '../../../base/decimal.ts';
import { canonicalJson } from '../../../base/json.ts';
import { Refusal, type RefusalError } from '../../../base/refusal.ts';
import { universalAccount } from '../../../engine/book/own-accounts.ts';
import { toFactId, urlSafe } from '../../../forms/lines.ts';
import { type PooledLot, sumQuantities, type UniversalPool, type WalletHolding } from './pools.ts';

export const allocationRules = ['FIFO', 'LIFO', 'HIFO', 'LOFO'] as const;
export type AllocationRule = (typeof allocationRules)[number];

/** The units of one lot that are allocated to a wallet starting in 2025. */
export interface LotShare {
  readonly pool: UniversalPool;
  readonly lot: PooledLot;
  readonly wallet: string;
  readonly quantity: Quantity;
  readonly basis: Cents | null;
}

/** The taxpayer's corrections: units that a wallet held, and lots assigned unit by unit. */
export interface Corrections {
  readonly wallets: readonly { readonly asset: string; readonly wallet: string; readonly quantity: string }[];
  readonly lots: readonly { readonly lotId: string; readonly wallet: string; readonly quantity: string }[];
}

/** Returns the pools after applying the taxpayer's corrections to wallets. */
export function correctPools(pools: readonly UniversalPool[], { wallets }: Corrections): UniversalPool[] {
  const errors: RefusalError[] = [];
  const known = new Set(pools.map((pool) => pool.asset));
  wallets.forEach(({ asset, wallet, quantity }, at) => {
    if (!known.has(asset))
      errors.push(
        invalidMember(`/wallets/${at}/asset`, 'The pool does not contain this asset. Choose one of its assets.'),
      );
    if (wallet === universalAccount)
      errors.push(invalidMember(`/wallets/${at}/wallet`, 'The pool itself is not a wallet. Choose a wallet.'));
    if ((parseQuantity(quantity) ?? -1n) < 0n)
      errors.push(invalidMember(`/wallets/${at}/quantity`, 'Enter zero or a positive decimal.'));
  });
  refuseIfInvalid(errors);
  return pools.map((pool) => {
    const unitsByWallet = new Map(pool.wallets.map(({ wallet, units }) => [wallet, units]));
    for (const { asset, wallet, quantity } of wallets) {
      if (asset === pool.asset) unitsByWallet.set(wallet, parseQuantity(quantity) ?? (0n as Quantity));
    }
    const corrected = [...unitsByWallet].map(([wallet, units]): WalletHolding => ({ wallet, units }));
    return { ...pool, wallets: corrected.sort((a, b) => (a.wallet < b.wallet ? -1 : 1)) };
  });
}

/**
 * Allocates globally: lots in the order of the rule fill wallets in the order of their names. The rule and this order
 * fully determine the result (Rev. Proc. 2024-28, section 5.02(2)(b)).
 */
export function allocateByRule(pools: readonly UniversalPool[], rule: AllocationRule): LotShare[] {
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
    return withBasis(pool, shares);
  });
}

/** Allocates specific units: the taxpayer states how many units of each lot go to each wallet. */
export function allocateByUnit(pools: readonly UniversalPool[], { lots }: Corrections): LotShare[] {
  const errors: RefusalError[] = [];
  const known = new Map(pools.flatMap((pool) => pool.lots.map((lot) => [lot.id, { pool, lot }] as const)));
  const chosen = lots.flatMap(({ lotId, wallet, quantity: text }, at) => {
    const pooledLot = known.get(toFactId(lotId));
    const quantity = parseQuantity(text);
    if (pooledLot === undefined)
      errors.push(invalidMember(`/lots/${at}/lotId`, 'The pool has no such lot. Choose one of its lots.'));
    if (quantity === undefined || quantity <= 0n)
      errors.push(invalidMember(`/lots/${at}/quantity`, 'Enter a positive decimal.'));
    if (pooledLot === undefined || quantity === undefined) return [];
    return [{ ...pooledLot, wallet, quantity }];
  });
  refuseIfInvalid(errors);
  return pools.flatMap((pool) =>
    withBasis(
      pool,
      chosen.filter((one) => one.pool === pool),
    ),
  );
}

/** Rejects shares that use basis twice, lose basis, or do not match the units in a wallet (section 5.02(2)). */
export function checkShares(pools: readonly UniversalPool[], shares: readonly LotShare[]): void {
  const errors: RefusalError[] = [];
  for (const pool of pools) {
    const poolShares = shares.filter((share) => share.pool === pool);
    for (const lot of pool.lots) {
      const allocated = sumQuantities(poolShares.filter((share) => share.lot === lot));
      if (allocated === lot.quantity) continue;
      const detail = `The lot acquired on ${formatDay(lot.acquired)} (${urlSafe(lot.id)}) has ${formatQuantity(lot.quantity)} ${pool.asset}, but ${formatQuantity(allocated)} are allocated. Allocate all of them.`;
      errors.push(invalidMember('/lots', detail));
    }
    for (const wallet of new Set([
      ...pool.wallets.map((one) => one.wallet),
      ...poolShares.map((share) => share.wallet),
    ])) {
      const held = pool.wallets.find((one) => one.wallet === wallet)?.units ?? (0n as Quantity);
      const allocated = sumQuantities(poolShares.filter((share) => share.wallet === wallet));
      if (allocated === held) continue;
      const detail = `${wallet} holds ${formatQuantity(held)} ${pool.asset}, but ${formatQuantity(allocated)} are allocated to it. Correct the lots or the wallet.`;
      errors.push(invalidMember('/wallets', detail));
    }
  }
  refuseIfInvalid(errors);
}

/** Returns the SHA-256 of canonical JSON, which does not depend on the order of object keys. */
export function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** Returns a hash of the pools, which changes whenever the underlying records change. */
export function poolHash(pools: readonly UniversalPool[]): string {
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

/**
 * Adds the basis of each share. Splits it the same way as the books do, so that the shares of a lot add up to the lot's
 * basis.
 */
function withBasis(
  pool: UniversalPool,
  shares: readonly { lot: PooledLot; wallet: string; quantity: Quantity }[],
): LotShare[] {
  const allocated = new Map<PooledLot, bigint>();
  return shares.map((share) => {
    const { lot } = share;
    const before = allocated.get(lot) ?? 0n;
    allocated.set(lot, before + share.quantity);
    const cents = lot.basisUpTo(before + share.quantity) - lot.basisUpTo(before);
    const basis = lot.basis === null ? null : (cents as Cents);
    return { ...share, pool, basis };
  });
}

type LotComparison = (a: PooledLot, b: PooledLot) => number;
const byAge: LotComparison = (a, b) => a.acquired - b.acquired || (a.id < b.id ? -1 : 1);
const byUnitBasis: LotComparison = (a, b) => {
  const [left, right] = [(a.basis ?? 0n) * b.quantity, (b.basis ?? 0n) * a.quantity];
  return left < right ? -1 : left > right ? 1 : 0;
};
const orders: Readonly<Record<AllocationRule, LotComparison>> = {
  FIFO: byAge,
  LIFO: (a, b) => -byAge(a, b),
  HIFO: (a, b) => byUnitBasis(b, a) || byAge(a, b),
  LOFO: (a, b) => byUnitBasis(a, b) || byAge(a, b),
};

const errorsMax = 20;

function invalidMember(pointer: string, detail: string): RefusalError {
  return { pointer, code: 'invalid', detail };
}

function refuseIfInvalid(errors: readonly RefusalError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  const detail = `The allocation must give all units of basis to the wallets that hold them: ${first.detail}`;
  throw new Refusal('invalid', detail, { errors: errors.slice(0, errorsMax) });
}
