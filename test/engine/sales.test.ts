import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { books, lineWords, lotWords } from '../support/ledger.ts';

describe('a sale', () => {
  test('uses the lots that remain after last year’s sale', () => {
    const { lines } = books(`
      buy 2022-01-03 10 X @100
      buy 2023-01-03 10 X @200
      sell 2024-06-03 10 X @300
      sell 2025-06-03 10 X @300
    `);
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([10000n, 20000n] as never);
  });

  test('of a short-term lot and a long-term lot has two lines', () => {
    const { lines } = books(`
      buy 2023-01-03 10 X @100
      buy 2025-01-03 10 X @200
      sell 2025-06-03 20 X @600
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-03 10 X: 300.00 - 100.00 = 200.00 long',
      '2025-06-03 10 X: 300.00 - 200.00 = 100.00 short',
    ]);
  });

  test('allocates every cent of its proceeds to its lines', () => {
    const { lines } = books(`
      buy 2024-01-02 1 X @1
      buy 2024-01-03 1 X @1
      buy 2024-01-04 1 X @1
      sell 2025-06-03 3 X @100
    `);
    expect(lines.map(({ disposal }) => disposal.proceeds)).toEqual([3333n, 3334n, 3333n] as never);
  });

  test('of more units than are held keeps all its proceeds, has no basis for the excess, and raises an issue that names the earlier rows', () => {
    const { lines, issues } = books(`
      b1: buy 2024-01-02 10 X @100
      s1: sell 2025-06-03 15 X @300
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-03 10 X: 200.00 - 100.00 = 100.00 long',
      '2025-06-03 5 X: 100.00 - 0.00 = 100.00 short',
    ]);
    expect(lines[1]?.disposal.basisUnknown).toBe(true);
    expect(issues.map(({ issue, transactions, dollars }) => ({ issue, transactions, dollars }))).toEqual([
      { issue: 'oversold', transactions: ['t0002', 't0001'], dollars: 10000n as never },
    ]);
  });

  test('raises an issue instead of assuming zero if a value is missing', () => {
    const { issues } = books(`
      buy 2024-01-02 10 X
      sell 2025-06-03 4 X
      sell 2025-06-04 1 X @10 currency EUR
    `);
    expect(issues.map(({ issue }) => issue).sort()).toEqual([
      'basis_missing',
      'basis_missing',
      'value_missing',
      'value_missing',
      'value_missing',
    ]);
  });

  test.each(['buy', 'staking'])('in the same second as a receipt of units is processed after it: %s', (type) => {
    const { issues } = books(`
      sell 2025-06-03T10:00:00Z 4 SOL @40 class crypto
      ${type} 2025-06-03T10:00:00Z 4 SOL @30 class crypto
    `);
    expect(issues).toEqual([]);
  });

  test('without a time is processed after the purchases of the same day', () => {
    const { issues } = books(`
      sell 2025-06-03 4 X @40
      buy 2025-06-03 4 X @30
    `);
    expect(issues).toEqual([]);
  });
});

describe('a negative amount', () => {
  test('reverses a purchase, including its fee', () => {
    const { lots, issues } = books(`
      buy 2024-01-02 10 X @100 fee 1
      buy 2024-01-02 10 X @120
      buy 2024-01-03 10 X @-100 fee 1
    `);
    expect(lots.map(lotWords)).toEqual(['10 X in BRK1 2024-01-02 120.00']);
    expect(issues).toEqual([]);
  });

  test('raises an issue if it matches no purchase', () => {
    const { lots, issues } = books(`
      buy 2024-01-02 10 X @100
      buy 2024-01-03 10 X @-90
    `);
    expect(lots.map(lotWords)).toEqual(['10 X in BRK1 2024-01-02 100.00']);
    expect(issues.map(({ issue }) => issue)).toEqual(['unreconciled']);
  });

  test('reverses a sale and restores its lots', () => {
    const { lines, lots, issues } = books(`
      buy 2024-01-02 10 X @100
      buy 2024-02-02 10 X @130
      sell 2024-06-03 10 X @150 fee 2
      sell 2024-06-04 10 X @-148
      sell 2025-06-04 10 X @170
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-04 10 X: 170.00 - 100.00 = 70.00 long']);
    expect(lots.map(lotWords)).toEqual(['10 X in BRK1 2024-02-02 130.00']);
    expect(issues).toEqual([]);
  });

  test('reverses the replacement purchase of a wash sale, so the loss is allowed again', () => {
    const { lines } = books(`
      buy 2024-01-02 10 X @1000
      sell 2024-06-03 10 X @700
      buy 2024-06-10 10 X @720
      buy 2024-06-20 10 X @-720
    `);
    expect(lines.map(lineWords)).toEqual(['2024-06-03 10 X: 700.00 - 1000.00 = -300.00 short']);
  });

  test.each([
    ['short_sell 2024-06-03 10 X @150', 'short_sell 2024-06-05 10 X @-150'],
    ['sell_to_open 2024-06-03 1 AAPL 2025-01-17 C 150 @300', 'sell_to_open 2024-06-05 1 AAPL 2025-01-17 C 150 @-300'],
    ['trade 2024-06-03 1 BTC for ETH received 10 @500', 'trade 2024-06-05 1 BTC for ETH received 10 @-500'],
    ['reinvest 2024-06-03 1 X @20', 'reinvest 2024-06-05 1 X @-20'],
  ])('reverses an equal row completely: %s', (row, back) => {
    const { facts, lots } = books(`${row}\n${back}`);
    expect([facts, lots]).toEqual([[], []]);
  });

  test('reverses the latest of several equal rows, and each row only once', () => {
    const { lots, issues } = books(`
      buy 2024-01-02 10 X @100
      buy 2024-01-03 10 X @100
      buy 2024-01-04 10 X @-100
      buy 2024-01-05 10 X @100
      buy 2024-01-06 10 X @-100
      buy 2024-01-07 10 X @-100
      buy 2024-01-08 10 X @-100
    `);
    expect(lots).toEqual([]);
    expect(issues.map(({ issue, transactions }) => [issue, transactions])).toEqual([['unreconciled', ['t0007']]]);
  });

  test.each([
    ['in another account', 'sell 2024-06-04 10 X @-150 in BRK2'],
    ['of another quantity', 'sell 2024-06-04 9 X @-150'],
    ['before the sale', 'sell 2024-06-02 10 X @-150'],
    ['with a fee in kind that the sale did not have', 'sell 2024-06-04 10 X @-150 feeasset BNB feequantity 1'],
  ])('raises an issue if it matches no sale: %s', (_, back) => {
    const { lines, issues } = books(`
      buy 2024-01-02 10 X @100
      sell 2024-06-03 10 X @150
      ${back}
    `);
    expect(lines.map(({ gain }) => gain)).toEqual([5000n] as never);
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['unreconciled', 15000n]] as never);
  });

  test('is deducted from income', () => {
    const { summaries } = books(`
      dividend 2024-03-04 X @10
      dividend 2024-03-05 X @-4
    `);
    expect(summaries[0]?.income.map(({ amount, count }) => [amount, count])).toEqual([[600000000n, 2]] as never);
  });
});

describe('lots named in a row', () => {
  const bought = `
    b1: buy 2024-01-02 10 X @100
    b2: buy 2024-02-01 10 X @200
  `;

  test('are sold first, and the lot method selects the remaining units', () => {
    const { lines } = books(`${bought}
      sell 2025-06-03 8 X @800 lots b2:5
    `);
    expect(lines.map(({ disposal }) => [disposal.lotId, disposal.identified])).toEqual([
      ['t0001/0', 'default'],
      ['t0002/0', 'identified'],
    ]);
  });

  test('raise an issue if they do not exist, and the lot method selects others', () => {
    const { lines, issues } = books(`${bought}
      sell 2025-06-03 5 X @800 lots b9:5
    `);
    expect(lines.map(({ disposal }) => disposal.lotId)).toEqual(['t0001/0']);
    expect(issues.map(({ issue }) => issue)).toEqual(['lot_not_found']);
  });

  test.each([
    ['the next business day is in time', '2025-06-09T20:00:00Z', 'identified'],
    ['after settlement is too late', '2025-06-10T00:00:00Z', 'late'],
  ])('of a security must be identified by settlement: %s', (_, identifiedAt, expected) => {
    const { lines, issues } = books(`${bought}
      sell 2025-06-06 5 X @800 lots b2:5 identified ${identifiedAt}
    `);
    expect(lines[0]?.disposal.identified).toBe(expected as never);
    expect(issues.map(({ issue }) => issue)).toEqual(expected === 'late' ? ['identified_late'] : []);
  });

  test('of a coin must be identified by the time of the sale', () => {
    const { lines } = books(`
      b1: buy 2025-01-02 1 BTC @100
      b2: buy 2025-02-01 1 BTC @200
      sell 2025-06-06T10:00:00Z 1 BTC @800 lots b2:1 identified 2025-06-06T10:00:01Z
    `);
    expect(lines.map(({ disposal }) => [disposal.lotId, disposal.identified])).toEqual([['t0001/0', 'late']]);
  });
});

describe('rounding', () => {
  test('ten thousand micro-rewards lose no income and no basis', () => {
    const rewards = Array.from({ length: 10_000 }, () => 'staking 2025-01-02 0.001 ETH @0.00123456').join('\n');
    const { lots, summaries } = books(rewards);
    expect(lots.reduce((sum, lot) => sum + lot.basis, 0n)).toBe(1235n as never);
    expect(summaries[0]?.income[0]?.amount).toBe(1234560000n as never);
  });

  test('a transfer of 0.3 uses up lots of 0.1 and 0.2 exactly', () => {
    const { lots } = books(`
      buy 2025-01-02 0.1 ETH @0.10
      buy 2025-01-02 0.2 ETH @0.20
      transfer 2025-01-03 0.3 ETH to W2
    `);
    expect(lots.map(lotWords)).toEqual(['0.1 ETH in W2 2025-01-02 0.10', '0.2 ETH in W2 2025-01-02 0.20']);
  });
});

describe('units that leave without being sold', () => {
  test('a gift uses the oldest lots', () => {
    const { lines, lots } = books(`
      buy 2023-01-03 10 X @100
      buy 2024-01-03 10 X @200
      gift_out 2025-01-02 10 X
      sell 2025-06-03 10 X @300
    `);
    expect(lines.map(({ disposal }) => disposal.basis)).toEqual([20000n] as never);
    expect(lots).toEqual([]);
  });

  test('a donation also uses the oldest lots, and a loss of units raises an issue', () => {
    const { lines, issues, lots } = books(`
      buy 2023-01-03 2 BTC @100
      donate 2025-01-02 1 BTC fmv 5000
      lost 2025-01-03 1 BTC
    `);
    expect(lines).toEqual([]);
    expect(lots).toEqual([]);
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['loss_event', 5000n]] as never);
  });

  test('a worthless stock is treated as sold for $0 on the last day of the year', () => {
    const { lines } = books(`
      buy 2024-06-03 10 X @100
      worthless 2025-05-02 10 X
    `);
    expect(lines.map(lineWords)).toEqual(['2025-12-31 10 X: 0.00 - 100.00 = -100.00 long']);
  });

  test('a worthless coin raises an issue on the day it became worthless, because it is not a security under IRC 165(g)', () => {
    const { lines, issues, lots } = books(`
      buy 2022-01-02 100 LUNA @5000
      worthless 2022-05-12 100 LUNA
    `);
    expect([lines, lots]).toEqual([[], []]);
    expect(issues.map(({ issue, on, dollars }) => [issue, formatDay(on), dollars])).toEqual([
      ['loss_event', '2022-05-12', 500000n],
    ] as never);
  });
});

describe('gifts and inheritances', () => {
  const gift = 'gift_in 2025-05-01 100 J acquired 2021-07-01 basis 10000 fmv 9000';
  test.each([
    ['above the donor’s basis uses that basis', 10500, '2025-09-02 100 J: 10500.00 - 10000.00 = 500.00 long'],
    [
      'below the value on the day of the gift uses that value',
      8500,
      '2025-09-02 100 J: 8500.00 - 9000.00 = -500.00 short',
    ],
    ['in between is neither gain nor loss', 9500, '2025-09-02 100 J: 9500.00 - 9500.00 = 0.00 long'],
  ])('a sale %s', (_, amount, expected) => {
    expect(books(`${gift}\nsell 2025-09-02 100 J @${amount}`).lines.map(lineWords)).toEqual([expected]);
  });

  test('the gift tax on the appreciation increases the basis, up to the value of the gift', () => {
    const { lots } = books(`
      gift_in 2025-05-01 1 J acquired 2021-07-01 basis 40000 fmv 101000 fee 13955.61
      gift_in 2025-05-01 1 J acquired 2021-07-01 basis 40000 fmv 41000 fee 13955.61
    `);
    expect(lots.map(({ basis }) => basis)).toEqual([5395561n, 4100000n] as never);
  });

  test('a gift without the donor’s records has a basis of zero, is held from the day of the gift, and raises an issue', () => {
    const { lines, issues } = books(`
      gift_in 2024-05-01 1 BTC fmv 60000
      sell 2024-09-02 1 BTC @60000
    `);
    expect(lines.map(lineWords)).toEqual(['2024-09-02 1 BTC: 60000.00 - 0.00 = 60000.00 short']);
    expect(issues.map(({ issue }) => issue)).toEqual(['gift_incomplete', 'basis_missing']);
  });

  test('inherited units are sold in the order of the dates of death, and are long-term', () => {
    const { lines } = books(`
      buy 2025-01-02 10 K @100
      inherit 2025-02-20 10 K acquired 2024-12-10 fmv 4800
      sell 2025-03-03 10 K @5000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 10 K: 5000.00 - 4800.00 = 200.00 long']);
  });
});
