import { addDays, type Day, formatDay, lastDayOf, longTermOn, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { isContract1256, isWashable } from '../../../engine/events/classes.ts';
import { washDays } from '../../../engine/events/wash-window.ts';
import { assetClasses, type Rules } from '../../../engine/model.ts';
import { lastLongSince } from '../../gains/planning/holdings.ts';
import {
  type DueInclusion,
  selectDueInclusions,
  selectHolds,
  selectOpenLosses,
} from '../../gains/planning/planning.queries.ts';
import {
  accountsLeftOut,
  type BrokerOrder,
  findLastTradingDay,
  firstDayIntoJanuary,
  firstYearOfNotice,
  ordersToSend,
} from '../../gains/planning/year-end.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { parseDayColumn } from '../../ledger/transactions/rows.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import { notifyOfNew } from '../../people/notifications.ts';
import { selectMaturingLots } from './feed.queries.ts';

const soonDays = 30;
const rememberedMax = 100_000;
/** The maximum number of reminders of each kind per day, soonest first. The rest follow on later days. */
const subjectsMax = 500;

/**
 * Creates reminders that depend on the date: lots that will soon become long-term, losses that a purchase could still
 * turn into wash sales, and year-end tasks in December. Runs once a day before the books are used, and before a digest
 * is emailed. Mentions each lot, sale, fund and broker once. Combines the new items of a kind into one notification a
 * day.
 */
export class Reminders {
  readonly #deps: Deps;
  readonly #today = new OnceADay(rememberedMax);

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Creates reminders at most once a day. Never fails a request. After an error, the next request retries. */
  async remindBeforeUse(taxpayerId: string): Promise<void> {
    if (!this.#today.take(taxpayerId, getToday(this.#deps, 'UTC'))) return;
    try {
      await this.#deps.database.asTaxpayer(taxpayerId, (sql) => remind(this.#deps, sql, taxpayerId));
    } catch (error) {
      this.#today.giveBack(taxpayerId);
      this.#deps.log.warn('reminders not stored', { reason: String(error) });
    }
  }
}

async function remind(deps: Deps, sql: Sql, taxpayerId: string): Promise<void> {
  const { settings, time_zone: timeZone } = await selectTaxpayer(sql, taxpayerId);
  const { rules } = toElections(settings, timeZone);
  const today = parseDayColumn(getToday(deps, timeZone));
  const scope = { taxpayerId, rules, today, at: deps.clock.now() };
  await remindOfLots(sql, scope);
  await remindOfLosses(sql, scope);
  await remindOfYearEnd(sql, scope);
}

async function remindOfLots(sql: Sql, { taxpayerId, rules, today, at }: ReminderScope): Promise<void> {
  const kind = 'long_term_soon';
  const heldAfter = lastLongSince(today);
  const lots = await selectMaturingLots(sql, taxpayerId, kind, {
    heldAfter: formatDay(heldAfter),
    heldUntil: formatDay(lastLongSince(addDays(today, soonDays))),
    classes: assetClasses.filter((one) => !isContract1256(one) && one !== 'currency'),
    accountsLeftOut: accountsLeftOut(rules, today),
    rowsMax: subjectsMax,
  });
  if (lots.length === 0) return;
  const dated = lots.map((lot) => ({ ...lot, on: formatDay(longTermOn(parseDayColumn(lot.heldSince))) }));
  await notifyOfNew(sql, taxpayerId, dated, {
    kind,
    subjectOf: ({ id, on }) => ({ subject: id, untilOn: on }),
    write: (newLots) => ({ ...longTermWords(newLots), link: `/v1/tax/lots${assetQuery(newLots)}` }),
    today: formatDay(today),
    at,
  });
}

async function remindOfLosses(sql: Sql, { taxpayerId, rules, today, at }: ReminderScope): Promise<void> {
  const kind = 'wash_window';
  const losses = await selectOpenLosses(sql, taxpayerId, {
    notNotified: kind,
    since: formatDay(addDays(today, -washDays)),
    until: formatDay(today),
    classes: assetClasses.filter((one) => isWashable(one, rules, today)),
    accountsLeftOut: accountsLeftOut(rules, today),
    rowsMax: subjectsMax,
  });
  if (losses.length === 0) return;
  const dated = losses.map((loss) => ({ ...loss, until: formatDay(addDays(parseDayColumn(loss.sold), washDays)) }));
  await notifyOfNew(sql, taxpayerId, dated, {
    kind,
    subjectOf: ({ saleId, until }) => ({ subject: saleId, untilOn: until }),
    write: (newLosses) => ({ ...washWords(newLosses), link: `/v1/tax/disposals${assetQuery(newLosses)}` }),
    today: formatDay(today),
    at,
  });
}

/** Returns the query string for a link. It filters by asset if all rows have the same one. */
function assetQuery(rows: readonly { readonly asset: string }[]): string {
  const assets = [...new Set(rows.map(({ asset }) => asset))];
  return assets.length === 1 ? `?${new URLSearchParams({ asset: assets[0] ?? '' })}` : '';
}

/** The books that need reminders, and the current time. */
interface ReminderScope {
  readonly taxpayerId: string;
  readonly rules: Rules;
  readonly today: Day;
  readonly at: Date;
}

/** The maximum number of items in a notification body. The page lists all. */
const namedMax = 10;

interface ReminderText {
  readonly title: string;
  readonly body: string;
}

interface MaturingLot {
  readonly asset: string;
  readonly account: string;
  readonly quantity: string;
  /** The first day on which a sale is long-term. */
  readonly on: string;
}

function longTermWords(lots: readonly MaturingLot[]): ReminderText {
  const [first] = lots;
  const named = listItems(lots, ({ quantity, asset, account, on }) => `${quantity} ${asset} in ${account} on ${on}`);
  const title =
    lots.length === 1 && first !== undefined
      ? `${first.quantity} ${first.asset}: long-term on ${first.on}`
      : `${lots.length} lots become long-term within 30 days`;
  return { title, body: `Gains on sales from that day on are taxed at long-term rates: ${named}.` };
}

interface LossOfWindow {
  readonly asset: string;
  readonly account: string;
  readonly sold: string;
  readonly loss: string;
  /** The last day of the window. */
  readonly until: string;
}

function washWords(losses: readonly LossOfWindow[]): ReminderText {
  const [first] = losses;
  const named = listItems(
    losses,
    ({ asset, account, sold, loss, until }) =>
      `${asset} in ${account}, sold on ${sold} at a loss of $${loss}: until ${until}`,
  );
  const title =
    losses.length === 1 && first !== undefined
      ? `Buying ${first.asset} by ${first.until} would cause a wash sale`
      : `Buying back ${losses.length} positions within 30 days would cause wash sales`;
  const rule =
    'A purchase within 30 days of the sale disallows the loss, including purchases in an IRA or by your spouse (IRC 1091).';
  return { title, body: `${rule} ${named}.` };
}

function listItems<Item>(items: readonly Item[], words: (item: Item) => string): string {
  const others = items.length - namedMax;
  const named = items.slice(0, namedMax).map(words).join('; ');
  return others > 0 ? `${named}; and ${others} more` : named;
}

/**
 * Records which task a server did today and for whom. The record is lost in a restart, so repeating a task must be
 * harmless.
 */
class OnceADay {
  readonly #keysMax: number;
  readonly #days = new Map<string, string>();

  constructor(keysMax: number) {
    this.#keysMax = keysMax;
  }

  /** Returns true for the first call of a day. */
  take(key: string, today: string): boolean {
    if (this.#days.get(key) === today) return false;
    if (this.#days.size >= this.#keysMax) this.#days.clear();
    this.#days.set(key, today);
    return true;
  }

  /** Records a failure, so the next call retries. */
  giveBack(key: string): void {
    this.#days.delete(key);
  }
}

/**
 * Creates the December reminders, each once a year: brokers to notify, values needed for opportunity funds, and the
 * last trading day.
 */
async function remindOfYearEnd(sql: Sql, scope: ReminderScope): Promise<void> {
  if (!formatDay(scope.today).includes('-12-')) return;
  await remindOfBrokers(sql, scope);
  await remindOfFunds(sql, scope);
  await remindOfLastDay(sql, scope);
}

/** Reminds the taxpayer to notify brokers. Skips accounts whose broker already confirmed. */
async function remindOfBrokers(sql: Sql, { taxpayerId, rules, today, at }: ReminderScope): Promise<void> {
  if (yearOf(today) + 1 < firstYearOfNotice) return;
  const unnotified = (await ordersToSend(sql, taxpayerId, rules, today, today)).filter(({ isNotified }) => !isNotified);
  const untilOn = formatDay(lastDayOf(yearOf(today)));
  await notifyOfNew(sql, taxpayerId, unnotified, {
    kind: 'tell_broker',
    subjectOf: ({ account }) => ({ subject: `${yearOf(today)} ${account}`, untilOn }),
    write: (brokers) => ({ ...brokerWords(brokers), link: `/v1/tax/year-end?year=${yearOf(today)}` }),
    today: formatDay(today),
    at,
  });
}

async function remindOfFunds(sql: Sql, { taxpayerId, today, at }: ReminderScope): Promise<void> {
  const untilOn = formatDay(lastDayOf(yearOf(today)));
  const due = await selectDueInclusions(sql, taxpayerId, yearOf(today));
  const unvalued = due.filter(({ value, dueOn }) => value === null && dueOn === untilOn);
  await notifyOfNew(sql, taxpayerId, unvalued, {
    kind: 'fund_value',
    subjectOf: ({ fund, account }) => ({ subject: `${yearOf(today)} ${account} ${fund}`, untilOn }),
    write: (funds) => ({ ...fundWords(funds), link: `/v1/tax/opportunity-funds?year=${yearOf(today)}` }),
    today: formatDay(today),
    at,
  });
}

async function remindOfLastDay(sql: Sql, { taxpayerId, rules, today, at }: ReminderScope): Promise<void> {
  const year = yearOf(today);
  const last = findLastTradingDay(year);
  if (today > last || !(await selectHolds(sql, taxpayerId, accountsLeftOut(rules, today)))) return;
  await notifyOfNew(sql, taxpayerId, [year], {
    kind: 'year_end',
    subjectOf: () => ({ subject: String(year), untilOn: formatDay(lastDayOf(year)) }),
    write: () => ({
      ...lastDayWords(year, last, firstDayIntoJanuary(year)),
      link: `/v1/tax/year-end?year=${year}`,
    }),
    today: formatDay(today),
    at,
  });
}

/** The maximum number of broker messages in a notification body. `GET /v1/tax/year-end` returns all of them. */
const textsMax = 3;

function brokerWords(brokers: readonly BrokerOrder[]): ReminderText {
  const from = formatDay(brokers[0]?.from as Day).slice(0, 4);
  const names = brokers.map(({ account }) => account).join(', ');
  const texts = brokers
    .slice(0, textsMax)
    .map(({ account, message }) => `Text to send to ${account}:\n\n${message}`)
    .join('\n\n');
  const rule = `From January 1, ${from}, on, lots of digital assets at a broker count as identified only if the broker has your instructions by the time of the sale (Notice 2026-20). Otherwise they are sold first in, first out.`;
  return {
    title: 'Tell your brokers which lots you sell',
    body: `${rule} Your lot order is different for ${names}. Notify each broker, keep the confirmation, and enter the date and how you told them in the account's settings. That ends this reminder.\n\n${texts}`,
  };
}

function fundWords(funds: readonly DueInclusion[]): ReminderText {
  const [first] = funds;
  const on = formatDate(first?.dueOn ?? '');
  const names = [...new Set(funds.map(({ fund }) => fund))];
  return {
    title:
      names.length === 1 ? `Get the value of ${names[0]} on ${on}` : `Get the values of ${names.length} funds on ${on}`,
    body: `The gain deferred in ${names.join(', ')} is included on ${on}: the gain, or the value of the interest on that day if it is less (IRC 1400Z-2(b)(2)). Ask the fund for its value on that day and enter it as a mark. Without a value, the whole gain is included.`,
  };
}

function lastDayWords(year: number, last: Day, intoJanuary: Day): ReminderText {
  return {
    title: `The last trading day of ${year} is ${formatDate(formatDay(last))}`,
    body: `A sale of securities through that day counts in ${year}, regardless of when it settles. Digital assets can be sold through December 31. A loss on a sale from ${formatDate(formatDay(intoJanuary))} on has a wash sale window that extends into January ${year + 1}: a purchase within 30 days of the sale disallows it (IRC 1091).`,
  };
}

const months = 'January February March April May June July August September October November December'.split(' ');

function formatDate(day: string): string {
  const [year, month, dayOfMonth] = day.split('-').map(Number) as [number, number, number];
  return `${months[month - 1]} ${dayOfMonth}, ${year}`;
}
