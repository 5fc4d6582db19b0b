import { lacksBrokerNotice } from '../../book/broker-notice.ts';
import { type Fold, raise } from '../../book/fold.ts';
import { methodWanted, type OrderInForce, resolveLotMethod } from '../../book/method-in-force.ts';
import { isDigital } from '../../events/classes.ts';
import type { Event } from '../../events/event.ts';
import type { AssetClass, Disposal, LotMethod, Rules, Transaction } from '../../model.ts';
import { computeSettlementDay } from './settlement.ts';
import { localDay, standingOrderFor } from './standing-orders.ts';

/** The method or standing order that selects the lots of a sale if its row names none. */
export interface LotSelection {
  readonly order: OrderInForce | null;
  readonly method: LotMethod;
  /**
   * The elected method that does not apply because the broker was not notified. Null if the broker was notified, or
   * need not be.
   */
  readonly ignored: LotMethod | null;
}

export function resolveLotSelection(fold: Fold, event: Event, account: string): LotSelection {
  const { asset, assetClass, on, at } = event;
  const order =
    fold.rules.standingOrders === undefined ? null : standingOrderFor(fold.rules, { account, asset, on, at });
  const method = resolveLotMethod(fold.rules, account, assetClass, on, order);
  const methodInForce = methodWanted(fold.rules, account, assetClass, on, order);
  const ignored = lacksBrokerNotice(fold.rules, { account, assetClass, on }, order?.order ?? null);
  return { order, method, ignored: ignored ? methodInForce : null };
}

/**
 * Returns how lots that the row names are identified. Returns null if they were identified too late and late
 * identification is not accepted (P14).
 */
export function howNamed(fold: Fold, event: Event, { ignored }: LotSelection): 'identified' | 'late' | null {
  if (ignored !== null) {
    raise(fold, event, 'identified_late', `${noNoticeText} FIFO selected the lots instead of those you named.`);
    return null;
  }
  if (!isLate(fold.rules, event.tx, event.assetClass)) return 'identified';
  const counts = fold.rules.lateIdentification === 'accepted';
  const then = counts ? 'They count because late identification was elected' : methodSelected;
  raise(fold, event, 'identified_late', `The lots were identified too late. ${then}.`);
  return counts ? 'late' : null;
}

export const methodSelected = 'The account method selected the lots instead';

const noNoticeText =
  'From 2027 you must notify the broker by the time of the sale which digital assets are sold (Notice 2026-20), and no notice is recorded.';

/** Returns how lots selected by the method are identified. A standing order made too late raises an issue. */
export function howChosen(
  fold: Fold,
  event: Event,
  { order, method, ignored }: LotSelection,
  namedLate: boolean,
): Disposal['identified'] {
  if (ignored !== null) {
    // The same issue already covers the lots that the row named.
    if (!namedLate && ignored !== 'FIFO') {
      raise(fold, event, 'identified_late', `${noNoticeText} FIFO selected the lots instead of ${ignored}.`);
    }
    return namedLate || ignored !== 'FIFO' ? 'late' : 'default';
  }
  const lateMethod = order?.late ?? null;
  if (lateMethod !== null) {
    const detail = `The standing order for ${lateMethod} was made after this sale of ${event.asset}. ${method} selected the lots.`;
    raise(fold, event, 'identified_late', detail, { suffix: 'order' });
  }
  if (namedLate || lateMethod !== null) return 'late';
  return order === null ? 'default' : 'identified';
}

/**
 * Returns whether lots were identified too late. Digital assets must be identified by the time of sale (26 CFR
 * 1.1012-1(j)(2), (3)), securities by settlement (1.1012-1(c)(8)). A row without an identification time counts as in
 * time.
 */
function isLate(rules: Rules, tx: Transaction, assetClass: AssetClass): boolean {
  if (tx.identifiedAt === null) return false;
  if (isDigital(assetClass) && tx.at !== null) return tx.identifiedAt > tx.at;
  return localDay(rules, tx.identifiedAt) > (isDigital(assetClass) ? tx.on : computeSettlementDay(tx.on));
}
