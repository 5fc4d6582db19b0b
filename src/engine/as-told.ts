import { formatDay } from '../base/day.ts';
import { type Cents, type Quantity, zeroCents } from '../base/decimal.ts';
import { boxForTerm } from './box.ts';
import { isWashable } from './classes.ts';
import { lettersOf } from './columns.ts';
import { lineOf, termOf } from './disposal.ts';
import { type Act, dollars } from './event.ts';
import { type Fold, isRetirement, type LossPiece, raise, settle } from './fold.ts';
import type { Disposal } from './model.ts';
import { termShown } from './told.ts';
import { lotAsTold, tellDenied } from './told-losses.ts';
import { registerLosses } from './wash.ts';

/**
 * A broker's line of units that no history holds stands as told, with its basis and its box. Its loss is one like any
 * other: what is bought within the window denies it (IRC 1091(a)).
 */
export function writeAsTold(fold: Fold, event: Act, row: number | string): void {
  if (isRetirement(fold, event.account)) return;
  const { tx } = event;
  const [told, basis] = [dollars(tx, tx.amount), dollars(tx, tx.basis)];
  const acquired = tx.acquired ?? tx.on;
  const shown = termShown(tx);
  // Where there is a date the calendar decides (DOMAIN.md 1.1).
  const term = tx.acquired === null ? (shown ?? 'short') : termOf(false, acquired, tx.on);
  const isOtherTerm = shown !== null && shown !== term;
  const stated = tx.box === null ? {} : { box: boxForTerm(tx.box, term), boxReason: `The form says box ${tx.box}.` };
  const line: Disposal = {
    ...lineOf(fold, event, row, term, basis !== null, { sold: tx.on, expired: null }),
    ...stated,
    lotId: lotAsTold(tx.id),
    asset: event.asset,
    assetClass: event.assetClass,
    quantity: tx.quantity ?? (0n as Quantity),
    acquired,
    heldSince: acquired,
    inherited: false,
    proceeds: told === null ? zeroCents : settle(fold, `proceeds ${event.key}`, told),
    basis: basis === null ? zeroCents : settle(fold, `basis ${event.key}`, basis),
    basisUnknown: basis === null,
    identified: 'default',
    code: lettersOf(`${isOtherTerm ? 'T' : ''}${(dollars(tx, tx.wash) ?? 0n) > 0n ? 'W' : ''}`),
    ...(tx.acquired === null ? { acquiredVarious: true as const } : {}),
  };
  fold.facts.push(line);
  fold.reportedToday.set(line.id, { units: line.quantity, line, expected: line });
  const losses = lossOf(fold, event, line);
  tellDenied(fold, event, losses);
  registerLosses(fold, losses, false);
  if (isOtherTerm) raiseOtherTerm(fold, event, line);
  if (basis !== null) return;
  const detail = `The form does not say the basis of ${event.asset} sold on ${formatDay(tx.on)}: it stands as zero.`;
  raise(fold, event, 'basis_missing', detail, { dollars: line.proceeds });
}

/** The loss that a wash sale may deny, where there is one. */
function lossOf(fold: Fold, event: Act, line: Disposal): LossPiece[] {
  const loss = line.basis - line.proceeds;
  if (loss <= 0n || line.quantity <= 0n || !isWashable(line.assetClass, fold.rules, line.sold)) return [];
  const { lotId: origin, account, quantity, acquired, heldSince } = line;
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
      disallowed: 0n,
      splits: [],
      acquired,
      lotSequence: fold.sequence++,
      adjusted: false,
    },
  ];
}

function raiseOtherTerm(fold: Fold, event: Act, { term, acquired, sold, proceeds, basis }: Disposal): void {
  const shown = term === 'long' ? 'short' : 'long';
  const detail =
    `The form shows ${event.asset} sold on ${formatDay(sold)} as ${shown}-term, and as acquired on ${formatDay(acquired)}, ` +
    `which makes it ${term}-term: the days count. If another holding period is added to its own, it was acquired earlier.`;
  const gain = proceeds - basis;
  raise(fold, event, 'unreconciled', detail, { dollars: (gain < 0n ? -gain : gain) as Cents, suffix: 'term' });
}
