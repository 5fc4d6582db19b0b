import { describe, expect, test } from 'bun:test';
import { books, lineWords, lotWords } from '../support/ledger.ts';

/**
 * Tests each switch for an election that the law leaves open (DECISIONS.md, "The switches") with a value other than its
 * default.
 */
describe('wash sales by election', () => {
  const coins = `
    buy 2024-11-01 1 BTC @1000 in CB
    sell 2024-12-20 1 BTC @700 in CB
    buy 2024-12-28 1 BTC @720 in CB
    sell 2025-02-03 1 BTC @600 in CB
    buy 2025-02-10 1 BTC @650 in CB
  `;

  test('include coins from the assumed effective date of a new law', () => {
    const { lines } = books(coins, { washSalesFrom: [{ date: '2025-01-01', washSales: 'all_assets' }] });
    expect(lines.map(lineWords)).toEqual([
      '2024-12-20 1 BTC: 700.00 - 1000.00 = -300.00 short',
      '2025-02-03 1 BTC: 600.00 - 720.00 W 120.00 = 0.00 short',
    ]);
  });

  test('exclude coins again if a later scope is narrower', () => {
    const { lines } = books(coins, {
      washSales: 'all_assets',
      washSalesFrom: [{ date: '2025-01-01', washSales: 'securities_only' }],
    });
    expect(lines.map(({ adjustment }) => adjustment)).toEqual([30000n, 0n] as never);
  });

  const family = `
    buy 2024-11-01 100 X @1000
    sell 2024-12-20 100 X @700
    buy 2024-12-22 40 X @300 in HERS
    buy 2024-12-23 30 X @200 in IRA
  `;
  const accounts = { HERS: { type: 'spouse' as const }, IRA: { type: 'ira' as const } };

  test.each([
    ['all of them where nothing is elected', undefined, 21000n],
    ['the spouse’s only', ['spouse' as const], 12000n],
    ['an IRA’s only', ['ira' as const], 9000n],
    ['the taxpayer’s own only', [], 0n],
  ])('count purchases in other accounts: %s', (_, washAccounts, denied) => {
    const { lines } = books(family, { accounts, ...(washAccounts === undefined ? {} : { washAccounts }) });
    expect(lines.map(({ adjustment }) => adjustment)).toEqual([denied] as never);
  });

  test("include a spouse's purchases, regardless of which other accounts are left out", () => {
    const { lines } = books(
      `
      buy 2024-11-01 10 X @1000 in HERS
      sell 2024-12-20 10 X @700 in HERS
      buy 2024-12-22 10 X @720 in HERS
    `,
      { accounts, washAccounts: [] },
    );
    expect(lines.map(({ adjustment }) => adjustment)).toEqual([30000n] as never);
  });

  const soldBefore = `
    b1: buy 2024-03-01 10 X @1000
    b2: buy 2025-01-06 10 X @900
    sell 2025-01-10 10 X @950 lots b2:10
    sell 2025-01-20 10 X @800
  `;

  test('do not use units sold before the loss', () => {
    const { lines } = books(soldBefore);
    expect(lines.map(({ adjustment }) => adjustment)).toEqual([0n, 0n] as never);
  });

  test('use units sold before the loss by election: their sale bears the loss in a separate line', () => {
    const { lines } = books(soldBefore, { washSoldBefore: 'include' });
    expect(lines.map(lineWords)).toEqual([
      '2025-01-10 10 X: 950.00 - 900.00 = 50.00 short',
      '2025-01-10 0 X: 0.00 - 200.00 = -200.00 short',
      '2025-01-20 10 X: 800.00 - 1000.00 W 200.00 = 0.00 short',
    ]);
  });

  test('use each share sold earlier once, but no shares sold on the day of the loss', () => {
    const { facts } = books(
      `
      b1: buy 2024-03-01 20 X @2000
      b2: buy 2025-01-06 6 X @540
      b3: buy 2025-01-07 9 X @810
      sell 2025-01-10 6 X @570 lots b2:6
      sell 2025-01-20 9 X @810 lots b3:9
      sell 2025-01-20 10 X @800
      sell 2025-01-21 10 X @800
    `,
      { washSoldBefore: 'include' },
    );
    const washes = facts.filter((fact) => fact.kind === 'wash');
    expect(washes.map(({ quantity }) => quantity / 10n ** 18n)).toEqual([6n, 9n]);
  });

  test('use the adjusted fragment of a purchase last, by election', () => {
    const history = `
      buy 2024-09-20 40 X @600
      sell 2024-12-20 40 X @400
      buy 2024-12-26 100 X @1000
      sell 2025-06-02 60 X @660
    `;
    expect(books(history).lines.slice(1).map(lineWords)).toEqual([
      '2025-06-02 40 X: 440.00 - 600.00 = -160.00 short',
      '2025-06-02 20 X: 220.00 - 200.00 = 20.00 short',
    ]);
    const last = books(history, { fragmentOrder: 'wash_adjusted_last' });
    expect(last.lines.slice(1).map(lineWords)).toEqual(['2025-06-02 60 X: 660.00 - 600.00 = 60.00 short']);
    expect(last.lots.map(({ basis }) => basis)).toEqual([60000n] as never);
  });
});

describe('rows by election', () => {
  test('a gift sold between its bases shows the donor’s basis, and the nondeductible loss under code L', () => {
    const { lines } = books(
      `
      gift_in 2024-05-01 10 X acquired 2020-01-02 basis 1000 fmv 800
      sell 2025-05-02 10 X @900
    `,
      { giftBetweenBases: 'donor_basis' },
    );
    expect(lines.map(lineWords)).toEqual(['2025-05-02 10 X: 900.00 - 1000.00 L 100.00 = 0.00 long']);
  });

  test('a gift sold above or below both bases shows the same amounts as by default', () => {
    const gift = 'gift_in 2024-05-01 10 X acquired 2020-01-02 basis 1000 fmv 800';
    for (const amount of [1100, 700]) {
      const history = `${gift}\nsell 2025-05-02 10 X @${amount}`;
      expect(books(history, { giftBetweenBases: 'donor_basis' }).lines).toEqual(books(history).lines);
    }
  });

  test('a merger with cash shows everything received, the basis, and the unrecognized part under code O', () => {
    const history = `
      buy 2020-01-02 100 OLD @1000
      merger 2025-05-02 OLD for NEW ratio 0.5 @300 fmv 1200
    `;
    expect(books(history).lines.map(lineWords)).toEqual(['2025-05-02 100 OLD: 300.00 - 0.00 = 300.00 long']);
    const whole = books(history, { mergerRows: 'all_received' });
    expect(whole.lines.map(lineWords)).toEqual(['2025-05-02 100 OLD: 1500.00 - 1000.00 O -200.00 = 300.00 long']);
    expect(whole.lots.map(({ basis }) => basis)).toEqual([100000n] as never);
  });
});

describe('wallets by election', () => {
  test('the cost of units that paid for a transfer is added to the basis of the arriving units', () => {
    const history = `
      buy 2024-01-02 1 BTC @10000 in CB
      buy 2024-02-02 1 BTC @20000 in CB
      transfer 2025-02-03 1.5 BTC in CB to COLD feeasset BTC feequantity 0.1 fee 4000
    `;
    expect(books(history).lines.map(lineWords)).toEqual(['2025-02-03 0.1 BTC: 4000.00 - 2000.00 = 2000.00 long']);
    const { lines, lots } = books(history, { transferFees: 'joins_basis' });
    expect(lines).toEqual([]);
    expect(lots.map(lotWords)).toEqual([
      '0.4 BTC in CB 2024-02-02 8000.00',
      '1 BTC in COLD 2024-01-02 11333.33',
      '0.5 BTC in COLD 2024-02-02 10666.67',
    ]);
  });

  test('units that were not held and their fee raise one issue', () => {
    const { issues, lots } = books('transfer 2025-02-03 1.5 BTC in CB to COLD feeasset BTC feequantity 0.1 fee 4000', {
      transferFees: 'joins_basis',
    });
    expect(issues.map(({ issue }) => issue)).toEqual(['oversold']);
    expect(lots.map(lotWords)).toEqual(['1.5 BTC in COLD 2025-02-03 0.00']);
  });

  test('a fee in another coin is still a disposal', () => {
    const { lines } = books(
      `
      buy 2024-01-02 1 ETH @2000 in CB
      buy 2024-01-02 100 USDC @100 in CB class crypto
      transfer 2025-02-03 100 USDC in CB to COLD feeasset ETH feequantity 0.01 fee 30 class crypto
    `,
      { transferFees: 'joins_basis' },
    );
    expect(lines.map(lineWords)).toEqual(['2025-02-03 0.01 ETH: 30.00 - 20.00 = 10.00 long']);
  });

  test('accounts in one wallet pool their coins, but not their stock', () => {
    const wallet = { type: 'taxable' as const, wallet: 'Exchange' };
    const { lines, lots } = books(
      `
      buy 2024-01-02 1 BTC @10000 in SPOT
      buy 2024-02-02 1 BTC @20000 in EARN
      buy 2024-01-02 1 X @100 in SPOT
      buy 2024-02-02 1 X @200 in EARN
      transfer 2025-01-20 1 BTC in SPOT to EARN
      sell 2025-02-03 1 BTC @30000 in EARN
      sell 2025-02-03 1 X @300 in EARN
    `,
      { accounts: { SPOT: wallet, EARN: wallet } },
    );
    expect(lines.map(lineWords)).toEqual([
      '2025-02-03 1 BTC: 30000.00 - 10000.00 = 20000.00 long',
      '2025-02-03 1 X: 300.00 - 200.00 = 100.00 long',
    ]);
    expect(lots.map(lotWords)).toEqual(['1 BTC in Exchange 2024-02-02 20000.00', '1 X in SPOT 2024-01-02 100.00']);
  });
});

describe('identification', () => {
  const bought = `
    b1: buy 2024-01-02 10 X @100
    b2: buy 2024-02-02 10 X @300
    b3: buy 2024-03-01 10 X @200
  `;
  const chosen = (history: string, rules: Parameters<typeof books>[1]) => {
    const { lines, issues } = books(history, rules);
    const words = lines.map(({ disposal }) => `${disposal.lotId.slice(0, 5)} ${disposal.identified}`);
    return [...words, ...issues.map(({ issue }) => issue)];
  };

  test('a late identification counts if that is elected, with a warning', () => {
    const history = `${bought}\nsell 2025-06-02 5 X @800 lots b2:5 identified 2025-06-20T10:00:00Z`;
    expect(chosen(history, {})).toEqual(['t0001 late', 'identified_late']);
    expect(chosen(history, { lateIdentification: 'accepted' })).toEqual(['t0002 late', 'identified_late']);
  });

  const zones = [
    ['UTC', 'late'],
    ['America/New_York', 'in time'],
  ] as const;
  test.each(zones)('an identification on the last day counts by the clock of %s: %s', (timeZone, expected) => {
    const words = expected === 'late' ? ['t0001 late', 'identified_late'] : ['t0002 identified'];
    const ofStock = `${bought}\nsell 2025-06-06 5 X @800 lots b2:5 identified 2025-06-10T01:00:00Z`;
    expect(chosen(ofStock, { timeZone })).toEqual(words);
    const ofCoins = `
      b1: buy 2025-01-02 1 BTC @100
      b2: buy 2025-02-01 1 BTC @200
      sell 2025-06-06 1 BTC @800 lots b2:1 identified 2025-06-07T01:00:00Z
    `;
    expect(chosen(ofCoins, { timeZone })).toEqual(words);
  });

  test.each(zones)('a standing order made on the day of sale counts by the clock of %s: %s', (timeZone, expected) => {
    const standingOrders = [{ method: 'HIFO' as const, madeAt: '2025-06-07T01:00:00Z' }];
    const words = [expected === 'late' ? 't0001 default' : 't0002 identified'];
    expect(chosen(`${bought}\nsell 2025-06-06 5 X @800`, { standingOrders, timeZone })).toEqual(words);
  });

  test('a standing order counts for later sales', () => {
    const history = `${bought}
      sell 2025-03-03 5 X @800
      sell 2025-05-05 5 X @800
    `;
    const standingOrders = [{ account: 'BRK1', method: 'HIFO' as const, madeAt: '2025-04-01' }];
    expect(chosen(history, { standingOrders })).toEqual(['t0001 default', 't0002 identified']);
  });

  test.each([
    ['before the second', '2025-05-05T10:00:00Z', 't0002 identified'],
    ['after it', '2025-05-05T10:00:01Z', 't0001 default'],
  ])('a standing order on the day of a sale is compared by the clock: %s', (_, madeAt, expected) => {
    const history = `${bought}\nsell 2025-05-05T10:00:00Z 5 X @800`;
    expect(chosen(history, { standingOrders: [{ method: 'HIFO', madeAt }] })).toEqual([expected]);
  });

  test('an order made after the sales that it was meant for is late, and the previous order stays in effect', () => {
    const history = `${bought}\nsell 2025-03-03 5 X @800`;
    const late = { method: 'HIFO' as const, madeAt: '2025-06-01', from: '2025-01-01' };
    expect(chosen(history, { standingOrders: [late] })).toEqual(['t0001 late', 'identified_late']);
    const earlier = { method: 'LIFO' as const, madeAt: '2025-01-01' };
    expect(chosen(history, { standingOrders: [earlier, late] })).toEqual(['t0003 late', 'identified_late']);
  });

  test('the most specific order applies, then the latest one', () => {
    const history = `${bought}
      buy 2024-01-02 10 Y @100
      buy 2024-02-02 10 Y @300
      sell 2025-03-03 5 X @800
      sell 2025-03-03 5 Y @800
    `;
    const standingOrders = [
      { account: 'BRK1', asset: 'X', method: 'LIFO' as const, madeAt: '2024-06-01' },
      { account: 'BRK1', method: 'FIFO' as const, madeAt: '2024-09-01' },
      { account: 'BRK1', method: 'HIFO' as const, madeAt: '2024-10-01' },
      { method: 'LOFO' as const, madeAt: '2024-12-01' },
      { account: 'ELSEWHERE', asset: 'X', method: 'LOFO' as const, madeAt: '2024-12-01' },
    ];
    expect(chosen(history, { standingOrders })).toEqual(['t0003 identified', 't0005 identified']);
  });

  test('lots named by a row take precedence over a standing order', () => {
    const history = `${bought}\nsell 2025-05-05 5 X @800 lots b3:5`;
    const standingOrders = [{ method: 'HIFO' as const, madeAt: '2025-01-01' }];
    expect(chosen(history, { standingOrders })).toEqual(['t0003 identified']);
  });

  test('an account’s own method takes precedence over the year’s method, and each year’s method applies from its first day', () => {
    const history = `${bought}
      buy 2024-01-02 10 X @100 in BRK2
      buy 2024-02-02 10 X @300 in BRK2
      sell 2024-12-31 5 X @800
      sell 2025-01-02 5 X @800
      sell 2025-01-02 5 X @800 in BRK2
    `;
    const rules = { methodFrom: [{ year: 2025, method: 'HIFO' as const }], methodByAccount: { BRK2: 'FIFO' as const } };
    expect(chosen(history, rules)).toEqual(['t0001 default', 't0002 default', 't0004 default']);
  });
});
