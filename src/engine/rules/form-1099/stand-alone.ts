import { type Day, formatDay } from '../../../base/day.ts';
import { type Cents, formatCents, type Money, type Quantity, zeroCents } from '../../../base/decimal.ts';
import { least, most } from '../../book/amounts.ts';
import { type Fold, isRetirement, raise, roundCarrying, type SliceLoss } from '../../book/fold.ts';
import { isWashable } from '../../events/classes.ts';
import { dollars, listedOrigin, type TransactionEvent } from '../../events/event.ts';
import { isContractKey } from '../../events/keys.ts';
import { basisWithWages } from '../../events/supplements.ts';
import type { Disposal, Transaction } from '../../model.ts';
import { statedDiscount, withDiscount } from '../debt/debt.ts';
import { findSupplement, withFormBasis, writeWages } from '../employee-stock/supplement.ts';
import { boxForTerm } from '../lines/box.ts';
import { lettersOf } from '../lines/columns.ts';
import { buildLineHead, writeContract } from '../lines/disposal.ts';
import { computeTerm } from '../lines/term.ts';
import { zeroBasis } from '../lots/sale-issues.ts';
import { registerLosses } from '../wash-sales/wash.ts';
import { withFormUnits } from './form-units.ts';
import { rounding, termShown } from './reconcile.ts';

/**
 * Writes the line of a sale on Form 1099 whose units no account holds. It has the form's basis, box and wash sale
 * amount. A loss without a wash sale amount is matched like any other, so purchases in the window disallow it (IRC
 * 1091(a)). A loss with a wash sale amount was already matched to its replacement in that account and is not matched
 * again.
 */
export function writeStandAlone(fold: Fold, event: TransactionEvent, row: number | string): void {
  if (isRetirement(fold, event.account)) return;
  const { tx } = event;
  const [proceeds, basis] = [dollars(tx, tx.amount), dollars(tx, tx.basis)];
  if (isContractKey(event.key)) {
    writeContractAlone(fold, event, proceeds, basis, row);
    return;
  }
  const supplement = findSupplement(fold, event);
  const correct = basisWithWages(basis, supplement);
  const acquired = tx.acquired ?? tx.on;
  const shown = termShown(tx);
  // The term depends on the dates (i8949, code T), unless the form shows long-term, because no form shows an
  // inheritance or an added holding period.
  const term = tx.acquired === null || shown === 'long' ? (shown ?? 'short') : computeTerm(false, acquired, tx.on);
  const isOtherTerm = shown !== null && shown !== term;
  const stated = tx.box === null ? {} : { box: boxForTerm(tx.box, term), boxReason: `Form 1099 shows box ${tx.box}.` };
  const line: Disposal = {
    ...buildLineHead(fold, event, row, term, correct !== null, { sold: tx.on, expired: null }),
    ...stated,
    lotId: `${tx.id}/reported`,
    asset: event.asset,
    assetClass: event.assetClass,
    quantity: tx.quantity ?? (0n as Quantity),
    acquired,
    heldSince: acquired,
    inherited: false,
    proceeds: proceeds === null ? zeroCents : roundCarrying(fold, `proceeds ${event.key}`, proceeds),
    basis: correct === null ? zeroCents : roundCarrying(fold, `basis ${event.key}`, correct),
    basisUnknown: correct === null,
    identified: 'default',
    code: isOtherTerm ? 'T' : '',
    ...(tx.acquired === null ? { acquiredVarious: true as const } : {}),
    formRows: withFormUnits({}, tx.id, tx.quantity ?? 0n),
  };
  const washed = withWash(fold, event, line);
  const discounted = withDiscount(fold, event, washed, {
    maturity: maturityOf(tx),
    stated: statedDiscount(fold, event),
    isAccruing: false,
  });
  const shownLine = supplement === null ? discounted : withFormBasis(discounted, basis, tx.wages === null);
  fold.facts.push(shownLine);
  fold.reportedToday.set(line.id, { units: line.quantity, line: shownLine, expected: shownLine });
  if (washed === line) registerLosses(fold, toDeniableLoss(fold, event, line), false);
  if (isOtherTerm) raiseOtherTerm(fold, event, line);
  if (supplement !== null) writeWages(fold, event, supplement, row);
  if (correct === null) raiseNoBasis(fold, event, line.proceeds);
}

/**
 * Returns the maturity if it determines the share of the discount. Without an acquisition date, it does so only if the
 * debt instrument is due.
 */
function maturityOf({ acquired, maturity, on }: Transaction): Day | null {
  return acquired !== null || (maturity !== null && maturity <= on) ? maturity : null;
}

function raiseNoBasis(fold: Fold, event: TransactionEvent, proceeds: Cents): void {
  const detail = `Form 1099 does not state the basis of ${event.asset} sold on ${formatDay(event.tx.on)}. ${zeroBasis}`;
  raise(fold, event, 'basis_missing', detail, { dollars: proceeds });
}

/**
 * Writes the gain of a section 1256 contract on Form 1099-B. It belongs on Form 6781, not on Form 8949 (IRC 1256(a);
 * i8949).
 */
function writeContractAlone(
  fold: Fold,
  event: TransactionEvent,
  proceeds: Money | null,
  basis: Money | null,
  row: number | string,
): void {
  const received = proceeds === null ? zeroCents : roundCarrying(fold, `proceeds ${event.key}`, proceeds);
  const cost = basis === null ? zeroCents : roundCarrying(fold, `basis ${event.key}`, basis);
  writeContract(fold, event, received - cost, event.on, row);
  if (basis === null) raiseNoBasis(fold, event, received);
}

/** Adds the form's wash sale amount to the line, up to the loss that a wash sale can disallow. */
function withWash(fold: Fold, event: TransactionEvent, line: Disposal): Disposal {
  const { tx, asset } = event;
  const shownWash = dollars(tx, tx.wash);
  if (shownWash === null || shownWash <= 0n) return line;
  const shown = roundCarrying(fold, `wash ${event.key}`, shownWash);
  const loss = isWashable(line.assetClass, fold.rules, line.sold) ? most(0n, line.basis - line.proceeds) : 0n;
  const denied = least(shown, loss);
  const more = (shown - denied) as Cents;
  if (more > rounding) {
    const detail =
      `The wash sale loss on Form 1099 for ${asset} sold on ${formatDay(event.on)} is larger than the loss that can be ` +
      `disallowed. The excess of $${formatCents(more)} is ignored.`;
    raise(fold, event, 'unreconciled', detail, { dollars: more, suffix: 'wash' });
  }
  return { ...line, code: lettersOf(`${line.code}W`), adjustment: denied as Cents };
}

/** Returns the loss that a wash sale may disallow, or an empty list if there is none. */
function toDeniableLoss(fold: Fold, event: TransactionEvent, line: Disposal): SliceLoss[] {
  const loss = line.basis - line.proceeds;
  if (loss <= 0n || line.quantity <= 0n || !isWashable(line.assetClass, fold.rules, line.sold)) return [];
  const { lotId, account, quantity, acquired, heldSince } = line;
  const origin = event.tx.acquired === null ? lotId : listedOrigin(account, acquired);
  return [
    {
      disposalId: line.id,
      key: event.key,
      on: line.sold,
      disposedOn: line.on,
      heldSince,
      origin,
      account,
      quantity,
      matched: 0n,
      loss,
      proceeds: line.proceeds,
      disallowed: 0n,
      splits: [],
      acquired,
      lotSequence: fold.sequence++,
      adjusted: false,
    },
  ];
}

function raiseOtherTerm(fold: Fold, event: TransactionEvent, { acquired, sold, proceeds, basis }: Disposal): void {
  const detail =
    `Form 1099 shows ${event.asset} sold on ${formatDay(sold)} as short-term, but acquired on ${formatDay(acquired)}, ` +
    'which makes it long-term. The dates are used.';
  const gain = proceeds - basis;
  raise(fold, event, 'unreconciled', detail, { dollars: (gain < 0n ? -gain : gain) as Cents, suffix: 'term' });
}
