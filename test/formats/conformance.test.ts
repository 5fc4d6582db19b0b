import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay } from '../../src/base/day.ts';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';
import { detectAmong } from '../../src/formats/detect.ts';
import type { Draft, Row } from '../../src/formats/format.ts';
import { formats } from '../../src/formats/index.ts';
import { readRows } from '../../src/formats/rows/rows.ts';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { draws, isDeep } from '../support/depth.ts';
import { brokenColumns } from './broken-columns.ts';
import { readWhole, streamOf } from './reading.ts';

/**
 * Requirements for every format. A new format needs a fixture, its own rows, and a line in
 * `fixtures/broken-columns.csv`.
 */

for (const format of formats) {
  const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats', `${format.id}.csv`), 'utf8');
  const broken = brokenColumns.get(format.id);
  let reading: ReturnType<typeof readWhole> | undefined;
  const readFixture = () => {
    reading ??= readWhole(fixture);
    return reading;
  };

  describe(format.id, () => {
    test('its fixture is detected as this format and matches no other', async () => {
      const rows = await readAllRows(fixture);
      expect((await readFixture()).format).toBe(format.id);
      const others = detectAmong(
        formats.filter((other) => other !== format),
        rows,
      );
      expect('misses' in others && others.rivals.length === 0).toBe(true);
    });

    test('every line has exactly one outcome, and the counts match', async () => {
      const { outcomes, end } = await readFixture();
      const lines = outcomes.flatMap((outcome) => [...outcome.lines]).sort((a, b) => a - b);
      expect(new Set(lines).size).toBe(lines.length);
      expect(lines.length).toBe(end.rows);
      expect(end.read + end.skipped + end.rejected).toBe(end.rows);
      expect(end.drafts).toBeGreaterThan(3);
      for (const outcome of outcomes) {
        if (outcome.kind === 'read') expect(outcome.drafts.length).toBeGreaterThan(0);
        if (outcome.kind === 'skipped') expect(outcome.reason).not.toBe('');
        if (outcome.kind === 'rejected') expect(outcome.issue.reason).not.toBe('');
      }
    });

    test('it reads the same regardless of how the bytes are cut', async () => {
      const whole = await readFixture();
      const bytes = new TextEncoder().encode(fixture);
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      expect((await readWhole(single)).outcomes).toEqual(whole.outcomes);
      for (const blockBytes of isDeep ? [1, 2, 3, 7, 64, 1000] : [7]) {
        expect((await readWhole(bytes, {}, { blockBytes })).outcomes).toEqual(whole.outcomes);
      }
    });

    test('it reads the same with CRLF, CR, a BOM, UTF-16 and trailing blank lines', async () => {
      const whole = (await readFixture()).drafts.map(withoutLineEnds);
      const unix = fixture.replaceAll('\r\n', '\n');
      const variants = {
        crlf: unix.replaceAll('\n', '\r\n'),
        cr: unix.replaceAll('\n', '\r'),
        bom: `\uFEFF${unix}`,
        blank: `${unix}\n\n,,,\n  \n"",""\n`,
        unterminated: unix.replace(/\n+$/, ''),
        utf16: utf16(`\uFEFF${unix}`),
      };
      for (const [name, variant] of Object.entries(variants)) {
        const read = await readWhole(variant);
        expect({ name, drafts: read.drafts.map(withoutLineEnds) }).toEqual({ name, drafts: whole });
      }
    });

    test('headers in another case, in another order and among unknown headers are recognized', async () => {
      const whole = await readFixture();
      const reordered = shuffled(await readAllRows(fixture), await readHeaderLine(fixture), format.sectioned === true);
      const read = await readWhole(reordered);
      expect(read.drafts.map(unplaced)).toEqual(whole.drafts.map(unplaced));
    });

    test('a cell that cannot be read rejects its line, with line and column', async () => {
      if (broken === undefined) throw new Error(`Say which columns of ${format.id} the suite may break.`);
      const timeZone = 'America/New_York';
      const { outcomes } = await readWhole(fixture, { timeZone });
      const rows = await readAllRows(fixture);
      const headerLine = await readHeaderLine(fixture);
      const tried = { date: 0, number: 0 };
      for (const outcome of outcomes) {
        const line = outcome.kind === 'read' ? outcome.lines[0] : undefined;
        const row = rows.find((one) => one.line === line);
        if (row === undefined) continue;
        for (const kind of ['date', 'number'] as const) {
          const index = placeOf(rows, row, broken[kind], headerLine, format.sectioned === true);
          if (index === undefined || (row.cells[index] ?? '').trim() === '') continue;
          const damaged = rows.map((one) =>
            one === row ? { ...one, cells: one.cells.with(index, '99/99/2026x') } : one,
          );
          const after = await readWhole(csvOf(damaged), { timeZone });
          const issue = after.outcomes.find(
            (one) => one.kind === 'rejected' && one.issue.line === damagedLine(damaged, row),
          );
          expect(
            issue?.kind === 'rejected' ? normalizeHeader(issue.issue.column ?? '') : `line ${row.line} was read`,
          ).toBe(normalizeHeader(kind === 'number' ? broken.blamed : broken.date));
          // The question about the line belongs to its year in the taxpayer's time zone.
          if (kind === 'number' && outcome.kind === 'read' && issue?.kind === 'rejected')
            expect(outcome.drafts.map(({ on }) => formatDay(on))).toContain(
              issue.issue.on === undefined ? 'no day' : formatDay(issue.issue.on),
            );
          tried[kind]++;
        }
        if (Math.min(tried.date, tried.number) >= draws(1, 4)) break;
      }
      expect(tried.date).toBeGreaterThan(0);
      expect(tried.number).toBeGreaterThan(0);
    });

    test('no number in a draft is a float', async () => {
      for (const draft of (await readFixture()).drafts) {
        for (const value of Object.values(draft)) {
          if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
        }
      }
    });

    test('a column named __proto__ and a repeated header do no harm', async () => {
      const whole = await readFixture();
      const headerLine = await readHeaderLine(fixture);
      const rows = (await readAllRows(fixture)).map((row) => ({
        ...row,
        cells: [
          ...row.cells,
          ...(isAlone(row) || row.line < headerLine ? ['', ''] : ['__proto__', row.cells[0] ?? '']),
        ],
      }));
      if (format.sectioned === true) return;
      const width = Math.max(...rows.map((row) => row.cells.length));
      const padded = rows.map((row) => {
        const own = row.cells.slice(0, -2);
        return { ...row, cells: [...own, ...Array<string>(width - own.length - 2).fill(''), ...row.cells.slice(-2)] };
      });
      expect((await readWhole(csvOf(padded))).drafts.map(unplaced)).toEqual(whole.drafts.map(unplaced));
    });

    test('its drafts survive a round trip through the Lotbook CSV', async () => {
      const { drafts } = await readFixture();
      const again = await readWhole([...writeLotbook(drafts)].join(''));
      expect(again.outcomes.filter((outcome) => outcome.kind !== 'read')).toEqual([]);
      expect(again.drafts.map(unplaced)).toEqual(drafts.map(unplaced));
    });
  });
}

test('ids of formats are unique, including those of a format’s layouts', () => {
  expect(new Set(formats.map(({ id }) => id)).size).toBe(formats.length);
  for (const { id, layouts } of formats) {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(new Set(layouts.map((layout) => layout.id)).size).toBe(layouts.length);
    for (const layout of layouts) expect(layout.required.length).toBeGreaterThan(2);
  }
});

async function readAllRows(csv: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readRows(streamOf(csv))) rows.push(...batch);
  return rows;
}

async function readHeaderLine(csv: string): Promise<number> {
  const rows = await readAllRows(csv);
  const detection = detectAmong(formats, rows);
  return 'format' in detection ? (rows[detection.headerIndex]?.line ?? 0) : 0;
}

/** Returns rows as CSV with everything quoted, one record per row. */
function csvOf(rows: readonly { readonly cells: readonly string[] }[]): string {
  return rows.map((row) => row.cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
}

/**
 * Reverses the order of the columns, and capitalizes their names. In a file with sections, the first two columns stay,
 * because they route the line.
 */
function shuffled(rows: readonly Row[], headerLine: number, sectioned: boolean): string {
  const width = Math.max(...rows.map((row) => row.cells.length));
  const turned = rows.map((row) => {
    // Titles are outside the table.
    if (!sectioned && row.line < headerLine) return { cells: padded(row.cells, width) };
    const isHeader = sectioned ? row.cells[1] === 'Header' : row.line === headerLine;
    const cells = isHeader
      ? row.cells.map((cell, index) => (sectioned && index < 2 ? cell : ` ${cell.toUpperCase()} `))
      : row.cells;
    if (sectioned) return { cells: [...cells.slice(0, 2), ...padded(cells.slice(2), width).reverse()] };
    return { cells: padded(cells, width).reverse() };
  });
  return csvOf(turned);
}

/** Returns true for a title or the name of an account. Such a row keeps its single cell. */
function isAlone(row: Row): boolean {
  return row.cells.filter((cell) => cell.trim() !== '').length === 1;
}

function padded(cells: readonly string[], width: number): string[] {
  return [...cells, ...Array<string>(width - cells.length).fill('')];
}

function placeOf(
  rows: readonly Row[],
  row: Row,
  column: string,
  headerLine: number,
  sectioned: boolean,
): number | undefined {
  const header = sectioned
    ? rows.findLast((one) => one.line < row.line && one.cells[0] === row.cells[0] && one.cells[1] === 'Header')
    : rows.find((one) => one.line === headerLine);
  const index = header?.cells.findIndex((cell) => normalizeHeader(cell) === normalizeHeader(column)) ?? -1;
  return index === -1 ? undefined : index;
}

/** Returns the line of a row when all rows are written one after another. */
function damagedLine(rows: readonly Row[], row: Row): number {
  let line = 1;
  for (const one of rows) {
    if (one.line === row.line) return line;
    line += one.cells.join('').split('\n').length;
  }
  return 0;
}

/** Returns the row's content without its position and the account that earlier versions gave it. */
function unplaced(draft: Draft): Omit<Draft, 'line' | 'earlierAccount'> {
  const { line: _, earlierAccount: __, ...rest } = draft;
  return rest;
}

function withoutLineEnds(draft: Draft): Draft {
  return { ...draft, note: draft.note.replace(/\r\n|\r|\n/g, '\n') };
}

function utf16(text: string): Uint8Array {
  const units = Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return new Uint8Array(units.buffer);
}
