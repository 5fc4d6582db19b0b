import { type Day, formatDay } from '../../../base/day.ts';
import {
  type Cents,
  formatQuantity,
  type Money,
  proportion,
  type Quantity,
  roundToCents,
} from '../../../base/decimal.ts';
import { least } from '../../book/amounts.ts';
import { freezeAverage } from '../../book/averages.ts';
import type { OpenLot } from '../../book/book.ts';
import {
  type Fold,
  getOrCreatePool,
  listRecentTransactions,
  noteTransaction,
  type Pool,
  type PoolTotals,
  raise,
} from '../../book/fold.ts';
import { getOrCreateMember } from '../../book/keyed.ts';
import { type Slice, type Taking, takeByLabel, takeFromLot, takeMissing } from '../../book/lots.ts';
import { universalAccount } from '../../book/own-accounts.ts';
import { remainingBasis } from '../../book/remaining.ts';
import { isRetirementType } from '../../elections.ts';
import { isCoin, isDigital } from '../../events/classes.ts';
import { type DisposeEvent, dollars, type Event, tradeFee } from '../../events/event.ts';
import { lotMethodTable } from '../../lot-methods.ts';
import type { AssetClass, Disposal, Rules, Transaction } from '../../model.ts';
import { howChosen, howNamed, methodSelected, resolveLotSelection } from './identification.ts';

/** From this day on, lots of digital assets belong to the wallet that holds them (26 CFR 1.1012-1(j)). */
export const perWalletFrom = 20089 as Day; // 2025-01-01

export interface TakenLots {
  readonly slices: Slice[];
  /** The number of units that the pool did not hold. */
  readonly missing: bigint;
}

/**
 * Takes the units of an event from the lots of an account: first from the lots that its row names, then by the
 * account's method. Before 2025, the universal pool contains all coins, if elected. Any units left in the pool later
 * are taken last. They also raise an issue whenever units leave a wallet, until the pool is allocated to wallets (Rev.
 * Proc. 2024-28).
 */
export function take(fold: Fold, event: Event, account: string, quantity: bigint, named: boolean): TakenLots {
  const pool = getOrCreatePool(fold, event.key, resolveLotAccount(fold.rules, event.assetClass, account, event.on));
  noteTransaction(pool, event.tx.id);
  const chooser = resolveLotSelection(fold, event, account);
  const { method } = chooser;
  const taken: Taking = { slices: [], missing: quantity };
  if (event.kind === 'dispose' && event.fromReceived) keep(taken, takeReceived(pool, event.tx, quantity));
  const unallocated = taken.missing === 0n ? null : findUnallocatedPool(fold, event, pool);
  if (unallocated !== null) raiseUnallocated(fold, event, unallocated, taken.missing);
  // Averaged shares are taken in the order of acquisition, even if a row names lots (1.1012-1(e)(7)(ii)).
  const chosen = named && !lotMethodTable[method].isAveraged;
  const names = chosen ? event.tx.lots : [];
  const byName = names.length === 0 ? 'identified' : howNamed(fold, event, chooser);
  // Form 1099 identifies the lot by its acquisition date.
  const acquired = chosen && event.tx.type === 'reported_sale' ? event.tx.acquired : null;
  if (acquired !== null) {
    keep(taken, takeByDay(pool, acquired, taken.missing, event.tx.id));
    // If all remaining units are taken, there is nothing to select.
    if (taken.missing > 0n && holdsMore(pool, taken.missing))
      raiseNotFound(fold, event, `of ${formatDay(acquired)}`, taken.missing);
  }
  if (byName !== null) {
    for (const choice of names) {
      const left = taken.missing - least(choice.quantity, taken.missing);
      keep(taken, takeByLabel(pool, choice.label, taken.missing - left, method, byName));
      if (taken.missing > left && unallocated !== null)
        keep(taken, takeByLabel(unallocated, choice.label, taken.missing - left, method, byName));
      if (taken.missing > left) raiseNotFound(fold, event, choice.label, taken.missing - left);
    }
  }
  if (taken.missing === 0n) return taken;
  const how = howChosen(fold, event, chooser, byName !== 'identified');
  takeMissing(pool, taken, method, how);
  if (taken.missing > 0n && unallocated !== null) takeMissing(unallocated, taken, method, how);
  return taken;
}

function keep(taken: Taking, slices: readonly Slice[]): void {
  for (const slice of slices) {
    taken.slices.push(slice);
    taken.missing -= slice.quantity;
  }
}

/**
 * Returns whether the basis of units that paid for a transfer is added to the units moved. This applies if it was
 * elected and units are moved (DECISIONS.md, P8). Otherwise the units that paid are disposed of.
 */
export function feeJoinsBasis(rules: Rules, tx: Transaction): boolean {
  if (rules.transferFees !== 'joins_basis' || tx.feeAsset !== tx.asset || tx.quantity === null || tx.quantity <= 0n)
    return false;
  if (tx.type !== 'transfer' && tx.type !== 'withdrawal') return false;
  const from = resolveLotAccount(rules, tx.assetClass, tx.account, tx.on);
  // A withdrawal puts its units in transit, unless they are in the universal pool.
  return tx.type === 'transfer'
    ? resolveLotAccount(rules, tx.assetClass, tx.toAccount, tx.on) !== from
    : from !== universalAccount;
}

/** Returns the account whose pool contains lots of this class on a day. */
export function resolveLotAccount(rules: Rules, assetClass: AssetClass, account: string, on: Day): string {
  const wallet = resolveWallet(rules, assetClass, account);
  if (rules.digitalAssetScopeBefore2025 !== 'universal' || on >= perWalletFrom) return wallet;
  // Tokenized shares are stock, whose lots have always been assigned to accounts (IRC 1012(c)(1)). Coins in an IRA do
  // not belong to the taxpayer.
  return isCoin(assetClass) && !isRetirementType(rules.accounts[account]?.type) ? universalAccount : wallet;
}

/**
 * Returns the wallet of an account. No rule defines a wallet. Several accounts at a source may be one wallet, but an
 * IRA is always separate (DECISIONS.md, P13).
 */
function resolveWallet(rules: Rules, assetClass: AssetClass, account: string): string {
  if (!isDigital(assetClass)) return account;
  const accountRules = rules.accounts[account];
  return accountRules?.wallet === undefined || isRetirementType(accountRules.type) ? account : accountRules.wallet;
}

/**
 * Takes units from the lot that the same row opened and from fragments that a wash sale split from it, in the order of
 * P6.
 */
function takeReceived(pool: Pool, tx: Transaction, quantity: bigint): Slice[] {
  const first = `${tx.id}/${tx.type === 'trade' ? 1 : 0}`;
  const ids = ['', ...'abcdefghijklmnopqrstuvwxyz'].map((letter) => first + letter);
  const opened = ids.flatMap((id) => pool.lots.get(id) ?? []);
  return takeFromLots(pool, opened.sort(lotMethodTable.FIFO.order), quantity, 'default');
}

/**
 * Takes the lot of reversed income. It is the latest lot of the account with the same number of units, all still held,
 * and the same basis. If there is none, an issue is raised and the method selects the lots.
 */
export function takeReturned(fold: Fold, event: DisposeEvent): TakenLots {
  const pool = getOrCreatePool(
    fold,
    event.key,
    resolveLotAccount(fold.rules, event.assetClass, event.account, event.on),
  );
  const amount = dollars(event.tx, event.tx.amount);
  const basis = amount === null ? 0n : -roundToCents((amount - tradeFee(event.tx)) as Money);
  const isAveraged = lotMethodTable[resolveLotSelection(fold, event, event.account).method].isAveraged;
  const alike = pool.lots
    .values()
    .filter(
      (lot) =>
        lot.quantity === event.quantity && lot.wholeQuantity === event.quantity && isWithinACent(lot.wholeBasis, basis),
    )
    .sort((a, b) => b.sequence - a.sequence);
  const [lot] = isAveraged ? [] : alike;
  if (lot === undefined) {
    raiseNotFound(fold, event, 'of the reversed income', event.quantity);
    return take(fold, event, event.account, event.quantity, false);
  }
  noteTransaction(pool, event.tx.id);
  freezeAverage(pool);
  const [slice] = takeFromLots(pool, [lot], event.quantity, 'identified');
  return { slices: slice === undefined ? [] : [slice], missing: 0n };
}

/** Returns whether two amounts differ by at most a cent. Fractions of a cent carry over from one lot to the next. */
function isWithinACent(a: bigint, b: bigint): boolean {
  return a - b <= 1n && b - a <= 1n;
}

function holdsMore(pool: Pool, units: bigint): boolean {
  let held = 0n;
  for (const lot of pool.lots.values()) {
    held += lot.quantity;
    if (held > units) return true;
  }
  return false;
}

/** Takes lots acquired on a day. The row identifies them, so average basis ends. */
function takeByDay(pool: Pool, acquired: Day, quantity: bigint, row: string): Slice[] {
  freezeAverage(pool);
  const lots = pool.lots.values().filter((lot) => lot.acquired === acquired && lot.quantity > 0n);
  // The purchase stated by the same row comes first.
  const isOther = (lot: OpenLot): number => Number(lot.openedBy !== row);
  const { order } = lotMethodTable.FIFO;
  return takeFromLots(
    pool,
    lots.sort((a, b) => isOther(a) - isOther(b) || order(a, b)),
    quantity,
    'identified',
  );
}

function takeFromLots(
  pool: Pool,
  lots: readonly OpenLot[],
  quantity: bigint,
  identified: Disposal['identified'],
): Slice[] {
  const slices: Slice[] = [];
  let missing = quantity;
  for (const lot of lots) {
    if (missing === 0n) break;
    const slice = takeFromLot(pool, lot, least(missing, lot.quantity), identified);
    slices.push(slice);
    missing -= slice.quantity;
  }
  return slices;
}

/** Returns the universal pool if it still contains units of the asset that leaves a wallet. Otherwise returns null. */
function findUnallocatedPool(fold: Fold, event: Event, pool: Pool): Pool | null {
  const unallocated = fold.pools.get(event.key)?.get(universalAccount);
  if (unallocated === undefined || unallocated === pool || unallocated.lots.size === 0) return null;
  return isRetirementType(fold.rules.accounts[event.account]?.type) ? null : unallocated;
}

/**
 * Raises an issue, because it is unknown which lots leave the wallet before the pool is allocated (section 5.02(3)).
 * The totals of the pool are computed once a day, because it may contain ten thousand lots on a day with ten thousand
 * sales.
 */
function raiseUnallocated(fold: Fold, event: Event, unallocated: Pool, leaving: bigint): void {
  const { units, basis } = getOrCreateMember(fold.unallocated, event.key, () =>
    computePoolTotals(unallocated.lots.values()),
  );
  const detail =
    `${event.asset} left ${event.account} while the universal pool still held some of it. The holdings of the pool at the ` +
    'end of 2024 must be allocated to wallets (Rev. Proc. 2024-28). Until then, the lots of the account leave first.';
  const dollars = proportion(basis, least(leaving, units), units) as Cents;
  raise(fold, event, 'unreconciled', detail, {
    dollars,
    transactions: listRecentTransactions(unallocated),
    suffix: 'pool',
  });
}

export function computePoolTotals(lots: readonly OpenLot[]): PoolTotals {
  let [units, basis] = [0n, 0n];
  for (const lot of lots) {
    units += lot.quantity;
    basis += remainingBasis(lot);
  }
  return { units, basis: basis as Cents };
}

function raiseNotFound(fold: Fold, event: Event, label: string, missing: bigint): void {
  const detail = `The lot ${label} named for ${formatQuantity(missing as Quantity)} ${event.asset} is not in ${event.account}. ${methodSelected}.`;
  raise(fold, event, 'lot_not_found', detail, { suffix: label });
}
