import { addDays, type Day, formatDay } from '../base/day.ts';
import { type Cents, divideRounded, formatCents, type Quantity } from '../base/decimal.ts';
import { least, most } from './amounts.ts';
import type { OpenLoss } from './book.ts';
import { type Act, dollars } from './event.ts';
import { type Fold, type LossPiece, raise, settle } from './fold.ts';
import { washDays } from './window.ts';

export type ToldLoss = OpenLoss & Required<Pick<OpenLoss, 'told'>>;

export function isTold(loss: OpenLoss): loss is ToldLoss {
  return loss.told !== undefined;
}

/**
 * Of a loss that a form tells the larger of two amounts is denied: what the form says, and what the purchases in the
 * books deny (i8949, row W; DOMAIN.md 4.5). These take on their part; the rest of what the form says is denied all the
 * same. Where the units were held it is asked about when the window is over: the basis of what replaced them lacks it.
 */
export function tellDenied(fold: Fold, event: Act, losses: readonly LossPiece[]): void {
  const { tx, asset } = event;
  const told = dollars(tx, tx.wash);
  if (told === null) return;
  let left: bigint = settle(fold, `wash ${event.key}`, told);
  for (const piece of losses) {
    const denied = least(left, piece.loss);
    if (denied <= 0n) continue;
    left -= denied;
    piece.told = { denied, transactionId: tx.id, asset };
  }
  if (left <= 0n) return;
  const detail =
    `The form says that more of a wash sale is denied for ${asset} sold on ${formatDay(event.on)} than there is of a loss ` +
    `that can be: ${formatCents(left as Cents)} of it are left out.`;
  raise(fold, event, 'unreconciled', detail, { dollars: left as Cents, suffix: 'wash' });
}

/** The lot of a line that only a form tells. */
export function lotAsTold(transactionId: string): string {
  return `${transactionId}/reported`;
}

/** Losses whose window is over before this day. */
export function tellReplacedElsewhere(fold: Fold): void {
  if (fold.toldLosses.length === 0) return;
  for (const loss of fold.toldLosses) if (overOn(loss) <= fold.day) tell(fold, loss);
  fold.toldLosses = fold.toldLosses.filter((loss) => overOn(loss) > fold.day);
}

/** Where the history ends within the window: caused on the first day after it, as `tellPendingTransits` has it. */
export function tellPendingLosses(fold: Fold): void {
  for (const loss of fold.toldLosses) tell(fold, loss);
}

function tell(fold: Fold, loss: ToldLoss): void {
  const { transactionId, asset } = loss.told;
  const denied = loss.told.denied - loss.disallowed;
  if (denied <= 0n) return;
  const causedOn = overOn(loss);
  const replacementLotId = `${transactionId}/told`;
  fold.facts.push({
    kind: 'wash',
    causedOn,
    id: `${loss.disposalId}/${replacementLotId}`,
    disposalId: loss.disposalId,
    on: loss.disposedOn,
    // The row of the form stands for it: nothing else tells of it.
    replacementLotId,
    replacementTransactionId: transactionId,
    quantity: most(1n, divideRounded(loss.quantity * denied, loss.loss)) as Quantity,
    disallowed: denied as Cents,
    permanent: false,
  });
  // Whoever keeps nothing but forms misses no purchase: the next form has its basis.
  if (loss.origin === lotAsTold(transactionId)) return;
  fold.facts.push({
    kind: 'issue',
    causedOn,
    id: `${loss.disposalId}/unreconciled/${loss.account}/replaced`,
    issue: 'unreconciled',
    on: loss.disposedOn,
    asset,
    account: loss.account,
    transactions: [transactionId],
    dollars: denied as Cents,
    detail:
      `The form says that the loss on ${asset} sold on ${formatDay(loss.disposedOn)} was a wash sale, and no purchase ` +
      `known here explains ${formatCents(denied as Cents)} of it. It is denied all the same: the purchase that ` +
      'replaced the units is missing, and with it this part of its basis.',
  });
}

function overOn(loss: Pick<OpenLoss, 'on'>): Day {
  return addDays(loss.on, washDays + 1);
}
