import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, formatQuantity, proportion, type Quantity } from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import { freezeAverage } from '../../book/averages.ts';
import type { OpenLot } from '../../book/book.ts';
import {
  type Fold,
  isRetirementType,
  noteTransaction,
  type Pool,
  type PoolTotals,
  poolOf,
  raise,
  recentTransactionsOf,
} from '../../book/fold.ts';
import { memberOf } from '../../book/keyed.ts';
import { type Slice, takeByLabel, takeByMethod, takeFromLot, universalAccount } from '../../book/lots.ts';
import { remainingBasis } from '../../book/remaining.ts';
import { isCoin, isDigital } from '../../events/classes.ts';
import type { Event } from '../../events/event.ts';
import { lotMethodTable } from '../../lot-methods.ts';
import type { AssetClass, Disposal, Rules, Transaction } from '../../model.ts';
import { chooserOf, howChosen, howNamed } from './identification.ts';

/** 26 CFR 1.1012-1(j): from this day lots of digital assets lie in the wallet that holds them. */
export const perWalletFrom = 20089 as Day; // 2025-01-01

export interface TakenSlice extends Slice {
  readonly identified: Disposal['identified'];
}

export interface TakenLots {
  readonly slices: TakenSlice[];
  /** Units that were not there. */
  readonly missing: bigint;
}

/**
 * Takes the units of an event from the lots of an account: those its row names, else by the account's method. Before
 * 2025 an elected universal pool holds all coins; what it still holds later is the last resort, and an issue of whatever
 * leaves a wallet, until it is allocated to wallets (Rev. Proc. 2024-28).
 */
export function take(fold: Fold, event: Event, account: string, quantity: bigint, named: boolean): TakenLots {
  const pool = poolOf(fold, event.key, lotAccountOf(fold.rules, event.assetClass, account, event.on));
  noteTransaction(pool, event.tx.id);
  const chooser = chooserOf(fold, event, account);
  const { method } = chooser;
  const slices: TakenLots['slices'] = [];
  let missing = quantity;
  const keep = (taken: readonly Slice[], identified: Disposal['identified']): void => {
    for (const slice of taken) {
      const { lot, quantity: units, basis, lossBasis, used, whole, notOnForm } = slice;
      slices.push({ lot, quantity: units, basis, lossBasis, used, whole, notOnForm, identified });
      missing -= slice.quantity;
    }
  };
  if (event.kind === 'dispose' && event.fromReceived) keep(takeReceived(pool, event.tx, missing), 'default');
  const unallocated = missing === 0n ? null : unallocatedOf(fold, event, pool);
  if (unallocated !== null) raiseUnallocated(fold, event, unallocated, missing);
  // Averaged shares leave in the order in which they were acquired, whatever a row names (1.1012-1(e)(7)(ii)).
  const chosen = named && !lotMethodTable[method].isAveraged;
  const names = chosen ? event.tx.lots : [];
  const byName = names.length === 0 ? 'identified' : howNamed(fold, event);
  // A form names the lot by the day on which it was acquired.
  const acquired = chosen && event.tx.type === 'reported_sale' ? event.tx.acquired : null;
  if (acquired !== null) {
    keep(takeByDay(pool, acquired, missing), 'identified');
    // Where all that is left goes anyway there is nothing to choose.
    if (missing > 0n && holdsMore(pool, missing)) raiseNotFound(fold, event, `of ${formatDay(acquired)}`, missing);
  }
  if (byName !== null) {
    for (const choice of names) {
      const wanted = least(choice.quantity, missing);
      const before = missing;
      keep(takeByLabel(pool, choice.label, wanted, method), byName);
      const unfound = wanted - (before - missing);
      if (unfound > 0n && unallocated !== null) keep(takeByLabel(unallocated, choice.label, unfound, method), byName);
      if (before - missing < wanted) raiseNotFound(fold, event, choice.label, wanted - (before - missing));
    }
  }
  if (missing === 0n) return { slices, missing };
  const how = howChosen(fold, event, chooser, byName !== 'identified');
  keep(takeByMethod(pool, missing, method), how);
  if (missing > 0n && unallocated !== null) keep(takeByMethod(unallocated, missing, method), how);
  return { slices, missing };
}

/**
 * Units of its own kind that a transfer took on top: their basis joins that of the units moved where it was elected, and
 * there is something to join (DOMAIN.md section 9, P8). Else they are disposed of.
 */
export function feeJoinsBasis(rules: Rules, tx: Transaction): boolean {
  if (rules.transferFees !== 'joins_basis' || tx.feeAsset !== tx.asset || tx.quantity === null || tx.quantity <= 0n)
    return false;
  if (tx.type !== 'transfer' && tx.type !== 'withdrawal') return false;
  const from = lotAccountOf(rules, tx.assetClass, tx.account, tx.on);
  // A withdrawal moves its units to where they wait for the deposit, unless they lie in the pool.
  return tx.type === 'transfer'
    ? lotAccountOf(rules, tx.assetClass, tx.toAccount, tx.on) !== from
    : from !== universalAccount;
}

/** The account in whose pool lots of this kind lie on a day. */
export function lotAccountOf(rules: Rules, assetClass: AssetClass, account: string, on: Day): string {
  const own = walletOf(rules, assetClass, account);
  if (rules.digitalAssetScopeBefore2025 !== 'universal' || on >= perWalletFrom) return own;
  // Tokenized shares are stock, whose lots always lay in accounts (IRC 1012(c)(1)); an IRA's coins are not the taxpayer's.
  return isCoin(assetClass) && !isRetirementType(rules.accounts[account]?.type) ? universalAccount : own;
}

/** What a wallet is no rule defines: several accounts of a source may be one (DOMAIN.md section 9, P13). Not an IRA's. */
function walletOf(rules: Rules, assetClass: AssetClass, account: string): string {
  if (!isDigital(assetClass)) return account;
  const own = rules.accounts[account];
  return own?.wallet === undefined || isRetirementType(own.type) ? account : own.wallet;
}

/** The lot that the same row opened, and what a wash sale has already split from it. */
function takeReceived(pool: Pool, tx: Transaction, quantity: bigint): Slice[] {
  const opened = `${tx.id}/${tx.type === 'trade' ? 1 : 0}`;
  const ids = [opened, ...'abcdefghijklmnopqrstuvwxyz'].map((name) => (name === opened ? name : opened + name));
  return takeFromLots(
    pool,
    ids.flatMap((id) => pool.lots.get(id) ?? []),
    quantity,
  );
}

function holdsMore(pool: Pool, units: bigint): boolean {
  let held = 0n;
  for (const lot of pool.lots.values()) {
    held += lot.quantity;
    if (held > units) return true;
  }
  return false;
}

/** Lots acquired on a day; averages have ended with the method. */
function takeByDay(pool: Pool, acquired: Day, quantity: bigint): Slice[] {
  freezeAverage(pool);
  const lots = pool.lots.values().filter((lot) => lot.acquired === acquired && lot.quantity > 0n);
  return takeFromLots(pool, lots.sort(lotMethodTable.FIFO.order), quantity);
}

function takeFromLots(pool: Pool, lots: readonly OpenLot[], quantity: bigint): Slice[] {
  const slices: Slice[] = [];
  let missing = quantity;
  for (const lot of lots) {
    if (missing === 0n) break;
    const slice = takeFromLot(pool, lot, least(missing, lot.quantity));
    slices.push(slice);
    missing -= slice.quantity;
  }
  return slices;
}

/** The universal pool, where it still holds units of what leaves a wallet; null where it does not. */
function unallocatedOf(fold: Fold, event: Event, own: Pool): Pool | null {
  const unallocated = fold.pools.get(event.key)?.get(universalAccount);
  if (unallocated === undefined || unallocated === own || unallocated.lots.size === 0) return null;
  return isRetirementType(fold.rules.accounts[event.account]?.type) ? null : unallocated;
}

/**
 * Which lots leave the wallet is not known before the pool is allocated, whichever are taken (section 5.02(3)). What it
 * holds is added up once a day: it may be ten thousand lots, and as many sales.
 */
function raiseUnallocated(fold: Fold, event: Event, unallocated: Pool, leaving: bigint): void {
  const { units, basis } = memberOf(fold.unallocated, event.key, () => sumsOf(unallocated.lots.values()));
  const detail =
    `${event.asset} left ${event.account} while the universal pool still held some of it. The holdings of the pool at the ` +
    'end of 2024 must be allocated to wallets (Rev. Proc. 2024-28). Until then the lots of the account leave first.';
  const dollars = proportion(basis, least(leaving, units), units) as Cents;
  raise(fold, event, 'unreconciled', detail, {
    dollars,
    transactions: recentTransactionsOf(unallocated),
    suffix: 'pool',
  });
}

export function sumsOf(lots: readonly OpenLot[]): PoolTotals {
  let [units, basis] = [0n, 0n];
  for (const lot of lots) {
    units += lot.quantity;
    basis += remainingBasis(lot);
  }
  return { units, basis: basis as Cents };
}

function raiseNotFound(fold: Fold, event: Event, label: string, missing: bigint): void {
  const detail = `The lot ${label} named for ${formatQuantity(missing as Quantity)} ${event.asset} is not in ${event.account}. The method of the account chose instead.`;
  raise(fold, event, 'lot_not_found', detail, { suffix: label });
}
