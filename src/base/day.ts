/**
 * Calendar days and instants. A Day is the number of days since 1970-01-01 in the proleptic Gregorian calendar, so
 * windows are subtraction. An Instant is the number of microseconds since 1970-01-01T00:00Z, which a double holds
 * exactly for the years 1900–2100.
 */

declare const unit: unique symbol;

export type Day = number & { readonly [unit]: 'day' };
export type Instant = number & { readonly [unit]: 'instant' };

export const yearMin = 1900;
export const yearMax = 2100;
/** The error detail for a date that is refused. */
export const expectedDate = `Enter a date from ${yearMin} to ${yearMax}, like 2025-12-31.`;

const millisecondsPerDay = 86_400_000;
const millisecondsPerQuarter = 900_000;
const offsetsKeptMax = 100_000;
/** The calendar of two centuries is queried repeatedly. */
const daysKeptMax = 100_000;
const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Parses `YYYY-MM-DD` between two positions in a text. Returns undefined unless it is an existing day in the years
 * 1900–2100.
 */
export function parseDay(text: string, from = 0, to = text.length): Day | undefined {
  if (to - from !== 10 || text.charCodeAt(from + 4) !== hyphen || text.charCodeAt(from + 7) !== hyphen)
    return undefined;
  // A character that is not a digit produces NaN, and NaN is not a day.
  return dayOf(digitsAt(text, from, 4), digitsAt(text, from + 5, 2), digitsAt(text, from + 8, 2));
}

/** Parses a day in our own format. Days derived from the accepted years may be up to a year before or after them. */
export function parseWrittenDay(text: string): Day | undefined {
  const known = parseDay(text);
  if (known !== undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return known;
  const day = Date.parse(text) / millisecondsPerDay;
  return Number.isNaN(day) ? undefined : (day as Day);
}

/** Parses `length` digits of a text as an integer. Returns NaN if a character is not a digit. */
export function digitsAt(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const hyphen = 45;

/** Returns the day for a year, a month 1…12 and a day of the month, or undefined if the calendar has no such day. */
export function dayOf(year: number, month: number, dayOfMonth: number): Day | undefined {
  if (!(year >= yearMin && year <= yearMax && month >= 1 && month <= 12)) return undefined;
  if (!(dayOfMonth >= 1 && dayOfMonth <= monthLength(year, month))) return undefined;
  return dayNumber(year, month, dayOfMonth);
}

/**
 * Returns the same day in a later year, which may be beyond the accepted years. February 29 becomes March 1 in a year
 * without it.
 */
export function addYears(day: Day, years: number): Day {
  const start = new Date(day * millisecondsPerDay);
  return dayNumber(start.getUTCFullYear() + years, start.getUTCMonth() + 1, start.getUTCDate());
}

/** Returns whether an instant falls in the accepted years in every time zone. Zones differ by up to a day. */
export function isDated(instant: Instant): boolean {
  return instant >= firstInstant && instant < lastInstant;
}

const microsecondsPerDay = 86_400_000_000;

/** Formats a day as `YYYY-MM-DD`. */
export function formatDay(day: Day): string {
  let text = written.get(day);
  if (text === undefined) {
    if (written.size >= writtenMax) written.clear();
    text = new Date(day * millisecondsPerDay).toISOString().slice(0, 10);
    written.set(day, text);
  }
  return text;
}

/** Caches formatted days because books have few days and many rows per day. */
const written = new Map<Day, string>();
const writtenMax = 20_000;

/** Formats a day as `MM/DD/YYYY`, as forms and TXF print dates. */
export function formatDayUs(day: Day): string {
  const [year, month, dayOfMonth] = formatDay(day).split('-');
  return `${month}/${dayOfMonth}/${year}`;
}

export function yearOf(day: Day): number {
  const shifted = day + daysBefore1970;
  const cycle = Math.floor(shifted / daysPerCycle);
  const inCycle = shifted - cycle * daysPerCycle;
  const year = Math.floor(
    (inCycle - Math.floor(inCycle / 1460) + Math.floor(inCycle / 36_524) - Math.floor(inCycle / 146_096)) / 365,
  );
  const inYear = inCycle - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  return cycle * 400 + year + (inYear >= daysFromMarchToJanuary ? 1 : 0);
}

/**
 * Calculates the calendar in whole numbers, ten times as fast as a Date. Years start on March 1, so the leap day is the
 * last day, and the calendar repeats every 400 years (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
 */
function dayNumber(year: number, month: number, dayOfMonth: number): Day {
  const fromMarch = month > 2 ? year : year - 1;
  const cycle = Math.floor(fromMarch / 400);
  const inCycle = fromMarch - cycle * 400;
  const inYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + dayOfMonth - 1;
  const days = inCycle * 365 + Math.floor(inCycle / 4) - Math.floor(inCycle / 100) + inYear;
  return (cycle * daysPerCycle + days - daysBefore1970) as Day;
}

const daysPerCycle = 146_097;
/** Days since 0000-03-01. */
const daysBefore1970 = 719_468;
const daysFromMarchToJanuary = 306;

/** The first accepted day. */
export const firstDay = dayNumber(yearMin, 1, 1);
const firstInstant = (firstDay + 1) * microsecondsPerDay;
const lastInstant = lastDayOf(yearMax) * microsecondsPerDay;

export function addDays(day: Day, days: number): Day {
  return (day + days) as Day;
}

/** Returns December 31 of a year. */
export function lastDayOf(year: number): Day {
  return dayNumber(year, 12, 31);
}

/**
 * Returns the first day on which a sale is long-term. The day of acquisition is excluded, the day of sale is included,
 * and a year is a calendar year: more than twelve months from the day after acquisition (Pub. 550, "Long-Term or
 * Short-Term"; Rev. Rul. 66-7). 2024-02-29 → 2025-03-01, 2023-02-28 → 2024-03-01.
 */
export function longTermOn(heldSince: Day): Day {
  const known = firstLongDays.get(heldSince);
  if (known !== undefined) return known;
  const start = new Date((heldSince + 1) * millisecondsPerDay);
  const [year, month, dayOfMonth] = [start.getUTCFullYear() + 1, start.getUTCMonth() + 1, start.getUTCDate()];
  // A period that starts on February 29 ends on February 28, and the next period starts on March 1.
  const day = (Date.UTC(year, month - 1, dayOfMonth) / millisecondsPerDay) as Day;
  if (firstLongDays.size < daysKeptMax) firstLongDays.set(heldSince, day);
  return day;
}

/**
 * Returns the day such that lots held since that day or earlier are long-term on the given day. Uses a search because
 * the law counts by the calendar.
 */
export function longTermUntil(on: Day): Day {
  let day = addDays(on, -365);
  while (longTermOn(day) > on) day = addDays(day, -1);
  return day;
}

const firstLongDays = new Map<Day, Day>();

/** Formats an instant by RFC 3339 in UTC, with as many decimals of a second as it has (none, or up to six). */
export function formatInstant(instant: Instant): string {
  const seconds = Math.floor(instant / 1_000_000);
  const day = Math.floor(seconds / secondsPerDay);
  const second = seconds - day * secondsPerDay;
  const minute = Math.floor(second / 60);
  const microseconds = instant - seconds * 1_000_000;
  const fraction = microseconds === 0 ? '' : `.${String(microseconds).padStart(6, '0').replace(/0+$/, '')}`;
  return `${formatDay(day as Day)}T${twoDigits[Math.floor(minute / 60)]}:${twoDigits[minute % 60]}:${twoDigits[second % 60]}${fraction}Z`;
}

const secondsPerDay = 86_400;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Returns the calendar day of an instant in an IANA time zone. */
export function dayIn(instant: Instant, timeZone: string): Day {
  const wall = wallClock(Math.floor(instant / 1000), timeZone);
  return Math.floor(wall / millisecondsPerDay) as Day;
}

/**
 * Returns the instant of a wall-clock time in an IANA time zone. If a clock change repeats a time, uses the first of
 * the two. A skipped time uses the offset before the change.
 */
export function toInstant(day: Day, microsecondOfDay: number, timeZone: string): Instant {
  const wall = day * millisecondsPerDay + Math.floor(microsecondOfDay / 1000);
  const offsetBefore = wallClock(wall - millisecondsPerDay, timeZone) - (wall - millisecondsPerDay);
  const offsetAfter = wallClock(wall + millisecondsPerDay, timeZone) - (wall + millisecondsPerDay);
  const candidates = [wall - offsetBefore, wall - offsetAfter];
  const utc = candidates.find((candidate) => wallClock(candidate, timeZone) === wall) ?? wall - offsetBefore;
  return (utc * 1000 + (microsecondOfDay % 1000)) as Instant;
}

export function isTimeZone(name: string): boolean {
  try {
    getDateTimeFormatter(name);
    return true;
  } catch {
    return false;
  }
}

/** The default time zone of times. */
export const defaultTimeZone = 'UTC';

/** Returns the stored name of a selected time zone. A selected UTC has a different name than the default. */
export function statedTimeZone(timeZone: string): string {
  return timeZone === defaultTimeZone ? statedUtc : timeZone;
}

/** Returns the display name of a stored time zone. */
export function timeZoneName(timeZone: string): string {
  return timeZone === statedUtc ? 'UTC' : timeZone;
}

const statedUtc = 'Etc/UTC';

/** Returns the milliseconds of the wall clock as if the zone were UTC. */
function wallClock(milliseconds: number, timeZone: string): number {
  if (timeZone === 'UTC' || timeZone === statedUtc) return milliseconds;
  // Since 1970 every zone has changed its offset at a quarter of an hour, so one look-up serves the whole quarter.
  // formatToParts takes several microseconds, and a file can have a million rows.
  if (milliseconds < 0) return milliseconds + offsetAt(milliseconds, timeZone);
  const quarter = Math.floor(milliseconds / millisecondsPerQuarter);
  const known = getOffsetCache(timeZone);
  let offset = known.get(quarter);
  if (offset === undefined) {
    if (known.size >= offsetsKeptMax) known.clear();
    offset = offsetAt(milliseconds, timeZone);
    known.set(quarter, offset);
  }
  return milliseconds + offset;
}

function offsetAt(milliseconds: number, timeZone: string): number {
  const parts = getDateTimeFormatter(timeZone).formatToParts(milliseconds);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(milliseconds / 1000) * 1000;
}

const offsets = new Map<string, Map<number, number>>();

function getOffsetCache(timeZone: string): Map<number, number> {
  const known = offsets.get(timeZone) ?? new Map<number, number>();
  offsets.set(timeZone, known);
  return known;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function getDateTimeFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

function monthLength(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (daysPerMonth[month - 1] ?? 0);
}
