import { proportion } from '../../base/decimal.ts';
import type { LotDebt, LotPlan, NotOnForm1099, OpenLot } from './book.ts';
import { debtPart, withDebt } from './lot-debt.ts';
import { planPart, withPlan } from './lot-plan.ts';
import { notOnFormPart, withNotOnForm } from './not-on-form-1099.ts';

/** Returns the basis, in cents, of the next units taken from a lot, until `taken` units of the whole are taken. */
export function shareUpTo(lot: OpenLot, taken: bigint): bigint {
  const { wholeQuantity, wholeBasis } = lot;
  return (taken === wholeQuantity ? wholeBasis : proportion(wholeBasis, taken, wholeQuantity)) - lot.basisTaken;
}

export function remainingBasis(lot: OpenLot): bigint {
  return lot.wholeBasis - lot.basisTaken;
}

export function remainingNotOnForm(lot: OpenLot): NotOnForm1099 | undefined {
  return notOnFormPart(lot.notOnForm, lot.wholeQuantity - lot.quantity, lot.quantity, lot.wholeQuantity);
}

export function remainingDebt(lot: OpenLot): LotDebt | undefined {
  return debtPart(lot.debt, lot.wholeQuantity - lot.quantity, lot.quantity, lot.wholeQuantity);
}

export function remainingPlan(lot: OpenLot): LotPlan | undefined {
  return planPart(lot.plan, lot.wholeQuantity - lot.quantity, lot.quantity, lot.wholeQuantity);
}

/** Makes the remaining units and basis of a lot its whole, so that they can be changed. */
export function rebase(lot: OpenLot): void {
  Object.assign(
    lot,
    withNotOnForm(remainingNotOnForm(lot)),
    withDebt(remainingDebt(lot)),
    withPlan(remainingPlan(lot)),
  );
  lot.wholeBasis -= lot.basisTaken;
  lot.basisTaken = 0n;
  if (lot.lossBasis !== null) lot.lossBasis -= lot.lossTaken;
  lot.lossTaken = 0n;
  lot.wholeQuantity = lot.quantity;
}
