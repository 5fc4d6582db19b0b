import { describe, expect, test } from 'bun:test';
import { type Books, books, lineWords, lotWords, stakeText } from '../support/ledger.ts';

function boxed({ lines }: Books): string[] {
  return lines.map((line) => `${line.disposal.box} ${lineWords(line)}`);
}

function asked({ issues }: Books): string[] {
  return issues.map(({ issue, dollars }) => `${issue} ${stakeText(dollars)}`);
}

test('a loss line next to an earlier sale is in the box that a form states for that sale', () => {
  const { lines } = books(
    `
    buy 2023-12-01 10 X @100
    sell 2023-12-04 10 X @110
    buy 2023-12-04 10 X @200
    reported_sale 2023-12-04 10 X @110 box B
    sell 2023-12-05 10 X @150
  `,
    { washSoldBefore: 'include' },
  );
  expect(lines.map(lineWords)).toEqual([
    '2023-12-04 10 X: 110.00 - 100.00 = 10.00 short',
    '2023-12-04 0 X: 0.00 - 50.00 = -50.00 short',
    '2023-12-05 10 X: 150.00 - 200.00 W 50.00 = 0.00 short',
  ]);
  expect(lines.map(({ disposal }) => disposal.box)).toEqual(['B', 'B', 'C']);
});

test('a sale that only a form reports, without its proceeds, raises one issue', () => {
  const { issues } = books(`
    buy 2023-12-01 10 X @100
    reported_sale 2023-12-04 10 X box B
  `);
  expect(issues.map(({ issue }) => issue)).toEqual(['value_missing']);
});

describe('a form for held units without a sale in the history', () => {
  test('identifies its lots by acquisition date, each in its box', () => {
    const result = books(`
      buy 2022-01-03 100 X @1000
      buy 2024-01-02 100 X @2000
      reported_sale 2024-06-03 50 X @1500 acquired 2024-01-02 basis 1000 box A term short
      reported_sale 2024-06-03 50 X @1500 acquired 2022-01-03 basis 500 box D term long
    `);
    expect(boxed(result)).toEqual([
      'D 2024-06-03 50 X: 1500.00 - 500.00 = 1000.00 long',
      'A 2024-06-03 50 X: 1500.00 - 1000.00 = 500.00 short',
    ]);
    expect(result.lines.map(({ disposal }) => disposal.identified)).toEqual(['identified', 'identified']);
    expect(asked(result)).toEqual([]);
  });

  test('sells the lots that the method chooses if it identifies a missing lot, and raises an issue', () => {
    const result = books(`
      buy 2022-01-03 100 X @1000
      reported_sale 2024-06-03 50 X @1500 acquired 2024-01-02 basis 1000 box A term short
    `);
    expect(boxed(result)).toEqual(['D 2024-06-03 50 X: 1500.00 - 1000.00 BT 500.00 = 1000.00 long']);
    expect(asked(result)).toEqual(['lot_not_found unknown', 'unreconciled 500.00']);
  });

  test('shows its basis and its wash sale amount, and the amounts from the history', () => {
    const result = books(`
      buy 2024-01-02 100 X @1000
      reported_sale 2024-06-03 100 X @600 acquired 2024-01-02 basis 990 box A wash 100 term short
    `);
    expect(boxed(result)).toEqual(['A 2024-06-03 100 X: 600.00 - 990.00 BW -10.00 = -400.00 short']);
    expect(asked(result)).toEqual(['unreconciled 10.00']);
  });

  test('sells the only lot without an issue even if its date differs', () => {
    const result = books(`
      buy 2024-01-02 100 X @1000
      reported_sale 2024-06-03 100 X @600 acquired 2024-01-03 basis 1000 box A
    `);
    expect(boxed(result)).toEqual(['A 2024-06-03 100 X: 600.00 - 1000.00 = -400.00 short']);
    expect([asked(result), result.lots]).toEqual([[], []]);
  });

  test('sells the lots with its date, and its other units are used on their own', () => {
    const result = books(`
      buy 2022-01-03 30 X @300
      buy 2024-01-02 10 X @200
      reported_sale 2024-06-03 50 X @1500 acquired 2024-01-02 basis 1000 box A term short
    `);
    expect(boxed(result)).toEqual([
      'A 2024-06-03 10 X: 300.00 - 200.00 = 100.00 short',
      'A 2024-06-03 40 X: 1200.00 - 800.00 = 400.00 short',
    ]);
    expect(result.lots.map(lotWords)).toEqual(['30 X in BRK1 2022-01-03 300.00']);
    expect(asked(result)).toEqual(['unreconciled unknown']);
  });

  test('leaves other lots alone if its units were acquired before the history begins', () => {
    const result = books(`
      reinvest 2023-11-15 5 VOO @250
      reported_sale 2024-06-03 100 VOO @5200 acquired 2015-01-02 basis 1000 box D
      reported_sale 2024-06-03 5 VOO @260 acquired 2023-11-15 basis 250 box A
    `);
    expect(boxed(result)).toEqual([
      'D 2024-06-03 100 VOO: 5200.00 - 1000.00 = 4200.00 long',
      'A 2024-06-03 5 VOO: 260.00 - 250.00 = 10.00 short',
    ]);
    expect([asked(result), result.lots]).toEqual([[], []]);
  });

  test('sells as many lots as there are if it states no dates', () => {
    const result = books(`
      buy 2022-01-03 30 X @300
      reported_sale 2024-06-03 50 X @1500 basis 1000 box D
    `);
    expect(boxed(result)).toEqual([
      'D 2024-06-03 30 X: 900.00 - 600.00 B 300.00 = 600.00 long',
      'D 2024-06-03 20 X: 600.00 - 400.00 = 200.00 long',
    ]);
    expect(result.lots).toEqual([]);
    expect(asked(result)).toEqual(['unreconciled unknown', 'unreconciled 300.00']);
  });

  test('removes the units without a line in an IRA', () => {
    const result = books(
      `
      buy 2022-01-03 30 X @300 in IRA
      reported_sale 2024-06-03 50 X @1500 in IRA
    `,
      { accounts: { IRA: { type: 'ira' } } },
    );
    expect([result.lines, result.lots]).toEqual([[], []]);
  });
});

describe('the loss on a sale that only a form reports', () => {
  test('is denied by a purchase in another account, which takes over its basis and its period', () => {
    const result = books(`
      reported_sale 2025-06-03 100 X @600 acquired 2024-01-02 basis 1000 box D
      buy 2025-06-10 100 X @620 in BRK2
    `);
    expect(boxed(result)).toEqual(['D 2025-06-03 100 X: 600.00 - 1000.00 W 400.00 = 0.00 long']);
    expect(result.lots.map(lotWords)).toEqual(['100 X in BRK2 2025-06-10 since 2024-01-09 1020.00']);
    expect(asked(result)).toEqual([]);
  });

  test('has its replacement in that account if the form reports a wash sale, so no other purchase replaces it', () => {
    const result = books(`
      reported_sale 2025-06-03 100 X @600 acquired 2025-01-02 basis 1000 box A wash 300
      buy 2025-06-10 100 X @620 in BRK2
    `);
    expect(boxed(result)).toEqual(['A 2025-06-03 100 X: 600.00 - 1000.00 W 300.00 = -100.00 short']);
    expect(result.lots.map(lotWords)).toEqual(['100 X in BRK2 2025-06-10 620.00']);
    expect(result.summaries[0]?.washSaleDisallowed).toBe(30000n as never);
    expect(asked(result)).toEqual([]);
  });

  test('is not denied beyond its amount or for a gain, and cents count as rounding', () => {
    const result = books(`
      reported_sale 2025-06-03 100 W @600 acquired 2025-01-02 basis 1000 box A wash 400.01
      reported_sale 2025-06-03 100 X @600 acquired 2025-01-02 basis 1000 box A wash 500
      reported_sale 2025-06-03 100 Y @1600 acquired 2025-01-02 basis 1000 box A wash 50
    `);
    expect(boxed(result)).toEqual([
      'A 2025-06-03 100 W: 600.00 - 1000.00 W 400.00 = 0.00 short',
      'A 2025-06-03 100 X: 600.00 - 1000.00 W 400.00 = 0.00 short',
      'A 2025-06-03 100 Y: 1600.00 - 1000.00 W 0.00 = 600.00 short',
    ]);
    expect(asked(result)).toEqual(['unreconciled 100.00', 'unreconciled 50.00']);
    expect(result.summaries[0]?.washSaleDisallowed).toBe(80000n as never);
  });

  test('is not a wash sale for coins, regardless of the form', () => {
    const result = books(
      'reported_sale 2025-06-03 1 BTC class crypto @600 acquired 2025-01-02 basis 1000 box G wash 400',
    );
    expect(boxed(result)).toEqual(['G 2025-06-03 1 BTC: 600.00 - 1000.00 W 0.00 = -400.00 short']);
    expect(asked(result)).toEqual(['unreconciled 400.00']);
  });
});

describe('the term that a form shows', () => {
  test('may be that of its box: the sale is in the correct part under code T', () => {
    const result = books(`
      buy 2024-01-02 100 X @1000
      sell 2025-06-03 100 X @1600
      reported_sale 2025-06-03 100 X @1600 acquired 2024-01-02 basis 1000 box A
    `);
    expect(boxed(result)).toEqual(['D 2025-06-03 100 X: 1600.00 - 1000.00 T 0.00 = 600.00 long']);
  });

  test.each(['box A term short', 'box A', 'term short box D'])('does not follow from its own dates: %s', (shown) => {
    const result = books(`reported_sale 2025-06-03 100 X @1600 acquired 2024-01-02 basis 1000 ${shown}`);
    expect(boxed(result)).toEqual(['D 2025-06-03 100 X: 1600.00 - 1000.00 T 0.00 = 600.00 long']);
    expect(asked(result)).toEqual(['unreconciled 600.00']);
  });

  test('may be longer than its own dates, for inherited shares and shares that took on a loss', () => {
    const result = books('reported_sale 2024-07-10 100 X @1600 acquired 2024-05-01 basis 1000 box D term long');
    expect(boxed(result)).toEqual(['D 2024-07-10 100 X: 1600.00 - 1000.00 = 600.00 long']);
    expect(asked(result)).toEqual([]);
  });

  test('counts if the form has no date', () => {
    expect(boxed(books('reported_sale 2025-06-03 100 X @1600 basis 1000 box D'))).toEqual([
      'D 2025-06-03 100 X: 1600.00 - 1000.00 = 600.00 long',
    ]);
    expect(boxed(books('reported_sale 2025-06-03 100 X @1600 basis 1000 box A term long'))).toEqual([
      'D 2025-06-03 100 X: 1600.00 - 1000.00 = 600.00 long',
    ]);
  });

  test('is not shown by the box of a sale that no form reports', () => {
    expect(boxed(books('reported_sale 2025-06-03 100 X @1600 acquired 2024-01-02 basis 1000 box C'))).toEqual([
      'F 2025-06-03 100 X: 1600.00 - 1000.00 = 600.00 long',
    ]);
  });
});

describe('a sale of the history that a form states differently', () => {
  const form = (on: string, more = ''): string =>
    `reported_sale ${on} 10 X @700 acquired 2023-03-01 basis 1000 box D${more}`;

  test('counts once if the dates differ by up to five days, and raises an issue', () => {
    for (const [day, lag] of [
      '05-29',
      '05-30',
      '05-31',
      '06-01',
      '06-02',
      '06-03',
      '06-04',
      '06-05',
      '06-06',
      '06-07',
      '06-08',
    ].entries()) {
      const result = books(`
        buy 2023-03-01 10 X @1000
        sell 2024-06-03 10 X @700
        ${form(`2024-${lag}`)}
      `);
      expect(boxed(result)).toEqual(['D 2024-06-03 10 X: 700.00 - 1000.00 = -300.00 long']);
      expect(asked(result)).toEqual(day === 5 ? [] : ['unreconciled 1000.00']);
    }
  });

  test.each([
    ['2024-06-09', '@700', ['2024-06-03']],
    ['2024-06-13', '@700', ['2024-06-03']],
    ['2024-05-24', '@699.20', ['2024-06-03']],
    ['2024-06-14', '@700', ['2024-06-03', '2024-06-14']],
    ['2024-06-09', '@690', ['2024-06-03', '2024-06-09']],
  ])('counts once up to ten days from the form if quantity and amount match: %s %s', (on, amount, days) => {
    const result = books(`
      buy 2023-03-01 20 X @2000
      sell 2024-06-03 10 X @700
      ${form(on).replace('@700', amount)}
    `);
    expect(boxed(result).map((line) => line.slice(2, 12))).toEqual(days);
    if (days.length === 1) expect(asked(result)).toEqual(['unreconciled 1000.00']);
  });

  test('keeps its form when another form row dates its own sale exactly', () => {
    const result = books(`
      buy 2023-03-01 20 X @2000
      sell 2024-06-03 10 X @700
      sell 2024-06-04 10 X @800
      ${form('2024-06-04').replace('@700', '@800')}
      ${form('2024-06-05')}
    `);
    expect(boxed(result)).toEqual([
      'D 2024-06-03 10 X: 700.00 - 1000.00 = -300.00 long',
      'D 2024-06-04 10 X: 800.00 - 1000.00 = -200.00 long',
    ]);
    expect(asked(result)).toEqual(['unreconciled 1000.00']);
  });

  test('has no line and no issue in an IRA', () => {
    const result = books(
      `
      buy 2023-03-01 20 X @2000
      sell 2024-06-03 10 X @700
      ${form('2024-06-04')}
    `,
      { accounts: { BRK1: { type: 'ira' } } },
    );
    expect([result.lines, asked(result)]).toEqual([[], []]);
    expect(result.lots.map(lotWords)).toEqual(['10 X in BRK1 2023-03-01 1000.00']);
  });

  test('is the sale in its own account if that account holds the units', () => {
    const result = books(`
      buy 2023-03-01 10 X @1000
      buy 2023-03-01 10 X @1000 in BRK2
      sell 2024-06-03 10 X @700
      ${form('2024-06-03', ' in BRK2')}
    `);
    expect(result.lines.map(({ disposal }) => disposal.account)).toEqual(['BRK1', 'BRK2']);
  });
});
