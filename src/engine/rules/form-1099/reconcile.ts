import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, type Money, proportion, roundToCents } from '../../../base/decimal.ts';
import { createAllocator, least, most } from '../../book/amounts.ts';
import { type Fold, type ReportedLine, raise } from '../../book/fold.ts';
import { disposalWith } from '../../book/plain-disposal.ts';
import { rowsToday } from '../../book/rows-today.ts';
import { dollars, type TransactionEvent, tradeFee } from '../../events/event.ts';
import { sellsStock } from '../../events/form-rows.ts';
import { sharesOfEnd } from '../../events/strike-price.ts';
import { basisWithWages } from '../../events/supplements.ts';
import type { Box, Disposal, Term, Transaction } from '../../model.ts';
import { findSupplement } from '../employee-stock/supplement.ts';
import { boxForTerm, isBasisReported } from '../lines/box.ts';
import { toLineColumns } from '../lines/columns.ts';

/** A part of one of our lines that a row of Form 1099 also reports. */
export interface ReconciledPart extends ReportedLine {
  readonly at: number;
}

/**
 * Reconciles our lines with a row of Form 1099. (d) and (e) show the form's amounts, and (g) corrects them (i8949,
 * column (f)): code E for gross proceeds and for option premiums, code B for a wrong basis reported to the IRS, code T
 * for a wrong term, code W for a wash sale amount. Differences up to a dollar are rounding. A difference that no code
 * explains raises an issue. So does a different basis, because the form may be right.
 */
export function reconcileLines(fold: Fold, event: TransactionEvent, parts: readonly ReconciledPart[]): void {
  const { tx } = event;
  const units = sumParts(parts, (part) => part.units);
  const sumColumn = (column: 'proceeds' | 'basis', of: 'line' | 'expected' = 'line'): bigint =>
    sumParts(parts, (part) => proportion(part[of][column], part.units, part.line.quantity));
  const more = differenceTo(tx, tx.amount, sumColumn('proceeds'));
  const other = differenceTo(tx, tx.basis, sumColumn('basis'));
  const supplement = findSupplement(fold, event);
  const unexpected =
    supplement === null
      ? differenceTo(tx, tx.basis, sumColumn('basis', 'expected'))
      : differenceTo(tx, basisWithWages(tx.basis, supplement), sumColumn('basis'));
  const fees = sumParts(parts, (part) => computeSaleFee(fold, part));
  const premium = sumParts(parts, (part) => computeOptionPremium(fold, part));
  const isGross =
    (more > 0n && fees > 0n && magnitude(more - fees) <= rounding) ||
    (premium !== 0n && [premium, premium - fees].some((costs) => magnitude(more + costs) <= rounding));
  const isOtherBasis = magnitude(other) > rounding;
  const washShown = (dollars(tx, tx.wash) ?? 0n) > 0n;
  const [deal, dealBasis] = [createAllocator(more, units), createAllocator(other, units)];
  for (const { at, units: some } of parts) {
    const [gross, basis] = [deal(some), dealBasis(some)];
    const line = fold.facts[at] as Disposal;
    const hasBasis = isOtherBasis && !boxesWithoutBasis.includes(line.box);
    const columns = toLineColumns({
      proceeds: line.proceeds,
      basis: line.basis,
      term: line.term,
      adjustments: [[line.code, line.adjustment]],
      unreflectedCosts: isGross ? gross : null,
      wrongBasis: hasBasis ? line.basis + basis : null,
      basisReported: isBasisReported(line.box),
      termShown: termShown(tx),
      washShown,
    });
    fold.facts[at] = disposalWith(line, columns);
  }
  const otherBasis = supplement === null ? least(magnitude(other), magnitude(unexpected)) : magnitude(unexpected);
  const difference = most(isGross ? 0n : magnitude(more), otherBasis);
  if (difference > rounding) raiseDifference(fold, event, difference);
}

/** Returns the term on the form, as stated or by the letter of its box. */
export function termShown({ term, box }: Transaction): Term | null {
  if (term !== null || box === null || boxesWithoutBasis.includes(box)) return term;
  return boxForTerm(box, 'short') === box ? 'short' : 'long';
}

/** The largest difference that counts as rounding, in cents. */
export const rounding = 100n;
/** Boxes of sales whose basis no broker's form shows. */
const boxesWithoutBasis: readonly Box[] = ['C', 'F', 'I', 'L'];

function differenceTo(tx: Transaction, stated: Money | null, lineAmount: bigint): bigint {
  const amount = dollars(tx, stated);
  return amount === null ? 0n : roundToCents(amount) - lineAmount;
}

/** Computes the fee for these units from the row of the sale. */
function computeSaleFee(fold: Fold, { line, units }: ReconciledPart): bigint {
  const sale = rowsToday(fold).get(line.saleId);
  const whole = sale === undefined ? 0n : isDelivery(sale) ? sharesOfEnd(sale) : (sale.quantity ?? 0n);
  if (sale === undefined || whole <= 0n) return 0n;
  return proportion(roundToCents(tradeFee(sale)), units, whole);
}

/**
 * Computes the option premium in the proceeds of these units: received for an assigned call, paid (negative) for an
 * exercised put. A form may report only the strike amount ("option premiums not reflected on the form", i8949 row E).
 */
function computeOptionPremium(fold: Fold, { line, units }: ReconciledPart): bigint {
  const sale = rowsToday(fold).get(line.saleId);
  if (sale === undefined || !isDelivery(sale) || !sellsStock(sale)) return 0n;
  const [strike, whole] = [dollars(sale, sale.amount), sharesOfEnd(sale)];
  if (strike === null || whole <= 0n) return 0n;
  const withoutPremium = proportion(roundToCents((strike - tradeFee(sale)) as Money), units, whole);
  return proportion(line.proceeds, units, line.quantity) - withoutPremium;
}

function isDelivery({ type }: Transaction): boolean {
  return type === 'assign' || type === 'exercise';
}

function raiseDifference(fold: Fold, event: TransactionEvent, difference: bigint): void {
  const detail =
    `Form 1099 and the transactions differ by up to $${formatCents(difference as Cents)} on the sale of ${event.asset} in ` +
    `${event.account} on ${formatDay(event.on)}. The gain is calculated from the transactions.`;
  raise(fold, event, 'unreconciled', detail, { dollars: difference as Cents });
}

function sumParts(parts: readonly ReconciledPart[], read: (part: ReconciledPart) => bigint): bigint {
  return parts.reduce((sum, part) => sum + read(part), 0n);
}

function magnitude(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}
