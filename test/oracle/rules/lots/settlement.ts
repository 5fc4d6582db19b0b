import type { Day } from '../../../../src/base/day.ts';

const dayLength = 86_400_000;
const tPlusOne = Date.UTC(2024, 4, 28);
const tPlusTwo = Date.UTC(2017, 8, 5);

/**
 * Returns the settlement day: T+3, from September 2017 T+2, from May 28, 2024 T+1 (SEC rule 15c6-1). A trade settles
 * only on a day on which both the exchanges and the Reserve Banks are open.
 */
export function settlementOf(on: Day): Day {
  const traded = on * dayLength;
  let left = traded >= tPlusOne ? 1 : traded >= tPlusTwo ? 2 : 3;
  const date = new Date(traded);
  while (left > 0) {
    date.setUTCDate(date.getUTCDate() + 1);
    if (isOpen(date) && !isBankHoliday(date)) left -= 1;
  }
  return (date.getTime() / dayLength) as Day;
}

/** Counts the days after the earlier day, through the later day, on which the exchanges are open. */
export function openDaysFrom(one: Day, other: Day): number {
  let open = 0;
  for (let day = Math.min(one, other) + 1; day <= Math.max(one, other) && open < 2; day += 1) {
    if (isOpen(new Date(day * dayLength))) open += 1;
  }
  return open;
}

/**
 * Returns true for a bank holiday. 5 U.S.C. 6103(a): Columbus Day is the second Monday in October, Veterans Day is
 * November 11, the birthday of Martin Luther King, Jr. is the third Monday in January. Reserve Banks observe only
 * Sunday holidays on another day, the next one.
 */
function isBankHoliday(date: Date): boolean {
  const [weekday, day, month] = [date.getUTCDay(), date.getUTCDate(), date.getUTCMonth() + 1];
  const isMonday = weekday === 1;
  if (month === 11) return day === 11 || (day === 12 && isMonday);
  if (month === 10) return isMonday && day >= 8 && day <= 14;
  return month === 1 && isMonday && day >= 15 && day <= 21 && date.getUTCFullYear() >= 1986;
}

/**
 * Returns true if the exchange is open. NYSE rule 7.2: "not open for business on New Year's Day, ... on Friday when a
 * holiday falls on a Saturday ...".
 */
function isOpen(date: Date): boolean {
  const [weekday, day, month] = [date.getUTCDay(), date.getUTCDate(), date.getUTCMonth() + 1];
  const year = date.getUTCFullYear();
  if (weekday === 0 || weekday === 6) return false;
  const week = Math.ceil(day / 7);
  if (weekday === 1 && ((month === 1 && week === 3 && year > 1997) || (month === 2 && week === 3))) return false;
  if (weekday === 1 && ((month === 5 && day > 24) || (month === 9 && week === 1))) return false;
  if (weekday === 4 && month === 11 && week === 4) return false;
  const falls = (onMonth: number, onDay: number): boolean =>
    (month === onMonth && day === onDay) ||
    (month === onMonth && weekday === 5 && day === onDay - 1) ||
    (month === onMonth && weekday === 1 && day === onDay + 1);
  if (falls(7, 4) || falls(12, 25) || (year > 2021 && falls(6, 19))) return false;
  if (month === 1 && (day === 1 || (day === 2 && weekday === 1))) return false;
  return !(weekday === 5 && isTwoDaysBeforeEaster(date));
}

/**
 * Returns true for Good Friday. Easter is the Sunday after the ecclesiastical full moon of spring (Gauss, as he
 * corrected it in 1816).
 */
function isTwoDaysBeforeEaster(date: Date): boolean {
  const year = date.getUTCFullYear();
  const k = Math.floor(year / 100);
  const p = Math.floor((13 + 8 * k) / 25);
  const m = (15 - p + k - Math.floor(k / 4)) % 30;
  const n = (4 + k - Math.floor(k / 4)) % 7;
  const a = year % 19;
  const d = (19 * a + m) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + n) % 7;
  const sunday = d === 29 && e === 6 ? 50 : d === 28 && e === 6 && (11 * m + 11) % 30 < 19 ? 49 : 22 + d + e;
  const easter = Date.UTC(year, 2, sunday);
  return easter - date.getTime() === 2 * dayLength;
}
