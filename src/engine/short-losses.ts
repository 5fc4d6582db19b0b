import { type Cents, divideRounded, type Quantity } from '../base/decimal.ts';
import { least } from './amounts.ts';
import type { OpenLoss, OpenShort } from './book.ts';
import { type Fold, listOf } from './fold.ts';
import { washDays } from './wash.ts';

/** IRC 1091(e): a loss on closing a short sale is denied where another short sale is entered within 30 days. */
export function matchShortLoss(fold: Fold, loss: OpenLoss): void {
  for (const short of listOf(fold.shorts, loss.key)) {
    if (short.id !== loss.origin && Math.abs(short.on - loss.on) <= washDays) deferToShort(fold, loss, short);
  }
  if (loss.matched < loss.quantity) listOf(fold.shortLosses, loss.key).push(loss);
}

export function matchShortLosses(fold: Fold, short: OpenShort): void {
  const waiting = listOf(fold.shortLosses, short.key).filter(
    (loss) => loss.matched < loss.quantity && short.on - loss.on <= washDays,
  );
  fold.shortLosses.set(short.key, waiting);
  for (const loss of waiting) deferToShort(fold, loss, short);
}

/** The denied loss reduces what the new short will have yielded. */
function deferToShort(fold: Fold, loss: OpenLoss, short: OpenShort): void {
  const free = short.quantity - short.used;
  const waiting = loss.quantity - loss.matched;
  const units = least(waiting, free);
  if (units <= 0n) return;
  loss.matched += units;
  const upTo = divideRounded(loss.loss * loss.matched, loss.quantity);
  const disallowed = upTo - loss.disallowed;
  loss.disallowed = upTo;
  short.used += units;
  short.wholeProceeds -= short.proceedsTaken + disallowed;
  short.proceedsTaken = 0n;
  short.wholeQuantity = short.quantity;
  fold.facts.push({
    kind: 'wash',
    causedOn: fold.day,
    id: `${loss.disposalId}/${short.id}`,
    disposalId: loss.disposalId,
    on: loss.disposedOn,
    replacementLotId: short.id,
    replacementTransactionId: short.openedBy,
    quantity: units as Quantity,
    disallowed: disallowed as Cents,
    permanent: false,
  });
}
