import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Messages } from '../../src/commands/report/messages.ts';
import { readBooks, readReportRequest } from '../../src/commands/report/report.ts';
import { summaryReport } from '../../src/commands/report/summary.ts';
import { listWarnings } from '../../src/forms/draft.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { missingBasisText } from '../../src/forms/missing-basis.ts';
import { dataFolder } from '../support/process.ts';
import { recordsOf } from './books.ts';
import { allText, readPdf } from './pdf.ts';

/** A year in which $4,000.00 of the gain depends on missing cost basis, in every format. */
const folder = dataFolder();
afterAll(() => folder.remove());

const rows = {
  'shares that were never bought': ['2024-05-01,sell,Broker,GONE,10,4000.00,,stock'],
  'a deposit of unknown origin': [
    '2024-03-01,deposit,Broker,GONE,10,,,stock',
    '2024-05-01,sell,Broker,GONE,10,4000.00,,stock',
  ],
  'a deposit that moved on to another account': [
    '2024-03-01,deposit,Other,GONE,10,,,stock',
    '2024-04-01,transfer,Other,GONE,10,,Broker,stock',
    '2024-05-01,sell,Broker,GONE,10,4000.00,,stock',
  ],
  'a deposit whose shares were split': [
    '2024-03-01,deposit,Broker,GONE,5,,,stock',
    '2024-04-01,split,Broker,GONE,5,,,stock',
    '2024-05-01,sell,Broker,GONE,10,4000.00,,stock',
  ],
} as const;
const known = ['2023-01-02,buy,Broker,KNOWN,1,100.00,,stock', '2024-06-03,sell,Broker,KNOWN,1,350.00,,stock'];
const sentence = '$4,000.00 of the gain of 2024 depends on missing cost basis: 1 line counts a cost of zero.';

async function render(of: readonly string[], format: string) {
  const path = join(folder.path, 'rows.csv');
  writeFileSync(path, ['date,type,account,asset,quantity,amount,to_account,asset_class', ...known, ...of].join('\n'));
  const order = readReportRequest([path, '--year', '2024', '--format', format]);
  const books = await readBooks(order, new Messages());
  const bytes = Buffer.concat(await Array.fromAsync(order.format.render(books)));
  return { books, bytes: new Uint8Array(bytes), text: bytes.toString('utf8') };
}

describe.each(Object.entries(rows))('the line of %s', (_what, of) => {
  test('has no acquisition date and no term in JSON, and the summary states the affected amount', async () => {
    const { text } = await render(of, 'json');
    const { lines, summary } = JSON.parse(text);
    const line = lines.find(({ asset }: { asset: string }) => asset === 'GONE');
    expect(line).toMatchObject({ acquired: null, heldSince: null, term: null, basisUnknown: true, gain: '4000.00' });
    expect(lines.find(({ asset }: { asset: string }) => asset === 'KNOWN')).toMatchObject({
      acquired: '2023-01-02',
      term: 'long',
    });
    expect(summary.missingBasis).toMatchObject({ gain: '4000.00', proceeds: '4000.00', count: 1 });
    expect(summary.total.gain).toBe('4250.00');
  });

  test('is marked in each table', async () => {
    const line = recordsOf((await render(of, 'csv')).text).find(({ Description }) => Description === '10 sh. GONE');
    expect(line).toMatchObject({
      ...{ Box: 'C', 'Date Acquired': 'UNKNOWN', 'Date Sold': '05/01/2024', Proceeds: '4000.00', 'Cost Basis': '0.00' },
      ...{ Gain: '4000.00', Term: 'unknown' },
    });
    expect(Object.entries(line ?? {}).find(([head]) => head.startsWith('DRAFT'))?.[1]).toBe(
      'DRAFT: cost basis missing',
    );
    expect((await render(of, 'turbotax')).text).toMatch(
      /GONE \(DRAFT: \d open issues?; cost basis missing\),,0\.00,05\/01\/2024/,
    );
    expect((await render(of, 'taxact')).text).toMatch(/10 sh\. GONE,VARIOUS,.*cost basis missing/);
    expect((await render(of, 'txf')).text).toContain('P10 sh. GONE\r\nD\r\nD05/01/2024');
    const fdx = (await render(of, 'fdx')).text;
    expect(fdx.slice(fdx.indexOf('10 sh. GONE')).split('}')[0]).not.toContain('dateAcquired');
  });

  test('is marked on the form and in the full report, with the sentence on the cover', async () => {
    const form = allText(await readPdf((await render(of, '8949')).bytes));
    expect(form).toContain('UNKNOWN');
    expect(form).toContain('MISSING');
    const full = allText(await readPdf((await render(of, 'pdf')).bytes));
    expect(full).toContain(sentence);
    expect(full).toContain('MISSING');
  });

  test('is in the warnings of every format and in the totals of the command line', async () => {
    const { books } = await render(of, 'json');
    for (const format of reportFormats) expect(listWarnings(format, books)).toContain(sentence);
    const summary = Buffer.concat(await Array.fromAsync(summaryReport.render(books))).toString();
    expect(summary).toContain(sentence);
  });
});

test('an airdrop without a value keeps its date and term, and its basis is missing', async () => {
  const of = ['2022-02-01,airdrop,Broker,GONE,10,,,crypto', '2024-05-01,sell,Broker,GONE,10,4000.00,,crypto'];
  const { text, books } = await render(of, 'json');
  const line = JSON.parse(text).lines.find(({ asset }: { asset: string }) => asset === 'GONE');
  expect(line).toMatchObject({ acquired: '2022-02-01', term: 'long', basisUnknown: true });
  expect(missingBasisText(books.summary)).toBe(sentence);
});

test('a year whose lines all have a basis has no such sentence', async () => {
  const { books } = await render([], 'json');
  expect(missingBasisText(books.summary)).toBeNull();
});
