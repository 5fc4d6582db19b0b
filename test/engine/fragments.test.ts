import { describe, expect, test } from 'bun:test';
import type { Day, Instant } from '../../src/base/day.ts';
import type { Money, Quantity } from '../../src/base/decimal.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { unstated } from '../../src/engine/unstated.ts';
import { defaultRules } from '../support/golden.ts';
import { books, lotWords, replayAll } from '../support/ledger.ts';

describe('pieces of losses that one purchase replaces', () => {
  /** So many purchases of `units`, a cent dearer each, sold at once for a dollar each and bought again. */
  const history = (purchases: number, units: string): string => {
    const rows = Array.from({ length: purchases }, (_, at) => `buy 2024-06-${at + 10} ${units} X @2.${at + 10}`);
    const all = Number(units) * purchases;
    return [...rows, `sell 2025-03-03 ${all} X @${purchases}`, `buy 2025-03-10 ${all} X @100`].join('\n');
  };

  test('sixteen fractions of a share stay apart: each with its own loss and period', () => {
    const { lots } = books(history(16, '0.5'));
    expect(lots.length).toBe(16);
  });

  test('seventeen are one: all the losses, and the shortest of the periods', () => {
    const { lots, lines, summaries } = books(history(17, '0.5'));
    expect(lines.length).toBe(17);
    expect(summaries[0]?.washSaleDisallowed).toBe(2006n as never);
    // Bought on 26 June last, 250 days before the sale.
    expect(lots.map(lotWords)).toEqual(['8.5 X in BRK1 2025-03-10 since 2024-07-03 120.06']);
  });

  test('whole shares stay apart however many they are (1.1091-1(c): the particular shares)', () => {
    const { lots } = books(history(19, '1'));
    expect(lots.length).toBe(19);
  });
});

test('fractions mostly sold at a loss leave about as many facts a trade in many trades as in few', () => {
  for (const trades of [250, 1000]) {
    const { facts } = replayAll(falling(trades), { ...defaultRules, method: 'HIFO' });
    expect(facts.length / trades).toBeGreaterThan(5);
    expect(facts.length / trades).toBeLessThan(20);
  }
});

/** Purchases and sales in turn of millionths of a share, of four years, each for less than the one before. */
function falling(trades: number): Transaction[] {
  const millionth = 10n ** 12n;
  let [state, held] = [7n, 0n];
  return Array.from({ length: trades }, (_, at): Transaction => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    const units = 1_000_000n + ((state >> 33n) % 20_000_000n);
    const sells = held > 200_000_000n || (held > 50_000_000n && (state >> 20n) % 2n === 0n);
    held += sells ? -units : units;
    const on = (18_628 + Math.floor((at / trades) * 1460)) as Day;
    return {
      ...unstated,
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
