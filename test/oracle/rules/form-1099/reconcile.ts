import type { Rules, Transaction } from '../../../../src/engine/model.ts';
import { statedWages } from '../../events/corrected-forms.ts';
import type { OracleEvent } from '../../events/events.ts';
import { deliveredBy, deliversStock, termOnForm } from '../../events/form-sales.ts';
import type { OracleLine } from '../../model.ts';
import { cents, dollars, type Exact, least, most, nothing, portion, spread, sum, units } from '../../numbers.ts';
import { raise, type State } from '../../state.ts';
import { boxOf } from '../lines/box.ts';
import { brokersColumns } from '../lines/broker.ts';
import { tradeFee } from '../sales/acquire.ts';

export interface ReconciledPart {
  readonly line: OracleLine;
  readonly quantity: Exact;
}

/**
 * Reconciles a form with the history. If both report the same sale, the form's amounts go into (d) and (e), and (g)
 * corrects them. Code E is for gross proceeds, B for a different basis reported to the IRS, T for a different term, and
 * W for a wash sale amount (i8949, column (f)).
 */
export function reconcileLines(state: State, event: OracleEvent, parts: readonly ReconciledPart[]): void {
  const { amount, basis, wash, id } = event.transaction;
  const shownTerm = termOnForm(event.transaction);
  const quantities = parts.map((part) => part.quantity);
  const whole = sum(quantities);
  const share = (total: Exact, { line, quantity }: ReconciledPart): Exact =>
    portion(total, nothing, quantity, line.quantity);
  const apart = (stated: bigint | null, amount: Exact): Exact =>
    stated === null ? nothing : cents(dollars(stated)).minus(amount);
  const more = apart(amount, sum(parts.map((part) => share(part.line.proceeds, part))));
  const other = apart(basis, sum(parts.map((part) => share(part.line.basis, part))));
  const expected = sum(parts.map((part) => share(state.expected.get(part.line) ?? part.line.basis, part)));
  const supplement = statedWages(event.transaction);
  const paid = supplement?.paid ?? (basis === null ? null : dollars(basis));
  const correct = supplement === null || paid === null ? null : cents(paid.plus(supplement.wages));
  const ours = sum(parts.map((part) => share(part.line.basis, part)));
  const unexpected =
    supplement === null ? least(other.abs(), apart(basis, expected).abs()) : (correct?.minus(ours).abs() ?? nothing);
  const fees = sum(parts.map((part) => feeOf(state, part)));
  const premium = sum(parts.map((part) => premiumOf(state, part)));
  const isNearly = (amount: Exact): boolean => more.minus(amount).abs().lte(1);
  // "Selling expenses or option premiums not reflected on the form" (i8949, row E).
  const gross =
    (more.gt(0) && fees.gt(0) && isNearly(fees)) ||
    (!premium.isZero() && (isNearly(premium.neg()) || isNearly(fees.minus(premium))));
  const wrong = other.abs().gt(1);
  const [mores, others] = [spread(more, quantities, whole), spread(other, quantities, whole)];
  parts.forEach(({ line }, index) => {
    const box = boxOf(line, state.rules);
    const code = [
      gross ? 'E' : '',
      wrong && !'CFIL'.includes(box) ? 'B' : '',
      shownTerm !== null && shownTerm !== line.term ? 'T' : '',
      dollars(wash).gt(0) ? 'W' : '',
    ].join('');
    const known = line.form ?? { proceeds: nothing, basis: nothing, code: '' };
    line.form = {
      proceeds: known.proceeds.plus(gross ? (mores[index] ?? nothing) : nothing),
      basis: known.basis.plus(wrong && 'ADGJ'.includes(box) ? (others[index] ?? nothing) : nothing),
      code: known.code + code,
    };
  });
  if (most(gross ? nothing : more.abs(), unexpected).gt(1)) raise(state, id, 'unreconciled');
}

/** Returns the line with the form's amounts. */
export function lineOnForm(line: OracleLine, rules: Rules): OracleLine & { readonly letters: string } {
  const { proceeds, basis, code } = line.form ?? { proceeds: nothing, basis: nothing, code: '' };
  const { missing, term } = brokersColumns(line, rules);
  const guessed = `${missing.isZero() ? '' : 'B'}${term ? 'T' : ''}`;
  // "Held for more than 1 year" (IRC 1(h)(5)(A)). In the test histories, an asset is a collectible only if the taxpayer
  // classified it as one.
  const isCollectible = rules.assets?.[line.asset]?.collectible === true;
  const collectible = line.term === 'long' && isCollectible ? 'C' : '';
  const washed = line.code === '' && !line.adjustment.isZero() ? 'W' : '';
  return {
    ...line,
    proceeds: line.proceeds.plus(proceeds),
    basis: line.basis.plus(basis).minus(missing),
    adjustment: line.adjustment.minus(proceeds).plus(basis).minus(missing),
    letters: [...new Set(line.code + code + guessed + washed + collectible)].sort().join(''),
  };
}

function feeOf(state: State, { line, quantity }: ReconciledPart): Exact {
  const sale = state.events.find((event) => event.transaction.id === line.saleId && event.role !== 'fee');
  if (sale === undefined || sale.transaction.quantity === null) return nothing;
  return portion(cents(tradeFee(sale)), nothing, quantity, unitsOf(sale.transaction));
}

function unitsOf(row: Transaction): Exact {
  return row.type === 'assign' || row.type === 'exercise' ? deliveredBy(row) : units(row.quantity);
}

/**
 * Returns the premium of an assigned call, which is added to the strike price, or the cost of an exercised put, which
 * is subtracted from it.
 */
function premiumOf(state: State, { line, quantity }: ReconciledPart): Exact {
  const sale = state.events.find((event) => event.transaction.id === line.saleId && event.role !== 'fee');
  if (sale === undefined || !['assign', 'exercise'].includes(sale.transaction.type)) return nothing;
  const { transaction } = sale;
  if (!deliversStock(transaction) || transaction.amount === null) return nothing;
  const strike = cents(dollars(transaction.amount).minus(tradeFee(sale)));
  const share = portion(line.proceeds, nothing, quantity, line.quantity);
  return share.minus(portion(strike, nothing, quantity, deliveredBy(transaction)));
}
