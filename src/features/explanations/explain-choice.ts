import { methodOf } from '../../engine/book/method-in-force.ts';
import { isDigital } from '../../engine/events/classes.ts';
import { isAllowed, lotMethodTable } from '../../engine/lot-methods.ts';
import type { Disposal, LotMethod, Rules, Transaction } from '../../engine/model.ts';
import { type SaleToIdentify, standingOrderFor } from '../../engine/rules/lots/standing-orders.ts';
import type { Words } from './explain-kind.ts';

/** Which lot it is, and who chose it. */
export function chosenFor(disposal: Disposal, sale: Transaction | undefined, rules: Rules): Words {
  const { account, asset, assetClass, on, identified } = disposal;
  if (sale !== undefined && disposal.lotId.startsWith(sale.id)) {
    return {
      text: 'The units were withheld from what the same row brought.',
      citations: ['26 CFR 1.1012-1(j)(3)(iii)'],
    };
  }
  const choosing: SaleToIdentify = { account, asset, on: sale?.on ?? on, at: sale?.at ?? null };
  const standing = standingOrderFor(rules, choosing);
  const method = methodOf(rules, account, assetClass, choosing.on, standing);
  const citations = [`26 CFR 1.1012-1(${lotMethodTable[method].isAveraged ? 'e' : isDigital(assetClass) ? 'j' : 'c'})`];
  const order = standing?.order ?? undefined;
  const byOrder = order && `the standing order for ${order.method}, made ${order.madeAt},`;
  const namesLots = sale !== undefined && sale.lots.length > 0;
  const byMethod = byOrder ?? methodWords(rules, disposal, method);
  if (identified === 'identified') {
    if (byOrder !== undefined && !namesLots) return { text: `${sentence(byOrder)} chose the lot.`, citations };
    const or = byOrder === undefined ? '' : ` or by ${byOrder.slice(0, -1)}`;
    return { text: `The lot was named in time, by its row${or}.`, citations };
  }
  if (identified === 'default') return { text: `${sentence(byMethod)} chose the lot.`, citations };
  if (namesLots && rules.lateIdentification === 'accepted') {
    return { text: 'The lot was named too late, and counts as elected.', citations };
  }
  const late = namesLots
    ? 'The lots that the row names were named too late'
    : `A standing order for ${standing?.late ?? 'other lots'} was made after the sale`;
  return { text: `${late}: ${byMethod} chose the lot.`, citations };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where no order is in force: whose method it is. */
function methodWords(rules: Rules, { account, assetClass }: Disposal, method: LotMethod): string {
  if (rules.methodByAccount[account] === method) return `${method}, the method of ${account},`;
  const stated = rules.methodByAccount[account] ?? rules.method;
  if (!isAllowed(stated, assetClass)) return 'FIFO, for only shares of funds are averaged,';
  const from = rules.methodFrom.findLast((change) => change.method === method);
  return from !== undefined && rules.method !== method
    ? `${method}, the method from ${from.year} on,`
    : `${method}, the method in force,`;
}
