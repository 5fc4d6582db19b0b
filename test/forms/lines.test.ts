import { describe, expect, test } from 'bun:test';
import { type Cents, formatCents } from '../../src/base/decimal.ts';
import { printCents, printDollars, roundToDollars } from '../../src/forms/figures.ts';
import { formatFormCells, formRow, formRows } from '../../src/forms/lines.ts';
import { eachPage, sumFormRows } from '../../src/forms/pages.ts';
import { scheduleD } from '../../src/forms/schedule-d/schedule-d.ts';
import { books, cents, line } from './books.ts';
import { golden } from './shared.ts';

function cells(words: Parameters<typeof line>[0]): readonly string[] {
  return formatFormCells(formRow([line(words)]), false);
}

describe('amounts on forms', () => {
  test('thousands have commas and negatives are in parentheses', () => {
    expect([cents('1234.5'), cents('-1234567.89'), cents('0'), cents('-0.07')].map(printCents)).toEqual([
      '1,234.50',
      '(1,234,567.89)',
      '0.00',
      '(0.07)',
    ]);
  });

  test('whole dollars round half up on the magnitude', () => {
    const rounded = ['1.49', '1.50', '-1.50', '-1.49', '999.50'].map((text) =>
      printDollars(roundToDollars(cents(text))),
    );
    expect(rounded).toEqual(['1', '2', '(2)', '(1)', '1,000']);
  });
});

describe('the columns of a line', () => {
  test('a share sale fills (a) to (h)', () => {
    expect(cells({ proceeds: '1234.50', basis: '2000', code: 'W', adjustment: '100', box: 'A' })).toEqual([
      '100 sh. XYZ',
      '02/01/2024',
      '06/03/2024',
      '1,234.50',
      '2,000.00',
      'W',
      '100.00',
      '(665.50)',
    ]);
  });

  test('a digital asset shows its exact units, an option its contracts', () => {
    expect(cells({ asset: 'BTC', assetClass: 'crypto', quantity: '0.000000000000000001' })[0]).toBe(
      '0.000000000000000001 BTC',
    );
    expect(cells({ asset: 'JJJ 2025-12-19 C 50', assetClass: 'option', quantity: '10' })[0]).toBe(
      '10 contr. JJJ 12/19/2025 C 50',
    );
  });

  test('a stated description is kept', () => {
    expect(cells({ quantity: '0', more: { description: 'RC nondividend distribution' } })[0]).toBe(
      'RC nondividend distribution',
    );
  });

  test('inherited property shows INHERITED, an unknown date VARIOUS', () => {
    expect(cells({ more: { inherited: true } })[1]).toBe('INHERITED');
    expect(cells({ more: { acquiredVarious: true } })[1]).toBe('VARIOUS');
  });

  test('an expired option shows EXPIRED, in (d) for the holder and in (e) for the writer', () => {
    const holder = cells({ proceeds: '0', basis: '4000', more: { expired: 'proceeds' } });
    expect([holder[3], holder[4], holder[7]]).toEqual(['EXPIRED', '4,000.00', '(4,000.00)']);
    const writer = cells({
      acquired: '2025-12-19',
      sold: '2025-04-08',
      proceeds: '4000',
      basis: '0',
      more: { expired: 'basis' },
    });
    expect(writer.slice(1)).toEqual(['12/19/2025', '04/08/2025', '4,000.00', 'EXPIRED', '', '', '4,000.00']);
  });

  test('a tacked date is in (b) only if it determines the term', () => {
    const decides = line({ box: 'D', acquired: '2024-01-10', heldSince: '2023-01-10', sold: '2024-06-03' });
    const idle = line({ box: 'C', acquired: '2024-01-10', heldSince: '2023-12-10', sold: '2024-06-03' });
    expect([decides, idle].map((one) => formRow([one]).acquired)).toEqual(['01/10/2023', '01/10/2024']);
    expect(formRow([idle], { columnB: 'held' }).acquired).toBe('12/10/2023');
    expect(formRow([decides], { columnB: 'trade' }).acquired).toBe('01/10/2024');
  });

  test('a short sale shows the acquisition date of the delivered property, for either term', () => {
    const short = line({
      box: 'F',
      acquired: '2025-03-10',
      heldSince: '2022-03-01',
      sold: '2025-03-10',
      more: { shortSale: true },
    });
    expect(formRow([short]).acquired).toBe('03/10/2025');
  });

  test('codes are alphabetical, and -0- is in (g) if no code adjusts the gain', () => {
    expect(cells({ code: 'WB', adjustment: '950' })[5]).toBe('BW');
    expect(cells({ code: 'T' }).slice(5, 7)).toEqual(['T', '-0-']);
    expect(cells({}).slice(5, 7)).toEqual(['', '']);
  });

  test('the lots of one sale make one row if requested, with VARIOUS if their dates differ', () => {
    const rows = formRows(
      [
        line({ id: 's1/0', acquired: '2024-01-02', quantity: '10' }),
        line({ id: 's1/1', acquired: '2024-01-09', quantity: '5.5' }),
        line({ id: 's2/0' }),
      ],
      { merge: 'sale' },
    );
    expect(rows.map((row) => [row.description, row.acquired, printCents(row.gain)])).toEqual([
      ['15.5 sh. XYZ', 'VARIOUS', '200.00'],
      ['100 sh. XYZ', '02/01/2024', '100.00'],
    ]);
  });
});

describe('pages', () => {
  test('boxes are in the order of the parts, and lines stay in order', () => {
    const rows = formRows((['L', 'A', 'D', 'I', 'A'] as const).map((box, index) => line({ box, asset: `S${index}` })));
    expect(rows.map((row) => `${row.box}${row.lines[0].disposal.asset}`)).toEqual(['AS1', 'AS4', 'IS3', 'DS2', 'LS0']);
  });

  test('2025 has 11 rows a page, and earlier years have 14', () => {
    const lengths = (year: number): number[] =>
      [...eachPage(formRows(Array.from({ length: 30 }, () => line({ box: 'C' }))), year)].map(
        (page) => page.rows.length,
      );
    expect([lengths(2022), lengths(2024), lengths(2025), lengths(2026)]).toEqual([
      [14, 14, 2],
      [14, 14, 2],
      [11, 11, 8],
      [11, 11, 8],
    ]);
  });

  test('the golden case of 30 rows in box I makes pages of 11, 11 and 8', () => {
    const worked = golden('fm10');
    if (worked === undefined) return;
    const rows = formRows(Array.from({ length: 30 }, () => line({ box: 'I' })));
    expect([...eachPage(rows, 2025)].map((page) => page.rows.length)).toEqual(
      worked.expected.summary.pages as number[],
    );
  });
});

describe('whole dollars', () => {
  test('each row foots, and Schedule D is rounded from the cents', () => {
    const worked = golden('fm08');
    if (worked === undefined) return;
    const lines = worked.transactions.map((row) => line({ proceeds: String(row.proceeds), basis: String(row.basis) }));
    const rows = formRows(lines, { wholeDollars: true });
    const dollars = (amount: Cents): string => formatCents(amount).replace('.00', '');
    const printed = rows.map((row) => ({ d: dollars(row.proceeds), e: dollars(row.basis), h: dollars(row.gain) }));
    expect(printed).toEqual(worked.expected.disposals.map((row) => row.rounded as (typeof printed)[number]));
    const { summary } = worked.expected;
    const total = scheduleD(books(2024, lines, { wholeDollars: true })).rows.find((row) => row.id === '3');
    expect([total?.proceeds, total?.basis, total?.gain].map((amount) => dollars(amount ?? (0n as Cents)))).toEqual([
      summary.total_d_rounded,
      summary.total_e_rounded,
      summary.total_h_rounded,
    ] as string[]);
    expect(dollars(sumFormRows(rows).proceeds)).toBe(String(summary.sum_of_rounded_d));
    const exact = sumFormRows(formRows(lines));
    expect([exact.proceeds, exact.basis, exact.gain].map(formatCents)).toEqual(
      [summary.total_d, summary.total_e, summary.total_h].map(String),
    );
  });

  test('a fully washed loss stays zero, with rounding on and off', () => {
    const washed = line({ proceeds: '100.50', basis: '200.00', code: 'W', adjustment: '99.50' });
    expect(formatFormCells(formRow([washed]), false).slice(3)).toEqual(['100.50', '200.00', 'W', '99.50', '0.00']);
    expect(formatFormCells(formRow([washed], { wholeDollars: true }), true).slice(3)).toEqual([
      '101',
      '200',
      'W',
      '99',
      '0',
    ]);
  });

  test('a partly washed loss foots', () => {
    const washed = line({ proceeds: '100.50', basis: '300.00', code: 'W', adjustment: '99.50' });
    const row = formRow([washed], { wholeDollars: true });
    expect(formatFormCells(row, true).slice(3)).toEqual(['101', '300', 'W', '100', '(99)']);
  });
});
