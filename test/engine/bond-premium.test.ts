import { describe, expect, test } from 'bun:test';
import { books, lineWords, lotWords } from '../support/ledger.ts';

describe('Pub. 550, Bond Premium Amortization', () => {
  test('p. 49, Example: “your bond premium amortization for the period is $1,118.17”', () => {
    const { lines, incomes, issues } = books(`
      buy 2024-02-01 100 B @110000 class bond
      bond_amortization 2025-02-01 B @1118.17 class bond
      sell 2025-06-02 100 B @109000 class bond
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 100 B: 109000.00 - 108881.83 = 118.17 long']);
    expect([...incomes, ...issues]).toEqual([]);
  });

  test('p. 49: “a bond with a maturity value of $1,000 generally would have a $50 premium if you buy it for $1,050”', () => {
    const { lines } = books(`
      buy 2023-06-15 1 B @1050 class bond
      bond_amortization 2024-06-15 B @25 class bond
      sell 2025-06-15 1 B @1000 class bond
      bond_amortization 2025-06-15 B @25 class bond
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-15 1 B: 1000.00 - 1000.00 = 0.00 long']);
  });
});

describe('amortized bond premium', () => {
  test('reduces the basis before any sale that day, and leaves purchases later that day unchanged', () => {
    const { lines, lots } = books(`
      buy 2024-01-15 10 B @1050 class bond
      bond_amortization 2025-01-15 B @10 class bond
      sell 2025-01-15T15:00:00Z 10 B @1040 class bond
      buy 2025-01-15T16:00:00Z 10 B @1041 class bond
    `);
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([104000n] as never);
    expect(lots.map(({ basis }) => basis)).toEqual([104100n] as never);
  });

  test('is allocated to the lots in its account in proportion to units', () => {
    const { lots } = books(`
      buy 2024-01-15 10 B @1050 class bond
      buy 2024-02-15 20 B @2080 class bond
      buy 2024-02-15 20 B @2080 class bond in BRK2
      bond_amortization 2025-01-15 B @10 class bond
    `);
    expect(lots.map(lotWords)).toEqual([
      '10 B in BRK1 2024-01-15 1046.67',
      '20 B in BRK1 2024-02-15 2073.33',
      '20 B in BRK2 2024-02-15 2080.00',
    ]);
  });

  test('reduces both bases of a gift', () => {
    const { lines } = books(`
      gift_in 2024-01-15 10 B class bond acquired 2020-01-15 basis 1100 fmv 1000
      bond_amortization 2025-01-15 B @10 class bond
      sell 2025-06-02 10 B @900 class bond
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 B: 900.00 - 990.00 = -90.00 long']);
  });

  test('is reversed by a negative amount', () => {
    const { lots } = books(`
      buy 2024-01-15 10 B @1050 class bond
      bond_amortization 2025-01-15 B @10 class bond
      bond_amortization 2025-02-15 B @-10 class bond
    `);
    expect(lots.map(({ basis }) => basis)).toEqual([105000n] as never);
  });

  test('never reduces basis below zero or creates a gain: the excess raises an issue for its dollar amount', () => {
    const { lines, lots, issues, incomes } = books(`
      buy 2024-01-15 10 B @50 class bond
      bond_amortization 2025-01-15 B @60 class bond
    `);
    expect(lots.map(({ basis }) => basis)).toEqual([0n] as never);
    expect([...lines, ...incomes]).toEqual([]);
    expect(issues.map(({ issue, dollars, detail }) => [issue, dollars, detail])).toEqual([
      [
        'unreconciled',
        1000n,
        'The bond amortization of B on 2025-01-15 exceeds the basis of its lots. The excess of $10.00 is ignored.',
      ],
    ] as never);
  });

  test('raises no issue in an IRA, because basis there does not affect taxable gain', () => {
    const { issues } = books(
      `
      buy 2024-01-15 10 B @50 class bond
      bond_amortization 2025-01-15 B @60 class bond
    `,
      { accounts: { BRK1: { type: 'ira' } } },
    );
    expect(issues).toEqual([]);
  });

  test('raises an issue for its dollar amount if the bond is not held', () => {
    const { issues } = books('bond_amortization 2025-06-02 B @60 class bond');
    expect(issues.map(({ issue, dollars, detail }) => [issue, dollars, detail])).toEqual([
      ['unreconciled', 6000n, 'BRK1 did not hold B on 2025-06-02, the day of its bond amortization.'],
    ] as never);
  });

  test('raises an issue if its currency has no known rate', () => {
    const { lots, issues } = books(`
      buy 2024-01-15 10 B @1050 class bond
      bond_amortization 2025-01-15 B @10 class bond currency EUR
    `);
    expect(lots.map(({ basis }) => basis)).toEqual([105000n] as never);
    expect(issues.map(({ issue }) => issue)).toEqual(['value_missing']);
  });
});
