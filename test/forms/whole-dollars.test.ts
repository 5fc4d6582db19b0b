import { expect, test } from 'bun:test';
import Papa from 'papaparse';
import type { Cents } from '../../src/base/decimal.ts';
import { printAmount } from '../../src/forms/figures.ts';
import { reportFormat } from '../../src/forms/index.ts';
import { formRows } from '../../src/forms/lines.ts';
import { sumFormRows } from '../../src/forms/pages.ts';
import { scheduleD } from '../../src/forms/schedule-d/schedule-d.ts';
import { books, line, readBytes, readText } from './books.ts';
import { allText, readPdf } from './pdf.ts';

/**
 * With whole dollars, each file has the same rows, and each form the same totals (i8949, "Rounding off to whole
 * dollars").
 */

const lines = [
  line({ box: 'A', proceeds: '100.50', basis: '0.49' }),
  line({ box: 'A', proceeds: '200.50', basis: '300.50', code: 'W', adjustment: '40.50' }),
  line({ box: 'A', proceeds: '0.50', basis: '99.49' }),
  line({ box: 'B', proceeds: '1234.49', basis: '1000.50', code: 'B' }),
];
const year = books(2024, lines, { wholeDollars: true });

const readContent = async (id: string): Promise<string> => readText(reportFormat(id)?.render(year) ?? []);
const readTable = async (id: string): Promise<Record<string, string>[]> =>
  Papa.parse<Record<string, string>>((await readContent(id)).trimEnd(), { header: true, newline: '\r\n' }).data;

const rows = formRows(lines, { wholeDollars: true });
const inDollars = (amount: Cents): string => String(Number(amount) / 100);
const expected = rows.map(({ proceeds, basis, gain }) => [proceeds, basis, gain].map(inDollars));

test('each row is rounded cell by cell, and foots', () => {
  expect(expected).toEqual([
    ['101', '0', '101'],
    ['201', '301', '-59'],
    ['1', '99', '-98'],
    ['1234', '1001', '233'],
  ]);
});

test('the tables contain these rows', async () => {
  const plain = (text = ''): string => String(Number(text));
  const own = (await readTable('csv')).map((row) => [row.Proceeds, row['Cost Basis'], row.Gain].map(plain));
  expect(own).toEqual(expected);
  const taxAct = (await readTable('taxact')).map((row) =>
    [row['Sales Proceeds'], row['Cost or Other Basis']].map(plain),
  );
  expect(taxAct).toEqual(expected.map(([proceeds, basis]) => [proceeds ?? '', basis ?? '']));
  const amounts = [...(await readContent('txf')).matchAll(/^\$([\d.]+)\r\n\$([\d.]+)/gm)];
  expect(amounts.map(([, basis, proceeds]) => [plain(proceeds), plain(basis)])).toEqual(
    expected.map(([proceeds, basis]) => [proceeds ?? '', basis ?? '']),
  );
});

test('Form 8949 and the full report contain these rows, and Schedule D adds the cents before it rounds', async () => {
  const exact = sumFormRows(formRows(lines.slice(0, 3)));
  const total = scheduleD(year).rows.find(({ id }) => id === '1b');
  // 301.50, 400.48 and 40.50 in three rows: the sums of the rounded cells are 303, 400 and 41.
  expect([total?.proceeds, total?.basis, total?.adjustment].map((amount) => inDollars(amount as Cents))).toEqual([
    ...['302', '400', '41'],
  ]);
  expect([exact.proceeds, exact.basis].map(Number)).toEqual([30_150, 40_048]);
  for (const id of ['8949', 'pdf']) {
    const text = allText(await readPdf(await readBytes(reportFormat(id)?.render(year) ?? [])));
    for (const { proceeds, basis, gain } of rows)
      for (const amount of [proceeds, basis, gain]) expect(text).toContain(printAmount(amount, true));
    expect(text).toContain(printAmount(total?.proceeds ?? (0n as Cents), true));
    expect(text).not.toContain('.50');
    expect(text).not.toContain('.49');
  }
});
