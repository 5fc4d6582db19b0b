import type { Day } from '../../base/day.ts';
import { type DateOrder, readEffectiveDay } from './times.ts';

/**
 * Returns the days after "as of" in a text: `AS OF 12-31-25`, `as of Dec-31-2025`, `A/O 12/31/2025`. Brokers add such a
 * date if they book a row after its effective day. A date without a year is the latest such date that is not after
 * `booked`. "As of" dates for holdings, prices and records mean something else and are ignored.
 */
export function effectiveDays(text: string, booked: Day, order?: DateOrder): readonly Day[] {
  if (!mark.test(text)) return none;
  const days: Day[] = [];
  for (const match of text.matchAll(shape)) {
    if (isOfHoldings(text.slice(0, match.index))) continue;
    const day = readEffectiveDay(match.groups?.date ?? '', booked, order);
    if (day !== undefined && !days.includes(day)) days.push(day);
  }
  return days;
}

/** The maximum number of days from a row's effective day to the day when the broker booked it. */
export const effectiveDaysMax = 366;

const none: readonly Day[] = [];
const mark = /\bas[ -]?of\b|\ba\/o\b/i;
const month = '[A-Za-z]{3,9}\\.?';
const year = '(?:\\d{4}|\\d{2})(?!\\d)';
const shape = new RegExp(
  `\\b(?:as[ -]?of|a/o)[:,]? {0,3}(?<date>${[
    `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?!\\d)`,
    `\\d{1,2}[-/.]\\d{1,2}[-/.]${year}`,
    `${month}[-/. ] ?\\d{1,2}(?:st|nd|rd|th)?(?:,? |[-/.,])${year}`,
    `\\d{1,2}[-/. ]${month}(?:,? |[-/.,])${year}`,
    `[12]\\d{7}(?!\\d)`,
    `\\d{1,2}[-/]\\d{1,2}(?![-/\\d])`,
  ].join('|')})`,
  'gi',
);

/** Returns whether "as of" refers to a holding, a price or a record date. */
function isOfHoldings(before: string): boolean {
  return /\b(?:held|owned|holders?|record(?: date)?|shares?|shs|units|prices?|priced|nav|rates?|yield|balances?|factor|valued?) *$/i.test(
    before.slice(-40),
  );
}
