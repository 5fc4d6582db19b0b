import { describe, expect, test } from 'bun:test';
import { addDays, type Day, formatDay, parseDay } from '../../src/base/day.ts';
import { computeSettlementDay } from '../../src/engine/rules/lots/settlement.ts';
import { books, lineWords, lotWords } from '../support/ledger.ts';

describe('a short sale', () => {
  test('is realized when it is closed, by the units bought to close it', () => {
    const { lines, lots } = books(`
      short_sell 2024-11-04 10 X @100
      cover 2025-02-03 10 X @80
    `);
    expect(lines.map(lineWords)).toEqual(['2025-02-03 10 X: 100.00 - 80.00 = 20.00 short']);
    expect(lines[0]?.disposal.shortSale).toBe(true);
    expect(lots).toEqual([]);
  });

  test('is not a lot while it is open', () => {
    expect(books('short_sell 2024-11-04 10 X @100').lots).toEqual([]);
  });

  test('closed in parts keeps every cent', () => {
    const { lines } = books(`
      short_sell 2024-11-04 3 X @100
      cover 2025-02-03 1 X @20
      cover 2025-02-04 1 X @20
      cover 2025-02-05 1 X @20
    `);
    expect(lines.map(({ disposal }) => disposal.proceeds)).toEqual([3333n, 3334n, 3333n] as never);
  });

  test('gives a short-term gain, and restarts the period of units held for a year or less', () => {
    const { lines, lots } = books(`
      b1: buy 2024-02-01 100 T @1000
      s1: short_sell 2024-07-01 100 T @1600
      c1: cover 2024-11-01 100 T @1200
      sell 2025-02-03 100 T @1800
    `);
    expect(lots).toEqual([]);
    // Held from the closing on, so a year after the purchase it is still short-term (Pub. 550, "Short Sales").
    expect(lines.map(lineWords)).toEqual([
      '2024-11-01 100 T: 1600.00 - 1200.00 = 400.00 short',
      '2025-02-03 100 T: 1800.00 - 1000.00 = 800.00 short',
    ]);
  });

  test('affects only as many units as were short', () => {
    const { lots } = books(`
      buy 2024-02-01 250 T @1000
      short_sell 2024-07-01 100 T @1600
      cover 2024-11-01 100 T @1200
    `);
    expect(lots.map(lotWords)).toEqual([
      '150 T in BRK1 2024-02-01 600.00',
      '100 T in BRK1 2024-02-01 since 2024-11-01 400.00',
    ]);
  });

  test('closed with a lot held for a year or less on its day gives a short-term gain', () => {
    const { lines } = books(`
      b1: buy 2024-02-01 100 T @1000
      s1: short_sell 2024-12-02 100 T @1600
      cover 2025-03-03 100 T @0 lots s1:100;b1:100
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 100 T: 1600.00 - 1000.00 = 600.00 short']);
  });

  test('closed with a lot inherited since still gives a short-term gain', () => {
    const { lines } = books(`
      s1: short_sell 2024-07-01 10 X @100
      i1: inherit 2024-09-02 10 X acquired 2024-08-01 fmv 60
      cover 2024-12-02 10 X @0 lots s1:10;i1:10
    `);
    expect(lines.map(lineWords)).toEqual(['2024-12-02 10 X: 100.00 - 60.00 = 40.00 short']);
  });

  test("closed with a gift received since gives a short-term gain, regardless of the donor's purchase date (IRC 1233(b))", () => {
    // "if substantially identical property is acquired by the taxpayer after such short sale": the taxpayer, not the
    // donor.
    const { lines } = books(`
      s1: short_sell 2024-07-01 10 X @100
      g1: gift_in 2024-09-02 10 X acquired 2020-01-02 basis 60 fmv 80
      cover 2024-12-02 10 X @0 lots s1:10;g1:10
    `);
    expect(lines.map(lineWords)).toEqual(['2024-12-02 10 X: 100.00 - 60.00 = 40.00 short']);
  });

  test("against a gift received before keeps the donor's period for it (IRC 1223(2))", () => {
    const { lines, lots } = books(`
      g1: gift_in 2024-06-03 10 X acquired 2020-01-02 basis 60 fmv 80
      short_sell 2024-07-01 10 X @100
      cover 2024-12-02 10 X @120
    `);
    expect(lines.map(lineWords)).toEqual(['2024-12-02 10 X: 100.00 - 120.00 = -20.00 long']);
    expect(lots.map(lotWords)).toEqual(['10 X in BRK1 2020-01-02 60.00']);
  });

  test('also restarts the period of units sold before it is closed, from their sale on', () => {
    const { lines } = books(`
      buy 2024-02-01 100 T @1000
      buy 2024-03-01 100 T @1000
      short_sell 2024-07-01 150 T @2400
      sell 2025-03-03 200 T @4000
      cover 2025-06-02 150 T @1500
    `);
    // 150 units, in the order of purchase, count as held from March 3 on (IRC 1233(b)(2), Pub. 550 "Rule 2").
    expect(lines.map(lineWords)).toEqual([
      '2025-03-03 100 T: 2000.00 - 1000.00 = 1000.00 short',
      '2025-03-03 50 T: 1000.00 - 500.00 = 500.00 short',
      '2025-03-03 50 T: 1000.00 - 500.00 = 500.00 long',
      '2025-06-02 150 T: 2400.00 - 1500.00 = 900.00 short',
    ]);
  });

  test('keeps the period of units held over a year when it was entered, and sold before it is closed', () => {
    const { lines } = books(`
      buy 2023-02-01 100 T @1000
      short_sell 2024-07-01 100 T @1600
      sell 2025-03-03 100 T @2000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 100 T: 2000.00 - 1000.00 = 1000.00 long']);
  });

  test('restarts at its closing only the units that its disposals have left', () => {
    const { lots } = books(`
      buy 2024-02-01 100 T @1000
      buy 2024-03-01 100 T @1000
      short_sell 2024-07-01 100 T @1600
      sell 2024-09-03 100 T @2000
      cover 2024-11-01 100 T @1000
    `);
    expect(lots.map(lotWords)).toEqual(['100 T in BRK1 2024-03-01 1000.00']);
  });

  test('at a loss is long-term to the extent of units held over a year', () => {
    const { lines } = books(`
      buy 2022-03-01 40 L @400
      short_sell 2025-01-13 100 L @3000
      cover 2025-03-10 100 L @3500
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-03-10 40 L: 1200.00 - 1400.00 = -200.00 long',
      '2025-03-10 60 L: 1800.00 - 2100.00 = -300.00 short',
    ]);
  });

  test('against a holding with a gain raises an issue about a constructive sale', () => {
    const { issues } = books(`
      buy 2022-03-01 100 L @1000
      short_sell 2025-01-13 100 L @3000
    `);
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['constructive_sale', 200000n]] as never);
  });

  test('covered with more than was short keeps the other units as bought, and raises an issue', () => {
    const { lots, issues } = books(`
      short_sell 2024-11-04 10 X @100
      cover 2025-02-03 15 X @120
    `);
    expect(lots.map(lotWords)).toEqual(['5 X in BRK1 2025-02-03 40.00']);
    expect(issues.map(({ issue }) => issue)).toEqual(['short_exceeded']);
  });
});

describe('a put that is bought', () => {
  const put = 'X 2026-01-16 P 20';

  test('makes its gain short-term to the extent of stock held for a year or less', () => {
    const { lines } = books(`
      buy 2024-02-01 50 X @1000
      buy_to_open 2024-07-01 1 ${put} @300
      sell_to_close 2025-08-01 1 ${put} @700
    `);
    expect(lines.map(lineWords)).toEqual([
      `2025-08-01 0.5 ${put}: 350.00 - 150.00 = 200.00 short`,
      `2025-08-01 0.5 ${put}: 350.00 - 150.00 = 200.00 long`,
    ]);
  });

  test('restarts the period of that stock when it is sold, exercised or expires', () => {
    const { lots } = books(`
      buy 2024-02-01 150 X @3000
      buy_to_open 2024-07-01 1 ${put} @300
      expire 2026-01-16 1 ${put}
    `);
    expect(lots.map(lotWords)).toEqual([
      '50 X in BRK1 2024-02-01 1000.00',
      '100 X in BRK1 2024-02-01 since 2026-01-16 2000.00',
    ]);
  });

  test('covers the shares that a split makes of them, reported by any number of accounts (IRC 1233(e)(1))', () => {
    const { lots } = books(`
      buy 2024-02-01 150 X @3000
      buy_to_open 2024-07-01 1 ${put} @300
      split 2024-09-02 X ratio 2:1 in BRK1
      split 2024-09-02 X ratio 2:1 in BRK2
      split 2024-10-01 X ratio 3:2
      expire 2026-01-16 1 ${put}
    `);
    expect(lots.map(lotWords)).toEqual([
      '150 X in BRK1 2024-02-01 1000.00',
      '300 X in BRK1 2024-02-01 since 2026-01-16 2000.00',
    ]);
  });

  test('makes stock sold or delivered under it short-term', () => {
    const { lines } = books(`
      buy 2024-02-01 100 X @1000
      buy_to_open 2024-07-01 1 ${put} @300
      exercise 2025-08-01 1 ${put} @2000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-08-01 100 X: 1700.00 - 1000.00 = 700.00 short']);
  });

  test('on the day of its stock, or against stock held longer than a year, changes nothing', () => {
    const married = books(`
      buy 2024-07-01 100 X @2000
      buy_to_open 2024-07-01 1 ${put} @300
      sell_to_close 2025-08-01 1 ${put} @700
    `);
    expect(married.lines.map(({ disposal }) => disposal.term)).toEqual(['long']);
    expect(married.lots.map(lotWords)).toEqual(['100 X in BRK1 2024-07-01 2000.00']);
    const old = books(`
      buy 2020-07-01 100 X @2000
      buy_to_open 2024-07-01 1 ${put} @300
      sell_to_close 2025-08-01 1 ${put} @100
    `);
    // IRC 1233(d), which changes the term of losses, does not name puts.
    expect(old.lines.map(({ disposal }) => disposal.term)).toEqual(['long']);
    expect(old.lots.map(lotWords)).toEqual(['100 X in BRK1 2020-07-01 2000.00']);
  });
});

describe('wash sales of shorts', () => {
  test('a loss is denied if another short is entered within 30 days, and reduces the proceeds of that one', () => {
    const { lines } = books(`
      short_sell 2025-01-06 100 X @1000
      cover 2025-02-03 100 X @1200
      short_sell 2025-02-10 100 X @1150
      cover 2025-06-02 100 X @1000
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-02-03 100 X: 1000.00 - 1200.00 W 200.00 = 0.00 short',
      '2025-06-02 100 X: 950.00 - 1000.00 = -50.00 short',
    ]);
  });

  test('a loss is denied if stock is sold within 30 days after, and is added to the basis of the stock sold', () => {
    const { lines } = books(`
      buy 2023-01-03 100 X @900
      short_sell 2025-01-06 100 X @1000
      cover 2025-02-03 100 X @1200
      sell 2025-02-10 100 X @1150
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-02-03 100 X: 1000.00 - 1200.00 W 200.00 = 0.00 long',
      '2025-02-10 100 X: 1150.00 - 1100.00 = 50.00 long',
    ]);
  });

  test('stock sold before, while the short was open, bears the loss on an additional line', () => {
    const { lines } = books(`
      buy 2023-01-03 60 X @540
      short_sell 2024-12-02 100 X @1000
      sell 2024-12-20 60 X @690
      cover 2025-01-10 100 X @1200
    `);
    expect(lines.map(lineWords)).toEqual([
      '2024-12-20 60 X: 690.00 - 540.00 = 150.00 long',
      '2024-12-20 0 X: 0.00 - 120.00 = -120.00 long',
      '2025-01-10 60 X: 600.00 - 720.00 W 120.00 = 0.00 long',
      '2025-01-10 40 X: 400.00 - 480.00 = -80.00 short',
    ]);
    expect(lines[1]?.disposal.description).toBe('X loss of short sale closed 2025-01-10, sec. 1091(e)');
  });

  // IRC 1091(e): "within a period beginning 30 days before the date of such closing and ending 30 days after such
  // date". Shares bought on Tuesday, January 21 are delivered on January 22.
  test.each([
    ['on day 30 before the closing bears the loss', '2024-12-23', ['', '', 'W']],
    ['on day 31 does not', '2024-12-22', ['', '']],
  ])('stock sold before the short was entered, %s', (_, day, codes) => {
    const { lines } = books(`
      buy 2023-01-03 100 X @900
      sell ${day} 100 X @1000
      short_sell 2025-01-06 100 X @1000
      cover 2025-01-21 100 X @1200
    `);
    expect(lines.map(({ code }) => code)).toEqual(codes);
    const beside = lines.filter(({ disposal }) => disposal.quantity === 0n).map(lineWords);
    expect(beside).toEqual(codes.length === 3 ? [`${day} 0 X: 0.00 - 200.00 = -200.00 long`] : []);
  });

  const covers = ['2016-12-28', '2016-12-30', '2021-12-31', '2023-12-29', '2024-10-11', '2024-12-31', '2025-06-11'];

  test.each(covers)('the window of a loss on a purchase of %s begins and ends 30 days from its delivery', (text) => {
    const covered = parseDay(text) as Day;
    const delivered = computeSettlementDay(covered);
    expect(delivered).toBeGreaterThan(covered);
    for (const [days, isDenied] of [
      [-31, false],
      [-30, true],
      [30, true],
      [31, false],
    ] as const) {
      const near = formatDay(addDays(delivered, days));
      const opened = formatDay(addDays(covered, -90));
      const { lines } = books(`
        ss1: short_sell ${opened} 100 X @1000
        cover ${text} 100 X @1200 lots ss1:100
        short_sell ${near} 100 X @1150
      `);
      expect(lines.map(({ disposal, code }) => `${disposal.basis} ${code}`)).toEqual([
        isDenied ? '120000 W' : '120000 ',
      ]);
      const sold = books(`
        buy ${formatDay(addDays(covered, -900))} 100 X @900
        short_sell ${opened} 100 X @1000
        sell ${near} 100 X @1150
        cover ${text} 100 X @1200
      `);
      expect(sold.lines.some(({ code }) => code === 'W')).toBe(isDenied);
    }
  });

  test('owned shares that are delivered close a short on that day', () => {
    for (const [near, code] of [
      ['2025-02-22', ' '],
      ['2025-02-21', 'W'],
    ] as const) {
      const { lines } = books(`
        s1: short_sell 2024-11-04 100 X @1000
        b1: buy 2024-11-05 100 X @1200
        cover 2025-01-22 100 X @0 lots s1:100;b1:100
        short_sell ${near} 100 X @1150
      `);
      expect(lines.map((line) => line.code)).toEqual([code.trim()]);
    }
  });

  test('a short closed with units owned on its day is complete on that day: stock sold near it bears the loss', () => {
    const { lines } = books(`
      b1: buy 2023-01-03 200 X @2000
      ss1: short_sell 2025-10-15 100 X @750
      sell 2025-10-20 100 X @1100
      cover 2025-12-19 100 X @0 lots ss1:100;b1:100
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-10-20 100 X: 1100.00 - 1000.00 = 100.00 long',
      '2025-10-20 0 X: 0.00 - 250.00 = -250.00 long',
      '2025-12-19 100 X: 750.00 - 1000.00 W 250.00 = 0.00 long',
    ]);
  });

  test('its loss matches purchases of its own window even if a later loss of the day does not', () => {
    const { lines } = books(`
      buy 2024-10-26 2 X @20
      b2: buy 2024-11-04 10 X @110
      b3: buy 2024-11-09 1 X @20
      s1: short_sell 2024-11-18 1 X @10
      sell 2024-11-26 3 X @30 lots b2:3
      cover 2024-11-26 1 X @0 lots s1:1;b3:1
    `);
    expect(lines.map(lineWords)).toEqual([
      '2024-11-26 3 X: 30.00 - 33.00 = -3.00 short',
      '2024-11-26 1 X: 10.00 - 20.00 W 10.00 = 0.00 short',
    ]);
  });

  test('stock sold in an IRA denies the loss for good, unless IRAs are left out', () => {
    const rows = `
      buy 2023-01-03 100 X @900 in IRA
      short_sell 2025-01-06 100 X @1000
      cover 2025-02-03 100 X @1200
      sell 2025-02-10 60 X @690 in IRA
    `;
    const accounts = { IRA: { type: 'ira' } } as const;
    const { lines, summaries } = books(rows, { accounts });
    expect(lines.map(lineWords)).toEqual(['2025-02-03 100 X: 1000.00 - 1200.00 W 120.00 = -80.00 short']);
    expect(summaries[0]?.washSalePermanent).toBe(12000n as never);
    expect(books(rows, { accounts, washAccounts: [] }).lines.map(({ code }) => code)).toEqual(['']);
  });

  test('a share sold bears only one loss', () => {
    const { lines } = books(`
      buy 2023-01-03 50 X @450
      short_sell 2025-01-06 50 X @500
      cover 2025-02-03 50 X @600
      sell 2025-02-10 50 X @575
      short_sell 2025-04-07 50 X @500
      cover 2025-04-08 50 X @600
    `);
    expect(lines.map(({ code, adjustment }) => [code, adjustment])).toEqual([
      ['W', 10000n],
      ['', 0n],
      ['', 0n],
    ] as never);
    const twice = books(`
      buy 2023-01-03 50 X @450
      short_sell 2025-01-06 100 X @1000
      cover 2025-02-03 100 X @1200
      sell 2025-02-10 50 X @575
    `).lines;
    expect(twice.map(({ disposal, adjustment }) => [disposal.quantity, adjustment])).toEqual([
      [50n * 10n ** 18n, 10000n],
      [50n * 10n ** 18n, 0n],
      [50n * 10n ** 18n, 0n],
    ] as never);
  });

  test('units owned on the day of the short sale and delivered count from that day', () => {
    const { lines, lots } = books(`
      b1: buy 2025-06-04 100 X @1000
      ss1: short_sell 2025-10-15T10:00:00Z 100 X @750
      b2: buy 2025-10-16T10:00:00Z 100 X @750
      c1: cover 2025-11-19T10:00:00Z 100 X @0 lots ss1:100;b1:100
    `);
    expect(lines.map(lineWords)).toEqual(['2025-11-19 100 X: 750.00 - 1000.00 W 250.00 = 0.00 short']);
    expect(lots.map(({ basis }) => basis)).toEqual([100000n] as never);
  });
});
