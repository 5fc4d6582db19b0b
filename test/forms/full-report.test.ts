import { describe, expect, test } from 'bun:test';
import { formatCents } from '../../src/base/decimal.ts';
import { jsonReport } from '../../src/forms/exports/json.ts';
import { printCents } from '../../src/forms/figures.ts';
import { fullReport } from '../../src/forms/full/full-report.ts';
import { books, cents, day, line, quantity, readBytes, readText } from './books.ts';
import { allText, readPdf } from './pdf.ts';

const on = day('2025-06-03');
const sold = line({
  id: 's1/0',
  box: 'A',
  proceeds: '750',
  basis: '1000',
  code: 'W',
  adjustment: '250',
  sold: '2025-06-03',
  more: { lotId: 'b1/0' },
});
const coins = Array.from({ length: 120 }, (_, index) =>
  line({
    id: `c${index}/0`,
    box: 'L',
    asset: 'BTC',
    quantity: '0.5',
    sold: '2025-11-05',
    proceeds: `${index}.10`,
    more: { lotId: 'b2/0' },
  }),
);
const year = books(2025, [sold, ...coins], {
  washSales: [
    {
      kind: 'wash',
      causedOn: on,
      id: 's1/0/b3/0',
      disposalId: 's1/0',
      on,
      replacementLotId: 'b3/0',
      replacementTransactionId: 'b3',
      quantity: quantity('100'),
      disallowed: cents('250'),
      permanent: false,
    },
  ],
  openLots: [
    {
      id: 'b3/0',
      asset: 'XYZ',
      assetClass: 'stock',
      account: 'BRK1',
      quantity: quantity('100'),
      basis: cents('1050'),
      acquired: on,
      heldSince: on,
      inherited: false,
    },
  ],
  sources: new Map([
    ['s1', { file: 'sales.csv', line: 7 }],
    ['b1', { file: 'buys.csv', line: 2 }],
    ['b3', { file: 'buys.csv', line: 9 }],
  ]),
});

describe('the full report', () => {
  test('lists every chapter in its bookmarks and its table of contents, with the correct page', async () => {
    const pdf = await readPdf(await readBytes(fullReport.render(year)));
    const chapters = [
      'The year in pictures',
      'Schedule D',
      'Lines of Form 8949',
      'Income by type',
      'Open lots at year end',
      'Wash sales',
      'Issues',
      'Assumed forms',
      'Method and settings',
      'Appendix: where each number comes from',
    ];
    expect(pdf.bookmarks.filter((title) => !title.startsWith('Box '))).toEqual(['Cover', ...chapters]);
    const cover = pdf.pages[0] ?? [];
    for (const chapter of chapters) {
      const entry = cover.find((piece) => piece.text === chapter);
      const page = Number(cover.find((piece) => piece.y === entry?.y && piece.x > 400)?.text);
      expect((pdf.pages[page - 1] ?? []).some((piece) => piece.text === chapter)).toBe(true);
    }
  });

  test('numbers its pages', async () => {
    const { pages } = await readPdf(await readBytes(fullReport.render(year)));
    pages.forEach((page, index) => {
      expect(page.map((piece) => piece.text)).toContain(`Page ${index + 1} of ${pages.length}`);
    });
  });

  test('shows each line, its total, its wash sale match and its source file and line', async () => {
    const text = allText(await readPdf(await readBytes(fullReport.render(year))));
    for (const { disposal } of year.lines) expect(text).toContain(printCents(disposal.proceeds));
    expect(text).toContain(printCents(year.summary.total.gain));
    for (const shown of ['sales.csv, line 7', 'buys.csv, line 2', 'buys.csv, line 9', '1,050.00', '250.00']) {
      expect(text).toContain(shown);
    }
  });

  test('shortens the middle of a long file name, but never the line number', async () => {
    const file = 'coinbase-transactions-of-the-whole-year-2025-exported-in-january-as-it-came.csv';
    const sources = new Map([...year.sources, ['s1', { file, line: 123_456 }]]);
    const pdf = await readPdf(await readBytes(fullReport.render({ ...year, sources })));
    const cells = pdf.pages.flat().filter((piece) => piece.text.startsWith('coinbase'));
    expect(cells.length).toBeGreaterThan(1);
    for (const { text } of cells) expect(text).toMatch(/…?.*line 123456$/);
  });

  test('lists every election that was made, and the options of the download', async () => {
    const rules = {
      ...year.rules,
      washSalesFrom: [{ date: '2026-01-01', washSales: 'all_assets' }],
      washPeriod: 'replacement',
      standingOrders: [{ asset: 'BTC', account: 'Kraken', method: 'HIFO', madeAt: '2025-01-02' }],
      accounts: { Kraken: { type: 'taxable', form: '1099-DA', wallet: 'W' } },
    } as const;
    const chosen = { ...year, rules, choices: { columnB: 'trade', merge: 'sale' } as const };
    const text = allText(await readPdf(await readBytes(fullReport.render(chosen))));
    for (const words of ['Wash sales from 2026-01-01', 'Standing order, BTC in Kraken', 'HIFO, made 2025-01-02']) {
      expect(text).toContain(words);
    }
    for (const words of ['replacement', 'taxable, form 1099-DA, wallet W', 'Rows that combine lines', 'trade']) {
      expect(text).toContain(words);
    }
  });

  test('also names the defaults', async () => {
    const rules = { ...year.rules, accounts: {}, standingOrders: [] };
    const text = allText(await readPdf(await readBytes(fullReport.render({ ...year, rules, choices: {} }))));
    for (const words of [
      ...['tacking', 'exclude', 'wash adjusted first', 'basis is proceeds', 'disposal', 'cash less gain', 'no day'],
      ...[
        'Substantially identical',
        'Partial fills of one order',
        'Rows without a time on one day',
        'Two sides of a transfer',
      ],
      ...['options and contracts on it', 'do not replace each other', 'also before 2025', 'unless separated manually'],
      ...['Schedules K-1', 'section 1202', 'unrecaptured section 1250 gain'],
      ...[
        'ira, roth ira',
        'held when term differs',
        'as not reported',
        'Time zone of dates',
        'UTC',
        'Carryover from prior year',
      ],
    ])
      expect(text).toContain(words);
  });

  test('hides all but the last digits of the taxpayer number', async () => {
    const text = allText(await readPdf(await readBytes(fullReport.render(year))));
    expect(text).toContain('***-**-6789');
    expect(text).not.toContain('123-45');
  });

  test('draws nothing outside the margins', async () => {
    const { pages } = await readPdf(await readBytes(fullReport.render(year)));
    for (const piece of pages.flat()) {
      expect(piece.x).toBeGreaterThanOrEqual(36);
      expect(piece.x + piece.width).toBeLessThanOrEqual(576);
      expect(piece.y).toBeGreaterThan(24);
      expect(piece.y).toBeLessThan(770);
    }
  });
});

describe('JSON', () => {
  test('contains the amounts of lines, summary and totals as decimal strings', async () => {
    const json = JSON.parse(await readText(jsonReport.render(year)));
    expect(json.summary.total.gain).toBe(formatCents(year.summary.total.gain));
    expect(json.lines).toHaveLength(121);
    expect(json.lines[0]).toMatchObject({
      id: 's1~0',
      box: 'A',
      quantity: '100',
      acquired: '2024-02-01',
      proceeds: '750.00',
      code: 'W',
      adjustment: '250.00',
      gain: '0.00',
      term: 'short',
      source: { file: 'sales.csv', line: 7 },
    });
    expect(json.washSales[0]).toMatchObject({ disposalId: 's1~0', disallowed: '250.00', quantity: '100' });
    expect(json.openLots[0]).toMatchObject({ asset: 'XYZ', basis: '1050.00' });
  });

  test('shows VARIOUS and INHERITED like the form', async () => {
    const owned = books(2024, [
      line({ box: 'A', asset: 'VTI', more: { acquiredVarious: true } }),
      line({ box: 'D', asset: 'HOUSE', more: { inherited: true } }),
    ]);
    const { lines } = JSON.parse(await readText(jsonReport.render(owned)));
    const dates = lines.map(({ acquired, heldSince }: Record<string, string>) => [acquired, heldSince]);
    expect(dates).toEqual([
      ['VARIOUS', 'VARIOUS'],
      ['INHERITED', 'INHERITED'],
    ]);
  });
});
