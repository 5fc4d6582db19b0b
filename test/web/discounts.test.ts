import { expect, test } from 'bun:test';
import { parseDiscounts } from '../../src/web/format/discounts.ts';

test.each([
  [
    '2022: 40.00, 2023: 41.50',
    [
      [2022, '40.00'],
      [2023, '41.50'],
    ],
  ],
  [
    '2022=$1,240.00; 2023: 41',
    [
      [2022, '1240.00'],
      [2023, '41'],
    ],
  ],
  [
    '2022: 40.00 2023: 41.50.',
    [
      [2022, '40.00'],
      [2023, '41.50'],
    ],
  ],
])('original issue discount %p is sent by year', (text, expected) => {
  expect(parseDiscounts(text).map(({ year, amount }) => [year, amount])).toEqual(expected as [number, string][]);
});

/** The server refuses an invalid amount. If a part were omitted, the gain would be wrong. */
test.each(['2022: 40.00, 2023 41.50', '2022: -5', '2022: 40.5O', 'forty', '2022: 1,5'])(
  'no part of %p is omitted',
  (text) => {
    expect(parseDiscounts(text).every(({ year, amount }) => year > 0 && /^\d+(?:\.\d+)?$/.test(amount))).toBe(false);
  },
);
