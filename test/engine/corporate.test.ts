import { describe, expect, test } from 'bun:test';
import { formatDay } from '../../src/base/day.ts';
import { books, lineWords, lotWords } from '../support/ledger.ts';

describe('a split', () => {
  test('multiplies each lot and keeps its basis and dates', () => {
    const { lots } = books(`
      buy 2023-03-01 1 CM @30
      buy 2023-05-01 1 CM @45 in BRK2
      split 2024-06-03 CM ratio 3:1
    `);
    expect(lots.map(lotWords)).toEqual(['3 CM in BRK1 2023-03-01 30.00', '3 CM in BRK2 2023-05-01 45.00']);
  });

  test('reported by several accounts and for all of them counts once for each account', () => {
    const { lots } = books(`
      buy 2023-03-01 1 CM @30
      buy 2023-05-01 1 CM @45 in BRK2
      split 2024-06-03 CM ratio 3:1 in BRK1
      split 2024-06-03 CM ratio 3:1
      split 2024-06-03 CM ratio 3:1 in BRK2
    `);
    expect(lots.map(({ quantity }) => quantity)).toEqual([3n * 10n ** 18n, 3n * 10n ** 18n] as never);
  });

  test('is applied before the trades without a time on its day', () => {
    const { lots } = books(`
      buy 2024-06-03 1 CM @30
      split 2024-06-03 CM ratio 3:1
    `);
    expect(lots.map(({ quantity }) => quantity)).toEqual([10n ** 18n] as never);
  });

  test('also adjusts shorts and lots that a row names', () => {
    const { lines } = books(`
      b1: buy 2023-01-03 10 CM @300
      s1: short_sell 2023-06-01 10 CM @400 in BRK2
      split 2024-06-03 CM ratio 2:1
      sell 2024-07-01 4 CM @100 lots b1:4
      cover 2024-07-01 20 CM @300 in BRK2 lots s1:20
    `);
    expect(lines.map(({ disposal, gain }) => [disposal.account, gain])).toEqual([
      ['BRK1', 4000n],
      ['BRK2', 10000n],
    ] as never);
  });

  test('pays for a fraction, which is sold with the lot’s own dates', () => {
    const { lines, lots } = books(`
      buy 2023-03-01 105 RV @1050
      split 2025-03-03 0.5 RV @60 ratio 1:10 in BRK1
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 0.5 RV: 60.00 - 50.00 = 10.00 long']);
    expect(lots.map(lotWords)).toEqual(['10 RV in BRK1 2023-03-01 1000.00']);
  });
});

describe('a split stated by the shares received', () => {
  test('multiplies the account’s lots by the ratio of its new to its old holding', () => {
    const { lots, issues } = books(`
      buy 2023-03-01 10 CM @30
      buy 2023-05-01 20 CM @45
      buy 2023-05-01 5 CM @45 in BRK2
      split 2024-06-03 60 CM in BRK1
    `);
    expect(lots.map(lotWords)).toEqual([
      '30 CM in BRK1 2023-03-01 30.00',
      '60 CM in BRK1 2023-05-01 45.00',
      '5 CM in BRK2 2023-05-01 45.00',
    ]);
    expect(issues).toEqual([]);
  });

  test('counts once per account if another row states the ratio, and rows in one account are added up', () => {
    const { lots } = books(`
      buy 2023-03-01 30 CM @30
      buy 2023-05-01 20 CM @45 in BRK2
      split 2024-06-03 10 CM in BRK1
      split 2024-06-03 20 CM in BRK1
      split 2024-06-03 CM ratio 2:1
      split 2024-06-03 20 CM in BRK2
    `);
    expect(lots.map(({ quantity }) => quantity)).toEqual([60n * 10n ** 18n, 40n * 10n ** 18n] as never);
  });

  test('removes shares if it is a reverse split', () => {
    const { lots } = books(`
      buy 2023-03-01 100 CM @30
      split 2024-06-03 -90 CM in BRK1
    `);
    expect(lots.map(lotWords)).toEqual(['10 CM in BRK1 2023-03-01 30.00']);
  });

  test('changes nothing and raises an issue if there is no holding or it exceeds the holding', () => {
    const nothing = books('split 2024-06-03 10 CM in BRK1');
    expect(nothing.issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['unreconciled', null]]);
    const less = books(`
      buy 2023-03-01 10 CM @30
      split 2024-06-03 -10 CM in BRK1
    `);
    expect(less.issues.map(({ issue }) => issue)).toEqual(['unreconciled']);
    expect(less.lots.map(lotWords)).toEqual(['10 CM in BRK1 2023-03-01 30.00']);
  });

  test('converts pending losses once, even if several brokers report it', () => {
    const { lines } = books(`
      buy 2024-01-02 10 CM @1000
      buy 2024-01-02 10 CM @1000 in BRK2
      buy 2024-01-02 10 CM @1000 in BRK3
      sell 2025-06-02 10 CM @400
      split 2025-06-04 10 CM in BRK2
      split 2025-06-06 10 CM in BRK3
      buy 2025-06-10 10 CM @200
    `);
    // Ten new shares correspond to five of the shares sold.
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 CM: 400.00 - 1000.00 W 300.00 = -300.00 long']);
  });
});

describe('a new name', () => {
  test('changes nothing else, and a purchase under the new name replaces a loss under the old one', () => {
    const { lines, lots } = books(`
      buy 2024-06-03 10 FB @1000
      sell 2025-03-03 10 FB @600
      rename 2025-03-05 FB for META
      buy 2025-03-10 10 META @700
    `);
    expect(lines.map(lineWords)).toEqual(['2025-03-03 10 FB: 600.00 - 1000.00 W 400.00 = 0.00 short']);
    expect(lots.map(({ asset, basis }) => [asset, basis])).toEqual([['META', 110000n]] as never);
  });

  test('also applies to shorts and named lots', () => {
    const { lines } = books(`
      b1: buy 2024-06-03 10 FB @1000
      s1: short_sell 2024-06-03 10 FB @1000 in BRK2
      rename 2024-07-05 FB for META
      sell 2025-03-03 5 META @600 lots b1:5
      cover 2025-03-03 10 META @900 in BRK2
    `);
    expect(lines.map(({ gain }) => gain)).toEqual([10000n, 10000n] as never);
  });
});

describe('a spin-off', () => {
  test('takes the issuer’s fraction of each lot’s basis, and keeps the dates', () => {
    const { lots, lines } = books(`
      buy 2022-02-01 100 GE @8000
      buy 2025-01-02 50 GE @5000 in BRK2
      spinoff 2025-04-02 GE ratio 0.109624 for GEV received 37.5
    `);
    expect(lines).toEqual([]);
    expect(lots.map(lotWords)).toEqual([
      '100 GE in BRK1 2022-02-01 7123.01',
      '50 GE in BRK2 2025-01-02 4451.88',
      '25 GEV in BRK1 2022-02-01 876.99',
      '12.5 GEV in BRK2 2025-01-02 548.12',
    ]);
  });
});

describe('a merger', () => {
  test('carries over basis and dates if it is for shares, and uses the row’s name', () => {
    const { lines, lots } = books(`
      b1: buy 2024-09-03 100 KP1 @3500
      merger 2025-04-11 KP1 for KP2 ratio 0.7
      sell 2025-09-04 35 KP2 @2000 lots b1:35
    `);
    expect(lines.map(lineWords)).toEqual(['2025-09-04 35 KP2: 2000.00 - 1750.00 = 250.00 long']);
    expect(lots.map(lotWords)).toEqual(['35 KP2 in BRK1 2024-09-03 1750.00']);
  });

  test('recognizes gain up to the cash, lot by lot, and no loss', () => {
    const { lines, lots } = books(`
      buy 2022-02-01 50 OLD @1000
      buy 2025-02-03 50 OLD @4000
      merger 2025-05-01 OLD @1500 for NEW received 50 fmv 4000
    `);
    // The first half realizes 750 + 2,000 − 1,000 = 1,750 and recognizes the cash of 750. The second half realizes a
    // loss.
    expect(lines.map(lineWords)).toEqual(['2025-05-01 50 OLD: 750.00 - 0.00 = 750.00 long']);
    expect(lots.map(lotWords)).toEqual(['25 NEW in BRK1 2022-02-01 1000.00', '25 NEW in BRK1 2025-02-03 3250.00']);
  });

  test('shows the cash, and the cash less the gain if the gain is smaller', () => {
    const { lines, lots } = books(`
      buy 2022-02-01 100 OLD @5000
      merger 2025-05-01 OLD @1500 for NEW received 50 fmv 4000
    `);
    expect(lines.map(lineWords)).toEqual(['2025-05-01 100 OLD: 1500.00 - 1000.00 = 500.00 long']);
    expect(lots.map(({ basis }) => basis)).toEqual([400000n] as never);
  });
});

describe('a return of capital', () => {
  test('reduces basis share by share, and is a gain if no basis is left', () => {
    const { lines, lots } = books(`
      buy 2021-03-01 10 R @20
      buy 2025-03-03 10 R @200
      return_of_capital 2025-06-02 R @60
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 0 R: 10.00 - 0.00 = 10.00 long']);
    expect(lines[0]?.disposal.description).toBe('R nondividend distribution');
    expect(lots.map(({ basis }) => basis)).toEqual([0n, 17000n] as never);
  });

  test('raises an issue with its dollars if there is no holding', () => {
    const { issues } = books('return_of_capital 2025-06-02 R @60');
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['unreconciled', 6000n]] as never);
  });
});

describe('a sale that a broker’s form reports', () => {
  test('is used on its own if there is no history', () => {
    const { lines } = books('reported_sale 2025-06-02 10 X @900 acquired 2023-01-03 basis 1000 wash 40');
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 900.00 - 1000.00 W 40.00 = -60.00 long']);
  });

  test('prints VARIOUS, with the stated term, if its acquisition date is missing', () => {
    const { lines } = books('reported_sale 2025-06-02 10 X @900 basis 1000 term long');
    expect(lines[0]?.disposal).toMatchObject({ acquiredVarious: true, term: 'long', box: 'F' });
  });

  test('uses the account’s own lots if there are any', () => {
    const { lines, lots } = books(`
      buy 2024-01-02 10 X @700
      reported_sale 2025-06-02 10 X @900 acquired 2023-01-03 basis 1000
    `);
    expect(lines.map(({ disposal }) => [formatDay(disposal.acquired), disposal.basis])).toEqual([
      ['2024-01-02', 70000n],
    ] as never);
    expect(lots).toEqual([]);
  });

  test('is the same sale if it is also in the history, and its line takes the form’s box', () => {
    const { lines, issues } = books(`
      buy 2024-01-02 10 X @700
      sell 2025-06-02T15:00:00Z 10 X @900
      reported_sale 2025-06-02 10 X @900 acquired 2024-01-02 basis 700 box D
    `);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 900.00 - 700.00 = 200.00 long']);
    expect(lines.map(({ disposal }) => [disposal.box, disposal.boxReason])).toEqual([['D', 'Form 1099 shows box D.']]);
    expect(issues).toEqual([]);
  });

  test('is matched with the line of each lot by its date if it is reported lot by lot', () => {
    const { lines } = books(`
      buy 2010-01-04 10 X @300
      buy 2024-01-02 10 X @700
      sell 2025-06-02 20 X @1800
      reported_sale 2025-06-02 10 X @900 acquired 2024-01-02 basis 700 box D
      reported_sale 2025-06-02 10 X @900 acquired 2010-01-04 basis 300 box E
    `);
    expect(lines.map(({ disposal }) => [formatDay(disposal.acquired), disposal.box])).toEqual([
      ['2010-01-04', 'E'],
      ['2024-01-02', 'D'],
    ]);
  });

  test('raises an issue if its amounts differ from the history or its units exceed it', () => {
    const { lines, issues } = books(`
      buy 2024-01-02 10 X @700
      sell 2025-06-02 10 X @900
      reported_sale 2025-06-02 12 X @1200 acquired 2024-01-02 basis 840
      buy 2024-01-02 10 Y @700
      sell 2025-06-02 10 Y @900
      reported_sale 2025-06-02 10 Y @900 basis 650
    `);
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 10 X: 900.00 - 700.00 = 200.00 long',
      '2025-06-02 2 X: 200.00 - 140.00 = 60.00 long',
      '2025-06-02 10 Y: 900.00 - 700.00 = 200.00 long',
    ]);
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([
      ['unreconciled', null],
      ['unreconciled', 5000n],
    ] as never);
  });

  const covered = { accounts: { BRK1: { type: 'taxable' as const, form: '1099-B' as const } } };

  test('keeps gross proceeds in (d), with the fee under code E', () => {
    const { lines, issues } = books(
      `
      buy 2024-01-02 10 X @700
      sell 2025-06-02 10 X @900 fee 5
      reported_sale 2025-06-02 10 X @900 acquired 2024-01-02 basis 700 box D
    `,
      covered,
    );
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 900.00 - 700.00 E -5.00 = 195.00 long']);
    expect(issues).toEqual([]);
  });

  test('keeps a different basis that went to the IRS in (e), and corrects it under code B', () => {
    const { lines, issues } = books(
      `
      buy 2024-01-02 10 X @700
      sell 2025-06-02 10 X @900 fee 5
      reported_sale 2025-06-02 10 X @900 basis 650 box D
    `,
      covered,
    );
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 900.00 - 650.00 BE -55.00 = 195.00 long']);
    expect(issues.map(({ issue, dollars }) => [issue, dollars])).toEqual([['unreconciled', 5000n]] as never);
  });

  test('has the correct basis in (e), code B and nothing in (g) if a different basis did not go to the IRS', () => {
    const { lines } = books(
      `
      buy 2010-01-04 10 X @700
      sell 2025-06-02 10 X @900
      reported_sale 2025-06-02 10 X @900 basis 650 box E
    `,
      covered,
    );
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 900.00 - 700.00 B 0.00 = 200.00 long']);
  });

  test('is in the correct part under code T if its term differs', () => {
    const { lines } = books(
      `
      buy 2024-01-02 10 X @700
      sell 2025-06-02 10 X @900
      reported_sale 2025-06-02 10 X @900 basis 700 box A term short
    `,
      covered,
    );
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 900.00 - 700.00 T 0.00 = 200.00 long']);
    expect(lines.map(({ disposal }) => disposal.box)).toEqual(['D']);
  });

  test('has code W and our own amount if it has a wash sale amount', () => {
    const reported = 'reported_sale 2025-06-02 10 X @600 basis 700 box D wash 40';
    const history = `
      buy 2024-01-02 10 X @700
      sell 2025-06-02 10 X @600
      ${reported}
    `;
    expect(books(history, covered).lines.map(lineWords)).toEqual([
      '2025-06-02 10 X: 600.00 - 700.00 W 0.00 = -100.00 long',
    ]);
    const { lines, summaries } = books(`${history}\nbuy 2025-06-10 5 X @300`, covered);
    expect(lines.map(lineWords)).toEqual(['2025-06-02 10 X: 600.00 - 700.00 W 50.00 = -50.00 long']);
    expect(summaries[0]?.washSaleDisallowed).toBe(5000n as never);
  });

  test('has the form’s differences allocated over its lines, one form row at a time', () => {
    const { lines } = books(
      `
      buy 2024-01-02 10 X @700
      buy 2024-01-03 20 X @1400
      sell 2025-06-02 30 X @3000 fee 3
      reported_sale 2025-06-02 15 X @1500 basis 1000 box D
      reported_sale 2025-06-02 15 X @1500 basis 1050 box D
    `,
      covered,
    );
    expect(lines.map(lineWords)).toEqual([
      '2025-06-02 10 X: 1000.00 - 666.67 BE -34.33 = 299.00 long',
      '2025-06-02 20 X: 2000.00 - 1383.33 BE -18.67 = 598.00 long',
    ]);
  });

  test('removes its lots only once in an IRA', () => {
    const { lots, lines, issues } = books(
      `
      buy 2024-01-02 20 X @1400 in IRA
      sell 2025-06-02 10 X @900 in IRA
      reported_sale 2025-06-02 10 X @900 in IRA
    `,
      { accounts: { IRA: { type: 'ira' } } },
    );
    expect(lots.map(lotWords)).toEqual(['10 X in IRA 2024-01-02 700.00']);
    expect([lines, issues]).toEqual([[], []]);
  });
});
