import { describe, expect, test } from 'bun:test';
import { books, lineWords, lotWords } from '../support/ledger.ts';

describe('the window', () => {
  test.each([
    ['day 31 before is free', '2025-01-29', 0n],
    ['day 30 before counts', '2025-01-30', 80000n],
    ['day 30 after counts', '2025-03-31', 80000n],
    ['day 31 after is free', '2025-04-01', 0n],
  ])('%s', (_, bought, disallowed) => {
    const { summaries } = books(`
      b1: buy 2024-06-03 80 Z @2400
      buy ${bought} 80 Z @1600
      sell 2025-03-01 80 Z @1600 lots b1:80
    `);
    const denied = summaries.reduce((sum, summary) => sum + summary.washSaleDisallowed, 0n);
    expect(denied).toBe(disallowed as never);
  });

  test('a January purchase washes a December loss in the year of December', () => {
    const { summaries, lots } = books(`
      buy 2024-06-03 10 X @1000
      sell 2024-12-20 10 X @600
      buy 2025-01-10 10 X @650
    `);
    expect(summaries.map(({ year, shortTerm }) => [year, shortTerm.adjustment, shortTerm.gain])).toEqual([
      [2024, 40000n, 0n],
    ] as never);
    expect(lots.map(lotWords)).toEqual(['10 X in BRK1 2025-01-10 since 2024-06-24 1050.00']);
  });

  test('shares bought before and still held are replacements', () => {
    const { lines, lots } = books(`
      b1: buy 2024-06-03 100 X @1000
      b2: buy 2025-02-20 100 X @700
      sell 2025-03-03 100 X @600 lots b1:100
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 100 X: 600.00 - 1000.00 W 400.00 = 0.00 short']);
    // February 20, 2025 less the 273 days for which the first lot was held.
    expect(lots.map(lotWords)).toEqual(['100 X in BRK1 2025-02-20 since 2024-05-23 1100.00']);
  });

  test('shares bought in it and sold before the loss replace nothing', () => {
    const { summaries } = books(`
      b1: buy 2024-06-03 100 X @1000
      b2: buy 2025-02-20 100 X @700
      sell 2025-02-25 100 X @750 lots b2:100
      sell 2025-03-03 100 X @600 lots b1:100
    `);
    expect(summaries[0]?.washSaleDisallowed).toBe(0n as never);
  });

  test('the rest of the purchase that was sold replaces nothing', () => {
    const { summaries } = books(`
      buy 2025-02-20 200 X @2000
      sell 2025-03-03 100 X @800
    `);
    expect(summaries[0]?.washSaleDisallowed).toBe(0n as never);
  });
});

describe('shares are matched one by one', () => {
  test('a partial repurchase denies that part', () => {
    const { lines, lots } = books(`
      buy 2024-06-03 100 X @1000
      sell 2025-03-03 100 X @700
      buy 2025-03-10 40 X @300
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 100 X: 700.00 - 1000.00 W 120.00 = -180.00 short']);
    expect(lots.map(({ basis }) => basis)).toEqual([42000n] as never);
  });

  test('three purchases replace a loss, the last in part: its other units keep their own basis and date', () => {
    const { lots } = books(`
      buy 2024-06-03 100 X @1000
      sell 2025-03-03 100 X @700
      buy 2025-03-05 30 X @240
      buy 2025-03-06 30 X @240
      buy 2025-03-07 60 X @480
    `);
    expect(lots.map(lotWords)).toEqual([
      '30 X in BRK1 2025-03-05 since 2024-06-05 330.00',
      '30 X in BRK1 2025-03-06 since 2024-06-06 330.00',
      '20 X in BRK1 2025-03-07 160.00',
      '40 X in BRK1 2025-03-07 since 2024-06-07 440.00',
    ]);
  });

  test('the adjusted fragment of a purchase is sold first', () => {
    const { lines } = books(`
      buy 2024-06-03 40 X @1000
      sell 2025-03-03 40 X @600
      buy 2025-03-10 100 X @1500
      sell 2025-06-02 60 X @1200
    `);
    expect(lines.slice(1).map(lineWords)).toEqual([
      '2025-06-02 40 X: 800.00 - 1000.00 = -200.00 short',
      '2025-06-02 20 X: 400.00 - 300.00 = 100.00 short',
    ]);
  });

  test('a denied loss of odd cents is allocated completely', () => {
    const { facts } = books(`
      buy 2024-06-03 3 X @10
      sell 2025-03-03 3 X @9.90
      buy 2025-03-05 1 X @3
      buy 2025-03-06 1 X @3
      buy 2025-03-07 1 X @3
    `);
    const washes = facts.filter((fact) => fact.kind === 'wash');
    expect(washes.map(({ disallowed }) => disallowed)).toEqual([3n, 4n, 3n] as never);
  });
});

describe('adjustments flow forward', () => {
  test('the replacement’s own loss may be washed again', () => {
    const { lines, lots } = books(`
      buy 2025-01-06 100 X @1000
      sell 2025-02-03 100 X @800
      buy 2025-02-10 100 X @820
      sell 2025-03-03 100 X @700
      buy 2025-03-10 100 X @720
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-02-03 100 X: 800.00 - 1000.00 W 200.00 = 0.00 short',
      '2025-03-03 100 X: 700.00 - 1020.00 W 320.00 = 0.00 short',
    ]);
    expect(lots.map(({ basis }) => basis)).toEqual([104000n] as never);
  });

  test('a replacement sold inside the window shows the deferred loss', () => {
    const { lines } = books(`
      buy 2025-01-06 100 X @1000
      sell 2025-02-03 100 X @800
      buy 2025-02-10 100 X @820
      sell 2025-02-20 100 X @900
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-02-03 100 X: 800.00 - 1000.00 W 200.00 = 0.00 short',
      '2025-02-20 100 X: 900.00 - 1020.00 = -120.00 short',
    ]);
  });

  test('timed trades within a day are also matched', () => {
    const { lines } = books(`
      buy 2025-02-03T10:00:00Z 10 X @100
      buy 2025-02-03T10:30:00Z 10 X @90
      sell 2025-02-03T11:00:00Z 10 X @80
      sell 2025-02-03T12:00:00Z 10 X @85
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-02-03 10 X: 80.00 - 100.00 W 20.00 = 0.00 short',
      '2025-02-03 10 X: 85.00 - 110.00 = -25.00 short',
    ]);
  });
});

describe('purchases that are replacements, and others', () => {
  const loss = `
    buy 2024-06-03 100 X @3000
    sell 2025-03-03 100 X @2000
  `;
  const denied = (after: string): bigint => books(loss + after).summaries[0]?.washSaleDisallowed ?? 0n;

  test.each([
    ['a reinvested dividend is', 'reinvest 2025-03-05 100 X @2000', 100000n],
    ['shares for work are', 'wages 2025-03-05 100 X @2000', 100000n],
    [
      'an assigned put is',
      'sell_to_open 2025-02-01 1 X 2025-03-21 P 20 @100\nassign 2025-03-05 1 X 2025-03-21 P 20 @2000',
      100000n,
    ],
    ['a call is', 'buy_to_open 2025-03-05 1 X 2025-12-19 C 20 @100', 100000n],
    ['a put is not', 'buy_to_open 2025-03-05 1 X 2025-12-19 P 20 @100', 0n],
    ['a gift is not', 'gift_in 2025-03-05 100 X acquired 2020-01-02 basis 100 fmv 2000', 0n],
    ['an inheritance is not', 'inherit 2025-03-05 100 X acquired 2025-03-01 fmv 2000', 0n],
    ['a transfer between own accounts is not', 'buy 2024-01-02 100 Y @1\ntransfer 2025-03-05 100 Y to BRK2', 0n],
  ])('%s', (_, row, expected) => {
    expect(denied(row)).toBe(expected);
  });

  test('shares that arrive in a transfer keep their purchase', () => {
    const { summaries, lots } = books(`
      b1: buy 2024-06-03 100 X @3000
      b2: buy 2025-02-20 100 X @1900
      transfer 2025-02-21 100 X to BRK2 lots b2:100
      sell 2025-03-03 100 X @2000 lots b1:100
    `);
    expect(summaries[0]?.washSaleDisallowed).toBe(100000n as never);
    expect(lots.map(({ account, basis }) => [account, basis])).toEqual([['BRK2', 290000n]] as never);
  });

  test('a purchase in an IRA: the loss is permanently denied, the lot stays, each share counts once', () => {
    const rules = { accounts: { IRA: { type: 'roth_ira' } } } as const;
    const { lots, summaries } = books(
      `
      buy 2024-06-03 100 X @3000
      buy 2024-06-04 100 X @3000
      sell 2025-03-03 100 X @2000
      sell 2025-03-04 100 X @2000
      buy 2025-03-05 150 X @3000 in IRA
    `,
      rules,
    );
    expect(lots.map(lotWords)).toEqual(['150 X in IRA 2025-03-05 3000.00']);
    expect(summaries[0]?.washSalePermanent).toBe(150000n as never);
  });

  test('sales in an IRA have no lines, and its losses wash nothing', () => {
    const rules = { accounts: { IRA: { type: 'ira' } } } as const;
    const { lines, incomes } = books(
      `
      buy 2024-06-03 100 X @3000 in IRA
      dividend 2024-09-03 X @30 in IRA
      sell 2025-03-03 100 X @2000 in IRA
      buy 2025-03-05 100 X @2000
    `,
      rules,
    );
    expect([lines, incomes]).toEqual([[], []]);
  });
});

describe('scope', () => {
  const coins = `
    buy 2025-01-06 1 BTC @95000
    sell 2025-03-10 1 BTC @80000
    buy 2025-03-11 1 BTC @81000
  `;
  test('coins are exempt under the law, and are washed in the what-if', () => {
    expect(books(coins).summaries[0]?.washSaleDisallowed).toBe(0n as never);
    expect(books(coins, { washSales: 'all_assets' }).summaries[0]?.washSaleDisallowed).toBe(1500000n as never);
  });

  test('tokenized securities count by default, and not if only securities are elected', () => {
    const tokens = coins
      .replaceAll('BTC', 'TKN')
      .replaceAll('\n', ' class tokenized_security\n')
      .replace(' class tokenized_security', '');
    expect(books(tokens).summaries[0]?.washSaleDisallowed).toBe(1500000n as never);
    expect(books(tokens, { washSales: 'securities_only' }).summaries[0]?.washSaleDisallowed).toBe(0n as never);
  });

  test('the loss of one lot does not offset the gain of another sold the same day', () => {
    const { lines } = books(`
      buy 2024-01-02 100 X @1580
      buy 2024-01-03 100 X @1000
      sell 2024-12-27 200 X @2500
      buy 2025-01-10 100 X @1200
    `);
    expect(lines.map(({ gain }) => gain)).toEqual([0n, 25000n] as never);
  });
});

test('shares are compared after a split, whether one or two brokers report it', () => {
  const { lines } = books(`
    buy 2024-10-07 100 SX @6000 in A
    buy 2024-10-07 10 SX @600 in B
    buy 2024-10-07 10 SX @600 in C
    sell 2025-02-03 100 SX @5000 in A
    split 2025-02-10 SX ratio 2:1 in B
    split 2025-02-11 SX ratio 2:1 in C
    buy 2025-02-18 100 SX @2500 in A
  `);
  expect(lines.map(lineWords)).toEqual(['2025-02-03 100 SX: 5000.00 - 6000.00 W 500.00 = -500.00 short']);
});

test('a replacement takes over the days held, or by election the day of purchase', () => {
  const rows = `
    buy 2025-01-02 10 X @1000
    sell 2025-06-02 10 X @600
    buy 2025-06-20 10 X @700
  `;
  expect(books(rows).lots.map(lotWords)).toEqual(['10 X in BRK1 2025-06-20 since 2025-01-20 1100.00']);
  const elected = books(rows, { washPeriod: 'replacement' });
  expect(elected.lots.map(lotWords)).toEqual(['10 X in BRK1 2025-06-20 since 2025-01-02 1100.00']);
});

test('each small purchase replaces one small loss on a large lot that is sold in many parts', () => {
  const days = Array.from({ length: 20 }, (_, day) => `2025-01-${String(day + 3).padStart(2, '0')}`);
  const trades = days.flatMap((day) => [
    ...Array.from({ length: 10 }, (_, at) => `b${day}${at}: buy ${day} 1 X @95`),
    ...Array.from({ length: 10 }, () => `sell ${day} 1 X @90`),
  ]);
  const { facts } = books(['buy 2025-01-02 1000 X @100000', ...trades].join('\n'));
  const washes = facts.filter((fact) => fact.kind === 'wash');
  expect(washes.map(({ disallowed }) => disallowed)).toEqual(Array(200).fill(1000n));
  const replacements = washes.map(({ replacementTransactionId }) => replacementTransactionId);
  expect(new Set(replacements).size).toBe(200);
  expect(replacements).toEqual(replacements.toSorted());
});
