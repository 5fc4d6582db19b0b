import { formatDay } from '../../../base/day.ts';
import { zeroMoney } from '../../../base/decimal.ts';
import type { OpenLot } from '../../book/book.ts';
import {
  type Fold,
  getOrCreatePool,
  isRetirement,
  noteTransaction,
  raise,
  roundCarrying,
  writeIncome,
} from '../../book/fold.ts';
import { addLot } from '../../book/lots.ts';
import { openLot } from '../../book/opening.ts';
import { type AcquireEvent, type IncomeEvent, listedOrigin, listsLot } from '../../events/event.ts';
import { findFirstFill, isFill } from '../../events/fills.ts';
import { deductAccrued, readDebtTerms } from '../debt/debt.ts';
import { readPlanTerms } from '../employee-stock/plan.ts';
import { zeroBasis } from '../lots/sale-issues.ts';
import { resolveLotAccount } from '../lots/take.ts';
import { payInLieu } from '../short-sales/in-lieu.ts';
import { matchPurchase } from '../wash-sales/wash.ts';
import { rememberDistribution } from './funds.ts';

/**
 * Opens the lot of an acquisition and matches a purchase to open losses. `changes` contains fields that do not come
 * from the event.
 */
export function acquire(fold: Fold, event: AcquireEvent, changes?: Partial<OpenLot>): OpenLot {
  const opened = createLot(fold, event);
  const lot = changes === undefined ? opened : { ...opened, ...changes };
  const pool = getOrCreatePool(fold, lot.key, lot.account);
  noteTransaction(pool, event.tx.id);
  if (event.cost === null || event.missing === 'gift_incomplete') explainMissing(fold, event);
  addLot(fold, pool, lot);
  if (lot.right === 'put' && lot.underlyingKey !== null) fold.putsToday.push(lot);
  // Losses on lots from before the records were matched at that time.
  if (event.purchasedOn === event.on) matchPurchase(fold, lot);
  return lot;
}

export function earn(fold: Fold, event: IncomeEvent): void {
  // Income in an IRA is not taxed when received (IRC 408(e)(1)).
  if (isRetirement(fold, event.account)) return;
  if (event.amount === null) {
    const what = event.asset === '' ? event.tx.type : `${event.tx.type} of ${event.asset}`;
    raise(fold, event, 'value_missing', `The value of ${what} on ${formatDay(event.on)} is not stated in dollars.`);
    return;
  }
  if (payInLieu(fold, event)) return;
  rememberDistribution(fold, event);
  deductAccrued(fold, event);
  writeIncome(fold, event, { type: event.tx.type, amount: event.amount });
}

function createLot(fold: Fold, event: AcquireEvent): OpenLot {
  const remainder = `basis ${event.key}`;
  const opened = openLot(event, {
    account: resolveLotAccount(fold.rules, event.assetClass, event.account, event.on),
    basis: roundCarrying(fold, remainder, event.cost ?? zeroMoney),
    lossBasis: event.lossCost === null ? null : roundCarrying(fold, remainder, event.lossCost),
    sequence: fold.sequence++,
    origin: resolveOrigin(fold, event),
  });
  const [debt, plan] = [readDebtTerms(fold, event), readPlanTerms(event)];
  if (plan !== undefined) return { ...opened, plan };
  return debt === undefined ? opened : { ...opened, debt };
}

/** Returns the origin of a lot, or null if it is the lot itself. Fills of one order are one purchase. */
function resolveOrigin(fold: Fold, event: AcquireEvent): string | null {
  const { tx, at, ordinal, origin } = event;
  if (origin !== undefined) return origin;
  if (listsLot(tx)) return listedOrigin(tx.account, tx.on);
  if (at === null || ordinal !== 0 || fold.ledger === null || !isFill(tx)) return null;
  const first = findFirstFill(fold.ledger, tx.id);
  return first === tx.id ? null : `${first}/0`;
}

function explainMissing(fold: Fold, event: AcquireEvent): void {
  const on = formatDay(event.on);
  if (event.missing !== 'gift_incomplete') {
    raise(
      fold,
      event,
      event.missing,
      `The cost of ${event.asset} acquired on ${on} is not stated in dollars. ${zeroBasis}`,
    );
    return;
  }
  const { basis, acquired, fmv } = event.tx;
  const missing = [
    basis === null ? "the donor's basis" : null,
    acquired === null ? "the donor's acquisition date" : null,
    fmv === null ? 'the value on the day of the gift' : null,
  ].filter((what) => what !== null);
  // Without the donor's records, the basis is zero and the holding period starts with the gift (Pub. 550, digital
  // assets).
  if (missing.length === 0 && event.cost !== null) return;
  raise(
    fold,
    event,
    'gift_incomplete',
    `The gift of ${event.asset} on ${on} does not state ${missing.join(' or ') || 'its basis in dollars'}.`,
  );
}
