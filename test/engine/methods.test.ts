import { describe, expect, test } from 'bun:test';
import { lotMethodTable } from '../../src/engine/lot-methods.ts';
import { lotMethods } from '../../src/engine/model.ts';
import { books, lineWords, lotWords } from '../support/ledger.ts';

/** Invariants of every lot method. */
describe.each(lotMethods)('%s', (method) => {
  const { assetClasses, isAveraged } = lotMethodTable[method];
  const class_ = assetClasses === null ? '' : ` class ${assetClasses[0]}`;
  const bought = `
    b1: buy 2023-01-03 10 X @1000${class_}
    b2: buy 2023-05-02 7 X @1333.33${class_}
    b3: buy 2024-02-01 3 X @100.01${class_}
  `;

  test('each method conserves units and basis', () => {
    const { lines, lots } = books(
      `${bought}
      sell 2025-03-03 4 X @400${class_}
      sell 2025-03-04 9 X @900${class_}
    `,
      { method },
    );
    const sold = lines.reduce((sum, { disposal }) => sum + disposal.basis, 0n);
    const left = lots.reduce((sum, lot) => sum + lot.basis, 0n);
    expect(sold + left).toBe(243334n as never);
    const units = lots.reduce((sum, lot) => sum + lot.quantity, 0n);
    expect(units).toBe((7n * 10n ** 18n) as never);
  });

  test('each method sells a lot completely before it is gone, and never twice', () => {
    const { lines, lots, issues } = books(
      `${bought}
      sell 2025-03-03 20 X @2000${class_}
    `,
      { method },
    );
    expect(lots).toEqual([]);
    expect(issues).toEqual([]);
    expect(new Set(lines.map(({ disposal }) => disposal.lotId)).size).toBe(3);
  });

  test('each method takes a named lot instead of its own choice', () => {
    const { lines } = books(
      `${bought}
      sell 2025-03-03 2 X @200 lots b2:2${class_}
    `,
      { method },
    );
    // Averaged shares cannot be identified (26 CFR 1.1012-1(e)(7)(ii)).
    const expected = isAveraged ? ['default', 't0001/0'] : ['identified', 't0002/0'];
    expect(lines.map(({ disposal }) => [disposal.identified, disposal.lotId])).toEqual([expected]);
  });

  test('each method takes the same lots of plain trades on the fast path and on the general path', () => {
    const sales = (row: string) => books(`${bought}\n${row}`, { method }).lines.map(({ disposal }) => disposal.lotId);
    const plain = sales(`sell 2025-03-03 12 X @4200${class_}`);
    expect(plain.length).toBeGreaterThan(1);
    // A stated share of the fee has no effect, but keeps the trade off the fast path.
    expect(sales(`sell 2025-03-03 12 X @4200${class_} feeown 0`)).toEqual(plain);
  });

  test('each method makes the same choice for any order of lots in memory', () => {
    const lot = { acquired: 1, sequence: 1, adjusted: false, id: 'a', unitBasis: 1n, unitQuantity: 1n };
    const others = [
      { ...lot, id: 'a1' },
      { ...lot, id: 'b' },
      { ...lot, id: 'c', adjusted: true },
      { ...lot, id: 'd', sequence: 2 },
      { ...lot, id: 'e', acquired: 2, unitBasis: 3n },
    ];
    for (const a of [lot, ...others]) {
      for (const b of [lot, ...others]) {
        const [there, back] = [
          lotMethodTable[method].order(a as never, b as never),
          lotMethodTable[method].order(b as never, a as never),
        ];
        expect(Math.sign(there)).toBe(a === b ? 0 : -Math.sign(back));
      }
    }
  });
});

describe('the lot that is sold', () => {
  const bought = `
    b1: buy 2023-01-03 10 X @1500
    b2: buy 2023-05-02 10 X @1200
    b3: buy 2024-02-01 10 X @1800
  `;
  const sold = (method: (typeof lotMethods)[number]): string =>
    books(
      `${bought}
      sell 2025-03-03 5 X @500`,
      { method },
    ).lines[0]?.disposal.lotId ?? '';

  test('first in, first out', () => expect(sold('FIFO')).toBe('t0001/0'));
  test('last in, first out', () => expect(sold('LIFO')).toBe('t0003/0'));
  test('highest unit basis first', () => expect(sold('HIFO')).toBe('t0003/0'));
  test('lowest unit basis first', () => expect(sold('LOFO')).toBe('t0002/0'));
  test('average basis is for funds: a stock uses first in, first out', () => expect(sold('AVERAGE')).toBe('t0001/0'));

  test('with equal unit basis, the earliest acquired lot is sold', () => {
    const { lines } = books(
      `
      buy 2024-01-02 3 X @100
      buy 2024-01-03 6 X @200
      sell 2025-03-03 1 X @50
    `,
      { method: 'HIFO' },
    );
    expect(lines[0]?.disposal.lotId).toBe('t0001/0');
  });

  test('the unrounded unit basis decides, even after part of a lot is sold', () => {
    // 100.00 for 3 is 33.333… per unit. After one share is sold, 66.67 for 2 would look more expensive.
    const { lines } = books(
      `
      a: buy 2024-01-03 3 X @100
      b: buy 2024-01-02 3 X @100
      sell 2024-02-01 1 X @50 lots a:1
      sell 2025-03-03 1 X @50
    `,
      { method: 'HIFO' },
    );
    expect(lines[1]?.disposal.lotId).toBe('t0002/0');
  });

  // 10.001 and 10.002 cents per coin, for purchases and for rewards.
  test.each([
    ['HIFO', '100.01', '100.02', 'buy'],
    ['HIFO', '100.01', '100.02', 'staking'],
    ['LOFO', '100.02', '100.01', 'buy'],
    ['LOFO', '100.02', '100.01', 'staking'],
  ] as const)('a fraction of a cent in the unit price decides: %s, %s before %s, %s', (method, first, second, type) => {
    const { lines } = books(
      `
      ${type} 2024-01-02 1000 SOL @${first} class crypto
      ${type} 2024-01-03 1000 SOL @${second} class crypto
      sell 2025-03-03 1 SOL @50 class crypto
    `,
      { method },
    );
    expect(lines[0]?.disposal.lotId).toStartWith('t0002/');
  });

  test('an account has its own method, and a year may change it', () => {
    const { lines } = books(
      `
      buy 2023-01-03 10 X @1500 in A
      buy 2023-05-02 10 X @1200 in A
      buy 2023-01-03 10 X @1500 in B
      buy 2023-05-02 10 X @1200 in B
      sell 2024-03-03 1 X @50 in A
      sell 2024-03-03 1 X @50 in B
      sell 2025-03-03 1 X @50 in B
    `,
      { methodByAccount: { A: 'LIFO' }, methodFrom: [{ year: 2025, method: 'LOFO' }] },
    );
    expect(lines.map(({ disposal }) => disposal.lotId)).toEqual(['t0002/0', 't0003/0', 't0004/0']);
  });
});

describe('average basis of a fund', () => {
  test('basis is the average, and dates are first in, first out', () => {
    const { lines, lots } = books(
      `
      buy 2023-01-03 100 F @1000 class fund
      buy 2024-06-03 100 F @1100 class fund
      sell 2025-03-03 150 F @2250 class fund
    `,
      { method: 'AVERAGE' },
    );
    expect(lines.map(lineWords)).toEqual([
      '2025-03-03 100 F: 1500.00 - 1050.00 = 450.00 long',
      '2025-03-03 50 F: 750.00 - 525.00 = 225.00 short',
    ]);
    expect(lots.map(lotWords)).toEqual(['50 F in BRK1 2024-06-03 525.00']);
  });

  test('thirds of a cent are allocated without losing one', () => {
    const { lines } = books(
      `
      buy 2024-01-02 1 F @33.33 class fund
      buy 2024-01-03 2 F @66.67 class fund
      sell 2025-03-03 1 F @40 class fund
      sell 2025-03-04 1 F @40 class fund
      sell 2025-03-05 1 F @40 class fund
    `,
      { method: 'AVERAGE' },
    );
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([3333n, 3334n, 3333n] as never);
  });

  test('each share keeps the average when another method begins', () => {
    const { lines, lots } = books(
      `
      a: buy 2023-01-03 10 F @100 class fund
      b: buy 2023-02-01 10 F @300 class fund
      sell 2024-03-03 10 F @200 class fund
      c: buy 2024-04-01 10 F @500 class fund
      sell 2025-03-03 5 F @200 class fund
    `,
      { method: 'AVERAGE', methodFrom: [{ year: 2025, method: 'FIFO' }] },
    );
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([20000n, 17500n] as never);
    expect(lots.map(lotWords)).toEqual(['5 F in BRK1 2023-02-01 175.00', '10 F in BRK1 2024-04-01 350.00']);
  });

  test('covered and noncovered shares are averaged separately, but leave in the order of purchase', () => {
    // 26 CFR 1.1012-1(e)(10)(iii): as if held in separate accounts. Example 4: shares bought in 2011 and 2012.
    const { lines, lots } = books(
      `
      buy 2011-03-01 10 F @100 class fund
      buy 2011-06-01 10 F @200 class fund
      buy 2012-03-01 10 F @500 class fund
      buy 2012-06-01 10 F @700 class fund
      sell 2025-03-03 25 F @2500 class fund
    `,
      { method: 'AVERAGE' },
    );
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([15000n, 15000n, 30000n] as never);
    expect(lots.map(({ basis }) => basis)).toEqual([30000n, 60000n] as never);
  });
});
