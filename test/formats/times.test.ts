import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readIsoTime, readTime } from '../../src/formats/cells/times.ts';
import { draws } from '../support/depth.ts';

const number = (max: number, width: number) =>
  fc
    .oneof(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 10 ** width - 1 }))
    .map((n) => String(n).padStart(width, '0'));
const written = fc
  .tuple(
    fc.oneof(fc.integer({ min: 2000, max: 2030 }), fc.integer({ min: 1880, max: 2120 })),
    number(12, 2),
    number(28, 2),
    fc.constantFrom('T', ' ', 't', '  ', ', ', ''),
    fc.constantFrom('', 'hour', 'minute', 'second', 'fraction'),
    number(23, 2),
    number(59, 2),
    number(59, 2),
    fc.stringMatching(/^\d{1,9}$/),
    fc.constantFrom('', 'Z', 'z', ' Z', ' UTC', '+02:00', ' PM', 'x'),
  )
  .map(([year, month, day, separator, until, hour, minute, second, fraction, offset]) => {
    const date = `${year}-${month}-${day}`;
    const clock = { '': '', hour, minute: `${hour}:${minute}`, second: `${hour}:${minute}:${second}` };
    const time = until === 'fraction' ? `${hour}:${minute}:${second}.${fraction}` : clock[until as keyof typeof clock];
    return until === '' ? date : `${date}${separator}${time}${offset}`;
  });

test.each(['UTC', 'America/New_York'])(
  'a time parsed digit by digit equals the one parsed by patterns, in %s',
  (zone) => {
    fc.assert(
      fc.property(written, (text) => {
        const fast = readIsoTime(text, zone, zone);
        // With a leading blank, the patterns parse the digits.
        if (fast !== undefined) expect(readTime(` ${text}`, zone, zone), text).toEqual(fast);
      }),
      { numRuns: draws(500, 5_000) },
    );
  },
);

test.each([
  ['2025-01-31', null],
  ['2025-01-31 09:30', 0],
  ['2025-01-31T09:30:15', 15_000_000],
  ['2025-01-31T09:30:15.1Z', 15_100_000],
  ['2025-01-31 09:30:15.123456789', 15_123_456],
])('%s is parsed digit by digit', (text, microseconds) => {
  const halfPastNine = Date.UTC(2025, 0, 31, 9, 30) * 1000;
  expect<number | null>(readIsoTime(text, 'UTC', 'UTC')?.at ?? null).toBe(
    microseconds === null ? null : halfPastNine + microseconds,
  );
});

test.each([
  '2025-02-29',
  '2025-01-31T',
  '2025-01-31 24:00',
  '2025-01-31 09:60',
  '2025-01-31 9:30',
  '2025-01-31 09:30:61',
  '2025-01-31 09:30:15.1234567890',
  '1899-12-31',
  '2025/01/31',
  ' 2025-01-31',
  '',
])('%p is not parsed digit by digit', (text) => expect(readIsoTime(text, 'UTC', 'UTC')).toBeUndefined());
