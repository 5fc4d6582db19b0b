import fc from 'fast-check';
import { addDays, type Day, dayOf, type Instant } from '../../../src/base/day.ts';
import type { Money } from '../../../src/base/decimal.ts';
import { type AssetClass, orderMethods, type Rules, type Transaction } from '../../../src/engine/model.ts';
import { basicRules, type Drawn } from './generate.ts';
import { add, blank, heldIn, money, quantity, type Scenario } from './history.ts';

/**
 * Generates histories of only purchases and sales, as long as typical ones. Sizes vary widely, units have up to 18
 * decimals, and prices may differ only in the last decimal or not at all. The fast paths of an engine apply to these
 * histories.
 */
export function tradeHistories(tradesMax: number): fc.Arbitrary<Drawn> {
  return fc
    .record({
      trades: fc.array(trade, { minLength: 1, maxLength: tradesMax, size: 'max' }),
      rules: basicRules,
    })
    .map(({ trades, rules }) => ({ history: rowsOf(trades), rules }));
}

interface Trade {
  readonly sells: boolean;
  readonly gap: number;
  readonly second: number | null;
  readonly asset: number;
  readonly account: number;
  readonly units: bigint;
  /** 10⁻⁸ dollars a unit. */
  readonly price: bigint;
  readonly more: bigint;
  readonly fee: bigint | null;
  readonly part: number;
  /** Capital gains that its fund distributes that day, in cents. */
  readonly paid?: number;
}

const sizes = [1n, 10n ** 6n, 10n ** 15n, 10n ** 18n, 10n ** 20n, 10n ** 24n, 10n ** 31n];

const trade: fc.Arbitrary<Trade> = fc.record({
  sells: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, { arbitrary: fc.constant(true), weight: 4 }),
  gap: fc.oneof({ arbitrary: fc.constantFrom(0, 0, 1), weight: 5 }, fc.constantFrom(7, 30, 31, 100, 366)),
  second: fc.oneof(fc.constant(null), fc.constantFrom(0, 34_200, 86_399)),
  asset: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.integer({ min: 0, max: 3 })),
  account: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.integer({ min: 0, max: 2 })),
  units: fc
    .tuple(fc.constantFrom(...sizes), fc.oneof(fc.constantFrom(1n, 3n, 10n), fc.bigInt({ min: 1n, max: 10n ** 7n })))
    .map(([size, count]) => size * count),
  price: fc.oneof(fc.constantFrom(100_000_000n, 100_000_001n, 333_333_333n), fc.bigInt({ min: 1n, max: 10n ** 13n })),
  more: fc.oneof({ arbitrary: fc.constant(0n), weight: 2 }, fc.bigInt({ min: 0n, max: 10n ** 7n })),
  fee: fc.oneof(fc.constant(null), fc.bigInt({ min: 0n, max: 10n ** 9n })),
  part: fc.constantFrom(1, 1, 2, 3, 7, 9),
});

const assets: readonly { readonly asset: string; readonly assetClass: AssetClass }[] = [
  { asset: 'BTC', assetClass: 'crypto' },
  { asset: 'AAA', assetClass: 'stock' },
  { asset: 'FND', assetClass: 'fund' },
  { asset: 'ETH', assetClass: 'crypto' },
];
const accounts = ['A1', 'A2', 'IRA'];
const unit = 10n ** 18n;

function rowsOf(trades: readonly Trade[]): Transaction[] {
  const scenario: Pick<Scenario, 'held'> = { held: new Map() };
  let on = dayOf(2024, 10, 1) ?? (0 as Day);
  return trades.flatMap(
    ({ sells, gap, second, asset, account: at, units, price, more, fee, part, paid = 0 }, index) => {
      on = addDays(on, gap);
      const of = assets[asset] ?? { asset: 'BTC', assetClass: 'crypto' };
      const account = accounts[at] ?? 'A1';
      const held = heldIn(scenario, account, of.asset);
      // Nine sells more than is held.
      const sold = part === 9 ? held + 1n : held / BigInt(part);
      const moved = sells ? sold : units;
      if (moved <= 0n) return [];
      add(scenario, account, of.asset, sells ? -moved : moved);
      const name = String(index + 1).padStart(3, '0');
      const distribution = {
        ...{ ...blank, ...of, account, id: `y${name}`, externalId: `d${name}`, line: index, on, at: null },
        ...{ type: 'capital_gain_distribution' as const, amount: money(paid) },
      };
      return [
        ...(of.assetClass === 'fund' && paid > 0 ? [distribution] : []),
        {
          ...blank,
          ...of,
          type: sells ? ('sell' as const) : ('buy' as const),
          id: `x${name}`,
          externalId: `r${name}`,
          line: index,
          on,
          at: second === null ? null : ((on * 86_400_000_000 + second * 1_000_000) as Instant),
          account,
          quantity: quantity(moved),
          amount: ((moved * price) / unit + more) as Money,
          fee: fee === null ? null : (fee as Money),
        },
      ];
    },
  );
}

/**
 * Generates histories of a stock and a fund in fractional shares at mostly falling prices. Nearly every sale is a
 * replaced loss, so lots are split again and again, and some sales have very many parts.
 */
export function losingHistories(tradesMax: number): fc.Arbitrary<Drawn> {
  return fc
    .record({
      trades: fc.array(losing, { minLength: 1, maxLength: tradesMax, size: 'max' }),
      rules: basicRules,
      method: fc.constantFrom<Rules['method']>('HIFO', 'HIFO', ...orderMethods),
    })
    .map(({ trades, rules, method }) => ({
      history: rowsOf(trades.map((trade, index) => ({ ...trade, price: trade.price - BigInt(index) * 100_000_000n }))),
      rules: { ...rules, method, methodByAccount: {}, methodFrom: [] },
    }));
}

const losing: fc.Arbitrary<Trade> = fc.record({
  sells: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, { arbitrary: fc.constant(true), weight: 3 }),
  gap: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.constantFrom(1, 2, 31)),
  second: fc.oneof(fc.constant(null), fc.constantFrom(0, 34_200, 86_399)),
  asset: fc.constantFrom(1, 1, 2),
  account: fc.oneof({ arbitrary: fc.constant(0), weight: 12 }, fc.integer({ min: 0, max: 2 })),
  units: fc.integer({ min: 1, max: 2_500_000 }).map((millionths) => BigInt(millionths) * 10n ** 12n),
  price: fc.bigInt({ min: 20_000_000_000n, max: 21_000_000_000n }),
  more: fc.constant(0n),
  fee: fc.constant(null),
  part: fc.constantFrom(1, 1, 2, 2, 3, 3, 3),
  paid: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.integer({ min: 1, max: 3000 })),
});
