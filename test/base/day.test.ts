import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addDays,
  addYears,
  type Day,
  dayIn,
  formatDay,
  formatDayUs,
  formatInstant,
  type Instant,
  isTimeZone,
  lastDayOf,
  longTermOn,
  parseDay,
  toInstant,
  yearOf,
} from '../../src/base/day.ts';
import { draws } from '../support/depth.ts';
import { dayPlainly } from './plain-numbers.ts';

const day = (text: string): Day => {
  const parsed = parseDay(text);
  if (parsed === undefined) throw new Error(`no day: ${text}`);
  return parsed;
};
const instant = (text: string): Instant => (Date.parse(text) * 1000) as Instant;

describe('the calendar', () => {
  test("equals the platform's calendar on every possible day", () => {
    const last = lastDayOf(2100);
    for (let day = addDays(lastDayOf(1899), 1); day <= last; day = addDays(day, 1)) {
      const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (parseDay(text) !== day || yearOf(day) !== Number(text.slice(0, 4))) expect(text).toBe('another day');
    }
    for (const year of [1, 1600, 1899, 2101, 2400, 9999]) {
      expect(lastDayOf(year)).toBe((new Date(0).setUTCFullYear(year, 11, 31) / 86_400_000) as Day);
      expect(yearOf(lastDayOf(year))).toBe(year);
      expect(yearOf(addDays(lastDayOf(year), 1))).toBe(year + 1);
    }
  });

  test('parses exactly what a regular expression accepts', () => {
    const characters = fc.constantFrom(...'0123456789-- /T٣\n');
    const texts = fc.oneof(
      fc.string({ unit: characters, minLength: 8, maxLength: 12 }),
      fc
        .tuple(fc.integer({ min: 1890, max: 2110 }), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 33 }))
        .map(([year, ...rest]) => [year, ...rest.map((part) => String(part).padStart(2, '0'))].join('-')),
    );
    fc.assert(
      fc.property(texts, (text) => expect(parseDay(text)).toBe(dayPlainly(text) as Day | undefined)),
      { numRuns: draws(2_000, 20_000) },
    );
  });

  test('refuses days that do not exist', () => {
    for (const text of [
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-04-31',
      '1899-12-31',
      '2101-01-01',
      '24-01-01',
    ]) {
      expect(parseDay(text)).toBeUndefined();
    }
    expect(formatDay(day('2024-02-29'))).toBe('2024-02-29');
    expect(formatDayUs(day('1900-01-01'))).toBe('01/01/1900');
    expect(yearOf(lastDayOf(2025))).toBe(2025);
  });
});

describe('the term', () => {
  test('counts calendar years from the day after acquisition', () => {
    const firstLongDay = {
      '2024-06-17': '2025-06-18',
      '2024-02-29': '2025-03-01',
      '2024-02-28': '2025-03-01',
      '2023-02-28': '2024-03-01',
      '2023-03-01': '2024-03-02',
      '2023-12-31': '2025-01-01',
      '2024-08-31': '2025-09-01',
    };
    for (const [acquired, long] of Object.entries(firstLongDay))
      expect(formatDay(longTermOn(day(acquired)))).toBe(long);
  });
});

describe('instants', () => {
  test('December 31 at 8 PM in New York belongs to that year', () => {
    expect(formatDay(dayIn(instant('2025-01-01T01:00:00Z'), 'America/New_York'))).toBe('2024-12-31');
    expect(formatDay(dayIn(instant('2025-01-01T01:00:00Z'), 'UTC'))).toBe('2025-01-01');
  });

  test('a wall clock time is converted to the right instant', () => {
    const at = toInstant(day('2024-07-01'), 20 * 3_600_000_000 + 5, 'America/New_York');
    expect(formatInstant(at)).toBe('2024-07-02T00:00:00.000005Z');
    expect(formatInstant(toInstant(day('2024-01-01'), 0, 'UTC'))).toBe('2024-01-01T00:00:00Z');
  });

  test('a time that a clock change repeats is the first of the two, and a skipped time keeps the old offset', () => {
    const half = 1_800_000_000;
    expect(formatInstant(toInstant(day('2024-11-03'), 2 * half + half, 'America/New_York'))).toBe(
      '2024-11-03T05:30:00Z',
    );
    expect(formatInstant(toInstant(day('2024-03-10'), 4 * half + half, 'America/New_York'))).toBe(
      '2024-03-10T07:30:00Z',
    );
  });

  test('works before 1970, too', () => {
    expect(formatInstant(-1 as Instant)).toBe('1969-12-31T23:59:59.999999Z');
    expect(formatDay(dayIn(instant('1955-01-15T03:00:00Z'), 'America/New_York'))).toBe('1955-01-14');
  });

  test('an unknown time zone is detected', () => {
    expect(isTimeZone('America/Los_Angeles')).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });
});

test.each([
  ['2027-03-15', '2032-03-15'],
  ['2028-02-29', '2033-03-01'],
  ['2100-12-31', '2105-12-31'],
])('five years after %s is %s', (text, later) => {
  expect(formatDay(addYears(parseDay(text) as Day, 5))).toBe(later);
});
