import { describe, expect, test } from 'bun:test';
import Papa from 'papaparse';
import { csvReport } from '../../src/forms/exports/csv.ts';
import { taxactReport } from '../../src/forms/exports/taxact.ts';
import { turbotaxReport } from '../../src/forms/exports/turbotax.ts';
import type { ReportBooks, ReportFormat } from '../../src/forms/report.ts';
import { books, line, readText } from './books.ts';

async function records(format: ReportFormat, of: ReportBooks): Promise<string[][]> {
  const text = await readText(format.render(of));
  expect(text.endsWith('\r\n')).toBe(true);
  const { data, errors } = Papa.parse<string[]>(text.slice(0, -2), { newline: '\r\n' });
  expect(errors).toEqual([]);
  return data;
}

describe('our own CSV', () => {
  test('has a row for each line of Form 8949, with plain numbers', async () => {
    const washed = line({ box: 'A', proceeds: '1234567.5', basis: '2000000', code: 'W', adjustment: '0.01' });
    expect(await records(csvReport, books(2024, [washed, line({ box: 'F', more: { inherited: true } })]))).toEqual([
      [
        'Box',
        'Description',
        'Date Acquired',
        'Date Sold',
        'Proceeds',
        'Cost Basis',
        'Code',
        'Adjustment',
        'Gain',
        'Term',
      ],
      ['A', '100 sh. XYZ', '02/01/2024', '06/03/2024', '1234567.50', '2000000.00', 'W', '0.01', '-765432.49', 'short'],
      ['F', '100 sh. XYZ', 'INHERITED', '06/03/2024', '1000.00', '900.00', '', '0.00', '100.00', 'long'],
    ]);
  });

  test('quotes cells that need it', async () => {
    const odd = line({ more: { description: 'Say "hi", then\r\nleave' } });
    expect((await records(csvReport, books(2024, [odd])))[1]?.[1]).toBe('Say "hi", then\r\nleave');
  });
});

describe('TurboTax', () => {
  test('has five columns, with our own gain', async () => {
    const washed = line({
      box: 'C',
      asset: 'BTC',
      assetClass: 'crypto',
      proceeds: '100',
      basis: '150',
      code: 'W',
      adjustment: '20',
    });
    expect(await records(turbotaxReport, books(2024, [washed]))).toEqual([
      ['Currency Name', 'Purchase Date', 'Cost Basis', 'Date Sold', 'Proceeds'],
      ['BTC', '02/01/2024', '130.00', '06/03/2024', '100.00'],
    ]);
    expect(turbotaxReport.warnings?.(books(2024, [washed]))).toHaveLength(1);
    expect(turbotaxReport.warnings?.(books(2024, [line()]))).toEqual([]);
  });
});

describe('TaxAct', () => {
  test('has the expected column names, one row per sale, and the box as reporting category', async () => {
    const lines = [
      line({ box: 'A', code: 'W', adjustment: '20', proceeds: '100', basis: '150' }),
      line({ box: 'K', asset: 'BTC', more: { acquiredVarious: true } }),
    ];
    expect(await records(taxactReport, books(2025, lines))).toEqual([
      [
        'Description',
        'Date Acquired',
        'Date Sold',
        'Sales Proceeds',
        'Cost or Other Basis',
        'Adjustment Code',
        'Adjustment Amount',
        'Reporting Category',
        'Long/Short',
      ],
      ['100 sh. XYZ', '02/01/2024', '06/03/2024', '100.00', '150.00', 'W', '20.00', 'A', 'Short'],
      ['100 BTC', 'VARIOUS', '06/03/2024', '1000.00', '900.00', '', '', 'F', 'Long'],
    ]);
  });

  test('lists unsupported lines', () => {
    expect(taxactReport.warnings?.(books(2025, [line({ box: 'K' })]))?.join()).toContain('boxes G–L');
    const large = { choices: { linesMax: 2001 } };
    expect(taxactReport.warnings?.(books(2025, [line()], large))?.join()).toContain('at most 2000');
  });
});

describe('a spreadsheet runs nothing', () => {
  test('text that begins like a formula is escaped in every CSV, but numbers never are', async () => {
    for (const format of [csvReport, turbotaxReport, taxactReport]) {
      for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20']) {
        const evil = line({
          asset: `${start}HYPERLINK("x")`,
          proceeds: '-5',
          more: { description: `${start}HYPERLINK("x")` },
        });
        const [, row = []] = await records(format, books(2024, [evil]));
        expect(row.filter((cell) => /^[=+@\t\r\n\uff1d\uff0b\uff0d\uff20]|^-(?!\d)/.test(cell))).toEqual([]);
        expect(row.some((cell) => cell === '-5.00')).toBe(true);
      }
    }
  });
});
