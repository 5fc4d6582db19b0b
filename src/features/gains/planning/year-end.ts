import { addDays, type Day, dayOf, formatDay, lastDayOf, parseDay, yearOf } from '../../../base/day.ts';
import { formatCents } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import { methodWanted } from '../../../engine/book/method-in-force.ts';
import { isOnOtherReturn } from '../../../engine/book/separate-returns.ts';
import { isRetirementType } from '../../../engine/elections.ts';
import { isWashable } from '../../../engine/events/classes.ts';
import { washDays } from '../../../engine/events/wash-window.ts';
import { type LotMethod, lotMethodTable } from '../../../engine/lot-methods.ts';
import { assetClasses, type Rules } from '../../../engine/model.ts';
import { isBusinessDay } from '../../../engine/rules/lots/settlement.ts';
import { standingOrderFor } from '../../../engine/rules/lots/standing-orders.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { parseDayColumn as dayOfText, parseCentsColumn } from '../../ledger/transactions/rows.ts';
import { selectDigitalAccounts, selectDueInclusions, selectOpenLosses } from './planning.queries.ts';

const lossesMax = 1_000;

/** Returns the tasks for the end of a year and the following January. */
export async function yearEnd(sql: Sql, taxpayerId: string, year: number, today: Day) {
  const { settings, time_zone: timeZone } = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(settings, timeZone);
  const [brokers, funds, losses] = [
    await ordersToSend(sql, taxpayerId, rules, dayOf(year, 12, 31) as Day, today),
    await selectDueInclusions(sql, taxpayerId, year),
    await lossesIntoJanuary(sql, taxpayerId, year, rules),
  ];
  return {
    year,
    asOf: formatDay(today),
    lastTradingDay: formatDay(findLastTradingDay(year)),
    lastDay: formatDay(lastDayOf(year)),
    brokers: brokers.map(({ from, orders, isNotified, ...broker }) => ({
      ...broker,
      from: formatDay(from),
      notified: isNotified,
      orders: orders.map((order) => ({ ...order })),
    })),
    funds: funds.map((fund) => ({
      ...fund,
      included: formatCents(parseCentsColumn(fund.included)),
      value: fund.value === null ? null : formatCents(parseCentsColumn(fund.value)),
    })),
    washWindows: losses.map(({ asset, account, sold, loss }) => ({
      ...{ asset, account, sold, loss },
      until: formatDay(addDays(dayOfText(sold), washDays)),
    })),
  };
}

/** Returns the last trading day of a year. Sales count on their trade date (Rev. Rul. 93-84). */
export function findLastTradingDay(year: number): Day {
  let day = lastDayOf(year);
  while (!isBusinessDay(day)) day = addDays(day, -1);
  return day;
}

/** Returns the first day in December whose wash sale window extends into January. */
export function firstDayIntoJanuary(year: number): Day {
  return addDays(lastDayOf(year), 1 - washDays);
}

/** Returns the orders to send to brokers. `end` is the last day of the year before the orders take effect. */
export async function ordersToSend(
  sql: Sql,
  taxpayerId: string,
  rules: Rules,
  end: Day,
  today: Day,
): Promise<BrokerOrder[]> {
  return brokerOrders(rules, await selectDigitalAccounts(sql, taxpayerId), end, today);
}

async function lossesIntoJanuary(sql: Sql, taxpayerId: string, year: number, rules: Rules) {
  const end = lastDayOf(year);
  return selectOpenLosses(sql, taxpayerId, {
    since: formatDay(firstDayIntoJanuary(year)),
    until: formatDay(end),
    classes: assetClasses.filter((one) => isWashable(one, rules, end)),
    accountsLeftOut: accountsLeftOut(rules, end),
    rowsMax: lossesMax,
  });
}

/** Returns the accounts whose sales are not reported on the taxpayer's return. */
export function accountsLeftOut(rules: Rules, on: Day): string[] {
  return Object.keys(rules.accounts).filter(
    (name) => isRetirementType(rules.accounts[name]?.type) || isOnOtherReturn(rules, name, on),
  );
}

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
