import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Cents,
  divideRounded,
  formatCents,
  formatMoney,
  formatQuantity,
  type Money,
  parseMoney,
  parseQuantity,
  priceTimesQuantity,
  proportion,
  type Quantity,
  roundToCents,
} from '../../src/base/decimal.ts';

const money = (text: string): Money => {
  const parsed = parseMoney(text);
  if (parsed === undefined) throw new Error(`no money: ${text}`);
  return parsed;
};

describe('parsing', () => {
  test('0.1 + 0.2 is 0.3', () => {
    expect(money('0.1') + money('0.2')).toBe(money('0.3'));
  });

  test('eighteen decimals of a quantity survive', () => {
    expect(parseQuantity('0.123456789012345678')).toBe(123456789012345678n as Quantity);
    expect(formatQuantity(123456789012345678n as Quantity)).toBe('0.123456789012345678');
  });

  test('what is no plain decimal is refused', () => {
    for (const text of ['', '.', '-', '0x1F', 'NaN', 'Infinity', '1e9000000', '1,000', ' 1', '1 ', '1.2.3', '١']) {
      expect(parseMoney(text)).toBeUndefined();
      expect(parseQuantity(text)).toBeUndefined();
    }
  });

  test('a ninth decimal of money is refused, a trailing zero is not', () => {
    expect(parseMoney('1.123456789')).toBeUndefined();
    expect(parseMoney('1.1234567800')).toBe(money('1.12345678'));
  });

  test('more than twenty whole digits are refused, leading zeros are not', () => {
    expect(parseMoney('1'.repeat(21))).toBeUndefined();
    expect(parseMoney(`${'0'.repeat(30)}7`)).toBe(money('7'));
  });
});

describe('printing', () => {
  test('cents always carry two decimals', () => {
    expect(formatCents(123450n as Cents)).toBe('1234.50');
    expect(formatCents(-7n as Cents)).toBe('-0.07');
    expect(formatCents(0n as Cents)).toBe('0.00');
  });

  test('money carries two decimals at least', () => {
    expect(formatMoney(money('1234.5'))).toBe('1234.50');
    expect(formatMoney(money('-0.00000001'))).toBe('-0.00000001');
  });

  test('a quantity carries no trailing zeros', () => {
    expect(formatQuantity(parseQuantity('10.500') as Quantity)).toBe('10.5');
    expect(formatQuantity(parseQuantity('-100') as Quantity)).toBe('-100');
  });

  test('what is printed reads back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n }), (value) => {
        expect(parseMoney(formatMoney(value as Money))).toBe(value as Money);
        expect(parseQuantity(formatQuantity(value as Quantity))).toBe(value as Quantity);
      }),
    );
  });
});

describe('rounding', () => {
  test('half a cent goes away from zero, on the magnitude', () => {
    expect(roundToCents(money('1.005'))).toBe(101n as Cents);
    expect(roundToCents(money('-1.005'))).toBe(-101n as Cents);
    expect(roundToCents(money('1.00499999'))).toBe(100n as Cents);
  });

  test('the quotient is the nearest whole number', () => {
    fc.assert(
      fc.property(
        fc.bigInt(),
        fc.bigInt().filter((d) => d !== 0n),
        (numerator, denominator) => {
          const rest = numerator - divideRounded(numerator, denominator) * denominator;
          const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
          expect(2n * magnitude(rest) <= magnitude(denominator)).toBe(true);
        },
      ),
    );
  });

  test('portions by cumulative rounding sum to the whole', () => {
    const total = 40_000n;
    const cumulative = [1n, 2n, 3n].map((part) => proportion(total, part, 3n));
    expect(cumulative).toEqual([13_333n, 26_667n, 40_000n]);
  });
});

describe('price × quantity', () => {
  test('is exact beyond what a double holds', () => {
    expect(priceTimesQuantity('95000.12345678', '0.123456789012345678')).toBe(money('11728.41019775'));
  });

  test('is refused where either is no number', () => {
    expect(priceTimesQuantity('1e3', '1')).toBeUndefined();
    expect(priceTimesQuantity('1', '')).toBeUndefined();
  });
});
