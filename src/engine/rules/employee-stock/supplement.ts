import { type Cents, centsToMoney, type Money, proportion, roundToCents } from '../../../base/decimal.ts';
import { type Fold, writeIncome } from '../../book/fold.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import { correctedRows } from '../../events/corrected-forms.ts';
import { dollars, type TransactionEvent } from '../../events/event.ts';
import type { Ledger } from '../../events/ledger.ts';
import {
  type MatchedSupplements,
  matchSupplements,
  readSupplement,
  type Supplement,
} from '../../events/supplements.ts';
import type { Disposal } from '../../model.ts';
import { isBasisReported } from '../lines/box.ts';
import { toLineColumns } from '../lines/columns.ts';
import { raiseWages } from './plan.ts';

/**
 * Returns what a supplement states about the units of a form row, from the row itself or from the row of a supplement
 * that it matches. Null if there is none, or if its amounts are not in dollars.
 */
export function findSupplement(fold: Fold, { tx }: TransactionEvent): Supplement | null {
  const own = readSupplement(tx);
  if (own !== null) return dollars(tx, own.wages) === null ? null : own;
  const supplement = fold.ledger === null ? undefined : supplementsOf(fold.ledger).get(tx.id);
  if (supplement === undefined || dollars(tx, supplement.wages) === null) return null;
  const { basis, wages, units } = supplement;
  if (units === tx.quantity) return supplement;
  const share = (amount: bigint): Money => proportion(amount, tx.quantity ?? 0n, units) as Money;
  return { ...supplement, basis: basis === null ? null : share(basis), wages: share(wages) };
}

/** Returns the supplements of a ledger by form row. They are matched once, because a ledger may have many form rows. */
function supplementsOf(ledger: Ledger): MatchedSupplements['byForm'] {
  let found = supplementsByLedger.get(ledger);
  if (found === undefined) {
    const forms = ledger.others.filter(({ type }) => type === 'reported_sale');
    const corrected = correctedRows(forms);
    found = matchSupplements(forms.filter(({ id }) => !corrected.has(id))).byForm;
    supplementsByLedger.set(ledger, found);
  }
  return found;
}

const supplementsByLedger = new WeakMap<Ledger, MatchedSupplements['byForm']>();

/**
 * Returns a line with the basis that the form shows, and code B (i8949). If the form does not report the basis to the
 * IRS, (e) is the correct basis and (g) is zero. A supplement is not a form, so without a form nothing is known about
 * an unreported basis.
 */
export function withFormBasis(line: Disposal, formBasis: Money | null, isForm: boolean): Disposal {
  const basisReported = isBasisReported(line.box);
  const shown = formBasis === null || !(isForm || basisReported) ? null : roundToCents(formBasis);
  const columns = toLineColumns({
    proceeds: line.proceeds,
    basis: line.basis,
    term: line.term,
    adjustments: [[line.code, line.adjustment]],
    unreflectedCosts: null,
    wrongBasis: shown === line.basis ? null : shown,
    basisReported,
    termShown: null,
    washShown: false,
  });
  return disposalWith(line, columns);
}

/**
 * Writes the wages in the basis of a reported sale. Those of an employee stock purchase plan are income of the sale.
 * Those of other stock were income when it vested.
 */
export function writeWages(
  fold: Fold,
  event: TransactionEvent,
  { wages, offered }: Supplement,
  row: number | string,
): void {
  const cents = roundToCents(wages);
  if (cents <= 0n) return;
  const what = offered === null ? `the vesting of the ${event.asset} sold on this day` : `the sale of ${event.asset}`;
  if (offered !== null)
    writeIncome(
      fold,
      { ...event, on: event.tx.on },
      { type: 'espp_purchase', amount: centsToMoney(cents as Cents), id: `${event.tx.id}/${event.ordinal}.plan${row}` },
    );
  raiseWages(fold, event, cents, what, `wages ${row}`);
}
