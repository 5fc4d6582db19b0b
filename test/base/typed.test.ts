import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Day, formatDay } from '../../src/base/day.ts';
import { isUnclearDay, parseTypedDay, parseTypedMoney, parseTypedQuantity } from '../../src/base/typed.ts';
import { typedKinds } from '../../src/web/format/typed.ts';

test.each([
  ['$7,500', '7500'],
  ['7,500.00', '7500.00'],
  ['(1,250.50)', '-1250.50'],
  ['($5)', '-5'],
  ['-$5', '-5'],
  ['−5', '-5'],
  ['$ 5', '5'],
  ['US$5.00', '5.00'],
  ['5 USD', '5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['007', '7'],
  ['1,234,567.12345678', '1234567.12345678'],
  ['1.123456789', undefined],
  ['7,5', undefined],
  ['1.250,50', undefined],
  ['1,2345', undefined],
  ['1 000', undefined],
  ['7.5k', undefined],
  ['$', undefined],
  ['', undefined],
])('the amount %p is %p', (text, amount) => {
  expect(parseTypedMoney(text)).toBe(amount as string);
});

test.each([
  ['1,060.5', '1060.5'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['0.0000000000000000001', undefined],
  ['$5', undefined],
])('the quantity %p is %p', (text, quantity) => {
  expect(parseTypedQuantity(text)).toBe(quantity as string);
});

test.each([
  ['3/1/2025', '2025-03-01'],
  ['03/01/2025', '2025-03-01'],
  ['3/1/25', '2025-03-01'],
  ['12/31/69', '2069-12-31'],
  ['12/31/70', '1970-12-31'],
  ['3-1-2025', '2025-03-01'],
  ['Mar 1, 2025', '2025-03-01'],
  ['march 1 2025', '2025-03-01'],
  ['Mar. 1st, 2025', '2025-03-01'],
  ['Sept 4, 2024', '2024-09-04'],
  ['1 Mar 2025', '2025-03-01'],
  ['01-MAR-2025', '2025-03-01'],
  ['2025-03-01', '2025-03-01'],
  ['2025/3/1', '2025-03-01'],
  [' 2/29/2024 ', '2024-02-29'],
  ['2/29/2025', undefined],
  ['13/1/2025', undefined],
  ['3/1/202', undefined],
  ['ma 1, 2025', undefined],
  ['Mar 2025', undefined],
  ['1/1/1899', undefined],
  ['yesterday', undefined],
])('the date %p is %p', (text, day) => {
  expect(parseTypedDay(text)).toBe(day as string);
});

test('every amount and day can be typed as it is shown', () => {
  const amount = fc.tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 8 }));
  fc.assert(
    fc.property(amount, fc.integer({ min: -25_000, max: 47_000 }), ([units, decimals], number) => {
      const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
      const at = digits.length - decimals;
      const text = `${units < 0n ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`;
      expect(typedKinds.money.parse(typedKinds.money.format(text))).toBe(text);
      const day = formatDay(number as Day);
      expect(typedKinds.date.parse(typedKinds.date.format(day))).toBe(day);
    }),
  );
});

test('a date in a file is unclear if its first two numbers can be exchanged', () => {
  expect(['3/1/2025', '3-1-25', '3/13/2025', '3/3/2025', '2025-03-01', 'Mar 1, 2025'].map(isUnclearDay)).toEqual([
    ...[true, true],
    ...[false, false, false, false],
  ]);
});
