import { describe, expect, test } from 'bun:test';
import Papa from 'papaparse';
import type { FormChoices } from '../../src/forms/choices.ts';
import { listWarnings } from '../../src/forms/draft.ts';
import { withChoices } from '../../src/forms/format-choices.ts';
import { reportFormat } from '../../src/forms/index.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { books, line, readBytes } from './books.ts';
import { allText, readPdf } from './pdf.ts';
import { unzipped } from './unzip.ts';

/** Returns the downloaded file with these choices. */
async function file(id: string, of: ReportBooks, choices: FormChoices = {}) {
  const format = reportFormat(id);
  if (format === undefined) throw new Error(`no format ${id}`);
  const chosen = withChoices(of, format, choices);
  return {
    name: format.fileName(chosen),
    mediaType: format.mediaTypeOf?.(chosen) ?? format.mediaType,
    bytes: await readBytes(format.render(chosen)),
    warnings: format.warnings?.(chosen) ?? [],
  };
}

const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const cells = (csv: string): string[][] => Papa.parse<string[]>(csv.trimEnd(), { newline: '\r\n' }).data;
const readRows = async (id: string, of: ReportBooks, choices: FormChoices): Promise<string[][]> =>
  cells(text((await file(id, of, choices)).bytes)).slice(1);

const many = (count: number) =>
  books(
    2024,
    Array.from({ length: count }, (_, index) => line({ box: index % 2 === 0 ? 'A' : 'D', asset: `S${index}` })),
  );

describe('files in parts', () => {
  for (const id of ['csv', 'drake', 'taxact', 'turbotax', 'txf']) {
    test(`${id}: every row is in one part, parts have a limited size, and each is a separate file`, async () => {
      const year = many(7);
      const whole = text((await file(id, year)).bytes);
      const zip = await file(id, year, { linesMax: 3 });
      expect([zip.mediaType, zip.name]).toEqual(['application/zip', zip.name.replace(/\..*/, '.zip')]);
      const parts = unzipped(zip.bytes);
      expect(Object.keys(parts).map((name) => name.match(/part-\d-of-\d/)?.[0])).toEqual([
        'part-1-of-3',
        'part-2-of-3',
        'part-3-of-3',
      ]);
      const head =
        id === 'txf' ? whole.slice(0, whole.indexOf('^\r\n') + 3) : whole.slice(0, whole.indexOf('\r\n') + 2);
      const contents = Object.values(parts);
      expect(contents.every((content) => content.startsWith(head))).toBe(true);
      expect(head + contents.map((content) => content.slice(head.length)).join('')).toBe(whole);
      for (const [index, content] of contents.entries()) {
        const one = await file(id, year, { linesMax: 3, part: index + 1 });
        expect(text(one.bytes)).toBe(content);
        expect(one.name).toBe(Object.keys(parts)[index] ?? '');
        expect(one.mediaType).toBe(reportFormat(id)?.mediaType ?? '');
      }
    });
  }

  test('TaxAct gets 2,000 rows per file and TurboTax 4,000, by default', async () => {
    const year = many(4001);
    const taxact = Object.values(unzipped((await file('taxact', year)).bytes));
    expect(taxact.map((content) => cells(content).length - 1)).toEqual([2000, 2000, 1]);
    const turbotax = Object.values(unzipped((await file('turbotax', year)).bytes));
    expect(turbotax.map((content) => cells(content).length - 1)).toEqual([4000, 1]);
    expect((await file('csv', year)).mediaType).toBe('text/csv; charset=utf-8');
    expect((await file('taxact', many(2000))).name).toBe('taxact-2024.csv');
  });

  test('a missing part is refused, and so are more parts than a ZIP can hold', async () => {
    expect(file('csv', many(7), { linesMax: 3, part: 4 })).rejects.toMatchObject({
      code: 'invalid',
      detail: 'There is no part 4: the file has 3 parts.',
    });
    expect(file('csv', many(10_001), { linesMax: 1 })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('the same choices give the same bytes', async () => {
    const [one, other] = [await file('txf', many(7), { linesMax: 2 }), await file('txf', many(7), { linesMax: 2 })];
    expect(Buffer.compare(one.bytes, other.bytes)).toBe(0);
  });
});

describe('choices for a form', () => {
  const tacked = line({ id: 's1/0', box: 'D', acquired: '2024-01-10', heldSince: '2023-01-10', sold: '2024-06-03' });

  test('column (b) shows the start of the holding period if it decides the term, always, or never', async () => {
    const column = async (columnB?: FormChoices['columnB']) =>
      (await readRows('csv', books(2024, [tacked]), columnB === undefined ? {} : { columnB }))[0]?.[2];
    expect([await column(), await column('held'), await column('trade')]).toEqual([
      '01/10/2023',
      '01/10/2023',
      '01/10/2024',
    ]);
  });

  test('parts of one lot that were sold on one day are one row if requested', async () => {
    const parts = [
      line({ id: 's1/0', quantity: '10', more: { lotId: 'b1/0a' } }),
      line({ id: 's2/0', quantity: '5', more: { lotId: 'b1/0b' } }),
      line({ id: 's3/0', quantity: '1', more: { lotId: 'b2/0' } }),
    ];
    const rows = await readRows('csv', books(2024, parts), { merge: 'same_lot' });
    expect(rows.map(([, description, acquired, , proceeds]) => [description, acquired, proceeds])).toEqual([
      ['15 sh. XYZ', '02/01/2024', '2000.00'],
      ['1 sh. XYZ', '02/01/2024', '1000.00'],
    ]);
    expect(await readRows('csv', books(2024, parts), { merge: 'none' })).toHaveLength(3);
  });

  test('whole dollars follow the request, regardless of the election', async () => {
    const year = books(2024, [line({ proceeds: '1.50', basis: '0.49' })]);
    expect((await readRows('csv', year, { wholeDollars: true }))[0]?.slice(4, 6)).toEqual(['2.00', '0.00']);
    const elected = { ...year, wholeDollars: true };
    expect((await readRows('csv', elected, { wholeDollars: false }))[0]?.slice(4, 6)).toEqual(['1.50', '0.49']);
  });

  test('digital assets are left out of TXF if requested, and the warning names them', async () => {
    const year = books(2025, [line({ box: 'A' }), line({ box: 'I' })]);
    const txf = await file('txf', year, { digitalAssets: 'left_out' });
    expect(text(txf.bytes).match(/^N\d+/gm)).toEqual(['N321']);
    expect(txf.warnings.join()).toContain('1 line of box I is left out');
  });

  test('a choice that a format does not support is refused', async () => {
    expect(file('json', many(1), { merge: 'sale' })).rejects.toMatchObject({
      code: 'invalid',
      detail: 'The format json does not have the option merge. It has no options.',
      more: { errors: [{ pointer: '/merge' }] },
    });
    expect(file('8949', many(1), { linesMax: 5 })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('the exceptions of the instructions', () => {
  const lines = [
    line({ box: 'A', asset: 'DIRECT', proceeds: '500', basis: '400', more: { account: 'Schwab' } }),
    line({
      box: 'A',
      asset: 'WASHED',
      proceeds: '90',
      basis: '100',
      code: 'W',
      adjustment: '10',
      more: { account: 'Schwab' },
    }),
    line({
      box: 'A',
      asset: 'OTHER',
      proceeds: '70',
      basis: '60',
      code: 'B',
      adjustment: '5',
      more: { account: 'Fidelity' },
    }),
    line({ box: 'D', asset: 'LONG', proceeds: '1000', basis: '1', more: { account: 'Schwab' } }),
  ];
  const year = books(2025, lines);

  test('Exception 1: lines without adjustments go directly to Schedule D and are in no row', async () => {
    const pdf = await readPdf((await file('8949', year, { exception1: true })).bytes);
    expect(pdf.bookmarks).toEqual(['Form 8949, box A', 'Schedule D']);
    const [form = [], front = []] = pdf.pages;
    const texts = form.map((piece) => piece.text);
    expect(texts).toContain('100 sh. WASHED');
    expect(texts).not.toContain('100 sh. DIRECT');
    const row1a = front.filter((piece) => Math.abs(piece.y - 507.4) < 1).map((piece) => piece.text);
    expect(row1a).toEqual(expect.arrayContaining(['500.00', '400.00', '100.00']) as unknown as string[]);
    expect(row1a).not.toContain('0.00');
    expect((await file('8949', year, { exception1: true })).warnings.join()).toContain(
      '2 lines go directly to Schedule D',
    );
    expect((await file('8949', year)).warnings).toEqual([]);
  });

  test('Exception 2: a row for each broker has code M, and a statement lists the lines', async () => {
    const pdf = await readPdf((await file('8949', year, { exception2: true })).bytes);
    expect(pdf.bookmarks).toEqual([
      'Form 8949, box A',
      'Form 8949, box D',
      'Cover sheet for Form 8453',
      'Box A: Schwab',
      'Box A: Fidelity',
      'Box D: Schwab',
      'Schedule D',
    ]);
    const texts = (pdf.pages[0] ?? []).map((piece) => piece.text);
    expect(texts).toEqual(
      expect.arrayContaining([
        'Schwab see attached statement',
        'MW',
        '590.00',
        '500.00',
        '100.00',
      ]) as unknown as string[],
    );
    expect(texts).toEqual(
      expect.arrayContaining(['Fidelity see attached statement', 'BM', '15.00']) as unknown as string[],
    );
    expect(texts).not.toContain('100 sh. DIRECT');
    const statement = (pdf.pages[3] ?? []).map((piece) => piece.text);
    for (const asset of ['DIRECT', 'WASHED', 'OTHER', 'LONG']) expect(statement).toContain(`100 sh. ${asset}`);
    expect(statement.join(' ')).toContain('123-45-6789');
  });

  test('Exception 2: the PDF and each file with such rows state what to attach or mail with Form 8453', async () => {
    const pdf = await readPdf((await file('8949', year, { exception2: true })).bytes);
    const cover = (pdf.pages[2] ?? []).map((piece) => piece.text).join(' ');
    for (const words of ['123-45-6789', 'Tax year: 2025', 'Form 8453', 'within 3 business days', 'boxes A, D']) {
      expect(cover).toContain(words);
    }
    for (const cell of ['Schwab', 'Fidelity', '590.00', '1,000.00']) expect(cover).toContain(cell);
    const warnings = (id: string, of: ReportBooks, choices: FormChoices = {}): string => {
      const format = reportFormat(id);
      return format === undefined ? '' : listWarnings(format, withChoices(of, format, choices)).join();
    };
    for (const id of ['8949', 'taxact', 'csv', 'drake', 'txf']) {
      expect(`${id} ${warnings(id, year, { exception2: true })}`).toContain('the 3 statements');
      expect(`${id} ${warnings(id, year)}`).not.toContain('8453');
    }
    // A row outside the totals needs no statement.
    const deferred = books(2024, [line({ box: 'C', code: 'Z', adjustment: '-100' })]);
    expect(warnings('8949', deferred, { exception2: true })).not.toContain('8453');
  });

  test('a broker with any name is found in the bookmarks', async () => {
    const name = 'Börse (東京)';
    const foreign = books(2025, [line({ box: 'I', more: { account: name } })]);
    const pdf = await readPdf((await file('8949', foreign, { exception2: true })).bytes);
    expect(pdf.bookmarks).toContain(`Box I: ${name}`);
  });

  test('with both exceptions, totals report the remaining lines', async () => {
    const text = allText(await readPdf((await file('8949', year, { exception1: true, exception2: true })).bytes));
    expect(text).toContain('Schwab see attached statement');
    expect(text).not.toContain('100 sh. DIRECT');
  });

  test('deferrals into an opportunity fund are never summed', async () => {
    const deferred = line({ box: 'C', code: 'Z', adjustment: '-100', more: { account: 'Schwab' } });
    const rows = await readRows('csv', books(2024, [deferred, line({ box: 'C' })]), { exception2: true });
    expect(rows.map((row) => [row[1], row[6]])).toEqual([
      ['100 sh. XYZ', 'Z'],
      ['BRK1 see attached statement', 'M'],
    ]);
  });

  test('totals in other files: blank dates in TXF, dates that TaxAct accepts', async () => {
    const taxact = await file('taxact', year, { exception2: true });
    expect(cells(text(taxact.bytes))[1]).toEqual([
      'Schwab see attached statement',
      'VARIOUS',
      '12/31/2025',
      '590.00',
      '500.00',
      'MW',
      '10.00',
      'A',
      'Short',
    ]);
    expect(taxact.warnings.join()).toContain('Attach the statement');
    expect(text((await file('txf', year, { exception2: true })).bytes)).toContain(
      'PSchwab see attached statement\r\nD\r\nD\r\n$500.00\r\n$590.00\r\n',
    );
  });
});
