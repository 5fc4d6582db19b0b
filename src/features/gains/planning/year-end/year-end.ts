import { addDays, type Day, dayOf, formatDay, lastDayOf } from '../../../../base/day.ts';
import { formatCents } from '../../../../base/decimal.ts';
import type { Sql } from '../../../../db/connection.ts';
import { isOnOtherReturn } from '../../../../engine/book/separate-returns.ts';
import { isRetirementType } from '../../../../engine/elections.ts';
import { isWashable } from '../../../../engine/events/classes.ts';
import { washDays } from '../../../../engine/events/wash-window.ts';
import { assetClasses, type Rules } from '../../../../engine/model.ts';
import { isBusinessDay } from '../../../../engine/rules/lots/settlement.ts';
import { selectTaxpayer } from '../../../ledger/books/books.queries.ts';
import { toElections } from '../../../ledger/transactions/elections.ts';
import { parseDayColumn as dayOfText, parseCentsColumn } from '../../../ledger/transactions/rows/columns.ts';
import { type BrokerOrder, brokerOrders } from './brokers.ts';
import { selectDigitalAccounts, selectDueInclusions, selectOpenLosses } from './year-end.queries.ts';

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
