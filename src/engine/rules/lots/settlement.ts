import { addDays, type Day, dayOf, yearOf } from '../../../base/day.ts';

/**
 * Returns the settlement date of a securities trade: one settlement day later since May 28, 2024, two since September
 * 5, 2017, three before (SEC rule 15c6-1). Holidays follow the rules of the New York Stock Exchange (rule 7.2) and of
 * the Federal Reserve Banks. Closings for a day of mourning or a storm are not included.
 */
export function computeSettlementDay(traded: Day): Day {
  let settlement = traded;
  for (let left = traded >= oneDaySince ? 1 : traded >= twoDaysSince ? 2 : 3; left > 0; ) {
    settlement = addDays(settlement, 1);
    if (isSettlementDay(settlement)) left--;
  }
  return settlement;
}

const oneDaySince = dayOf(2024, 5, 28) ?? (0 as Day);
const twoDaysSince = dayOf(2017, 9, 5) ?? (0 as Day);

/**
 * Returns whether both the exchanges and the banks are open on a day. The exchanges trade on some bank holidays, but
 * nothing settles then (NASD Notices to Members on Columbus Day and Veterans Day, each year: "it will not be a
 * settlement date").
 */
export function isSettlementDay(day: Day): boolean {
  return isBusinessDay(day) && !listBankHolidays(yearOf(day)).includes(day);
}

/** Returns whether the exchanges are open on a day. */
export function isBusinessDay(day: Day): boolean {
  const weekday = weekdayOf(day);
  return weekday !== saturday && weekday !== sunday && !getHolidays(yearOf(day)).has(day);
}

/** Returns whether two days are equal, or at most one business day apart. */
export function areAdjacent(one: Day, other: Day): boolean {
  const [from, until] = one < other ? [one, other] : [other, one];
  if (until - from > adjacentDaysMax) return false;
  let days = 0;
  for (let day = addDays(from, 1); day <= until; day = addDays(day, 1)) if (isBusinessDay(day)) days++;
  return days <= 1;
}

/** The maximum number of days until the next business day. */
export const adjacentDaysMax = 7;

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6] as const;

function weekdayOf(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

const known = new Map<number, ReadonlySet<Day>>();

function getHolidays(year: number): ReadonlySet<Day> {
  const before = known.get(year);
  if (before !== undefined) return before;
  const newYear = dateOf(year, 1, 1);
  const days = [
    // New Year's Day is not observed if it is a Saturday, because the Friday before ends an accounting period.
    weekdayOf(newYear) === sunday ? addDays(newYear, 1) : newYear,
    ...(year >= 1998 ? [nth(year, 1, monday, 3)] : []),
    nth(year, 2, monday, 3),
    addDays(computeEaster(year), -2),
    addDays(nth(year, 6, monday, 1), -7),
    ...(year >= 2022 ? [findObservedDay(dateOf(year, 6, 19))] : []),
    findObservedDay(dateOf(year, 7, 4)),
    nth(year, 9, monday, 1),
    nth(year, 11, thursday, 4),
    findObservedDay(dateOf(year, 12, 25)),
  ];
  const holidays = new Set(days);
  known.set(year, holidays);
  return holidays;
}

/**
 * Returns bank holidays when the exchanges are open (5 U.S.C. 6103(a)). Reserve Banks observe a Sunday holiday on
 * Monday, and are open on the Friday before a Saturday holiday.
 */
function listBankHolidays(year: number): readonly Day[] {
  const veterans = dateOf(year, 11, 11);
  return [
    nth(year, 10, monday, 2),
    weekdayOf(veterans) === sunday ? addDays(veterans, 1) : veterans,
    // The exchanges have been closed on Martin Luther King Jr. Day since 1998.
    ...(year >= 1986 ? [nth(year, 1, monday, 3)] : []),
  ];
}

/** Returns the day a holiday is observed: Friday if it is a Saturday, Monday if it is a Sunday. */
function findObservedDay(day: Day): Day {
  const weekday = weekdayOf(day);
  return weekday === saturday ? addDays(day, -1) : weekday === sunday ? addDays(day, 1) : day;
}

/** Returns the nth occurrence of a weekday in a month. Memorial Day is seven days before the first Monday of June. */
function nth(year: number, month: number, weekday: number, n: number): Day {
  const first = dateOf(year, month, 1);
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1));
}

/** Computes Easter Sunday in the Gregorian calendar (the algorithm of Meeus, Jones and Butcher). */
export function computeEaster(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const correction = Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * late + 114;
  return dateOf(year, Math.floor(days / 31), (days % 31) + 1);
}

function dateOf(year: number, month: number, day: number): Day {
  return dayOf(year, month, day) ?? (0 as Day);
}
