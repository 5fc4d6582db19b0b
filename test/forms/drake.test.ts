import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import { type Cents, formatCents } from '../../src/base/decimal.ts';
import type { Box, Line } from '../../src/engine/model.ts';
import { drakeReport } from '../../src/forms/exports/drake.ts';
import { withChoices } from '../../src/forms/format-choices.ts';
import { boxOrder } from '../../src/forms/lines.ts';
import { sumFormRows } from '../../src/forms/pages.ts';
import type { ReportBooks } from '../../src/forms/report.ts';
import { listedRows } from '../../src/forms/rows.ts';
import { seedFor } from '../support/seed.ts';
import { books, cents, day, line, quantity, readText, rules } from './books.ts';

/**
 * Reads Drake's Form 8949 import as its help describes it: 40 columns by position, from line 2. Amounts are plain
 * numbers, dates are MMDDYYYY or a word, and the check box with the type decides the part and the box.
 */
function readDrake(text: string): readonly DrakeRow[] {
  const [, ...records] = Papa.parse<string[]>(text, { newline: '\r\n', skipEmptyLines: true }).data;
  return records.map((cells) => {
    expect(cells.length).toBe(40);
    const at = (position: number): string => cells[position - 1] ?? '';
    const amount = (position: number): Cents => {
      expect(at(position)).toMatch(/^(-?\d+\.\d\d)?$/);
      return (at(position) === '' ? 0n : cents(at(position))) as Cents;
    };
    expect(['T', 'S', 'J', '']).toContain(at(1));
    expect(['1', '2', '3']).toContain(at(5));
    expect(at(7)).toMatch(/^(\d{8}|VARIOUS|INHERIT|)$/);
    expect(at(8)).toMatch(/^(\d{8}|)$/);
    expect(['S', 'L']).toContain(at(9));
    const own = [17, 20, 23].filter((position) => at(position) !== '');
    for (const position of own) expect(at(position)).toMatch(/^[BCDEHLMNOPQRSTWXYZ]$/);
    for (const position of [2, 3, 4, 10, 13, 14, 16, 19, 22, ...Array.from({ length: 15 }, (_, index) => index + 25)]) {
      if (position !== 40) expect(at(position)).toBe('');
    }
    const codes = [...own.map(at), ...(at(15) === '' ? [] : ['W'])].sort().join('');
    const adjustment = own.reduce((sum, position) => sum + amount(position + 1), amount(15) as bigint) as Cents;
    return {
      owner: at(1),
      box: { S: 'ABC', L: 'DEF' }[at(9)]?.[Number(at(5)) - 1] ?? '',
      description: at(6),
      acquired: at(7),
      sold: at(8),
      proceeds: amount(11),
      basis: amount(12),
      wash: amount(15),
      codes,
      adjustment,
      gain: (amount(11) - amount(12) + adjustment) as Cents,
    };
  });
}

interface DrakeRow {
  readonly owner: string;
  readonly box: string;
  readonly description: string;
  readonly acquired: string;
  readonly sold: string;
  readonly proceeds: Cents;
  readonly basis: Cents;
  readonly wash: Cents;
  readonly codes: string;
  readonly adjustment: Cents;
  readonly gain: Cents;
}

const render = async (of: ReportBooks) => readDrake(await readText(drakeReport.render(of)));

const washOf = (id: string, disallowed: string): ReportBooks['washSales'][number] => ({
  kind: 'wash',
  causedOn: day('2024-06-03'),
  id: `${id}/r/0`,
  disposalId: id,
  on: day('2024-06-03'),
  replacementLotId: 'r/0',
  replacementTransactionId: 'r',
  quantity: quantity('1'),
  disallowed: cents(disallowed),
  permanent: false,
});

describe("Drake's Form 8949 import", () => {
  test('is read back with the sums of the year to the cent, in each box', async () => {
    const codes = fc.constantFrom('', 'W', 'B', 'BW', 'E', 'ET', 'BTW', 'C', 'D', 'BE', 'BDE');
    const amount = fc.bigInt(0n, 10n ** 9n).map((value) => formatCents(value as Cents));
    const lineOf = fc
      .record({ box: fc.constantFrom(...boxOrder), proceeds: amount, basis: amount, code: codes, adjustment: amount })
      .map(({ code, adjustment, ...words }) => line({ ...words, code, adjustment: code === '' ? '0' : adjustment }));
    await fc.assert(
      fc.asyncProperty(fc.array(lineOf, { maxLength: 30 }), fc.boolean(), async (lines, wholeDollars) => {
        const washSales = lines
          .filter(({ code }) => code.length > 1 && code.includes('W'))
          .map(({ disposal }) => washOf(disposal.id, '12.34'));
        const of = books(2025, lines, { washSales, wholeDollars });
        const rows = await render(of);
        const paper = (box: Box): string => ('ABCDEF'.includes(box) ? box : 'GHI'.includes(box) ? 'C' : 'F');
        for (const box of 'ABCDEF') {
          const expected = sumFormRows([...listedRows(of)].filter((row) => paper(row.box) === box));
          expect(sumFormRows(rows.filter((row) => row.box === box) as never)).toEqual(expected);
        }
        expect(rows.length).toBe(lines.length);
      }),
      { seed: seedFor('drake forms properties'), numRuns: 60 },
    );
  });

  test('each date, code and check box is what Drake accepts', async () => {
    const rows = await render(
      books(2024, [
        line({ box: 'A', code: 'W', adjustment: '50', basis: '1100' }),
        line({ box: 'B', code: 'BE', adjustment: '-30' }),
        line({ box: 'F', more: { inherited: true } }),
        line({ box: 'D', more: { acquiredVarious: true } }),
        line({ box: 'C', more: { purchaseUnknown: true } as never }),
      ]),
    );
    expect(rows.map(({ box, acquired, codes, wash, adjustment }) => [box, acquired, codes, wash, adjustment])).toEqual([
      ['A', '02012024', 'W', 5000n, 5000n],
      ['B', '02012024', 'BE', 0n, -3000n],
      ['C', '', '', 0n, 0n],
      ['D', 'VARIOUS', '', 0n, 0n],
      ['F', 'INHERIT', '', 0n, 0n],
    ] as never);
    expect(new Set(rows.map(({ sold }) => sold))).toEqual(new Set(['06032024']));
  });

  test('a wash sale beside another code has its own column, and the amount goes to a code that can have one', async () => {
    const of = books(2025, [line({ id: 'w/0', box: 'A', code: 'BTW', adjustment: '70' })], {
      washSales: [washOf('w/0', '20')],
    });
    const text = await readText(drakeReport.render(of));
    expect(text.split('\r\n')[1]).toBe(
      'T,,,,1,100 sh. XYZ,02012024,06032024,S,,1000.00,900.00,,,20.00,,B,50.00,,T,0.00,,,,,,,,,,,,,,,,,,,',
    );
  });

  test('lines of the spouse are S, and a joint return is asked about joint accounts', async () => {
    const spouse = { ...rules, accounts: { 'BRK 2': { type: 'spouse' as const } } };
    const of = books(2025, [line({ box: 'A' }), line({ box: 'A', more: { account: 'BRK 2' } })], {
      rules: spouse,
      filingStatus: 'mfj',
    });
    expect((await render(of)).map(({ owner }) => owner)).toEqual(['T', 'S']);
    expect(drakeReport.warnings?.(of)?.join()).toContain('Enter J for jointly owned accounts');
  });

  test('digital assets are in check box 3 or left out, and the warnings name screen 99DA', async () => {
    const of = books(2025, [line({ box: 'A' }), line({ box: 'G' }), line({ box: 'K' })]);
    expect((await render(of)).map(({ box }) => box)).toEqual(['A', 'C', 'F']);
    expect(drakeReport.warnings?.(of)).toEqual([
      "Drake's import has no check box for digital assets: 2 lines are written with check box 3 (box C or F); move what a Form 1099-DA reports to screen 99DA.",
    ]);
    const without = withChoices(of, drakeReport, { digitalAssets: 'left_out' });
    expect((await render(without)).map(({ box }) => box)).toEqual(['A']);
    expect(drakeReport.warnings?.(without)).toEqual([
      "Drake's import has no check box for digital assets: 2 lines are left out; enter what is missing on screen 99DA.",
    ]);
  });

  test('what a row cannot hold is in the warnings', () => {
    const of = books(2025, [
      line({ box: 'B', code: 'BDEO', adjustment: '1' }),
      line({ box: 'C', more: { purchaseUnknown: true } as never }),
    ]);
    expect(drakeReport.warnings?.(of)).toEqual([
      '1 line has no date acquired, because it is unknown. Enter it in Drake.',
      "1 line has more codes than Drake's three adjustments. The amount is complete; add the other codes in Drake.",
    ]);
  });

  test('rows of totals (Exception 2) have code M, the total adjustment and no dates', async () => {
    const washed: Line = line({ id: 'x/0', box: 'A', code: 'W', adjustment: '10', basis: '1100' });
    const of = withChoices(
      books(2025, [washed, line({ box: 'A' })], { washSales: [washOf('x/0', '10')] }),
      drakeReport,
      {
        exception2: true,
      },
    );
    expect(await render(of)).toEqual([
      {
        owner: 'T',
        box: 'A',
        description: 'BRK1 see attached statement',
        acquired: '',
        sold: '',
        proceeds: 200_000n,
        basis: 200_000n,
        wash: 1_000n,
        codes: 'MW',
        adjustment: 1_000n,
        gain: 1_000n,
      },
    ] as never);
  });

  test('a name that a spreadsheet would run as a formula is text', async () => {
    const text = await readText(drakeReport.render(books(2025, [line({ more: { description: '=1+1' } })])));
    expect(text.split('\r\n')[1]).toContain(",'=1+1,");
  });
});
