import { lacksBrokerNotice } from '../../../engine/book/broker-notice.ts';
import { resolveLotMethod } from '../../../engine/book/method-in-force.ts';
import { isDigital } from '../../../engine/events/classes.ts';
import { isAllowed, lotMethodTable } from '../../../engine/lot-methods.ts';
import type { Disposal, LotMethod, Rules, Transaction } from '../../../engine/model.ts';
import { type SaleToIdentify, standingOrderFor } from '../../../engine/rules/lots/standing-orders.ts';
import type { CitedText } from './line-kinds.ts';

/** Explains what picked the lot of a line: the row, a standing order or a lot method. */
export function explainLotChoice(disposal: Disposal, sale: Transaction | undefined, rules: Rules): CitedText {
  const { account, asset, assetClass, on, identified } = disposal;
  if (sale !== undefined && disposal.lotId.startsWith(sale.id)) {
    return {
      text: 'The units were withheld from the units that the same row acquired.',
      citations: ['26 CFR 1.1012-1(j)(3)(iii)'],
    };
  }
  const choosing: SaleToIdentify = { account, asset, on: sale?.on ?? on, at: sale?.at ?? null };
  const standing = standingOrderFor(rules, choosing);
  const method = resolveLotMethod(rules, account, assetClass, choosing.on, standing);
  const citations = [`26 CFR 1.1012-1(${lotMethodTable[method].isAveraged ? 'e' : isDigital(assetClass) ? 'j' : 'c'})`];
  const order = standing?.order ?? undefined;
  const byOrder = order && `the standing order for ${order.method}, made ${order.madeAt}`;
  const namesLots = sale !== undefined && sale.lots.length > 0;
  const byMethod = byOrder ?? methodText(rules, disposal, method);
  if (identified === 'identified') {
    if (byOrder !== undefined && !namesLots) return { text: `Lot picked by ${byOrder}.`, citations };
    const or = byOrder === undefined ? '' : ` or ${byOrder}`;
    return { text: `Lot identified in time by the row${or}.`, citations };
  }
  if (identified === 'default') return { text: `Lot picked by ${byMethod}.`, citations };
  if (lacksBrokerNotice(rules, { account, assetClass, on: choosing.on }, standing?.order ?? null)) {
    const notice =
      'From 2027 on, the broker must be notified which lots are sold. It was not notified (Notice 2026-20).';
    return { text: `${notice} Lot picked by FIFO.`, citations: ['26 CFR 1.1012-1(j)(3)(i)'] };
  }
  if (namesLots && rules.lateIdentification === 'accepted') {
    return {
      text: 'The lot was identified too late. The identification counts because of your lateIdentification setting.',
      citations,
    };
  }
  const late = namesLots
    ? 'The row identified its lots too late.'
    : `A standing order for ${standing?.late ?? 'other lots'} was made after the sale.`;
  return { text: `${late} Lot picked by ${byMethod}.`, citations };
}

/** Returns the lot method and the setting that chose it: for the account, from a certain year on, or as the default. */
function methodText(rules: Rules, { account, assetClass }: Disposal, method: LotMethod): string {
  if (rules.methodByAccount[account] === method) return `${method}, the method of ${account}`;
  const stated = rules.methodByAccount[account] ?? rules.method;
  if (!isAllowed(stated, assetClass)) return 'FIFO, because only shares of funds can be averaged';
  const from = rules.methodFrom.findLast((change) => change.method === method);
  return from !== undefined && rules.method !== method
    ? `${method}, your method from ${from.year} on`
    : `${method}, your method`;
}
