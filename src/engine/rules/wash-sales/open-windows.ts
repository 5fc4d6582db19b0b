import { addDays, type Day, formatDay, parseDay } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { OpenLoss } from '../../book/book.ts';
import type { Fold } from '../../book/fold.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import { assetOfKey, parseOption } from '../../events/keys.ts';
import { washDays } from '../../events/wash-window.ts';

/**
 * Raises issues about losses whose window is still open when the rows end. A purchase that is not imported yet would
 * disallow them (IRC 1091(a)). The issue counts as caused on the day after the window, so that a replay resumed before
 * then decides again.
 */
export function raiseOpenWindows(fold: Fold, through: Day): void {
  const waiting = [...fold.losses.values()].flatMap(({ members, head }) => members.slice(head));
  const waitingShorts = [...fold.shortLosses.values()].flat();
  const open = [...waiting, ...waitingShorts].filter(
    (loss) =>
      isAtRisk(loss) && closesOn(loss) >= through && !isOnOtherReturn(fold.rules, loss.account, loss.disposedOn),
  );
  for (const losses of Map.groupBy(open, ({ disposalId, key }) => `${saleOf(disposalId)} ${key}`).values()) {
    const [first] = losses;
    if (first !== undefined) raiseWindow(fold, first, losses);
  }
}

/** Returns whether a later purchase may disallow a loss. Expired and worthless assets are not bought again. */
function isAtRisk({ matched, quantity, loss, disallowed, proceeds }: OpenLoss): boolean {
  return matched < quantity && loss > disallowed && proceeds > 0n;
}

/** Returns the last day of the window. After an option has expired, it cannot be bought. */
function closesOn({ key, on }: OpenLoss): Day {
  const closes = addDays(on, washDays);
  const expires = parseDay(parseOption(assetOfKey(key))?.expires ?? '');
  return expires !== undefined && expires < closes ? expires : closes;
}

function raiseWindow(fold: Fold, first: OpenLoss, losses: readonly OpenLoss[]): void {
  const { disposalId, disposedOn, account, key } = first;
  const asset = assetOfKey(key);
  const closes = closesOn(first);
  const dollars = losses.reduce((sum, { loss, disallowed }) => sum + loss - disallowed, 0n) as Cents;
  const isShort = fold.shortLosses.get(key)?.includes(first) === true;
  const action = isShort ? 'sold or sold short' : 'bought, in any account,';
  fold.facts.push({
    kind: 'issue',
    causedOn: addDays(closes, 1),
    id: `${disposalId.split('.')[0]}/wash_window_open/${account}`,
    issue: 'wash_window_open',
    on: disposedOn,
    asset,
    account,
    transactions: [saleOf(disposalId)],
    dollars,
    closesOn: closes,
    detail:
      `${asset} was disposed of on ${formatDay(disposedOn)} at a loss of $${formatCents(dollars)}. If anything substantially identical is ` +
      `${action} until ${formatDay(closes)}, the loss is disallowed for the same number of units (IRC 1091). Your rows end before that day. ` +
      'Import later rows, or confirm that there was no such transaction.',
  });
}

function saleOf(disposalId: string): string {
  return disposalId.slice(0, disposalId.indexOf('/'));
}
