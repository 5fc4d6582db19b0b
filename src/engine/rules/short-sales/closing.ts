import { type Day, yearOf } from '../../../base/day.ts';
import { type Cents, proportion, type Quantity } from '../../../base/decimal.ts';
import { least, most } from '../../book/amounts.ts';
import type { LotPlan, NotOnForm1099, OpenLoss, OpenLot, OpenShort } from '../../book/book.ts';
import { type Fold, isRetirement, type SliceLoss } from '../../book/fold.ts';
import { limitToLoss, notOnFormPart, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { isContract1256, isWashable } from '../../events/classes.ts';
import type { TransactionEvent } from '../../events/event.ts';
import type { Disposal, Term, TransactionType } from '../../model.ts';
import { includePlanIncome } from '../employee-stock/plan.ts';
import { basisFor, buildLineHead, purchaseMark, writeContract } from '../lines/disposal.ts';
import { withForm1099Basis } from '../lines/shown-basis.ts';
import { computeTerm } from '../lines/term.ts';
import { isUnder1233, listHeldLots, ownedSince, sum } from '../lots/holding-periods.ts';
import { raiseUnknownBasis } from '../lots/sale-issues.ts';
import { computeSettlementDay } from '../lots/settlement.ts';
import { takeInLieu } from './in-lieu.ts';

/** Units that close a short sale, from an owned lot or from the covering purchase. */
export type ShortDelivery = {
  quantity: bigint;
  basis: bigint;
  lossBasis: bigint | null;
  notOnForm: NotOnForm1099 | undefined;
  lot: OpenLot;
  owned: boolean;
  readonly plan?: LotPlan | undefined;
  readonly identified: Disposal['identified'];
};

/**
 * Closes units of one short with units of one lot. Writes one line, or two if IRC 1233 changes the term of some units.
 */
export function closeUnits(
  fold: Fold,
  event: TransactionEvent,
  short: OpenShort,
  stated: ShortDelivery,
  run: ShortClosing,
): void {
  const { tx } = event;
  const inLieu = takeInLieu(short, stated.quantity, stated.owned ? tx.on : findDeliveryDay(event, short));
  const proceeds = proceedsFor(short, stated.quantity);
  const { lot } = stated;
  const delivery = isRetirement(fold, event.account)
    ? withInLieu(stated, inLieu)
    : includePlanIncome(fold, event, withInLieu(stated, inLieu), { value: proceeds, disposed: tx.on, row: run.row });
  // If a gift has two bases, the proceeds determine which one applies (IRC 1015(a)).
  const chosen = basisFor(delivery, proceeds);
  const handed: DeliveryWithDates = { ...delivery, ...chosen };
  const holdingTerm = delivery.owned ? computeTerm(lot.inherited, chosen.heldSince, tx.on) : 'short';
  const turned = countUnitsWithChangedTerm(fold, short, delivery, holdingTerm, proceeds >= chosen.basis, tx.on);
  const [first, rest] = [turned, delivery.quantity - turned];
  const other: Term = holdingTerm === 'short' ? 'long' : 'short';
  const parts: [bigint, Term][] = [
    [first, other],
    [rest, holdingTerm],
  ];
  let [units, dealtProceeds, dealtBasis] = [0n, 0n, 0n];
  for (const [quantity, term] of parts) {
    if (quantity === 0n) continue;
    const notOnForm = notOnFormPart(delivery.notOnForm, units, quantity, delivery.quantity);
    units += quantity;
    const upToProceeds = proportion(proceeds, units, delivery.quantity);
    const upToBasis = proportion(chosen.basis, units, delivery.quantity);
    const cells = { quantity, proceeds: upToProceeds - dealtProceeds, basis: upToBasis - dealtBasis, notOnForm };
    writeClosing(fold, event, short, handed, cells, term, run);
    [dealtProceeds, dealtBasis] = [upToProceeds, upToBasis];
  }
}

/** Adds payments in lieu of dividends to the basis of a delivery. No broker adds them to the basis that it reports. */
function withInLieu(delivery: ShortDelivery, inLieu: bigint): ShortDelivery {
  if (inLieu === 0n) return delivery;
  const { basis, lossBasis, notOnForm, lot } = delivery;
  const { heldSince } = notOnForm ?? lot;
  return {
    ...delivery,
    basis: basis + inLieu,
    lossBasis: lossBasis === null ? null : lossBasis + inLieu,
    notOnForm: { stepUp: (notOnForm?.stepUp ?? 0n) + inLieu, heldSince },
  };
}

function proceedsFor(short: OpenShort, units: bigint): bigint {
  short.quantity -= units;
  const upTo = proportion(short.wholeProceeds, short.wholeQuantity - short.quantity, short.wholeQuantity);
  const proceeds = upTo - short.proceedsTaken;
  short.proceedsTaken = upTo;
  return proceeds;
}

/**
 * Returns the units whose term IRC 1233 changes. A gain is short-term for units held for a year or less on the day of
 * the short sale, or acquired before the closing (IRC 1233(b)(1)). A loss is long-term for units held longer (1233(d)).
 * Each such unit counts for one unit short, even if the short is closed in several parts (1233(e)(1)).
 */
function countUnitsWithChangedTerm(
  fold: Fold,
  short: OpenShort,
  delivery: ShortDelivery,
  term: Term,
  gain: boolean,
  on: Day,
): bigint {
  const limit = delivery.quantity;
  if (!isUnder1233(short.assetClass)) return 0n;
  if (gain && term === 'long') {
    const later = sum(
      listHeldLots(fold, short.key).filter((lot) => ownedSince(lot) > short.on && ownedSince(lot) <= on),
    );
    const deliveredLater = delivery.owned && ownedSince(delivery.lot) > short.on ? limit : 0n;
    const turned = least(most(0n, short.heldShort + later) + deliveredLater, limit);
    // The number may become negative, so that units acquired later count only once.
    short.heldShort -= turned - deliveredLater;
    return turned;
  }
  if (gain || term === 'long') return 0n;
  const turned = least(short.heldLong, limit);
  short.heldLong -= turned;
  return turned;
}

function writeClosing(
  fold: Fold,
  event: TransactionEvent,
  short: OpenShort,
  delivery: DeliveryWithDates,
  cells: Pick<ShortDelivery, 'quantity' | 'basis' | 'notOnForm'> & { readonly proceeds: bigint },
  term: Term,
  run: ShortClosing,
): void {
  const { tx } = event;
  const row = run.row++;
  const { lot } = delivery;
  if (isContract1256(short.assetClass)) {
    writeContract(fold, event, cells.proceeds - cells.basis, tx.on, row);
    return;
  }
  if (isRetirement(fold, event.account)) return;
  const loss = cells.basis - cells.proceeds;
  const delivered = delivery.owned ? tx.on : findDeliveryDay(event, short);
  // The line keeps the trade date unless the loss belongs to the next year.
  const sold = loss > 0n && yearOf(delivered) > yearOf(tx.on) ? delivered : tx.on;
  const line = buildLineHead(fold, event, row, term, lot.covered, { sold, expired: null });
  const full: Disposal = {
    ...line,
    lotId: delivery.owned ? lot.id : short.id,
    asset: short.asset,
    assetClass: short.assetClass,
    quantity: cells.quantity as Quantity,
    acquired: delivery.acquired,
    heldSince: delivery.heldSince,
    inherited: lot.inherited,
    proceeds: cells.proceeds as Cents,
    basis: cells.basis as Cents,
    basisUnknown: lot.basisUnknown,
    ...purchaseMark(lot),
    identified: delivery.identified,
    shortSale: true,
  };
  const { notOnForm } = cells;
  fold.facts.push(notOnForm === undefined ? full : withForm1099Basis(full, notOnForm));
  if (lot.basisUnknown) raiseUnknownBasis(fold, event, cells.proceeds, lot.openedBy, row);
  if (loss <= 0n || !isWashable(short.assetClass, fold.rules, delivered)) return;
  // The window is measured from the delivery that closes the short. If identical stock was owned on the day of the
  // short sale and is now delivered, it is measured from that day (1.1091-1(g)).
  const ownedThen = delivery.owned && ownedSince(lot) <= short.on;
  const on = ownedThen ? short.on : delivered;
  const piece = {
    disposalId: line.id,
    key: short.key,
    on,
    disposedOn: line.on,
    heldSince: delivery.heldSince,
    origin: lot.origin,
    account: event.account,
    quantity: cells.quantity,
    matched: 0n,
    loss,
    proceeds: cells.proceeds,
    disallowed: 0n,
    splits: [],
    short: short.id,
    ...withNotOnForm(limitToLoss(notOnForm, loss)),
  };
  if (ownedThen)
    run.owned.push({ ...piece, acquired: lot.acquired, lotSequence: lot.sequence, adjusted: lot.adjusted });
  else run.losses.push({ ...piece, heldSince: on, origin: short.id, sequence: fold.sequence++ });
}

/**
 * Returns the delivery date of units bought to cover. A loss on a short is not realized before then (26 CFR
 * 1.1233-1(a)(1); Rev. Rul. 2002-44). A gain is realized on the day of the purchase.
 */
function findDeliveryDay({ tx }: TransactionEvent, short: OpenShort): Day {
  return isUnder1233(short.assetClass) && !bringsNoShares.has(tx.type) ? computeSettlementDay(tx.on) : tx.on;
}

/** Types that end a short without a purchase of shares. */
const bringsNoShares: ReadonlySet<TransactionType> = new Set(['merger', 'worthless']);

/** The lines written for one covering so far, and the losses that another short sale may disallow. */
export interface ShortClosing {
  row: number;
  readonly losses: OpenLoss[];
  /**
   * Losses on units owned on the day of the short sale. The units were delivered together, so the losses are matched
   * together.
   */
  readonly owned: SliceLoss[];
}

/** A delivery with the basis and dates that apply to this sale. */
type DeliveryWithDates = ShortDelivery & { readonly acquired: Day; readonly heldSince: Day };
