import { type Day, formatDay, longTermOn } from '../base/day.ts';
import {
  type Cents,
  centsToMoney,
  divideRounded,
  formatCents,
  type Money,
  proportion,
  type Quantity,
} from '../base/decimal.ts';
import type { OpenLot, OpenShort } from './book.ts';
import { isContract1256, isWashable } from './classes.ts';
import { type Act, dollars, optionPurchase, tradeFee } from './events.ts';
import { type Fold, isRetirement, leaveTrail, listOf, poolOf, raise, settle } from './fold.ts';
import { addLot, carve, lotOfSlice, remainingBasis, type Slice, takeByLabel, takeByMethod } from './lots.ts';
import { methodOf } from './methods.ts';
import type { Term } from './model.ts';
import { lineOf, termOf, writeContract } from './sale.ts';
import { registerLoss, washDays } from './wash.ts';

/** A short sale is not realized until it is closed (26 CFR 1.1233-1(a)(1)); what is held that day decides its term. */
export function openShort(fold: Fold, event: Act): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'The quantity');
    return;
  }
  const amount = dollars(tx, tx.amount);
  if (amount === null) raiseUnreadable(fold, event, 'The amount');
  const proceeds = settle(fold, `proceeds ${event.key}`, ((amount ?? 0n) - tradeFee(tx)) as Money);
  const held = heldLots(fold, event.key);
  const [longUnits, shortUnits] = [
    sum(held.filter((lot) => isLong(lot, tx.on))),
    sum(held.filter((lot) => !isLong(lot, tx.on))),
  ];
  const short: OpenShort = {
    id: `${tx.id}/0`,
    openedBy: tx.id,
    label: tx.externalId,
    key: event.key,
    asset: event.asset,
    assetClass: event.assetClass,
    account: event.account,
    on: tx.on,
    sequence: fold.sequence++,
    quantity: tx.quantity,
    wholeQuantity: tx.quantity,
    wholeProceeds: proceeds,
    proceedsTaken: 0n,
    heldLong: longUnits < tx.quantity ? longUnits : tx.quantity,
    heldShort: shortUnits < tx.quantity ? shortUnits : tx.quantity,
    used: 0n,
  };
  listOf(fold.shorts, event.key).push(short);
  leaveTrail(poolOf(fold, event.key, event.account), tx.id);
  warnOfConstructiveSale(fold, event, short, held);
  matchShortLosses(fold, short);
}

/** Closes shorts by what was bought to cover, or by owned lots that the row names after the short. */
export function cover(fold: Fold, event: Act): void {
  const { tx } = event;
  if (tx.quantity === null || tx.quantity <= 0n) {
    raiseUnreadable(fold, event, 'The quantity');
    return;
  }
  const closing = shortsToClose(fold, event);
  const open = closing.reduce((units, { quantity }) => units + quantity, 0n);
  const before = heldLots(fold, event.key).map((lot) => ({ lot, quantity: lot.quantity }));
  const delivered = deliver(fold, event, tx.quantity);
  if (open < tx.quantity) keepExcess(fold, event, delivered, tx.quantity - open);
  const run = { row: 0 };
  for (const { short, quantity } of closing) {
    for (let left = quantity; left > 0n; ) {
      const slice = delivered[0];
      if (slice === undefined) break;
      const units = slice.quantity < left ? slice.quantity : left;
      closeUnits(fold, event, short, splitSlice(delivered, units), run);
      left -= units;
    }
    restartPeriods(fold, short, quantity, tx.on, before);
  }
  fold.shorts.set(
    event.key,
    listOf(fold.shorts, event.key).filter((short) => short.quantity > 0n),
  );
}

/** Units of a lot delivered, or of the purchase that covers. */
type Delivery = { quantity: bigint; basis: bigint; lot: OpenLot; owned: boolean };

function shortsToClose(fold: Fold, event: Act): { short: OpenShort; quantity: bigint }[] {
  const own = listOf(fold.shorts, event.key).filter((short) => short.account === event.account);
  const closing: { short: OpenShort; quantity: bigint }[] = [];
  let missing: bigint = event.tx.quantity ?? 0n;
  const add = (short: OpenShort, limit: bigint): void => {
    const already = closing.filter((part) => part.short === short).reduce((units, part) => units + part.quantity, 0n);
    const free = short.quantity - already;
    const units = [free, limit, missing].reduce((a, b) => (a < b ? a : b));
    if (units <= 0n) return;
    closing.push({ short, quantity: units });
    missing -= units;
  };
  for (const choice of event.tx.lots) {
    for (const short of own) if (short.label === choice.label && choice.label !== '') add(short, choice.quantity);
  }
  for (const short of own) add(short, missing);
  return closing;
}

/** Owned lots that the row names are delivered; all the rest is bought to cover. */
function deliver(fold: Fold, event: Act, quantity: bigint): Delivery[] {
  const { tx } = event;
  const pool = poolOf(fold, event.key, event.account);
  leaveTrail(pool, tx.id);
  const method = methodOf(fold.rules, event.account, event.assetClass, tx.on);
  const shorts = new Set(listOf(fold.shorts, event.key).map((short) => short.label));
  const owned: Slice[] = [];
  let missing = quantity;
  const keep = (slices: Slice[]): void => {
    for (const slice of slices) missing -= slice.quantity;
    owned.push(...slices);
  };
  for (const choice of tx.lots) {
    if (shorts.has(choice.label)) continue;
    const wanted = choice.quantity < missing ? choice.quantity : missing;
    const slices = takeByLabel(pool, choice.label, wanted, method);
    if (sum(slices) < wanted)
      raise(fold, event, 'lot_not_found', `The lot ${choice.label} named to be delivered is not in ${event.account}.`, {
        suffix: choice.label,
      });
    keep(slices);
  }
  const amount = dollars(tx, tx.amount);
  if (amount === 0n && missing > 0n) keep(takeByMethod(pool, missing, method));
  const deliveries = owned.map((slice) => ({
    quantity: slice.quantity,
    basis: slice.basis,
    lot: slice.lot,
    owned: true,
  }));
  if (missing === 0n) return deliveries;
  if (amount === null) raiseUnreadable(fold, event, 'The amount');
  const basis = settle(fold, `basis ${event.key}`, ((amount ?? 0n) + tradeFee(tx)) as Money);
  return [...deliveries, { quantity: missing, basis, lot: boughtLot(event, missing, basis), owned: false }];
}

/** More bought than was short: the rest stays as a lot. */
function keepExcess(fold: Fold, event: Act, delivered: Delivery[], excess: bigint): void {
  const detail = `${event.account} bought ${event.asset} to cover on ${formatDay(event.tx.on)} more than it was short: the rest is kept as bought.`;
  raise(fold, event, 'short_exceeded', detail);
  let left = excess;
  while (left > 0n) {
    const last = delivered[delivered.length - 1];
    if (last === undefined) return;
    const units = last.quantity < left ? last.quantity : left;
    const basis = proportion(last.basis, units, last.quantity);
    const lot = {
      ...last.lot,
      quantity: units,
      wholeQuantity: units,
      wholeBasis: basis,
      basisTaken: 0n,
      children: 0,
      purchasedOn: null,
    };
    addLot(fold, poolOf(fold, event.key, event.account), {
      ...lot,
      id: `${event.tx.id}/1:${last.owned ? last.lot.id : 'excess'}`,
      unitBasis: basis * 1_000_000n,
      unitQuantity: units,
      sequence: fold.sequence++,
    });
    last.quantity -= units;
    last.basis -= basis;
    left -= units;
    if (last.quantity === 0n) delivered.pop();
  }
}

function splitSlice(delivered: Delivery[], units: bigint): Delivery {
  const first = delivered[0] as Delivery;
  if (first.quantity === units) return delivered.shift() as Delivery;
  const basis = proportion(first.basis, units, first.quantity);
  first.quantity -= units;
  first.basis -= basis;
  return { ...first, quantity: units, basis };
}

/** Units of one short closed by units of one lot: one line, or two where IRC 1233 turns the term of only some. */
function closeUnits(fold: Fold, event: Act, short: OpenShort, delivery: Delivery, run: { row: number }): void {
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
    short.heldShort = floor(short.heldShort - limit);
    return tainted < limit ? tainted : limit;
  }
  if (gain || own === 'long') return 0n;
  const turned = short.heldLong < limit ? short.heldLong : limit;
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

type ShortLoss = Parameters<typeof registerLoss>[1] extends infer P ? Omit<P, 'acquired' | 'lotSequence'> : never;

/** IRC 1091(e): a loss on closing a short sale is denied where another short sale is entered within 30 days. */
function matchShortLoss(fold: Fold, loss: ShortLoss, closed: OpenShort): void {
  for (const short of listOf(fold.shorts, loss.key)) {
    if (short.id !== closed.id && Math.abs(short.on - loss.on) <= washDays) deferToShort(fold, loss, short);
  }
  if (loss.matched < loss.quantity) listOf(fold.shortLosses, loss.key).push(loss);
}

function matchShortLosses(fold: Fold, short: OpenShort): void {
  const waiting = listOf(fold.shortLosses, short.key).filter(
    (loss) => loss.matched < loss.quantity && short.on - loss.on <= washDays,
  );
  fold.shortLosses.set(short.key, waiting);
  for (const loss of waiting) deferToShort(fold, loss, short);
}

/** The denied loss reduces what the new short will have yielded. */
function deferToShort(fold: Fold, loss: ShortLoss, short: OpenShort): void {
  const free = short.quantity - short.used;
  const waiting = loss.quantity - loss.matched;
  const units = waiting < free ? waiting : free;
  if (units <= 0n) return;
  loss.matched += units;
  const upTo = divideRounded(loss.loss * loss.matched, loss.quantity);
  const disallowed = upTo - loss.disallowed;
  loss.disallowed = upTo;
  short.used += units;
  short.wholeProceeds -= short.proceedsTaken + disallowed;
  short.proceedsTaken = 0n;
  short.wholeQuantity = short.quantity;
  fold.facts.push({
    kind: 'wash',
    causedOn: fold.day,
    id: `${loss.disposalId}/${short.id}`,
    disposalId: loss.disposalId,
    on: loss.disposedOn,
    replacementLotId: short.id,
    replacementTransactionId: short.openedBy,
    quantity: units as Quantity,
    disallowed: disallowed as Cents,
    permanent: false,
  });
}

/**
 * Property held no longer than a year on the day of the short sale, or bought before the closing, is held from the
 * closing on, in the order in which it was acquired, up to the quantity short (IRC 1233(b)(2)).
 */
function restartPeriods(
  fold: Fold,
  short: OpenShort,
  quantity: bigint,
  on: Day,
  before: readonly { lot: OpenLot; quantity: bigint }[],
): void {
  let left = quantity;
  for (const { lot, quantity: held } of [...before].sort(
    (a, b) => a.lot.acquired - b.lot.acquired || a.lot.sequence - b.lot.sequence,
  )) {
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

/** A short against an appreciated holding may be a sale of the holding (IRC 1259); whether it was closed in time is not judged here. */
function warnOfConstructiveSale(fold: Fold, event: Act, short: OpenShort, held: readonly OpenLot[]): void {
  let gain = 0n;
  for (const lot of held) {
    const value = proportion(short.wholeProceeds, lot.quantity, short.wholeQuantity);
    if (value > remainingBasis(lot)) gain += value - remainingBasis(lot);
  }
  if (gain <= 0n) return;
  const detail = `${event.asset} was sold short on ${formatDay(short.on)} while held with a gain of up to ${formatCents(gain as Cents)}: this may count as a sale of the holding (IRC 1259).`;
  raise(fold, event, 'constructive_sale', detail, { dollars: gain as Cents });
}

/** All the taxpayer's lots of an asset: accounts, the spouse's included, are one (IRC 1233(e)(2)(C)). */
function heldLots(fold: Fold, key: string): OpenLot[] {
  return [...(fold.pools.get(key)?.values() ?? [])]
    .filter((pool) => !isRetirement(fold, pool.account))
    .flatMap((pool) => [...pool.lots.values()]);
}

function isLong(lot: OpenLot, on: Day): boolean {
  return lot.inherited || on >= longTermOn(lot.heldSince);
}

function boughtLot(event: Act, quantity: bigint, basis: bigint): OpenLot {
  const purchase = optionPurchase(event, quantity as Quantity, centsToMoney(basis as Cents));
  const id = `${event.tx.id}/1`;
  return {
    ...{ id, origin: id, openedBy: event.tx.id, label: event.tx.externalId, key: event.key, asset: event.asset },
    ...{ assetClass: event.assetClass, account: event.account, quantity, used: 0n },
    ...{
      wholeQuantity: quantity,
      wholeBasis: basis,
      basisTaken: 0n,
      unitBasis: basis * 1_000_000n,
      unitQuantity: quantity,
    },
    ...{ lossBasis: null, lossTaken: 0n, lossHeldSince: null, acquired: event.tx.on, heldSince: event.tx.on },
    ...{ inherited: false, purchasedOn: event.tx.on, sequence: 0, children: 0, adjusted: false, basisUnknown: false },
    covered: purchase.coveredFrom !== null && event.tx.on >= purchase.coveredFrom,
    ...{ shares: purchase.shares, underlyingKey: purchase.underlyingKey, right: purchase.right },
  };
}

function sum(parts: readonly { readonly quantity: bigint }[]): bigint {
  return parts.reduce((units, part) => units + part.quantity, 0n);
}

function floor(units: bigint): bigint {
  return units < 0n ? 0n : units;
}

function raiseUnreadable(fold: Fold, event: Act, what: string): void {
  raise(
    fold,
    event,
    'value_missing',
    `${what} of this ${event.tx.type.replaceAll('_', ' ')} of ${event.asset} is not stated in dollars.`,
    { suffix: what },
  );
}
