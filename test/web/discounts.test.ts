import { expect, test } from 'bun:test';
import { discountsIn } from '../../src/web/format/discounts.ts';

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
  expect(discountsIn(text).map(({ year, amount }) => [year, amount])).toEqual(expected as [number, string][]);
});

/** The server refuses what is no amount. A part that was left out would be a wrong gain. */
test.each(['2022: 40.00, 2023 41.50', '2022: -5', '2022: 40.5O', 'forty', '2022: 1,5'])(
  'no part of %p is left out',
  (text) => {
    expect(discountsIn(text).every(({ year, amount }) => year > 0 && /^\d+(?:\.\d+)?$/.test(amount))).toBe(false);
  },
);
