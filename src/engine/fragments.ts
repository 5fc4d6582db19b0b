import { addDays, type Day } from '../base/day.ts';
import type { OpenLoss, OpenLot } from './book.ts';
import { type Fold, type LossPiece, poolOf } from './fold.ts';
import { addLot, carve, lotOfSlice, type Slice } from './lots.ts';

/**
 * What a loss does to the shares that replace it: they become a lot of their own, with the loss in their basis
 * (IRC 1091(d)) and the sold shares' time in their holding period (1223(3)).
 */
type Denied = Pick<OpenLoss, 'heldSince' | 'on' | 'fractionOf'>;

/** The fragment last cut off a purchase, and what of the losses it took on. */
export interface Cut {
  readonly sale: string;
  readonly fragment: OpenLot;
  readonly denied: bigint;
}

const share = 10n ** 18n;
const fractionsMax = 16;

/**
 * Each end of a sale or of a purchase cuts what replaced a loss once more, and at another part of a share: where nearly
 * all sales are losses, fractions get ever finer and each sale is of more of them. The regulation counts shares. Of a
 * sale made of more than sixteen fractions of a share that lost, those that fall on one purchase are one fragment.
 */
export function withFractions(pieces: LossPiece[], sale: string): LossPiece[] {
  if (pieces.length <= fractionsMax) return pieces;
  if (pieces.filter((piece) => piece.quantity < share).length <= fractionsMax) return pieces;
  return pieces.map((piece) => (piece.quantity < share ? { ...piece, fractionOf: sale } : piece));
}

/** Cuts so many units off a purchase that replace as many of a loss. */
export function cutFragment(fold: Fold, loss: Denied, lot: OpenLot, units: bigint, disallowed: bigint): OpenLot {
  const pool = poolOf(fold, lot.key, lot.account);
  // Its used units stay with the lot: what replaces this loss is of the free ones.
  const used = lot.used;
  lot.used = 0n;
  const slice = carve(pool, lot, units);
  lot.used = used;
  const sale = loss.fractionOf;
  const last = sale === undefined ? undefined : fold.cuts.get(lot);
  const joins = last !== undefined && last.sale === sale ? last : null;
  const denied = disallowed + (joins?.denied ?? 0n);
  const bought = lot.purchasedOn ?? fold.day;
  const heldSince =
    fold.rules.washPeriod === 'replacement' ? loss.heldSince : addDays(bought, loss.heldSince - loss.on);
  const fragment =
    joins === null
      ? lotOfSlice(slice, {
          adjusted: true,
          heldSince,
          ...(fold.rules.fragmentOrder === 'wash_adjusted_last' ? { leavesLast: true as const } : {}),
        })
      : joined(carve(pool, joins.fragment, joins.fragment.quantity), slice, heldSince);
  fragment.used = fragment.quantity;
  fragment.wholeBasis += disallowed;
  // The exact unit basis of the fragment: its share of the lot's, and the loss.
  fragment.unitBasis = lot.unitBasis * fragment.quantity + denied * 1_000_000n * lot.unitQuantity;
  fragment.unitQuantity = lot.unitQuantity * fragment.quantity;
  addLot(fold, pool, fragment);
  if (sale !== undefined) fold.cuts.set(lot, { sale, fragment, denied });
  return fragment;
}

/** Of two periods the shorter counts for both. */
function joined(fragment: Slice, more: Slice, heldSince: Day): OpenLot {
  const quantity = fragment.quantity + more.quantity;
  const since = fragment.lot.heldSince;
  return lotOfSlice(fragment, {
    quantity,
    wholeQuantity: quantity,
    wholeBasis: fragment.basis + more.basis,
    heldSince: since > heldSince ? since : heldSince,
  });
}
