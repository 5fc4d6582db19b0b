import { addDays, type Day, dayIn, dayOf } from '../base/day.ts';
import { formatQuantity, type Quantity } from '../base/decimal.ts';
import { least } from './amounts.ts';
import { isDigital } from './classes.ts';
import type { Event } from './event.ts';
import { type Fold, isRetirementType, leaveTrail, type Pool, poolOf, raise } from './fold.ts';
import { carve, type Slice, takeByLabel, takeByMethod, universalAccount } from './lots.ts';
import { methodOf } from './methods.ts';
import type { AssetClass, Disposal, Rules, Transaction } from './model.ts';

/** 26 CFR 1.1012-1(j): from this day lots of digital assets lie in the wallet that holds them. */
export const perWalletFrom = 20089 as Day; // 2025-01-01

export interface TakenSlice extends Slice {
  readonly identified: Disposal['identified'];
}

export interface Taken {
  readonly slices: TakenSlice[];
  /** Units that were not there. */
  readonly missing: bigint;
}

/**
 * Takes the units of an event from the lots of an account: those its row names, else by the account's method. Before
 * 2025 an elected universal pool holds all coins; what it still holds later is the last resort, with an issue, until
 * it is allocated to wallets (Rev. Proc. 2024-28).
 */
export function take(fold: Fold, event: Event, account: string, quantity: bigint, named: boolean): Taken {
  const pool = poolOf(fold, event.key, lotAccountOf(fold.rules, event.assetClass, account, event.on));
  leaveTrail(pool, event.tx.id);
  const method = methodOf(fold.rules, account, event.assetClass, event.on);
  const slices: Taken['slices'] = [];
  let missing = quantity;
  const keep = (taken: readonly Slice[], identified: Disposal['identified']): void => {
    for (const slice of taken) {
      const { lot, quantity: units, basis, lossBasis, used, whole } = slice;
      slices.push({ lot, quantity: units, basis, lossBasis, used, whole, identified });
      missing -= slice.quantity;
    }
  };
  if (event.kind === 'dispose' && event.fromReceived) keep(takeReceived(pool, event.tx, missing), 'default');
  // Averaged shares leave in the order in which they were acquired, whatever a row names (1.1012-1(e)(7)(ii)).
  const chosen = named && method !== 'AVERAGE';
  const late = chosen && event.tx.lots.length > 0 && isLate(event.tx, event.assetClass);
  if (late) {
    raise(
      fold,
      event,
      'identified_late',
      'The lots were named too late to count: the method of the account chose them.',
    );
  } else if (chosen) {
    for (const choice of event.tx.lots) {
      const wanted = least(choice.quantity, missing);
      const before = missing;
      keep(takeByLabel(pool, choice.label, wanted, method), 'identified');
      const unfound = wanted - (before - missing);
      if (unfound > 0n) keep(takeUnallocated(fold, event, pool, unfound, choice.label), 'identified');
      if (before - missing < wanted) raiseNotFound(fold, event, choice.label, wanted - (before - missing));
    }
  }
  if (missing > 0n) keep(takeByMethod(pool, missing, method), late ? 'late' : 'default');
  if (missing > 0n) keep(takeUnallocated(fold, event, pool, missing, null), late ? 'late' : 'default');
  return { slices, missing };
}

/** The account in whose pool lots of this kind lie on a day. */
export function lotAccountOf(rules: Rules, assetClass: AssetClass, account: string, on: Day): string {
  if (rules.digitalAssetScopeBefore2025 !== 'universal' || on >= perWalletFrom) return account;
  // Tokenized shares are stock, whose lots always lay in accounts (IRC 1012(c)(1)); an IRA's coins are not the taxpayer's.
  const pooled = assetClass === 'crypto' || assetClass === 'nft';
  return pooled && !isRetirementType(rules.accounts[account]?.type) ? universalAccount : account;
}

/**
 * Lots are named in time up to the sale for digital assets (26 CFR 1.1012-1(j)(2), (3)), up to settlement for
 * securities (1.1012-1(c)(8)). Where the row does not say when, it was in time.
 */
function isLate(tx: Transaction, assetClass: AssetClass): boolean {
  if (tx.identifiedAt === null) return false;
  if (isDigital(assetClass)) return tx.at === null ? dayIn(tx.identifiedAt, 'UTC') > tx.on : tx.identifiedAt > tx.at;
  return dayIn(tx.identifiedAt, 'UTC') > settlementOf(tx.on);
}

/** One business day after the trade since 28 May 2024, two before (SEC rule 15c6-1); holidays are not counted out. */
function settlementOf(on: Day): Day {
  let settlement = on;
  for (let left = on >= oneDaySettlement ? 1 : 2; left > 0; ) {
    settlement = addDays(settlement, 1);
    const weekday = (((settlement + 4) % 7) + 7) % 7;
    if (weekday !== 0 && weekday !== 6) left--;
  }
  return settlement;
}

const oneDaySettlement = dayOf(2024, 5, 28) ?? (0 as Day);

/** The lot that the same row opened, and what a wash sale has already split from it. */
function takeReceived(pool: Pool, tx: Transaction, quantity: bigint): Slice[] {
  const slices: Slice[] = [];
  let missing = quantity;
  const opened = `${tx.id}/${tx.type === 'trade' ? 1 : 0}`;
  for (const id of [opened, ...'abcdefghijklmnopqrstuvwxyz'].map((name) => (name === opened ? name : opened + name))) {
    const lot = pool.lots.get(id);
    if (lot === undefined || missing === 0n) continue;
    const slice = carve(pool, lot, least(missing, lot.quantity));
    slices.push(slice);
    missing -= slice.quantity;
  }
  return slices;
}

function takeUnallocated(fold: Fold, event: Event, own: Pool, missing: bigint, label: string | null): Slice[] {
  const unallocated = fold.pools.get(event.key)?.get(universalAccount);
  if (unallocated === undefined || unallocated === own || unallocated.lots.size === 0) return [];
  if (isRetirementType(fold.rules.accounts[event.account]?.type)) return [];
  const method = methodOf(fold.rules, event.account, event.assetClass, event.on);
  const slices =
    label === null ? takeByMethod(unallocated, missing, method) : takeByLabel(unallocated, label, missing, method);
  if (slices.length === 0) return [];
  const detail =
    `${event.asset} of the universal pool was used in ${event.account}: what the pool held at the end of 2024 must be ` +
    'allocated to wallets (Rev. Proc. 2024-28).';
  raise(fold, event, 'unreconciled', detail, { transactions: unallocated.trail, suffix: label ?? 'pool' });
  return slices;
}

function raiseNotFound(fold: Fold, event: Event, label: string, missing: bigint): void {
  const detail = `The lot ${label} named for ${formatQuantity(missing as Quantity)} ${event.asset} is not in ${event.account}: the method of the account chose instead.`;
  raise(fold, event, 'lot_not_found', detail, { suffix: label });
}
