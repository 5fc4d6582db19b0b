import { type Cents, divideRounded, type Money, proportion, type Quantity } from '../../../base/decimal.ts';
import { createAllocator, least, most, scale } from '../../book/amounts.ts';
import type { OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, getOrCreatePool, noteTransaction, reorder, roundCarrying } from '../../book/fold.ts';
import { getOrCreateList } from '../../book/keyed.ts';
import { addLot } from '../../book/lots.ts';
import { notOnFormPart, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { dollars, isUnvalued, type TransactionEvent, tradeFee } from '../../events/event.ts';
import type { Ratio } from '../../model.ts';
import { cashOut, payOnShorts } from './cash-merger.ts';
import {
  followUnderlying,
  isFirstToday,
  listAffectedPools,
  listAffectedShorts,
  listRebasedLots,
  makesTooMany,
  moveShorts,
  raiseIncomplete,
  raiseNothingHeld,
  scaleShort,
  sortShortsByAccount,
  sumQuantities,
  sumUnitsShort,
  takeAllLots,
  writeActionLine,
} from './corporate-actions.ts';

/**
 * Applies a spin-off. It allocates a part of each lot's basis to the shares received, which keep the lot's dates. The
 * part depends on relative values, and the issuer states it as a percentage (IRC 358(b), 1223(1)). Shares received are
 * not purchased (26 CFR 1.1091-1(f)). A short seller owes the shares that the lender would have received.
 */
export function spinoff(fold: Fold, event: TransactionEvent, receivedKey: string): void {
  const { tx } = event;
  if (tx.ratio === null || tx.receivedQuantity === null || tx.ratio.numerator > tx.ratio.denominator) {
    raiseIncomplete(fold, event, 'the ratio or the units received');
    return;
  }
  const holders = listAffectedPools(fold, event);
  const pools = holders.filter((pool) => isFirstToday(fold, event, pool));
  const held = sumQuantities(pools);
  // The units of a row are those received for the holdings. If holdings were already counted, the row does not cover
  // the shorts.
  const isCounted = holders.length > 0 && held === 0n;
  const owing = isCounted ? [] : listAffectedShorts(fold, event).filter((short) => !isSpunOffToday(fold, event, short));
  spinOffShorts(fold, event, owing, receivedKey, held);
  const deal = createAllocator(tx.receivedQuantity, held);
  for (const pool of pools) {
    const child = getOrCreatePool(fold, receivedKey, pool.account);
    noteTransaction(child, tx.id);
    for (const lot of listRebasedLots(pool)) {
      const quantity = deal(lot.quantity);
      const born = createSpunOffLot(lot, tx.ratio, quantity);
      if (quantity <= 0n) continue;
      const id = `${tx.id}/0:${lot.id}`;
      addLot(fold, child, { ...born, id, origin: id, openedBy: tx.id, key: receivedKey, asset: tx.receivedAsset });
    }
    reorder(pool);
  }
  if (pools.length + owing.length === 0) raiseNothingHeld(fold, event, null);
}

/** Returns whether a short was already divided today. Several accounts may report the same action. */
function isSpunOffToday(fold: Fold, event: TransactionEvent, short: OpenShort): boolean {
  return fold.actionsToday.has(spinOffOf(event, short));
}

function spinOffOf({ key, tx }: TransactionEvent, { id }: OpenShort): string {
  return `spinoff ${key} ${tx.receivedAsset} ${tx.ratio?.numerator}:${tx.ratio?.denominator} short ${id}`;
}

/**
 * Divides each short in two. Its proceeds are divided in the same way as basis. The additional shares owed are not a
 * new short sale. They carry no disallowed loss, and holdings that count for the short also count for them (Rev. Rul.
 * 72-521: a payment to the lender in place of capital is capital). If nothing is held, the units of the row are those
 * of the shorts.
 */
function spinOffShorts(
  fold: Fold,
  event: TransactionEvent,
  shorts: readonly OpenShort[],
  key: string,
  held: bigint,
): void {
  const { ratio, receivedQuantity } = event.tx;
  if (ratio === null || receivedQuantity === null) return;
  const units = { numerator: receivedQuantity, denominator: held > 0n ? held : sumUnitsShort(shorts) };
  if (shorts.length === 0 || makesTooMany(fold, event, sumUnitsShort(shorts), units)) return;
  for (const short of sortShortsByAccount(shorts)) {
    fold.actionsToday.add(spinOffOf(event, short));
    const quantity = scale(short.quantity, units);
    if (quantity === 0n) continue;
    scaleShort(short, { numerator: 1n, denominator: 1n });
    const { byOption: _byOption, inLieu: _inLieu, ...common } = short;
    const moved = proportion(short.wholeProceeds, ratio.numerator, ratio.denominator);
    short.wholeProceeds -= moved;
    const owed: OpenShort = {
      ...common,
      id: `${event.tx.id}/0:${short.id}`,
      openedBy: event.tx.id,
      key,
      asset: event.tx.receivedAsset,
      sequence: fold.sequence++,
      quantity,
      wholeQuantity: quantity,
      wholeProceeds: moved,
      heldLong: scale(short.heldLong, units),
      heldShort: scale(short.heldShort, units),
      claimed: scale(short.claimed, units),
      used: quantity,
    };
    getOrCreateList(fold.shorts, key).push(owed);
    noteTransaction(getOrCreatePool(fold, key, short.account), event.tx.id);
  }
}

/**
 * Applies a merger. Basis and dates carry over if shares are exchanged for shares (IRC 354, 358, 1223(1)). If cash is
 * paid too, gain on each lot is recognized up to the cash less the fee, but loss is not (IRC 356(a), (c)). The part of
 * a fee above the cash is added to the basis. Cash alone is a sale and ends shorts (`cash-merger.ts`). A short seller
 * owes the new shares and the cash.
 */
export function merge(fold: Fold, event: TransactionEvent, receivedKey: string): void {
  const { tx } = event;
  const pools = listAffectedPools(fold, event).filter((pool) => isFirstToday(fold, event, pool));
  const total = sumQuantities(pools);
  if (tx.receivedAsset === '') {
    cashOut(fold, event, pools, total);
    return;
  }
  const owed = sumUnitsShort(listAffectedShorts(fold, event));
  if (total + owed === 0n) {
    raiseNothingHeld(fold, event, null);
    return;
  }
  const ratio = findUnitRatio(event, total === 0n ? owed : total);
  if (ratio === null) {
    raiseIncomplete(fold, event, 'the number of new units received');
    return;
  }
  if (makesTooMany(fold, event, total + owed, ratio)) return;
  if (isUnvalued(tx, tx.amount) || isUnvalued(tx, tx.fee)) raiseIncomplete(fold, event, 'its cash in dollars');
  payOnShorts(fold, event, total);
  for (const short of moveShorts(fold, event, receivedKey, tx.receivedAsset)) scaleShort(short, ratio);
  if (pools.length === 0) return;
  const cash = roundCarrying(fold, `proceeds ${event.key}`, ((dollars(tx, tx.amount) ?? 0n) - tradeFee(tx)) as Money);
  const value = dollars(tx, tx.fmv);
  if (cash > 0n && value === null) raiseIncomplete(fold, event, 'the value of the new shares');
  const received = tx.ratio === null ? (tx.receivedQuantity as Quantity) : scale(total, tx.ratio);
  const deal = {
    units: createAllocator(received, total),
    cash: createAllocator(cash, total),
    value: createAllocator(settleValue(value), total),
  };
  let row = 0;
  for (const pool of pools) {
    const successor = getOrCreatePool(fold, receivedKey, pool.account);
    noteTransaction(successor, tx.id);
    for (const lot of takeAllLots(pool)) {
      const quantity = deal.units(lot.quantity);
      const [cashShare, valueShare] = [deal.cash(lot.quantity), deal.value(lot.quantity)];
      const realized = cashShare + (value === null ? 0n : valueShare) - lot.wholeBasis;
      const recognized = most(0n, least(realized, cashShare));
      const received = { cash: cashShare, all: cashShare + valueShare, gain: recognized };
      if (recognized > 0n) writeBoot(fold, event, lot, received, row++);
      const basis = lot.wholeBasis - cashShare + recognized;
      addLot(
        fold,
        successor,
        createSuccessorLot(lot, receivedKey, tx.receivedAsset, quantity, basis, cashShare - recognized),
      );
    }
  }
  followUnderlying(fold, event.key, receivedKey);
}

/**
 * Returns the new units per old unit. If a row states only units, they are those of the holdings, or of the shorts if
 * nothing is held.
 */
function findUnitRatio({ tx }: TransactionEvent, units: bigint): Ratio | null {
  if (tx.ratio !== null) return tx.ratio;
  return tx.receivedQuantity === null ? null : { numerator: tx.receivedQuantity, denominator: units };
}

function createSpunOffLot(lot: OpenLot, ratio: Ratio, quantity: bigint): OpenLot {
  const basis = proportion(lot.wholeBasis, ratio.numerator, ratio.denominator);
  const lossBasis = lot.lossBasis === null ? null : proportion(lot.lossBasis, ratio.numerator, ratio.denominator);
  // Shares received in a spin-off do not have the terms of a bond or of an employee stock purchase plan.
  const { debt: _debt, plan: _plan, ...parent } = lot;
  const born: OpenLot = {
    ...parent,
    quantity,
    used: 0n,
    wholeQuantity: quantity,
    wholeBasis: basis,
    lossBasis,
    unitBasis: lot.unitBasis * ratio.numerator * lot.quantity,
    unitQuantity: lot.unitQuantity * ratio.denominator * quantity,
    purchasedOn: null,
    children: 0,
    ...withNotOnForm(notOnFormPart(lot.notOnForm, 0n, ratio.numerator, ratio.denominator)),
  };
  Object.assign(
    lot,
    withNotOnForm(
      notOnFormPart(lot.notOnForm, ratio.numerator, ratio.denominator - ratio.numerator, ratio.denominator),
    ),
  );
  lot.wholeBasis -= basis;
  if (lot.lossBasis !== null && lossBasis !== null) lot.lossBasis -= lossBasis;
  lot.unitBasis *= ratio.denominator - ratio.numerator;
  lot.unitQuantity *= ratio.denominator;
  return born;
}

/**
 * Returns the successor lot, which is the same property under another name. If it was bought within 30 days of a later
 * loss, it still replaces that loss. Units that already replaced a loss do not replace another (1.1091-1(e)).
 */
function createSuccessorLot(
  lot: OpenLot,
  key: string,
  asset: string,
  quantity: bigint,
  basis: bigint,
  lessLoss: bigint,
): OpenLot {
  const same = basis === lot.wholeBasis;
  return {
    ...lot,
    key,
    asset,
    quantity,
    used: lot.used === lot.quantity ? quantity : (lot.used * quantity) / lot.quantity,
    wholeQuantity: quantity,
    wholeBasis: basis,
    lossBasis: lot.lossBasis === null ? null : most(0n, lot.lossBasis - lessLoss),
    unitBasis: same ? lot.unitBasis * lot.quantity : basis * 1_000_000n,
    unitQuantity: same ? lot.unitQuantity * quantity : quantity,
  };
}

/**
 * Writes the line of the cash received. (d) is the cash and (e) the cash less the gain. If elected, (d) is everything
 * received, (e) is the basis, and (g) is the unrecognized gain or loss with code O (DECISIONS.md, P15).
 */
function writeBoot(
  fold: Fold,
  event: TransactionEvent,
  lot: OpenLot,
  received: { readonly cash: bigint; readonly all: bigint; readonly gain: bigint },
  row: number,
): void {
  const { cash, all, gain } = received;
  const whole = fold.rules.mergerRows === 'all_received';
  const postponed = gain - (all - lot.wholeBasis);
  const cells = whole ? { proceeds: all, basis: lot.wholeBasis } : { proceeds: cash, basis: cash - gain };
  writeActionLine(fold, { ...event, account: event.account === '' ? lot.account : event.account }, lot, row, {
    quantity: lot.quantity as Quantity,
    proceeds: cells.proceeds as Cents,
    basis: cells.basis as Cents,
    description: null,
    ...(whole && postponed !== 0n ? { code: 'O', adjustment: postponed as Cents } : {}),
  });
}

function settleValue(value: Money | null): bigint {
  return value === null ? 0n : divideRounded(value, 1_000_000n);
}
