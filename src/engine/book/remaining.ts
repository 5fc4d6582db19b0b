import { proportion } from '../../base/decimal.ts';
import type { NotOnForm1099, OpenLot } from './book.ts';
import { notOnFormPart, withNotOnForm } from './not-on-form-1099.ts';

/** What is left of a lot. */

/** The basis that the next units of a lot take with them. */
export function shareUpTo(lot: OpenLot, units: bigint): bigint {
  const { wholeQuantity, wholeBasis } = lot;
  const taken = wholeQuantity - lot.quantity + units;
  return (taken === wholeQuantity ? wholeBasis : proportion(wholeBasis, taken, wholeQuantity)) - lot.basisTaken;
}

export function remainingBasis(lot: OpenLot): bigint {
  return lot.wholeBasis - lot.basisTaken;
}

export function remainingNotOnForm(lot: OpenLot): NotOnForm1099 | undefined {
  return notOnFormPart(lot.notOnForm, lot.wholeQuantity - lot.quantity, lot.quantity, lot.wholeQuantity);
}

/** Makes what is left of a lot its whole, so that its quantity or basis can be changed. */
export function rebase(lot: OpenLot): void {
  Object.assign(lot, withNotOnForm(remainingNotOnForm(lot)));
  lot.wholeBasis -= lot.basisTaken;
  lot.basisTaken = 0n;
  if (lot.lossBasis !== null) lot.lossBasis -= lot.lossTaken;
  lot.lossTaken = 0n;
  lot.wholeQuantity = lot.quantity;
}
