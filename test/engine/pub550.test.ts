import { describe, expect, test } from 'bun:test';
import { books, lineWords, lotWords } from '../support/ledger.ts';

/** The examples in IRS Publication 550 (2025), by page. Missing dates and prices are added. */
describe('Pub. 550, Wash Sales', () => {
  test('p. 86, Example 1: “You buy 100 shares of X stock for $1,000 … your basis in the new stock, which is $1,050”', () => {
    const { lines, lots } = books(`
      buy 2025-03-03 100 X @1000
      sell 2025-06-02 100 X @750
      buy 2025-06-20 100 X @800
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 100 X: 750.00 - 1000.00 W 250.00 = 0.00 short']);
    expect(lots.map(lotWords)).toEqual(['100 X in BRK1 2025-06-20 since 2025-03-21 1050.00']);
  });

  test('pp. 86–87, Example 2: “another bonus award of substantially identical stock within 30 days”', () => {
    const { lines } = books(`
      wages 2025-01-15 10 X @500
      sell 2025-06-02 10 X @400
      wages 2025-06-16 10 X @380
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 400.00 - 500.00 W 100.00 = 0.00 short']);
  });

  test('p. 87, more or less stock, Example 1: “the basis of the 25 shares … to $1,375”', () => {
    const { lines, lots } = books(`
      buy 2024-09-20 100 M @5000
      buy 2024-12-13 50 M @2750
      buy 2024-12-20 25 M @1125
      sell 2025-01-03 100 M @4000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-01-03 100 M: 4000.00 - 5000.00 W 750.00 = -250.00 short']);
    expect(lots.map(({ basis }) => basis)).toEqual([325000n, 137500n] as never);
  });

  test('p. 87, Example 2: “half the disallowed loss ($500) to the basis of the 50 shares bought on February 3”', () => {
    const { lines, lots } = books(`
      buy 2024-09-16 100 M @5000
      sell 2025-01-29 100 M @4000
      buy 2025-02-03 50 M @2000
      buy 2025-02-04 50 M @2000
      buy 2025-02-05 50 M @2000
      buy 2025-02-06 50 M @2000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-01-29 100 M: 4000.00 - 5000.00 W 1000.00 = 0.00 short']);
    expect(lots.map(({ basis }) => basis)).toEqual([250000n, 250000n, 200000n, 200000n] as never);
  });

  test('p. 87, loss and gain on same day: “You cannot deduct the loss of $33 per share on the first block”', () => {
    const { lines } = books(`
      buy 2019-01-07 100 X @15800
      buy 2019-05-06 100 X @10000
      buy 2019-09-09 100 X @9500
      sell 2024-12-27 300 X @37500
      buy 2025-01-10 250 X @30000
    `);
    expect(lines.map(lineWords)).toEqual([
      '2024-12-27 100 X: 12500.00 - 15800.00 W 3300.00 = 0.00 long',
      '2024-12-27 100 X: 12500.00 - 10000.00 = 2500.00 long',
      '2024-12-27 100 X: 12500.00 - 9500.00 = 3000.00 long',
    ]);
  });

  test('p. 88, short sales: “You cannot deduct the $250 loss ($1,000 − $750)”', () => {
    const { lines } = books(`
      b1: buy 2025-06-04 100 X @1000
      s1: short_sell 2025-10-15 100 X @750
      buy 2025-10-16 100 X @750
      cover 2025-11-19 100 X @0 lots s1:100;b1:100
    `);
    expect(lines.map(lineWords)).toEqual(['2025-11-19 100 X: 750.00 - 1000.00 W 250.00 = 0.00 short']);
  });
});

describe('Pub. 550, Short Sales', () => {
  test('p. 85, Baker: “Your short sale is treated as a constructive sale” raises an issue, with its $600', () => {
    const { issues, lines } = books(`
      buy 2025-05-06 100 BAKER @1000
      short_sell 2025-09-09 100 BAKER @1600
    `);
    expect(lines).toEqual([]);
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['constructive_sale', 60000n]] as never);
  });

  test('p. 85, Ace: “Your loss is a short-term capital loss because your holding period … is less than 1 day”', () => {
    const { lines } = books(`
      short_sell 2024-01-15 100 ACE @1000
      cover 2025-02-18 100 ACE @1300
    `);
    expect(lines.map(lineWords)).toEqual(['2025-02-18 100 ACE: 1000.00 - 1300.00 = -300.00 short']);
  });
});

describe('Pub. 550, Puts and Calls, examples of nondealer transactions, p. 89', () => {
  const option = 'JJJ 2025-12-19 C 40';

  test('1. Expiration: the holder’s “short-term capital loss of $4,000”, the writer’s gain of it', () => {
    const holder = books(`
      buy_to_open 2025-04-08 10 ${option} @4000
      expire 2025-12-19 10 ${option}
    `);
    expect(holder.lines.map(lineWords)).toEqual([`2025-12-19 10 ${option}: 0.00 - 4000.00 = -4000.00 short`]);
    const writer = books(`
      sell_to_open 2025-04-08 10 ${option} @4000
      expire 2025-12-19 10 ${option}
    `);
    expect(writer.lines.map(({ gain, disposal }) => [gain, disposal.term])).toEqual([[400000n, 'short']] as never);
  });

  test('2. Closing transaction: gain of $2,000 for the holder, loss of $2,000 for the writer', () => {
    const holder = books(`
      buy_to_open 2025-04-08 10 ${option} @4000
      sell_to_close 2025-05-06 10 ${option} @6000
    `);
    expect(holder.lines.map(({ gain }) => gain)).toEqual([200000n] as never);
    const writer = books(`
      sell_to_open 2025-04-08 10 ${option} @4000
      buy_to_close 2025-05-06 10 ${option} @6000
    `);
    expect(writer.lines.map(({ gain }) => gain)).toEqual([-200000n] as never);
  });

  test('3. Exercise: “The buyer adds the cost of the options to the basis”, the writer to “the amount realized”', () => {
    const holder = books(`
      buy_to_open 2025-04-08 10 ${option} @4000
      exercise 2025-05-20 10 ${option} @40000
    `);
    expect(holder.lots.map(lotWords)).toEqual(['1000 JJJ in BRK1 2025-05-20 44000.00']);
    const writer = books(`
      buy 2023-01-03 1000 JJJ @30000
      sell_to_open 2025-04-08 10 ${option} @4000
      assign 2025-05-20 10 ${option} @40000
    `);
    expect(writer.lines.map(lineWords)).toEqual(['2025-05-20 1000 JJJ: 44000.00 - 30000.00 = 14000.00 long']);
  });
});

describe('Pub. 550, Nondividend Distributions, p. 31', () => {
  test('Example 1: “The first $20 of this amount reduced your basis to zero. You report the other $10”', () => {
    const { lines } = books(`
      buy 2012-03-01 1 X @100
      return_of_capital 2015-06-01 X @80
      return_of_capital 2025-06-02 X @30
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 0 X: 10.00 - 0.00 = 10.00 long']);
  });

  test('Example 2: “You reduce your basis in each share to zero and report $1 of gain per share”', () => {
    const { lines, lots } = books(`
      buy 2021-03-01 10 XYZ @120 class fund
      return_of_capital 2022-06-01 XYZ @50 class fund
      return_of_capital 2023-06-01 XYZ @10 class fund
      return_of_capital 2024-06-03 XYZ @20 class fund
      return_of_capital 2025-06-02 XYZ @50 class fund
    `);
    expect(lines.map(({ gain }) => gain)).toEqual([1000n] as never);
    expect(lots.map(({ basis }) => basis)).toEqual([0n] as never);
  });
});
