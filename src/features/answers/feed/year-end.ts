import { formatDay, lastDayOf, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { selectDueInclusions, selectHolds } from '../../gains/planning/planning.queries.ts';
import {
  accountsLeftOut,
  findLastTradingDay,
  firstDayIntoJanuary,
  firstYearOfNotice,
  ordersToSend,
} from '../../gains/planning/year-end.ts';
import { takeSubjects } from '../../people/notifications/notifications.queries.ts';
import { notify } from '../../people/notifications/notify.ts';
import type { ReminderScope } from './reminder-scope.ts';
import { brokerWords, fundWords, lastDayWords } from './year-end-words.ts';

/**
 * Creates the December reminders, each once a year: brokers to notify, values needed for opportunity funds, and the
 * last trading day.
 */
export async function remindOfYearEnd(sql: Sql, scope: ReminderScope): Promise<void> {
  if (!formatDay(scope.today).includes('-12-')) return;
  await remindOfBrokers(sql, scope);
  await remindOfFunds(sql, scope);
  await remindOfLastDay(sql, scope);
}

/** Reminds the taxpayer to notify brokers. Skips accounts whose broker already confirmed. */
async function remindOfBrokers(sql: Sql, { taxpayerId, rules, today, at }: ReminderScope): Promise<void> {
  if (yearOf(today) + 1 < firstYearOfNotice) return;
  const kind = 'tell_broker';
  const unnotified = (await ordersToSend(sql, taxpayerId, rules, today, today)).filter(({ isNotified }) => !isNotified);
  const subjectOf = (account: string): string => `${yearOf(today)} ${account}`;
  const subjects = unnotified.map(({ account }) => ({
    subject: subjectOf(account),
    untilOn: formatDay(lastDayOf(yearOf(today))),
  }));
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, subjects, formatDay(today));
  const fresh = unnotified.filter(({ account }) => newSubjects.has(subjectOf(account)));
  if (fresh.length > 0)
    await notify(sql, taxpayerId, { kind, ...brokerWords(fresh), link: `/v1/tax/year-end?year=${yearOf(today)}`, at });
}

async function remindOfFunds(sql: Sql, { taxpayerId, today, at }: ReminderScope): Promise<void> {
  const kind = 'fund_value';
  const end = formatDay(lastDayOf(yearOf(today)));
  const due = await selectDueInclusions(sql, taxpayerId, yearOf(today));
  const unvalued = due.filter(({ value, dueOn }) => value === null && dueOn === end);
  const subjectOf = ({ fund, account }: (typeof due)[number]): string => `${yearOf(today)} ${account} ${fund}`;
  const subjects = unvalued.map((fund) => ({ subject: subjectOf(fund), untilOn: end }));
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, subjects, formatDay(today));
  const fresh = unvalued.filter((fund) => newSubjects.has(subjectOf(fund)));
  if (fresh.length > 0)
    await notify(sql, taxpayerId, {
      kind,
      ...fundWords(fresh),
      link: `/v1/tax/opportunity-funds?year=${yearOf(today)}`,
      at,
    });
}

async function remindOfLastDay(sql: Sql, { taxpayerId, rules, today, at }: ReminderScope): Promise<void> {
  const kind = 'year_end';
  const year = yearOf(today);
  const last = findLastTradingDay(year);
  if (today > last || !(await selectHolds(sql, taxpayerId, accountsLeftOut(rules, today)))) return;
  const subject = { subject: String(year), untilOn: formatDay(lastDayOf(year)) };
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, [subject], formatDay(today));
  if (newSubjects.size === 0) return;
  const words = lastDayWords(year, last, firstDayIntoJanuary(year));
  await notify(sql, taxpayerId, { kind, ...words, link: `/v1/tax/year-end?year=${year}`, at });
}
