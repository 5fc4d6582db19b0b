import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Day } from '../../src/base/day.ts';
import { isDebtCusip, isTreasuryBill, resolveAssetClass } from '../../src/engine/events/classes.ts';
import type { AssetClass } from '../../src/engine/model.ts';
import { computeDiscountInterest } from '../../src/engine/rules/debt/discount.ts';

const unit = 10n ** 18n;
const cents = (most: number) => fc.integer({ min: 0, max: most }).map(BigInt);
const day = (from: number, to: number) => fc.integer({ min: from, max: to }).map((on) => on as Day);

const debt = fc.record({
  assetClass: fc.constantFrom<AssetClass>('bond', 'treasury_bill'),
  quantity: fc.constantFrom(1n * unit, 10n * unit, 10_000n * unit),
  proceeds: cents(1_200_000),
  basis: cents(1_200_000),
  acquired: day(18_000, 20_000),
  sold: day(20_000, 21_000),
  maturity: fc.option(day(20_000, 24_000), { nil: null }),
  stated: fc.option(cents(100_000), { nil: null }),
  isAccruing: fc.boolean(),
});

describe('the interest in the gain on a debt', () => {
  test('is never negative and never exceeds the gain, even if a row states more', () => {
    fc.assert(
      fc.property(debt, (one) => {
        const { interest, unknown } = computeDiscountInterest(one);
        const gain = one.proceeds - one.basis;
        const most = gain > 0n ? gain : 0n;
        expect(interest >= 0n && interest <= most).toBe(true);
        expect(unknown >= 0n && unknown <= most).toBe(true);
        // Missing interest raises an issue. A bill's interest is computed from its days.
        if (one.assetClass === 'treasury_bill' || one.stated !== null)
          expect(interest === 0n || unknown === 0n).toBe(true);
        else expect(unknown >= interest).toBe(true);
        if (one.assetClass === 'bond' && one.isAccruing && one.stated === null) expect(interest + unknown).toBe(0n);
      }),
    );
  });

  test('is the whole gain on a bill from its maturity on, and grows with the days before that', () => {
    const bill = {
      assetClass: 'treasury_bill',
      quantity: 10_000n * unit,
      basis: 960_000n,
      acquired: 20_000 as Day,
      maturity: 20_182 as Day,
      stated: null,
      isAccruing: false,
    } as const;
    let before = 0n;
    for (let held = 0; held <= 200; held++) {
      const { interest, isDue } = computeDiscountInterest({
        ...bill,
        proceeds: 1_000_000n,
        sold: (20_000 + held) as Day,
      });
      expect(interest >= before).toBe(true);
      expect(isDue).toBe(held >= 182);
      before = interest;
    }
    expect(before).toBe(40_000n);
  });

  test('raises an issue if a bond bought below face is sold above cost and nothing else is known', () => {
    const bond = {
      assetClass: 'bond',
      acquired: 20_000 as Day,
      sold: 20_100 as Day,
      maturity: null,
      stated: null,
      isAccruing: false,
    } as const;
    for (const [quantity, face] of [
      [10_000n, 1_000_000n],
      [100n, 1_000_000n],
      [10n, 1_000_000n],
    ] as const) {
      const answer = computeDiscountInterest({ ...bond, quantity: quantity * unit, basis: 970_000n, proceeds: face });
      expect(answer).toEqual({ interest: 0n, isDue: false, unknown: 30_000n });
    }
    // Units at a fifth of their face are inconclusive, so all of the gain may be discount.
    const deep = computeDiscountInterest({ ...bond, quantity: 10_000n * unit, basis: 200_000n, proceeds: 260_000n });
    expect(deep.unknown).toBe(60_000n);
  });
});

describe('a name identifies', () => {
  test.each([
    ['912797JK5', 'treasury_bill'],
    ['912796ZZ2', 'treasury_bill'],
    ['US912797JK59', 'treasury_bill'],
    ['91282CJK8', 'bond'],
    ['912828ZT0', 'bond'],
    ['037833AK6', 'bond'],
    ['US037833AK68', 'bond'],
    ['037833100', 'stock'],
    ['AAPL', 'stock'],
    ['BTC', 'crypto'],
    ['9127970', 'stock'],
  ] as const)('%s: %s', (asset, expected) => {
    const row = { type: 'buy', account: 'A', asset, assetClass: null, underlying: '', receivedAsset: '' } as const;
    expect(resolveAssetClass(row, { accounts: {} }, asset === 'BTC' ? 'crypto' : 'stock')).toBe(expected);
  });

  test('a bill, regardless of the class that its source trades in, unless the taxpayer states another class', () => {
    const row = {
      type: 'buy',
      account: 'A',
      asset: '912797JK5',
      assetClass: 'bond',
      underlying: '',
      receivedAsset: '',
    } as const;
    expect(resolveAssetClass(row, { accounts: {} }, null)).toBe('treasury_bill');
    const assets = { '912797JK5': { assetClass: 'bond' } } as const;
    expect(resolveAssetClass(row, { accounts: {}, assets }, null)).toBe('bond');
    expect([isTreasuryBill('912797JK5'), isDebtCusip('912797JK5'), isDebtCusip('037833100')]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
