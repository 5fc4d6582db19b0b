import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Refusal } from '../../src/base/refusal.ts';
import { listParts, openTable } from '../../src/formats/containers/container.ts';
import { readFile } from '../../src/formats/read.ts';
import { draws } from '../support/depth.ts';
import {
  type Cell,
  dayStyle,
  firstFormat,
  instantStyle,
  type SheetRows,
  timeStyle,
  workbook,
  workbookFiles,
  zip,
} from '../support/workbook.ts';

const trades = `date,type,account,asset,quantity,amount
2024-01-05,buy,Schwab,AAPL,10,1500.50
2024-03-05,sell,Schwab,AAPL,4,700
`;
const more = `date,type,account,asset,quantity,amount
2024-02-01,buy,Fidelity,KO,3,180
`;

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> => new Blob([Uint8Array.from(bytes)]).stream();
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function textOf(bytes: Uint8Array, part?: string): Promise<string> {
  return new Response((await openTable(streamOf(bytes), part)).content).text();
}

async function read(bytes: Uint8Array, part?: string, fileName?: string) {
  const stated = { ...(part === undefined ? {} : { part }), ...(fileName === undefined ? {} : { fileName }) };
  const drafts = [];
  let end: { read: number; skipped: number; rejected: number; rows: number } | undefined;
  for await (const batch of readFile(streamOf(bytes), { timeZone: 'UTC', ...stated })) {
    if (batch.kind === 'outcomes')
      for (const outcome of batch.outcomes) if (outcome.kind === 'read') drafts.push(...outcome.drafts);
    if (batch.kind === 'end') end = batch;
  }
  if (end === undefined) throw new Error('The file has no end.');
  return { drafts, end };
}

async function refusal(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw new Error(`Expected a refusal, not ${String(error)}`);
  return error;
}

/** Returns the records of a CSV as cells, with numbers as numbers. */
const cellsOf = (csv: string): Cell[][] =>
  csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',').map((cell) => (/^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell)));

describe('a table in a ZIP or gzip', () => {
  test('reads like the table itself', async () => {
    const plain = await read(bytesOf(trades));
    expect(plain.drafts).toHaveLength(2);
    const inZip = await zip({ 'trades.csv': trades });
    const ways = [
      gzipSync(trades),
      inZip,
      gzipSync(inZip),
      await zip({ 'trades.csv.gz': gzipSync(trades) }),
      await zip({ 'inner.zip': inZip }),
      await zip({ '__MACOSX/._trades.csv': 'x', '.DS_Store': 'x', 'export/trades.csv': trades }),
    ];
    for (const way of ways) expect(await read(way)).toEqual(plain);
  });

  test('is chosen by its name if there are several', async () => {
    const bytes = await zip({ 'a.csv': trades, 'b.zip': await zip({ 'c.csv': more }) });
    expect(await listParts(streamOf(bytes))).toEqual(['a.csv', 'b.zip/c.csv']);
    const asked = await refusal(read(bytes));
    expect(asked.code).toBe('ambiguous_file');
    expect(asked.more.members).toEqual({
      parameter: 'part',
      readings: [
        { value: 'a.csv', reads: 'the table "a.csv"' },
        { value: 'b.zip/c.csv', reads: 'the table "b.zip/c.csv"' },
      ],
    });
    expect((await read(bytes, 'b.zip/c.csv')).drafts.map(({ asset }) => asset)).toEqual(['KO']);
    expect((await refusal(read(bytes, 'd.csv'))).detail).toBe(
      'The file has no part "d.csv". It contains "a.csv", "b.zip/c.csv".',
    );
    expect((await refusal(read(bytesOf(trades), 'a.csv'))).code).toBe('invalid');
    expect(await listParts(streamOf(bytesOf(trades)))).toBeNull();
  });

  test('is refused with a sentence if it cannot be read', async () => {
    const whole = await zip({ 'trades.csv': trades });
    const encrypted = whole.slice();
    for (let at = 0; at + 10 < encrypted.length; at++)
      if (encrypted[at] === 0x50 && encrypted[at + 1] === 0x4b && encrypted[at + 2] === 1) encrypted[at + 8] = 1;
    const broken = whole.slice();
    broken[45] = (broken[45] ?? 0) ^ 0xff;
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [whole.slice(0, 60), 'The file is not a ZIP, or it is truncated.'],
      [broken, 'The ZIP is damaged or truncated.'],
      [encrypted, '"trades.csv" has a password. Save it without one.'],
      [gzipSync(trades).subarray(0, 40), 'The gzip file is damaged or truncated.'],
      [await zip({}), 'The file contains no table.'],
      [
        await zip({ 'a.zip': await zip({ 'b.zip': whole }) }),
        '"a.zip/b.zip" is a file in a ZIP in a ZIP. Unzip the outer one.',
      ],
      [
        await zip({ 'word/document.xml': '<a/>' }),
        'This is a Word document. Save it as an Excel workbook (.xlsx) or as CSV.',
      ],
      [
        await zip({ 'content.xml': '<a/>', mimetype: 'x' }),
        'This is an OpenDocument file. Save it as an Excel workbook (.xlsx) or as CSV.',
      ],
      [
        gzipSync(gzipSync(trades)),
        'This is a gzip archive, not a CSV file. Upload the CSV inside it, or export it as CSV.',
      ],
      [
        await zip({ 'form.pdf': '%PDF-1.7' }),
        'This PDF has no tax data attached (FDX), and the numbers on its pages are not read. Download the form or your transactions as CSV from your broker.',
      ],
    ];
    for (const [bytes, detail] of cases) expect((await refusal(read(bytes))).detail).toBe(detail);
  });

  test('is refused when it unpacks to far more than a table, in bounded memory', async () => {
    const zeros = new Uint8Array(256 * 1024 ** 2);
    const before = process.memoryUsage().rss;
    for (const bomb of [gzipSync(zeros), await zip({ 'zeros.csv': zeros })]) {
      const { code, detail } = await refusal(textOf(bomb));
      expect({ code, detail }).toEqual({
        code: 'too_large',
        detail: 'The file unpacks to far more than its size. Split the file, or export it as CSV.',
      });
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`${at}.csv`, 'a']));
    expect((await refusal(textOf(await zip(files)))).detail).toBe(
      'The ZIP contains more than 1,000 files and folders.',
    );
  });

  test('is refused, never half read, at whatever byte it is cut or changed', async () => {
    const bytes = await zip({ 'trades.csv': trades });
    const { drafts } = await read(bytes);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, flip, isCut) => {
          const spoiled = isCut ? bytes.slice(0, at) : bytes.slice();
          if (!isCut) spoiled[at] = (spoiled[at] ?? 0) ^ flip;
          const outcome = await read(spoiled).catch((error: unknown) => error);
          if (outcome instanceof Refusal) return;
          // Bytes that no reader needs, such as a date or the local copy of a name.
          expect(outcome).toMatchObject({ drafts });
        },
      ),
      { numRuns: draws(200, 5_000) },
    );
  });
});

describe('a workbook', () => {
  test('has a table for each sheet with rows, which reads like its CSV', async () => {
    const sheets: SheetRows[] = [
      { name: 'Trades 2024', rows: cellsOf(trades) },
      { name: 'Empty', rows: [] },
    ];
    const plain = await read(bytesOf(trades));
    for (const inlineTexts of [true, false])
      expect((await read(await workbook(sheets, { inlineTexts }))).drafts).toEqual(plain.drafts);
    const two = await workbook([...sheets, { name: 'More & more', rows: cellsOf(more) }]);
    expect(await listParts(streamOf(two))).toEqual(['Trades 2024', 'More & more']);
    expect((await read(two, 'More & more')).drafts.map(({ asset }) => asset)).toEqual(['KO']);
    expect(await listParts(streamOf(await zip({ 'book.xlsx': two, 'a.csv': trades })))).toEqual([
      'book.xlsx/Trades 2024',
      'book.xlsx/More & more',
      'a.csv',
    ]);
  });

  test('takes the account from the name of the table, or else of the file that contains it', async () => {
    const header = 'Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount';
    const csv = `${header}\n11/20/2024,Sell,ACME,ACME CORP,10,$45.00,$0.04,$449.96\n`;
    const accountOf = async (bytes: Uint8Array, fileName: string) =>
      (await read(bytes, undefined, fileName)).drafts.map(({ account }) => account);
    const mine = await accountOf(bytesOf(csv), 'Individual_XXX321_Transactions.csv');
    const hers = await accountOf(bytesOf(csv), 'Individual_XXX654_Transactions.csv');
    expect([mine[0]?.slice(-3), hers[0]?.slice(-3)]).toEqual(['321', '654']);
    const book = await workbook([{ name: 'Sheet1', rows: cellsOf(csv) }]);
    expect(await accountOf(book, 'Individual_XXX321_Transactions.xlsx')).toEqual(mine);
    expect(await accountOf(await zip({ 'a.csv': csv }), 'Individual_XXX321_Transactions.zip')).toEqual(mine);
    const named = await zip({ 'Individual_XXX654_Transactions.csv': csv });
    expect(await accountOf(named, 'Individual_XXX321_Transactions.zip')).toEqual(hers);
  });

  test('keeps row numbers under titles, gaps and cells with line breaks', async () => {
    const rows: Cell[][] = [['Account statement\nJanuary'], [], [], ...cellsOf(trades)];
    expect(await textOf(await workbook([{ name: 'A', rows }]))).toBe(
      `Account statement January\n\n\n${trades.replace('1500.50', '1500.5')}`,
    );
    expect((await read(await workbook([{ name: 'A', rows }]))).drafts.map(({ line }) => line)).toEqual([5, 6]);
  });

  test('shows cells as a CSV does', async () => {
    const formats = [
      'yyyy\\-mm\\-dd',
      '[$-409]d\\-mmm\\-yy;@',
      '"day "0.00',
      '[Red]#,##0.00',
      '[h]:mm:ss',
      'mmm yyyy',
      '0.00E+00',
    ];
    const style = (serial: string, at: number): Cell => ({ serial, style: at });
    const cells: readonly (readonly [Cell, string])[] = [
      [style('45356', dayStyle), '2024-03-05'],
      [style('45356.75', dayStyle), '2024-03-05'],
      [style('45356.604166666664', instantStyle), '2024-03-05 14:30:00'],
      [style('45356.000011574077', instantStyle), '2024-03-05 00:00:01'],
      [style('45356.999999999', instantStyle), '2024-03-06 00:00:00'],
      [style('45356.604172453706', instantStyle), '2024-03-05 14:30:00.500'],
      [style('0.5', timeStyle), '12:00:00'],
      [style('61', dayStyle), '1900-03-01'],
      [style('60', dayStyle), '60'],
      [style('-1', dayStyle), '-1'],
      [style('2958465', dayStyle), '9999-12-31'],
      [style('2958466', dayStyle), '2958466'],
      [style('45356', firstFormat), '2024-03-05'],
      [style('45356', firstFormat + 1), '2024-03-05'],
      [style('45356', firstFormat + 2), '45356'],
      [style('45356.5', firstFormat + 3), '45356.5'],
      [style('0.25', firstFormat + 4), '06:00:00'],
      [style('45356', firstFormat + 5), '2024-03-05'],
      [style('45356', firstFormat + 6), '45356'],
      [style('33.299999999999997', 0), '33.3'],
      [style('0.10000000000000001', 0), '0.1'],
      [style('12345678.12345678', 0), '12345678.12345678'],
      [style('0.79999999999999993', 0), '0.8'],
      [style('1.0000000000000001E-8', 0), '0.00000001'],
      [style('1.5E+3', 0), '1500'],
      [style('-4.25', 0), '-4.25'],
      [style('0.123456789012345678', 0), '0.123456789012345678'],
      [true, 'TRUE'],
      ['_x000D_line', '" line"'],
      ['a "quoted", cell', '"a ""quoted"", cell"'],
      [' edge', '" edge"'],
      ['=1+1', '=1+1'],
    ];
    const bytes = await workbook([{ name: 'A', rows: cells.map(([cell]) => [cell]) }], { formats });
    expect((await textOf(bytes)).trimEnd().split('\n')).toEqual(cells.map(([, text]) => text));
    const in1904 = await workbook([{ name: 'A', rows: [[style('43894', dayStyle)]] }], { counts1904: true });
    expect(await textOf(in1904)).toBe('2024-03-05\n');
  });

  test('is refused with a sentence if it is damaged or made to exhaust a server', async () => {
    const files = workbookFiles([{ name: 'A', rows: cellsOf(trades) }]);
    const sheet = 'xl/worksheets/sheet1.xml';
    const withSheet = (inside: string) =>
      zip({ ...files, [sheet]: `<worksheet><sheetData>${inside}</sheetData></worksheet>` });
    const entities = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(100)}">]><worksheet>&b;</worksheet>`;
    const { [sheet]: _sheet, ...withoutSheet } = files;
    const many = Array.from({ length: 201 }, (_, at): SheetRows => ({ name: `S${at}`, rows: [['a']] }));
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [await zip(withoutSheet), 'This workbook is damaged: the sheet "A" is missing.'],
      [await zip({ ...files, [sheet]: entities }), `This workbook is damaged: "${sheet}" contains a document type.`],
      [
        await withSheet('<row r="2"><c><v>1</v></c></row><row r="1"/>'),
        'This workbook is damaged: row 1 is not in order.',
      ],
      [await withSheet('<row r="1048577"/>'), 'A sheet has more than 1,048,576 rows.'],
      [
        await withSheet('<row r="1"><c r="XFE1"><v>1</v></c></row>'),
        'This workbook is damaged: cell XFE1 is not in order.',
      ],
      [
        await withSheet('<row r="1"><c t="s"><v>999</v></c></row>'),
        'This workbook is damaged: row 1 has a text that is missing.',
      ],
      [await withSheet('<row'), `This workbook is damaged: "${sheet}" is not valid XML`],
      [await workbook(many), 'The workbook has more than 200 sheets.'],
      [await zip({ 'xl/workbook.bin': 'a' }), 'This is a binary Excel workbook (.xlsb).'],
    ];
    for (const [bytes, detail] of cases) expect((await refusal(textOf(bytes))).detail).toStartWith(detail);
  });

  test('gives every row of any sheet back as read, skipped or rejected', async () => {
    const cell = fc.oneof(
      fc.constantFrom<Cell>('2024-01-05', 'buy', 'sell', 'Schwab', 'AAPL', 10, 1500.5, null, true, '', 'x,"y"\nz'),
      fc.string().map((text): Cell => text.replace(/[^\x20-\x7e]/g, '')),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.nat(60_000).map((serial): Cell => ({ serial: String(serial), style: dayStyle })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { maxLength: 8 }), async (drawn) => {
        const rows = [...cellsOf(trades), ...drawn];
        const { end, drafts } = await read(await workbook([{ name: 'A', rows }]));
        expect(end.read + end.skipped + end.rejected).toBe(end.rows);
        const filled = drawn.filter((cells) => cells.some((each) => each !== null && String(each).trim() !== ''));
        expect(end.rows).toBe(2 + filled.length);
        expect(drafts.length).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: draws(100, 2_000) },
    );
  });
});
