import { type Day, longTermOn } from '../base/day.ts';
import { type Cents, proportion, type Quantity } from '../base/decimal.ts';
import { least, most } from './amounts.ts';
import type { OpenLot, OpenShort } from './book.ts';
import { isContract1256, isWashable } from './classes.ts';
import type { Act } from './event.ts';
import { type Fold, isRetirement, poolOf } from './fold.ts';
import { addLot, carve, lotOfSlice } from './lots.ts';
import { lotOrders } from './methods.ts';
import type { Term } from './model.ts';
import { lineOf, termOf, writeContract } from './sale.ts';
import { matchShortLoss } from './short-losses.ts';
import { registerLoss } from './wash.ts';

/** Units of a lot delivered, or of the purchase that covers. */
export type Delivery = { quantity: bigint; basis: bigint; lot: OpenLot; owned: boolean };

/** Units of one short closed by units of one lot: one line, or two where IRC 1233 turns the term of only some. */
export function closeUnits(fold: Fold, event: Act, short: OpenShort, delivery: Delivery, run: { row: number }): void {
  const { tx } = event;
  const own = delivery.owned ? termOf(delivery.lot.inherited, delivery.lot.heldSince, tx.on) : 'short';
  const proceeds = proceedsFor(short, delivery.quantity);
  const turned = turnedUnits(fold, short, delivery, own, proceeds >= delivery.basis, tx.on);
  const [first, rest] = [turned, delivery.quantity - turned];
  const other: Term = own === 'short' ? 'long' : 'short';
  const parts: [bigint, Term][] = [
    [first, other],
    [rest, own],
  ];
  let [units, dealtProceeds, dealtBasis] = [0n, 0n, 0n];
  for (const [quantity, term] of parts) {
    if (quantity === 0n) continue;
    units += quantity;
    const upToProceeds = proportion(proceeds, units, delivery.quantity);
    const upToBasis = proportion(delivery.basis, units, delivery.quantity);
    const cells = { quantity, proceeds: upToProceeds - dealtProceeds, basis: upToBasis - dealtBasis };
    writeClosing(fold, event, short, delivery, cells, term, run.row++);
    [dealtProceeds, dealtBasis] = [upToProceeds, upToBasis];
  }
}

function proceedsFor(short: OpenShort, units: bigint): bigint {
  short.quantity -= units;
  const upTo = proportion(short.wholeProceeds, short.wholeQuantity - short.quantity, short.wholeQuantity);
  const proceeds = upTo - short.proceedsTaken;
  short.proceedsTaken = upTo;
  return proceeds;
}

/**
 * A gain is short-term as far as an identical unit was held no longer than a year on the day of the short sale, or was
 * bought before the closing (IRC 1233(b)(1)); a loss is long-term as far as one was held longer (1233(d)).
 */
function turnedUnits(fold: Fold, short: OpenShort, delivery: Delivery, own: Term, gain: boolean, on: Day): bigint {
  const limit = delivery.quantity;
  if (gain && own === 'long') {
    const later = heldLots(fold, short.key).filter((lot) => lot.acquired > short.on && lot.acquired <= on);
    const tainted = short.heldShort + sum(later);
    short.heldShort = most(0n, short.heldShort - limit);
    return least(tainted, limit);
  }
  if (gain || own === 'long') return 0n;
  const turned = least(short.heldLong, limit);
  short.heldLong -= turned;
  return turned;
}

function writeClosing(
  fold: Fold,
  event: Act,
  short: OpenShort,
  delivery: Delivery,
  cells: { quantity: bigint; proceeds: bigint; basis: bigint },
  term: Term,
  row: number,
): void {
  const { tx } = event;
  const { lot } = delivery;
  if (isContract1256(short.assetClass)) {
    writeContract(fold, event, cells.proceeds - cells.basis, tx.on, row);
    return;
  }
  if (isRetirement(fold, event.account)) return;
  const line = lineOf(fold, event, row, term, lot.covered, { sold: tx.on, expired: null });
  fold.facts.push({
    ...line,
    lotId: delivery.owned ? lot.id : short.id,
    asset: short.asset,
    assetClass: short.assetClass,
    quantity: cells.quantity as Quantity,
    acquired: lot.acquired,
    heldSince: lot.heldSince,
    inherited: lot.inherited,
    proceeds: cells.proceeds as Cents,
    basis: cells.basis as Cents,
    basisUnknown: lot.basisUnknown,
    identified: tx.lots.length > 0 ? 'identified' : 'default',
    shortSale: true,
  });
  const loss = cells.basis - cells.proceeds;
  if (loss <= 0n || !isWashable(short.assetClass, fold.rules)) return;
  // Identical stock owned on the day of the short sale and delivered: the loss counts from that day (1.1091-1(g)).
  const ownedThen = delivery.owned && lot.acquired <= short.on;
  const on = ownedThen ? short.on : tx.on;
  const piece = {
    disposalId: line.id,
    key: short.key,
    on,
    disposedOn: tx.on,
    heldSince: lot.heldSince,
    origin: lot.origin,
    quantity: cells.quantity,
    matched: 0n,
    loss,
    disallowed: 0n,
    splits: [],
  };
  if (ownedThen) registerLoss(fold, { ...piece, acquired: lot.acquired, lotSequence: lot.sequence }, tx.at !== null);
  else matchShortLoss(fold, { ...piece, heldSince: on }, short);
}

/**
 * Property held no longer than a year on the day of the short sale, or bought before the closing, is held from the
 * closing on, in the order in which it was acquired, up to the quantity short (IRC 1233(b)(2)).
 */
export function restartPeriods(
  fold: Fold,
  short: OpenShort,
  quantity: bigint,
  on: Day,
  before: readonly { lot: OpenLot; quantity: bigint }[],
): void {
  let left = quantity;
  for (const { lot, quantity: held } of [...before].sort((a, b) => lotOrders.FIFO(a.lot, b.lot))) {
    if (left <= 0n) return;
    if (isLong(lot, short.on) || lot.heldSince > on) continue;
    // What was delivered counts, though it has no period left.
    left -= held - lot.quantity;
    if (left <= 0n || lot.quantity === 0n) continue;
    const pool = poolOf(fold, lot.key, lot.account);
    if (lot.quantity <= left) {
      left -= lot.quantity;
      lot.heldSince = on;
    } else {
      const slice = carve(pool, lot, left);
      addLot(fold, pool, lotOfSlice(slice, { heldSince: on }));
      left = 0n;
    }
  }
}

/** All the taxpayer's lots of an asset: accounts, the spouse's included, are one (IRC 1233(e)(2)(C)). */
export function heldLots(fold: Fold, key: string): OpenLot[] {
  return [...(fold.pools.get(key)?.values() ?? [])]
    .filter((pool) => !isRetirement(fold, pool.account))
    .flatMap((pool) => [...pool.lots.values()]);
}

export function isLong(lot: OpenLot, on: Day): boolean {
  return lot.inherited || on >= longTermOn(lot.heldSince);
}

export function sum(parts: readonly { readonly quantity: bigint }[]): bigint {
  return parts.reduce((units, part) => units + part.quantity, 0n);
}
