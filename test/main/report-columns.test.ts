import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { IntegerColumn } from '../../src/commands/report-columns.ts';
import { fitsLimbs, highOf, lowOf } from '../../src/engine/limbs.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('report columns');

test('a column of integers tells them as integers, as doubles and in limbs', () => {
  const integer = fc.oneof(
    fc.bigInt({ min: -(1n << 127n), max: (1n << 127n) - 1n }),
    fc.bigInt({ min: -(1n << 64n), max: 1n << 64n }),
    fc.maxSafeInteger().map(BigInt),
    fc.nat(126).map((bits) => 1n << BigInt(bits)),
    fc.nat(126).map((bits) => (1n << BigInt(bits)) - 1n),
  );
  fc.assert(
    fc.property(fc.array(fc.option(integer, { nil: null }), { minLength: 1, maxLength: 20 }), (integers) => {
      const column = new IntegerColumn<bigint>();
      for (const [row, one] of integers.entries()) column.set(row, one);
      for (const [row, one] of integers.entries()) {
        expect(column.get(row)).toBe(one);
        expect(column.isStated(row)).toBe(one !== null);
        const near = one !== null && Number.isSafeInteger(Number(one)) ? Number(one) : Number.NaN;
        expect(column.near(row)).toBe(near);
        const limbs = one !== null && fitsLimbs(one) ? [highOf(one), lowOf(one)] : null;
        if (limbs === null) expect(column.highLimb(row)).toBeNaN();
        else expect([column.highLimb(row), column.lowLimb(row)]).toEqual(limbs);
      }
    }),
    { seed, numRuns: 2000 },
  );
});
