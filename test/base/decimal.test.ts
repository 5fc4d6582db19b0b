import { describe, expect, test } from 'bun:test';
import Decimal from 'decimal.js';
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
  parseWrittenMoney,
  parseWrittenQuantity,
  priceTimesQuantity,
  proportion,
  type Quantity,
  roundToCents,
} from '../../src/base/decimal.ts';
import { draws } from '../support/depth.ts';
import { scaledPlainly } from './plain-numbers.ts';

const money = (text: string): Money => {
  const parsed = parseMoney(text);
  if (parsed === undefined) throw new Error(`no money: ${text}`);
  return parsed;
};

describe('parsing', () => {
  test('0.1 + 0.2 is 0.3', () => {
    expect(money('0.1') + money('0.2')).toBe(money('0.3'));
  });

  test('a number between two positions in a text equals the number parsed from that part', () => {
    const texts = fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', '+', ','), maxLength: 40 });
    fc.assert(
      fc.property(texts, texts, texts, (before, text, after) => {
        const [whole, from, to] = [before + text + after, before.length, before.length + text.length];
        expect(parseMoney(whole, from, to)).toBe(parseMoney(text) as Money);
        expect(parseQuantity(whole, from, to)).toBe(parseQuantity(text) as Quantity);
      }),
    );
  });

  test('eighteen decimals of a quantity are kept', () => {
    expect(parseQuantity('0.123456789012345678')).toBe(123456789012345678n as Quantity);
    expect(formatQuantity(123456789012345678n as Quantity)).toBe('0.123456789012345678');
  });

  test('texts that are not plain decimals are refused', () => {
    for (const text of ['', '.', '-', '0x1F', 'NaN', 'Infinity', '1e9000000', '1,000', ' 1', '1 ', '1.2.3', '١']) {
      expect(parseMoney(text)).toBeUndefined();
      expect(parseQuantity(text)).toBeUndefined();
    }
  });

  test('a ninth decimal of money is refused unless it is a zero', () => {
    expect(parseMoney('1.123456789')).toBeUndefined();
    expect(parseMoney('1.1234567800')).toBe(money('1.12345678'));
  });

  test('more than fifteen integer digits of money or twenty of a quantity are refused, not counting leading zeros', () => {
    for (const sign of ['', '-', '+']) {
      expect(parseMoney(`${sign}${'9'.repeat(15)}.99999999`)).toBeDefined();
      expect(parseMoney(`${sign}${'1'.repeat(16)}`)).toBeUndefined();
      expect(parseQuantity(`${sign}${'9'.repeat(20)}.999999999999999999`)).toBeDefined();
      expect(parseQuantity(`${sign}${'1'.repeat(21)}`)).toBeUndefined();
    }
    expect(parseMoney(`${'0'.repeat(30)}7`)).toBe(money('7'));
  });
});

describe('parsing equals a regular expression followed by BigInt', () => {
  const agrees = (text: string): void => {
    expect(parseMoney(text), text).toBe(scaledPlainly(text, 8, 15) as Money | undefined);
    expect(parseQuantity(text), text).toBe(scaledPlainly(text, 18, 20) as Quantity | undefined);
  };
  const digits = (maxLength: number) => fc.stringMatching(/^\d*$/, { maxLength });
  const sign = fc.constantFrom('', '', '-', '+');

  test('for numbers of every length, with leading and trailing zeros', () => {
    const number = fc
      .tuple(sign, fc.constantFrom('', '0', '000'), digits(24), fc.constantFrom('', '.'), digits(24), digits(3))
      .map(([first, zeros, whole, point, fraction, more]) => `${first}${zeros}${whole}${point}${fraction}${more}0`);
    fc.assert(fc.property(number, agrees), { numRuns: draws(2_000, 20_000) });
  });

  test('at the limits of fifteen digits, two limbs, and exact doubles', () => {
    for (let length = 1; length <= 42; length++) {
      for (const digit of ['1', '9', '0']) {
        const text = digit.repeat(length);
        for (let point = 0; point <= length; point++) agrees(`-${text.slice(0, point)}.${text.slice(point)}`);
        agrees(text);
      }
    }
    for (const text of ['9007199254740991', '9007199254740992', '90071992.54740993', '0.009007199254740993'])
      agrees(text);
  });

  test('for texts that are not numbers', () => {
    const characters = fc.constantFrom(...'0159.+-eE, x_٣\u00a0\n\u0000n∞');
    fc.assert(fc.property(fc.string({ unit: characters, maxLength: 12 }), agrees), { numRuns: draws(2_000, 20_000) });
    fc.assert(fc.property(fc.string(), agrees));
  });
});

describe('printing', () => {
  test('cents always have two decimals', () => {
    expect(formatCents(123450n as Cents)).toBe('1234.50');
    expect(formatCents(-7n as Cents)).toBe('-0.07');
    expect(formatCents(0n as Cents)).toBe('0.00');
  });

  test('money has at least two decimals', () => {
    expect(formatMoney(money('1234.5'))).toBe('1234.50');
    expect(formatMoney(money('-0.00000001'))).toBe('-0.00000001');
  });

  test('a quantity has no trailing zeros', () => {
    expect(formatQuantity(parseQuantity('10.500') as Quantity)).toBe('10.5');
    expect(formatQuantity(parseQuantity('-100') as Quantity)).toBe('-100');
  });

  test('printed numbers can be read back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 90n), max: 10n ** 90n }), (value) => {
        expect(parseWrittenMoney(formatMoney(value as Money))).toBe(value as Money);
        expect(parseWrittenQuantity(formatQuantity(value as Quantity))).toBe(value as Quantity);
      }),
    );
  });
});

describe('rounding', () => {
  test('half a cent is rounded away from zero', () => {
    expect(roundToCents(money('1.005'))).toBe(101n as Cents);
    expect(roundToCents(money('-1.005'))).toBe(-101n as Cents);
    expect(roundToCents(money('1.00499999'))).toBe(100n as Cents);
  });

  test('a quotient is rounded to the nearest integer', () => {
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

  test('portions by cumulative rounding add up to the whole', () => {
    const total = 40_000n;
    const cumulative = [1n, 2n, 3n].map((part) => proportion(total, part, 3n));
    expect(cumulative).toEqual([13_333n, 26_667n, 40_000n]);
  });
});

describe('price × quantity', () => {
  test('is exact beyond the precision of a double', () => {
    expect(priceTimesQuantity('95000.12345678', '0.123456789012345678')).toBe(money('11728.41019775'));
  });

  test('equals the product of decimal.js, rounded half away from zero', () => {
    const Exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_HALF_UP });
    const factor = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.stringMatching(/^\d{1,12}$/),
        fc.stringMatching(/^(?:\.\d{0,12}[05]?)?$/),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(factor, factor, (price, quantity) => {
        const product = new Exact(price.replace('+', '')).times(quantity.replace('+', '')).toDecimalPlaces(8);
        expect(priceTimesQuantity(price, quantity)).toBe(parseWrittenMoney(product.toFixed(8)) as Money);
      }),
      { numRuns: draws(500, 5_000) },
    );
  });

  test('is refused if either factor is not a number', () => {
    expect(priceTimesQuantity('1e3', '1')).toBeUndefined();
    expect(priceTimesQuantity('1', '')).toBeUndefined();
  });
});
