import { describe, expect, test } from 'bun:test';
import type { Day, Instant } from '../../src/base/day.ts';
import type { Money, Quantity } from '../../src/base/decimal.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { unstatedMembers } from '../../src/engine/unstated-members.ts';
import { defaultRules } from '../support/golden.ts';
import { books, lotWords, replayAll } from '../support/ledger.ts';

describe('losses on several lots that are replaced by one purchase', () => {
  /**
   * Returns `purchases` purchases of `units` units, each costing a cent more than the last. All are sold together for a
   * dollar per purchase and bought back in one purchase.
   */
  const once = (purchases: number, units: number): string => {
    const rows = Array.from(
      { length: purchases },
      (_, at) => `buy 2024-06-${10 + (at % 17)} ${units} X @${(210 + at) / 100}`,
    );
    const all = units * purchases;
    return [...rows, `sell 2025-03-03 ${all} X @${purchases}`, `buy 2025-03-10 ${all} X @1000`].join('\n');
  };
  /** Adds a sale of the replacement at a loss and another purchase. */
  const twice = (purchases: number, units: number): string => {
    const all = units * purchases;
    return `${once(purchases, units)}\nsell 2025-04-10 ${all} X @500\nbuy 2025-04-20 ${all} X @600`;
  };

  test('stay separate even if they are many and small: each with its own loss and period (1.1091-1(c))', () => {
    const { lots } = books(once(90, 0.5));
    expect(lots.length).toBe(90);
    expect(new Set(lots.map(({ heldSince }) => heldSince)).size).toBe(17);
  });

  test.each([
    ['sixteen fractions', 16, 0.5],
    ['sixty-four whole shares', 64, 1],
  ])('stay separate when they are replaced a second time: %s', (_, pieces, units) => {
    expect(books(twice(pieces, units)).lots.length).toBe(pieces);
  });

  test('are merged if seventeen fractions are replaced a second time, with all the losses and the shortest holding period', () => {
    const { lots, lines, summaries } = books(twice(17, 0.5));
    expect(lines.length).toBe(34);
    // 20.06 the first time, and 1000 + 20.06 less 500 the second time.
    expect(summaries[0]?.washSaleDisallowed).toBe((2006n + 52006n) as never);
    // The last fraction was bought on June 26, 250 days before the first sale. Its replacement was held for 31 days, so
    // the holding period was 281 days at the second sale.
    expect(lots.map(lotWords)).toEqual(['8.5 X in BRK1 2025-04-20 since 2024-07-13 1120.06']);
  });

  test('are also merged for sixty-five whole shares', () => {
    expect(books(twice(65, 1)).lots.length).toBe(1);
  });

  test('are not merged with those from another purchase', () => {
    const other = `
      o1: buy 2025-03-11 1 X @20
      sell 2025-04-10 9.5 X @500
      buy 2025-04-20 9.5 X @600
    `;
    expect(books(`${once(17, 0.5)}\n${other}`).lots.length).toBe(2);
  });
});

test.each([
  ['millionths of a share', 20n, 1n, 20],
  ['whole shares by the hundred', 1000n, 1_000_000n, 30],
])(
  'if most trades are at a loss, the number of facts per trade does not grow with the number of trades: %s',
  (_, sharesMax, grain, factsMax) => {
    for (const trades of [250, 1000]) {
      const { facts } = replayAll(falling(trades, sharesMax, grain), { ...defaultRules, method: 'HIFO' });
      expect(facts.length / trades).toBeGreaterThan(5);
      expect(facts.length / trades).toBeLessThan(factsMax);
    }
  },
);

/**
 * Returns a pseudorandom mix of purchases and sales over four years, each at a lower price than the one before. `grain`
 * is in millionths of a share.
 */
function falling(trades: number, sharesMax: bigint, grain: bigint): Transaction[] {
  const millionth = 10n ** 12n;
  const most = sharesMax * 1_000_000n;
  let [state, held] = [7n, 0n];
  return Array.from({ length: trades }, (_, at): Transaction => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    const units = ((1_000_000n + ((state >> 20n) % most)) / grain) * grain;
    const sells = held > 10n * most || (held > 3n * most && (state >> 50n) % 2n === 0n);
    held += sells ? -units : units;
    const on = (18_628 + Math.floor((at / trades) * 1460)) as Day;
    return {
      ...unstatedMembers,
      account: 'BRK1',
      id: `t${at}`,
      line: at,
      type: sells ? 'sell' : 'buy',
      on,
      at: ((on * 86_400 + at) * 1_000_000) as Instant,
      asset: 'X',
      assetClass: 'stock',
      quantity: (units * millionth) as Quantity,
      amount: (((units * BigInt(20_000 - Math.floor((at * 10_000) / trades))) / 1_000_000n) * 1_000_000n) as Money,
    };
  });
}
