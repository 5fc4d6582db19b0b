import { addDays, formatDay, longTermOn } from '../../../base/day.ts';
import { OnceADay } from '../../../base/once-a-day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { isContract1256, isWashable } from '../../../engine/events/classes.ts';
import { washDays } from '../../../engine/events/wash-window.ts';
import { assetClasses } from '../../../engine/model.ts';
import { lastLongSince } from '../../gains/planning/holdings.ts';
import { selectOpenLosses } from '../../gains/planning/planning.queries.ts';
import { accountsLeftOut } from '../../gains/planning/year-end.ts';
import { selectTaxpayer } from '../../ledger/books/books.queries.ts';
import { toElections } from '../../ledger/transactions/elections.ts';
import { parseDayColumn } from '../../ledger/transactions/rows/columns.ts';
import { getToday } from '../../ledger/transactions/view.ts';
import { takeSubjects } from '../../people/notifications/notifications.queries.ts';
import { notify } from '../../people/notifications/notify.ts';
import { selectMaturingLots } from './feed.queries.ts';
import type { ReminderScope } from './reminder-scope.ts';
import { longTermWords, washWords } from './reminder-words.ts';
import { remindOfYearEnd } from './year-end.ts';

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
  const subjects = dated.map(({ id, on }) => ({ subject: id, untilOn: on }));
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, subjects, formatDay(today));
  const fresh = dated.filter(({ id }) => newSubjects.has(id));
  if (fresh.length === 0) return;
  const link = `/v1/tax/lots${assetQuery(fresh)}`;
  await notify(sql, taxpayerId, { kind, ...longTermWords(fresh), link, at });
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
  const subjects = dated.map(({ saleId, until }) => ({ subject: saleId, untilOn: until }));
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, subjects, formatDay(today));
  const fresh = dated.filter(({ saleId }) => newSubjects.has(saleId));
  if (fresh.length === 0) return;
  const link = `/v1/tax/disposals${assetQuery(fresh)}`;
  await notify(sql, taxpayerId, { kind, ...washWords(fresh), link, at });
}

/** Returns the query string for a link. It filters by asset if all rows have the same one. */
function assetQuery(rows: readonly { readonly asset: string }[]): string {
  const assets = [...new Set(rows.map(({ asset }) => asset))];
  return assets.length === 1 ? `?${new URLSearchParams({ asset: assets[0] ?? '' })}` : '';
}
