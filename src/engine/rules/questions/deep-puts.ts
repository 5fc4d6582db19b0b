import { formatDay } from '../../../base/day.ts';
import { type Cents, formatCents } from '../../../base/decimal.ts';
import type { OpenLoss, WrittenOption } from '../../book/book.ts';
import { type Fold, isRetirement } from '../../book/fold.ts';
import { isOnOtherReturn } from '../../book/separate-returns.ts';
import { assetOfKey } from '../../events/keys.ts';
import { washDays } from '../../events/wash-window.ts';
import { type NamedOption, namedOption, stockOfPosition } from './positions.ts';

/**
 * Raises an issue about a put written deep in the money within 30 days of a loss on its stock, because it may count as
 * an acquisition of the stock (Rev. Rul. 85-87). That depends on the stock price of the day and on how certain the
 * exercise is, which no row states. The price of the loss sale is used as the price of the day.
 */
export function raiseDeepPuts(fold: Fold): void {
  for (const put of [...fold.written.values()].flat()) {
    const option = namedOption(put.asset);
    if (option?.right !== 'put' || isRetirement(fold, put.account) || fold.day - put.on > washDays) continue;
    const losses = fold.losses.get(stockOfPosition(put) ?? option.stock);
    for (const loss of losses?.members.slice(losses.head) ?? []) {
      if (isOnOtherReturn(fold.rules, loss.account, loss.disposedOn)) continue;
      const isToday = put.on === fold.day || loss.on === fold.day;
      if (isToday && isNear(put, loss) && isDeep(option, loss)) raiseDeepPut(fold, put, loss);
    }
  }
}

function isNear(put: WrittenOption, { on, matched, quantity }: OpenLoss): boolean {
  return Math.abs(put.on - on) <= washDays && matched < quantity;
}

/** Returns whether the strike is at least a tenth above the price of the sale. The law does not state a number. */
function isDeep({ strike }: NamedOption, { proceeds, quantity }: OpenLoss): boolean {
  if (proceeds <= 0n) return false;
  // The strike is in 10⁻⁸ dollars a share, the proceeds are in cents for 10⁻¹⁸ shares.
  return strike * quantity * 10n >= 11n * proceeds * 1_000_000n * 10n ** 18n;
}

function raiseDeepPut(fold: Fold, put: WrittenOption, loss: OpenLoss): void {
  const asset = assetOfKey(loss.key);
  const dollars = (loss.loss - loss.disallowed) as Cents;
  const sale = loss.disposalId.slice(0, loss.disposalId.indexOf('/'));
  fold.facts.push({
    kind: 'issue',
    causedOn: fold.day,
    id: `${loss.disposalId}/deep_put_written/${put.id}`,
    issue: 'deep_put_written',
    on: loss.disposedOn,
    asset,
    account: loss.account,
    transactions: [sale, ...(put.openedBy === sale ? [] : [put.openedBy])],
    dollars,
    detail:
      `${put.asset} was written on ${formatDay(put.on)}, within 30 days of the sale of ${asset} on ${formatDay(loss.disposedOn)}. Its strike is far above the ` +
      `price of that sale. If its exercise was practically certain, it counts as an acquisition of the stock, and up to $${formatCents(dollars)} of the ` +
      'loss is disallowed (IRC 1091; Rev. Rul. 85-87).',
  });
}
