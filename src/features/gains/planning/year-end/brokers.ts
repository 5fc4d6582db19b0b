import { type Day, formatDay, parseDay, yearOf } from '../../../../base/day.ts';
import { methodWanted } from '../../../../engine/book/method-in-force.ts';
import { type LotMethod, lotMethodTable } from '../../../../engine/lot-methods.ts';
import type { Rules } from '../../../../engine/model.ts';
import { standingOrderFor } from '../../../../engine/rules/lots/standing-orders.ts';

/** The first year in which sales require notice to the broker (Notice 2026-20). */
export const firstYearOfNotice = 2027;

/** Lot instructions that a broker must have by a certain day, for sales of digital assets. */
export interface BrokerOrder {
  readonly account: string;
  /** The deadline for the broker to have the order. */
  readonly from: Day;
  /** The method for all assets first, then the methods for individual assets. */
  readonly orders: readonly { readonly asset: string | null; readonly method: LotMethod }[];
  /** Whether the broker was notified of all orders by `today`. */
  readonly isNotified: boolean;
  readonly notifiedOn: string | null;
  readonly notifiedHow: string | null;
  /** A text to send to the broker. */
  readonly message: string;
}

/**
 * Returns the orders for accounts that will use a method other than FIFO from next year on. FIFO is the broker's
 * default and needs no order (26 CFR 1.1012-1(j)(3)). `accounts` are the accounts that hold digital assets, with or
 * without settings. `end` is a day in the current year.
 */
export function brokerOrders(rules: Rules, accounts: readonly string[], end: Day, today: Day): BrokerOrder[] {
  const from = parseDay(`${Math.max(yearOf(end) + 1, firstYearOfNotice)}-01-01`) as Day;
  const orders = rules.standingOrders ?? [];
  const named = [
    ...accounts,
    ...Object.keys(rules.accounts),
    ...Object.keys(rules.methodByAccount),
    ...orders.flatMap(({ account }) => account ?? []),
  ];
  return [...new Set(named)].sort().flatMap((account) => brokerOrder(rules, account, from, today) ?? []);
}

function brokerOrder(rules: Rules, account: string, from: Day, today: Day): BrokerOrder | null {
  const { type = 'taxable', form, toldBroker, toldBrokerHow } = rules.accounts[account] ?? {};
  if (type !== 'taxable' || form === 'none' || form === '1099-B') return null;
  const findOrderMethod = (asset: string) => {
    const order = standingOrderFor(rules, { account, asset, on: from, at: null });
    return { method: methodWanted(rules, account, 'crypto', from, order), notified: order?.order?.toldBroker };
  };
  const accountOrders = (rules.standingOrders ?? []).filter(
    (order) => order.account === undefined || order.account === account,
  );
  const assets = [...new Set(accountOrders.flatMap(({ asset }) => asset ?? []))].sort();
  const general = findOrderMethod('');
  const single = assets
    .map((asset) => ({ asset, ...findOrderMethod(asset) }))
    .filter(({ method }) => method !== general.method);
  if (general.method === 'FIFO' && single.length === 0) return null;
  const orders = [{ asset: null, ...general }, ...single];
  const toNotify = orders.filter(({ method }) => method !== 'FIFO');
  const isBy = (day: string | undefined): boolean => day !== undefined && day <= formatDay(today);
  const isNotified = isBy(toldBroker) || toNotify.every(({ notified }) => isBy(notified));
  // If there are several orders, the date of the latest notice counts.
  const lastNotified = toNotify
    .map(({ notified }) => notified ?? '')
    .sort()
    .at(-1);
  const list = orders.map(({ asset, method }) => ({ asset, method }));
  return {
    ...{ account, from, orders: list, isNotified },
    notifiedOn: toldBroker ?? (isNotified ? (lastNotified ?? null) : null),
    notifiedHow: toldBrokerHow ?? null,
    message: buildBrokerMessage(account, from, list),
  };
}

function buildBrokerMessage(account: string, from: Day, orders: BrokerOrder['orders']): string {
  const lines = orders.map(({ asset, method }) => {
    const what = asset ?? (orders.length === 1 ? 'All digital assets' : 'All other digital assets');
    return `- ${what}: ${lotMethodTable[method].words.toLowerCase()} (${method})`;
  });
  return [
    'Subject: Standing order for digital assets',
    '',
    `Please apply this standing order to my account ${account} for every sale, disposition or transfer of digital assets from January 1, ${yearOf(from)}, on, until I change it:`,
    '',
    ...lines,
    '',
    'Please confirm in writing that this order is in effect, with its effective date and time. If you do not offer one of these methods, please let me know which methods you offer.',
    '',
    'This is an identification under 26 CFR 1.1012-1(j)(3)(ii).',
  ].join('\n');
}
