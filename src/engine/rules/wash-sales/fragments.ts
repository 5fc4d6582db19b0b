import { addDays, type Day } from '../../../base/day.ts';
import type { NotOnForm1099, OpenLoss, OpenLot } from '../../book/book.ts';
import { type Fold, getOrCreatePool, type SliceLoss } from '../../book/fold.ts';
import { jointDebt, withDebt } from '../../book/lot-debt.ts';
import { jointPlan, withPlan } from '../../book/lot-plan.ts';
import { addLot, endAverage, lotOfSlice, type Slice, takeFromLot } from '../../book/lots.ts';
import { combineFragments, withNotOnForm } from '../../book/not-on-form-1099.ts';
import { resolveLotAccount } from '../lots/take.ts';

/**
 * A loss to disallow. The shares that replace it become a separate lot. The loss is added to its basis (IRC 1091(d)),
 * and the sold shares' holding period to its holding period (1223(3)).
 */
type LossToDeny = Omit<OpenLoss, 'sequence'>;

const share = 10n ** 18n;
/** The maximum number of fragments that a sale keeps separate, and of fragments smaller than a share. */
const fragmentsMax = 64;
const fractionsMax = 16;

/**
 * Marks fragments of one sale that are to be joined again. Where a sale or a purchase ends, it splits a replacement
 * once more. If nearly all sales are losses, sales consist of more and more fragments, and each fragment creates
 * another. Therefore, if a sale has very many fragments that were replacements, fragments of one purchase that are
 * replaced by the same other purchase become one fragment.
 */
export function withFragments(pieces: SliceLoss[], sale: string): SliceLoss[] {
  if (pieces.length <= fractionsMax) return pieces;
  const fragments = pieces.filter((piece) => piece.adjusted);
  const fractions = fragments.filter((piece) => piece.quantity < share);
  if (fragments.length <= fragmentsMax && fractions.length <= fractionsMax) return pieces;
  const joins = new Set(fragments.length > fragmentsMax ? fragments : fractions);
  return pieces.map((piece) => (joins.has(piece) ? { ...piece, fragmentOf: sale } : piece));
}

/** Splits units from a purchase to replace the same number of units of a loss. */
export function cutFragment(fold: Fold, loss: LossToDeny, lot: OpenLot, units: bigint, denied: DeniedCents): OpenLot {
  const pool = getOrCreatePool(fold, lot.key, lot.account);
  endAverage(fold, pool, lot);
  // Used units stay with the lot, because only free units replace this loss.
  const used = lot.used;
  lot.used = 0n;
  const slice = takeFromLot(pool, lot, units);
  lot.used = used;
  const { fragmentOf: sale, origin } = loss;
  const last = sale === undefined ? undefined : fold.lastFragments.get(lot);
  const joins = last !== undefined && last.sale === sale && last.origin === origin ? last : null;
  const { disallowed } = denied;
  const deniedInAll = disallowed + (joins?.denied ?? 0n);
  const heldSince = tackPeriod(fold, lot, loss, loss.heldSince);
  const notOnForm = computeNotOnForm(fold, loss, slice, heldSince, denied);
  const cut = notOnForm === undefined ? slice : { ...slice, notOnForm };
  const fragment =
    joins === null
      ? lotOfSlice(cut)
      : joinFragments(takeFromLot(pool, joins.fragment, joins.fragment.quantity), cut, heldSince);
  if (joins === null) {
    fragment.adjusted = true;
    fragment.heldSince = heldSince;
    Object.assign(fragment, leavingMark(fold));
  }
  fragment.used = fragment.quantity;
  fragment.wholeBasis += disallowed;
  // The exact unit basis of the fragment is its share of the lot's basis plus the loss.
  fragment.unitBasis = lot.unitBasis * fragment.quantity + deniedInAll * 1_000_000n * lot.unitQuantity;
  fragment.unitQuantity = lot.unitQuantity * fragment.quantity;
  addLot(fold, pool, fragment);
  if (sale !== undefined) fold.lastFragments.set(lot, { sale, origin, fragment, denied: deniedInAll });
  return fragment;
}

/**
 * If elected, returns the field that makes a fragment adjusted by a wash sale the last part of its purchase to be sold
 * (P6).
 */
export function leavingMark(fold: Fold): Pick<OpenLot, 'leavesLast'> {
  return fold.rules.fragmentOrder === 'wash_adjusted_last' ? { leavesLast: true } : {};
}

interface DeniedCents {
  readonly disallowed: bigint;
  /** The part, in cents, that was not a loss on the selling broker's form. */
  readonly notOnForm: bigint;
}

function tackPeriod(fold: Fold, { purchasedOn }: OpenLot, { on }: LossToDeny, since: Day): Day {
  return fold.rules.washPeriod === 'replacement' ? since : addDays(purchasedOn ?? fold.day, since - on);
}

/**
 * Returns the part of the fragment's basis that its broker does not know. The broker knows of the loss if the sale and
 * the purchase were in the same account and asset, and the form showed a loss.
 */
function computeNotOnForm(
  fold: Fold,
  loss: LossToDeny,
  { lot, notOnForm }: Slice,
  heldSince: Day,
  denied: DeniedCents,
): NotOnForm1099 | undefined {
  const account = resolveLotAccount(fold.rules, lot.assetClass, loss.account, lot.purchasedOn ?? fold.day);
  const isHis = account === lot.account && loss.key === lot.key;
  const sawLoss = isHis && (loss.notOnForm?.stepUp ?? 0n) < loss.loss;
  const stepUp = (notOnForm?.stepUp ?? 0n) + (isHis ? denied.notOnForm : denied.disallowed);
  const since = sawLoss
    ? tackPeriod(fold, lot, loss, (loss.notOnForm ?? loss).heldSince)
    : (notOnForm ?? lot).heldSince;
  if (stepUp === 0n && since === heldSince && notOnForm === undefined) return undefined;
  return { stepUp, heldSince: since };
}

/** Joins two fragments. The later of the two holding period starts applies to both. */
function joinFragments(fragment: Slice, more: Slice, heldSince: Day): OpenLot {
  const quantity = fragment.quantity + more.quantity;
  const since = fragment.lot.heldSince;
  return lotOfSlice(fragment, {
    quantity,
    wholeQuantity: quantity,
    wholeBasis: fragment.basis + more.basis,
    heldSince: since > heldSince ? since : heldSince,
    ...withNotOnForm(combineFragments({ ...fragment, heldSince: since }, { ...more, heldSince })),
    ...withDebt(jointDebt(fragment.debt, more.debt)),
    ...withPlan(jointPlan(fragment.plan, more.plan)),
  });
}
