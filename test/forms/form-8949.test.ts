import { beforeAll, describe, expect, test } from 'bun:test';
import type { Box, Line } from '../../src/engine/model.ts';
import { printCents } from '../../src/forms/figures.ts';
import { formReport } from '../../src/forms/form-report.ts';
import { fullReport } from '../../src/forms/full/full-report.ts';
import { boxOrder, formatFormCells, formRows } from '../../src/forms/lines.ts';
import { eachPage, formPartOf } from '../../src/forms/pages.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { scheduleD } from '../../src/forms/schedule-d/schedule-d.ts';
import { books, cents, day, line, readBytes } from './books.ts';
import { allText, inside, type Piece, type ReadPdf, readPdf } from './pdf.ts';
import { officialLayout, type Rectangle } from './shared.ts';

const layout = officialLayout();
const columnNames = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** Every letter of column (f) (i8949, "How To Complete Form 8949, Columns (f) and (g)"). */
const codes = 'BCDEHLMNOPQRSTWXYZ';

/** Returns a year with every box, every code, every kind of cell, and more rows than fit on a page. */
function everything(year: number): ReportBooks {
  const boxes: readonly Box[] = year <= 2024 ? ['A', 'B', 'C', 'D', 'E', 'F'] : boxOrder;
  const lines: Line[] = boxes.flatMap((box, index) => [
    line({ box, proceeds: `${1234 + index}.50`, basis: '2000.25', code: 'W', adjustment: '100.10' }),
    line({ box, code: 'BTW', adjustment: '-1234567.89', proceeds: '99999999.99', basis: '0.01' }),
    line({ box, proceeds: '0', basis: '4000', more: { expired: 'proceeds' } }),
  ]);
  const long = line({
    box: 'F',
    quantity: '123.456789012345678901'.slice(0, 20),
    asset: 'A LONG NAME OF A FUND THAT NEEDS TWO LINES',
  });
  const many = Array.from({ length: 30 }, (_, index) => line({ box: 'C', proceeds: `${index}.99` }));
  const inherited = line({ box: 'F', more: { inherited: true } });
  const coded = [...codes].map((code, index) =>
    line({ box: boxes[index % boxes.length] ?? 'A', code, adjustment: `${index}.01`, asset: `CODE ${code}` }),
  );
  return books(year, [...lines, long, inherited, ...coded, ...many], {
    carryoverIn: { short: cents('500'), long: cents('0') },
  });
}

describe('the cells of Form 8949', () => {
  for (const year of [2022, 2024, 2025, 2026]) {
    describe(String(year), () => {
      const form = year <= 2024 ? '2024' : '2025';
      const year8949 = everything(year);
      const pages = [...eachPage(formRows(year8949.lines), year)];
      let pdf: ReadPdf;
      beforeAll(async () => {
        pdf = await readPdf(await readBytes(formReport.render(year8949)));
      });

      test('are inside the fields of the official form and match the lines', () => {
        if (layout === undefined) return;
        pages.forEach((page, index) => {
          const official = layout.form_8949[form]?.pages[page.part === 1 ? '1' : '2'];
          const pieces = pdf.pages[index] ?? [];
          if (official === undefined) throw new Error('the layout lacks the form');
          page.rows.forEach((row, position) => {
            formatFormCells(row, false).forEach((cell, column) => {
              const [left, bottom, right, top] = official.row1_rects[columnNames[column] ?? 'a'] ?? [0, 0, 0, 0];
              const drop = position * official.row_pitch_pt;
              const field: Rectangle = [left, bottom - drop, right, top - drop];
              expect(inside(pieces, field)).toBe(cell);
              for (const piece of within(pieces, field)) expectInside(piece, field);
            });
          });
        });
      });

      test('sum to line 2 of their page', () => {
        if (layout === undefined) return;
        pages.forEach((page, index) => {
          const totals = layout.form_8949[form]?.pages[page.part === 1 ? '1' : '2'].totals ?? {};
          const { proceeds, basis, adjustment, gain } = page.totals;
          for (const [column, amount] of Object.entries({ d: proceeds, e: basis, g: adjustment, h: gain })) {
            const field = totals[column]?.rect ?? [0, 0, 0, 0];
            expect(inside(pdf.pages[index] ?? [], field)).toBe(printCents(amount));
            for (const piece of within(pdf.pages[index] ?? [], field)) expectInside(piece, field);
          }
        });
      });

      test('have exactly one box checked, the correct one', () => {
        if (layout === undefined) return;
        pages.forEach((page, index) => {
          const fields = layout.form_8949[form]?.pages[page.part === 1 ? '1' : '2'].box_fields ?? {};
          const checked = Object.keys(fields).filter(
            (box) => inside(pdf.pages[index] ?? [], fields[box]?.rect ?? [0, 0, 0, 0]) !== '',
          );
          expect(checked).toEqual([page.box]);
        });
      });

      test('have name, number, form and year on every page', () => {
        pages.forEach((page, index) => {
          const texts = (pdf.pages[index] ?? []).map((piece) => piece.text);
          const bottom = page.part === 1 ? 683.97 : 719.97;
          const width = year <= 2024 ? 359.25 : 366.45;
          expect(inside(pdf.pages[index] ?? [], [36, bottom, width, bottom + 12])).toBe('Ann & Bob Lee');
          expect(inside(pdf.pages[index] ?? [], [width, bottom, 576, bottom + 12])).toBe('123-45-6789');
          expect(texts.join(' ')).toContain(`(${year})`);
          expect(texts.join(' ')).toContain(page.part === 1 ? 'Short-Term.' : 'Long-Term.');
        });
      });

      test('have page totals equal to those of boxes, Schedule D and the summary when read back', () => {
        if (layout === undefined) return;
        const { summary } = year8949;
        const front = pdf.pages[pages.length] ?? [];
        const fields = layout.schedule_d[form]?.fields ?? [];
        const columns = ['d', 'e', 'g', 'h'] as const;
        const printedTotal = (page: number, part: 1 | 2, column: (typeof columns)[number]): bigint => {
          const rectangle = layout.form_8949[form]?.pages[part].totals[column]?.rect ?? [0, 0, 0, 0];
          return amountOf(inside(pdf.pages[page] ?? [], rectangle));
        };
        const ofBox = (boxes: readonly Box[]): bigint[] =>
          columns.map((column) =>
            pages.reduce(
              (sum, { box, part }, page) => sum + (boxes.includes(box) ? printedTotal(page, part, column) : 0n),
              0n,
            ),
          );
        for (const { box, proceeds, basis, adjustment, gain } of summary.boxes) {
          expect([box, ...ofBox([box])]).toEqual([box, proceeds, basis, adjustment, gain]);
        }
        for (const { id, boxes, count } of scheduleD(year8949).rows) {
          if (count === 0) continue;
          const printed = fields
            .filter(([page, field]) => page === 1 && field.includes(`.Row${id}[`))
            .map(([, , rectangle]) => amountOf(inside(front, rectangle)));
          expect([id, ...printed]).toEqual([id, ...ofBox(boxes)]);
        }
        expect(ofBox(boxOrder)[3]).toBe(summary.total.gain);
      });

      test('have one set of pages per box in the order of the parts, then Schedule D', () => {
        const boxes = [...new Set(pages.map((page) => page.box))];
        expect(pdf.bookmarks).toEqual([...boxes.map((box) => `Form 8949, box ${box}`), 'Schedule D']);
        expect(pages.map((page) => page.part)).toEqual(pages.map((page) => formPartOf(page.box)));
      });

      test('determine Schedule D, in its official fields', () => {
        if (layout === undefined) return;
        const fields = layout.schedule_d[form]?.fields ?? [];
        const front = pdf.pages[pages.length] ?? [];
        const row = (name: string): string[] =>
          fields
            .filter(([page, field]) => page === 1 && field.includes(`.Row${name}[`))
            .map(([, , rectangle]) => inside(front, rectangle));
        const schedule = scheduleD(year8949);
        for (const { id, count, proceeds, basis, adjustment, gain } of schedule.rows) {
          const expected = count === 0 ? ['', '', '', ''] : [proceeds, basis, adjustment, gain].map(printCents);
          expect(row(id)).toEqual(expected);
        }
        const last = fields.filter(([page]) => page === 1).at(-1)?.[2] ?? [0, 0, 0, 0];
        expect(inside(front, last)).toBe(printCents(schedule.lines['15']));
        const back = pdf.pages[pages.length + 1] ?? [];
        const line16 = fields.find(([page]) => page === 2)?.[2] ?? [0, 0, 0, 0];
        expect(inside(back, line16)).toBe(printCents(schedule.lines['16']));
      });
    });
  }
});

describe('the form as a file', () => {
  test("the same books produce the same bytes, regardless of the machine's clock", async () => {
    const render = async (): Promise<string> =>
      Buffer.from(await readBytes(formReport.render(everything(2025)))).toString('base64');
    const first = await render();
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Auckland';
    expect((await render()) === first).toBe(true);
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test('a year without lines is only Schedule D', async () => {
    const pdf = await readPdf(await readBytes(formReport.render(books(2025, []))));
    expect(pdf.bookmarks).toEqual(['Schedule D']);
    expect(pdf.pages.length).toBe(2);
  });

  test('no page of a form carries a print date', async () => {
    const pdf = await readPdf(
      await readBytes(formReport.render(books(2025, [line({ box: 'A' })], { asOf: '2031-07-09T00:00:00Z' }))),
    );
    expect(allText(pdf)).not.toMatch(/2031|07\/09/);
  });

  test('whole dollars print without cents', async () => {
    const pdf = await readPdf(
      await readBytes(
        formReport.render(
          books(2025, [line({ box: 'A', proceeds: '1234.50', basis: '0.49' })], { wholeDollars: true }),
        ),
      ),
    );
    const texts = (pdf.pages[0] ?? []).map((piece) => piece.text);
    expect(texts).toContain('1,235');
    expect(texts.some((text) => /\d\.\d\d$/.test(text))).toBe(false);
  });

  test('open issues make every page a draft with the reason', async () => {
    const issue = {
      kind: 'issue' as const,
      causedOn: day('2025-05-05'),
      id: 'i1',
      issue: 'oversold' as const,
      on: day('2025-05-05'),
      asset: 'BTC',
      account: 'Kraken',
      transactions: ['s1'],
      dollars: cents('10'),
      detail: 'More was sold than was held.',
    };
    const pdf = await readPdf(
      await readBytes(formReport.render(books(2025, [line({ box: 'I' })], { issues: [issue] }))),
    );
    for (const page of pdf.pages) {
      const text = page.map((piece) => piece.text).join(' ');
      expect(text).toContain('DRAFT. One open issue affects 2025: more units sold than held (BTC).');
    }
    const final = await readPdf(await readBytes(formReport.render(books(2025, [line({ box: 'I' })]))));
    expect(allText(final)).not.toContain('DRAFT');
  });

  test('forms of a year that was not compared are a preview on every page, and others are not', async () => {
    const most = (year: number) =>
      books(year, [line({ box: 'I' }), line({ box: 'L', proceeds: '1' })], {
        carryoverIn: { short: cents('5000'), long: cents('0') },
        choices: { exception2: true },
      });
    for (const format of [formReport, fullReport]) {
      const preview = await readPdf(await readBytes(format.render(most(2026))));
      expect(preview.pages.length).toBeGreaterThan(4);
      for (const page of preview.pages) {
        expect(page.map((piece) => piece.text).join(' ')).toContain('Preview, not for filing');
      }
      expect(allText(await readPdf(await readBytes(format.render(most(2025)))))).not.toContain('Preview');
    }
    expect(formReport.warnings?.(most(2026))?.[0]).toStartWith('Preview, not for filing');
    expect(formReport.warnings?.(most(2025))).toEqual([]);
  });

  test('names beyond the core fonts are printed and can be read back', async () => {
    for (const name of ['Жанна Дʼарк', 'Ελένη Παπαδοπούλου', 'Łukasz Żółć', 'Nguyễn Văn Ánh']) {
      const pdf = await readPdf(
        await readBytes(
          formReport.render(books(2025, [line({ box: 'A', asset: 'Газпром' })], { taxpayer: { name, tin: '1' } })),
        ),
      );
      expect(allText(pdf)).toContain(name);
      expect(allText(pdf)).toContain('100 sh. Газпром');
    }
  });

  test('names in every script of the first plane are printed and can be read back', async () => {
    const names = [
      '東京証券',
      '서울 전자',
      '阿里巴巴集团',
      'टाटा',
      'ไทย',
      'ソニー 株式会社',
      'Bank 中国 Łódź',
      'Ḝᾯ ﬀ ﷲ',
    ];
    const lines = names.map((asset) => line({ box: 'A', asset }));
    const year = books(2025, lines, { taxpayer: { name: '山田 太郎', tin: '1' } });
    const bytes = await readBytes(formReport.render(year));
    const pdf = await readPdf(bytes);
    // A name in two fonts is two pieces.
    const text = (pdf.pages[0] ?? [])
      .map((piece) => piece.text)
      .join('')
      .replaceAll(' ', '');
    for (const name of [...names.slice(0, -1), '山田 太郎']) expect(text).toContain(name.replaceAll(' ', ''));
    expect(text).not.toContain('□');
    expect(formReport.warnings?.(year)).toEqual([]);
    expect(bytes.length).toBeLessThan(200_000);
  });

  test('letters that no font contains are printed as boxes, with a warning', async () => {
    const year = books(2025, [line({ box: 'A', asset: 'MOON 🚀\uFE0F' })]);
    const pdf = await readPdf(await readBytes(formReport.render(year)));
    expect(allText(pdf)).toContain('100 sh. MOON □');
    expect(formReport.warnings?.(year)?.join()).toContain('🚀');
    expect(formReport.warnings?.(books(2025, [line({ asset: 'Газпром €' })]))).toEqual([]);
  });

  test('huge numbers stay within their fields', async () => {
    const huge = line({
      box: 'A',
      proceeds: '123456789012345.12',
      basis: '0',
      quantity: '12345678901234567890.123456789012345678',
    });
    const pdf = await readPdf(await readBytes(formReport.render(books(2024, [huge]))));
    const amount = (pdf.pages[0] ?? []).find((piece) => piece.text === '123,456,789,012,345.12');
    expect(amount?.x).toBeGreaterThan(273.6);
    expect((amount?.x ?? 0) + (amount?.width ?? 0)).toBeLessThanOrEqual(337.65);
  });
});

/** Converts `(1,234.50)` to -123450. */
function amountOf(text: string): bigint {
  const cents = BigInt(text.replace(/[(),.]/g, '') || '0');
  return text.startsWith('(') ? -cents : cents;
}

function within(pieces: readonly Piece[], [left, bottom, right, top]: Rectangle): Piece[] {
  return pieces.filter(({ x, y, width }) => x + width / 2 > left && x + width / 2 < right && y >= bottom && y < top);
}

/** Letters extend about 0.72 of the size above the baseline and 0.21 below it. */
function expectInside(piece: Piece, [left, bottom, right, top]: Rectangle): void {
  expect(piece.x).toBeGreaterThanOrEqual(left);
  expect(piece.x + piece.width).toBeLessThanOrEqual(right);
  expect(piece.y - 0.21 * piece.size).toBeGreaterThanOrEqual(bottom);
  expect(piece.y + 0.72 * piece.size).toBeLessThanOrEqual(top);
}
