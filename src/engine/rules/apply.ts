import { formatDay } from '../../base/day.ts';
import { type Fold, raise } from '../book/fold.ts';
import { classifyAssets } from '../events/classes.ts';
import type { Event, TransactionEvent } from '../events/event.ts';
import { toAssetKey } from '../events/keys.ts';
import { amortizePremium } from './corporate-actions/bond-amortization.ts';
import { rename } from './corporate-actions/rename.ts';
import { merge, spinoff } from './corporate-actions/reorganize.ts';
import { returnCapital } from './corporate-actions/return-of-capital.ts';
import { split } from './corporate-actions/split.ts';
import { accrueOriginalDiscount } from './debt/original-discount.ts';
import { applyForm1099 } from './form-1099/apply.ts';
import { defer } from './opportunity-funds/defer.ts';
import { includeAtValue, isOfFund } from './opportunity-funds/include.ts';
import { settleInCash, settlesInCash } from './options/cash-settlement.ts';
import { mark } from './options/contracts.ts';
import { assign, closeWritten, exercise, expire, write } from './options/options.ts';
import { followSymbol } from './options/symbol-changes.ts';
import { reverse } from './reversal.ts';
import { acquire, earn } from './sales/acquire.ts';
import { dispose } from './sales/sale.ts';
import { cover, openShort } from './short-sales/shorts.ts';
import { deposit, move, withdraw } from './transfers/transfers.ts';

export function apply(fold: Fold, event: Event): void {
  followSymbol(fold, event);
  switch (event.kind) {
    case 'acquire':
      acquire(fold, event);
      break;
    case 'dispose':
      dispose(fold, event);
      break;
    case 'income':
      earn(fold, event);
      break;
    default:
      transactionHandlers[event.kind](fold, event);
  }
}

const transactionHandlers: Readonly<Record<TransactionEvent['kind'], (fold: Fold, event: TransactionEvent) => void>> = {
  move,
  withdraw,
  deposit,
  short: openShort,
  cover,
  write,
  close_written: closeWritten,
  expire: (fold, event) => (settlesInCash(event) ? settleInCash : expire)(fold, event),
  exercise: (fold, event) => (settlesInCash(event) ? settleInCash : exercise)(fold, event),
  assign: (fold, event) => (settlesInCash(event) ? settleInCash : assign)(fold, event),
  split,
  rename: (fold, event) => rename(fold, event, receivedKey(event)),
  spinoff: (fold, event) => spinoff(fold, event, receivedKey(event)),
  merger: (fold, event) => merge(fold, event, receivedKey(event)),
  return_of_capital: returnCapital,
  bond_amortization: amortizePremium,
  original_issue_discount: accrueOriginalDiscount,
  mark: (fold, event) => (isOfFund(fold, event) ? includeAtValue : mark)(fold, event),
  defer,
  reported: applyForm1099,
  reverse,
  unreadable: (fold, event) => {
    const what = `${event.tx.type.replaceAll('_', ' ')} of ${event.asset} on ${formatDay(event.on)}`;
    raise(fold, event, 'value_missing', `The ${what} has no quantity, so it has no effect.`);
  },
};

function receivedKey(event: Event): string {
  return toAssetKey(event.tx.receivedAsset, classifyAssets(event.tx).received);
}
