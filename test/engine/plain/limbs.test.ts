import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { proportion } from '../../../src/base/decimal.ts';
import { computeShare, fitsLimbs, highOf, joinLimbs, lowOf, scaledLimbs } from '../../../src/engine/events/limbs.ts';
import { draws } from '../../support/depth.ts';
import { seedFor } from '../../support/seed.ts';

const seed = seedFor('limbs');
const quantity = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 93n) - 1n }),
  fc.bigInt({ min: 0n, max: 1n << 66n }),
  fc.bigInt({ min: 0n, max: 5n }),
  fc.nat(93).chain((bits) => fc.constantFrom((1n << BigInt(bits)) - 1n, (1n << BigInt(bits)) >> 1n)),
);

test('two limbs return the value that was stored in them', () => {
  fc.assert(
    fc.property(quantity, (whole) => {
      expect(fitsLimbs(whole)).toBe(true);
      expect(joinLimbs(highOf(whole), lowOf(whole)) as bigint).toBe(whole);
    }),
    { seed, numRuns: draws(500, 5000) },
  );
  expect([fitsLimbs(1n << 93n), fitsLimbs(-1n)]).toEqual([false, false]);
});

test('digits and decimals become the limbs of their integer, or null if it does not fit', () => {
  const whole = fc.oneof(fc.nat(1000), fc.integer({ min: 0, max: 10 ** 15 - 1 }));
  fc.assert(
    fc.property(whole, fc.integer({ min: 0, max: 18 }), (digits, exponent) => {
      const integer = BigInt(digits) * 10n ** BigInt(exponent);
      const limbs = fitsLimbs(integer) ? { high: highOf(integer), low: lowOf(integer) } : null;
      expect(scaledLimbs(digits, exponent)).toEqual(limbs);
    }),
    { seed, numRuns: draws(500, 5000) },
  );
});

test('a share equals the one computed with integers, especially at half a cent', () => {
  const cents = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.maxSafeInteger());
  const whole = quantity.filter((one) => one > 0n);
  const check = (total: number, part: bigint, of: bigint): void =>
    expect(computeShare(total, highOf(part), lowOf(part), highOf(of), lowOf(of))).toBe(
      Number(proportion(BigInt(total), part, of)),
    );
  fc.assert(
    fc.property(cents, whole, fc.double({ min: 0, max: 1, noNaN: true }), (total, of, share) => {
      check(total, (of * BigInt(Math.floor(share * 1e15))) / 10n ** 15n, of);
      // Exactly a half, and the nearest values above and below.
      const even = 2n * (of >> 1n) + 2n;
      if (fitsLimbs(even)) for (const part of [even / 2n - 1n, even / 2n, even / 2n + 1n]) check(total | 1, part, even);
    }),
    { seed, numRuns: draws(500, 5000) },
  );
});
