import { formatDay } from '../../../base/day.ts';
import { type Cents, quantityDecimals } from '../../../base/decimal.ts';
import { limits } from '../../../base/limits.ts';
import { scale } from '../../book/amounts.ts';
import { freezeAverage } from '../../book/averages.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { awaitLapse } from '../../book/expiry.ts';
import { type Fold, isRetirement, type Pool, raise, reorder } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { noteSymbol } from '../../book/option-symbols.ts';
import { rebase } from '../../book/remaining.ts';
import type { TransactionEvent } from '../../events/event.ts';
import { lotMethodTable } from '../../lot-methods.ts';
import type { Disposal, Ratio } from '../../model.ts';
import { buildLineHead, purchaseMark } from '../lines/disposal.ts';
import { computeTerm } from '../lines/term.ts';
import { resolveLotAccount } from '../lots/take.ts';

/**
 * Returns the pools that an action applies to: the pool of the account that it names, or the pools of every account
 * that holds the asset.
 */
export function listAffectedPools(fold: Fold, event: TransactionEvent): Pool[] {
  const accounts = fold.pools.get(event.key);
  if (accounts === undefined) return [];
  const named = event.account === '' ? null : resolveLotAccount(fold.rules, event.assetClass, event.account, event.on);
  const pools = [...accounts.values()].filter(
    (pool) => pool.lots.size > 0 && (named === null || pool.account === named),
  );
  return pools.sort((a, b) => (a.account < b.account ? -1 : 1));
}

/**
 * Records the action for the pool, and returns whether it was not yet applied today. Several accounts may report the
 * same action.
 */
export function isFirstToday(fold: Fold, event: TransactionEvent, pool: Pool): boolean {
  const { type, ratio, receivedAsset } = event.tx;
  const action = `${type} ${event.key} ${receivedAsset} ${ratio?.numerator}:${ratio?.denominator} ${pool.account}`;
  if (fold.actionsToday.has(action)) return false;
  fold.actionsToday.add(action);
  return true;
}

/**
 * Returns the lots of a pool, oldest first, ready to be changed. The remaining units and basis of each lot become its
 * whole.
 */
export function listRebasedLots(pool: Pool): OpenLot[] {
  freezeAverage(pool);
  const lots = [...pool.lots.values()].sort(lotMethodTable.FIFO.order);
  for (const lot of lots) rebase(lot);
  return lots;
}

/** Removes all lots from a pool and returns copies of them, with their remaining basis as their whole. */
export function takeAllLots(pool: Pool): OpenLot[] {
  const lots = listRebasedLots(pool).map((lot) => ({ ...lot }));
  for (const lot of pool.lots.values()) lot.quantity = 0n;
  pool.lots.clear();
  reorder(pool);
  return lots;
}

/**
 * Returns whether a ratio would result in impossibly many units, and raises an issue if so. The row of such an action
 * is an error and changes nothing, so repeated splits cannot grow without limit.
 */
export function makesTooMany(fold: Fold, event: TransactionEvent, units: bigint, ratio: Ratio): boolean {
  if (scale(units, ratio) < unitsEnd) return false;
  const action = `The ${event.tx.type} of ${event.asset} on ${formatDay(event.on)}`;
  const detail = `${action} would result in 10^${limits.unitsDigits} units or more. Nothing was changed.`;
  raise(fold, event, 'unreconciled', detail);
  return true;
}

const unitsEnd = 10n ** BigInt(limits.unitsDigits + quantityDecimals);

export function sumQuantities(pools: readonly Pool[]): bigint {
  return pools.reduce((sum, pool) => [...pool.lots.values()].reduce((units, lot) => units + lot.quantity, sum), 0n);
}

export function listAffectedShorts(fold: Fold, event: TransactionEvent): OpenShort[] {
  return (fold.shorts.get(event.key) ?? []).filter((short) => isReached(event, short.account));
}

export function isReached(event: Pick<TransactionEvent, 'account'>, account: string): boolean {
  return event.account === '' || event.account === account;
}

/** Sorts by account, and within an account oldest first. */
export function sortShortsByAccount(shorts: readonly OpenShort[]): OpenShort[] {
  return [...shorts].sort((a, b) =>
    a.account === b.account ? a.sequence - b.sequence : a.account < b.account ? -1 : 1,
  );
}

export function sumUnitsShort(shorts: readonly OpenShort[]): bigint {
  return shorts.reduce((units, short) => units + short.quantity, 0n);
}

/** Converts a short to new shares. Its remaining units and proceeds become its whole. */
export function scaleShort(short: OpenShort, ratio: Ratio): void {
  for (const field of ['quantity', 'heldLong', 'heldShort', 'used', 'claimed'] as const) {
    short[field] = scale(short[field], ratio);
  }
  short.wholeQuantity = short.quantity;
  short.wholeProceeds -= short.proceedsTaken;
  short.proceedsTaken = 0n;
}

/** Moves the shorts affected by an action to the successor asset. */
export function moveShorts(fold: Fold, event: TransactionEvent, key: string, asset: string): OpenShort[] {
  const all = fold.shorts.get(event.key) ?? [];
  const moved = listAffectedShorts(fold, event);
  if (moved.length === 0) return [];
  for (const short of moved) Object.assign(short, { key, asset });
  const there = fold.shorts.get(key) ?? [];
  fold.shorts.set(
    key,
    [...there, ...moved].sort((a, b) => a.sequence - b.sequence),
  );
  fold.shorts.set(
    event.key,
    all.filter((short) => !moved.includes(short)),
  );
  return moved;
}

/** Moves written options in an account, or in all accounts if it is empty, to another symbol. */
export function moveWritten(
  fold: Fold,
  move: { readonly key: string; readonly account: string; readonly newKey: string; readonly asset: string },
  isMoved: (option: { readonly underlyingKey: string | null }) => boolean = () => true,
): void {
  const open = fold.written.get(move.key) ?? [];
  const moved = open.filter((option) => isReached(move, option.account) && isMoved(option));
  if (moved.length === 0) return;
  fold.written.set(
    move.key,
    open.filter((option) => !moved.includes(option)),
  );
  for (const option of moved) Object.assign(option, { key: move.newKey, asset: move.asset });
  fold.written.set(
    move.newKey,
    [...getOrCreateList(fold.written, move.newKey), ...moved].sort((a, b) => a.sequence - b.sequence),
  );
  awaitLapse(fold, { key: move.newKey, asset: move.asset });
}

/** Moves options on the old asset to the new one, and its straddle losses too. */
export function followUnderlying(fold: Fold, key: string, receivedKey: string): void {
  for (const accounts of fold.pools.values()) {
    for (const pool of accounts.values()) {
      for (const lot of pool.lots.values()) {
        if (lot.underlyingKey !== key) break;
        Object.assign(lot, { underlyingKey: receivedKey });
        noteSymbol(fold, lot);
      }
    }
  }
  for (const option of [...fold.written.values()].flat()) {
    if (option.underlyingKey !== key) continue;
    option.underlyingKey = receivedKey;
    noteSymbol(fold, option);
  }
  fold.straddleLosses = fold.straddleLosses.map((loss) =>
    loss.stock === key ? { ...loss, stock: receivedKey } : loss,
  );
  const puts = fold.puts.get(key);
  if (puts !== undefined) {
    for (const put of puts) put.key = receivedKey;
    const all = [...(fold.puts.get(receivedKey) ?? []), ...puts];
    fold.puts.set(
      receivedKey,
      all.sort((a, b) => a.sequence - b.sequence),
    );
    fold.puts.delete(key);
  }
  fold.recent.delete(key);
  fold.recent.delete(receivedKey);
}

export function writeActionLine(
  fold: Fold,
  event: TransactionEvent,
  lot: OpenLot,
  row: number,
  cells: Pick<Disposal, 'quantity' | 'proceeds' | 'basis' | 'description'> &
    Partial<Pick<Disposal, 'code' | 'adjustment'>>,
): void {
  if (isRetirement(fold, lot.account)) return;
  const term = computeTerm(lot.inherited, lot.heldSince, event.on);
  fold.facts.push({
    ...buildLineHead(fold, { ...event, assetClass: lot.assetClass }, row, term, lot.covered, {
      sold: event.on,
      expired: null,
    }),
    lotId: lot.id,
    asset: event.asset,
    assetClass: lot.assetClass,
    acquired: lot.acquired,
    heldSince: lot.heldSince,
    inherited: lot.inherited,
    basisUnknown: lot.basisUnknown,
    ...purchaseMark(lot),
    identified: 'default',
    ...cells,
  });
}

export function raiseIncomplete(fold: Fold, event: TransactionEvent, what: string): void {
  raise(
    fold,
    event,
    'value_missing',
    `The ${event.tx.type} of ${event.asset} on ${formatDay(event.on)} does not state ${what}.`,
  );
}

/**
 * Raises an issue about an action on an asset that is not held. `amount` is the largest possible error in the result,
 * in cents, or null if no row states it.
 */
export function raiseNothingHeld(fold: Fold, event: TransactionEvent, amount: bigint | null): void {
  const whoHeld = event.account === '' ? 'No account held' : `${event.account} did not hold`;
  const detail = `${whoHeld} ${event.asset} on ${formatDay(event.on)}, the day of its ${event.tx.type.replaceAll('_', ' ')}.`;
  raise(fold, event, 'unreconciled', detail, amount === null ? {} : { dollars: amount as Cents });
}
