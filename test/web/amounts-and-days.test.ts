import { expect, test } from 'bun:test';
import { groupDigits } from '../../src/web/format/amounts.ts';
import { daysBetween, withDays } from '../../src/web/format/dates.ts';
import { smallestAt } from '../../src/web/format/scale.ts';

test.each([
  [['1.00', '-0.01', '-0.010000000000000001'], 2],
  [['12345678901234567890.02', '12345678901234567890.01'], 1],
  [['5', '5.00', '7'], 0],
  [[], 0],
])('the smallest amount in %p is at index %i', (amounts, at) => {
  expect(smallestAt(amounts)).toBe(at);
});

test.each([
  ['2024-02-28', '2024-03-01', 2],
  ['2025-11-20', '2026-02-11', 83],
  ['2025-03-08', '2025-03-10', 2],
  ['2025-01-02', '2025-01-01', -1],
])('from %s to %s are %i days', (from, to, days) => {
  expect(daysBetween(from, to)).toBe(days);
});

test.each([
  ['Cost basis for all 0.0001, including fees', 'Cost basis for all 0.0001, including fees'],
  ['Cost basis for all 0.9212, including fees', 'Cost basis for all 0.9212, including fees'],
  ['Cost basis for all 11791.0203683, including fees', 'Cost basis for all 11,791.0203683, including fees'],
  ['Cost basis for all 1234567, including fees', 'Cost basis for all 1,234,567, including fees'],
])('the digits of the units in %p are grouped', (text, grouped) => {
  expect(groupDigits(text)).toBe(grouped);
});

test('dates in an API message are formatted as elsewhere', () => {
  expect(withDays('Sold on 2024-03-01, held since 2023-12-31.')).toBe('Sold on Mar 1, 2024, held since Dec 31, 2023.');
  expect(withDays('12024-03-011 is no date')).toBe('12024-03-011 is no date');
  expect(withDays('AMD 2025-08-15 C 140 of 2025-06-12')).toBe('AMD 2025-08-15 C 140 of Jun 12, 2025');
});
