import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { formatDayUs } from '../../src/base/day.ts';
import { type Cents, formatCents } from '../../src/base/decimal.ts';
import type { Box } from '../../src/engine/model.ts';
import { getRefnum, txfHead, txfRecord, txfReport, txfWarnings } from '../../src/forms/exports/txf.ts';
import { boxOrder, formRows } from '../../src/forms/lines.ts';
import { paperBox } from '../../src/forms/pages.ts';
import { seedFor } from '../support/seed.ts';
import { books, cents, day, line, readText } from './books.ts';
import { golden } from './shared.ts';

const seed = seedFor('txf forms properties');

/** Reads TXF V042 according to its record table, and returns what an importer reads. */
function readTxf(text: string): {
  version: string;
  program: string;
  date: string;
  records: Record<string, string[]>[];
} {
  expect(text.endsWith('^\r\n')).toBe(true);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const [head = '', ...sections] = text.slice(0, -'^\r\n'.length).split('^\r\n');
  const [version = '', program = '', date = ''] = head.split('\r\n');
  const records = sections.map((record) => {
    const fields: Record<string, string[]> = {};
    for (const field of record.split('\r\n').slice(0, -1)) {
      fields[field[0] ?? ''] = [...(fields[field[0] ?? ''] ?? []), field.slice(1)];
    }
    return fields;
  });
  return { version, program: program.slice(1), date: date.slice(1), records };
}

describe('TXF', () => {
  test('the golden case is reproduced byte for byte', () => {
    const worked = golden('fm17');
    if (worked === undefined) return;
    const [file = {}] = worked.transactions;
    const rows = file.rows as {
      box: Box;
      description: string;
      acquired: string;
      sold: string;
      basis: string;
      proceeds: string;
      wash: string | null;
    }[];
    const sales = rows.map((row) => ({
      ...row,
      acquired: formatDayUs(day(row.acquired)),
      sold: formatDayUs(day(row.sold)),
      basis: cents(row.basis),
      proceeds: cents(row.proceeds),
      wash: row.wash === null ? null : cents(row.wash),
    }));
    const head = { program: String(file.program), exportDate: formatDayUs(day(String(file.export_date))) };
    const text = [txfHead(head), ...sales.map(txfRecord)].join('');
    expect(text).toBe(String(worked.expected.summary.txf));
  });

  test('boxes A to F have their refnums, and digital assets are exported as not reported', () => {
    expect(boxOrder.map((box) => `${box}${getRefnum(box)}`).join(' ')).toBe(
      'A321 B711 C712 G712 H712 I712 D323 E713 F714 J714 K714 L714',
    );
  });

  test('the records are read back as the lines', async () => {
    const amount = fc.bigInt(0n, 10n ** 11n).map((value) => formatCents(value as Cents));
    const words = fc.record({
      box: fc.constantFrom(...boxOrder),
      proceeds: amount,
      basis: amount,
      wash: fc.option(amount),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 40 }), async (rows) => {
        const lines = rows.map(({ wash, ...one }) =>
          line(wash === null ? one : { ...one, code: 'W', adjustment: wash }),
        );
        const file = readTxf(await readText(txfReport.render(books(2025, lines))));
        expect([file.version, file.program, file.date]).toEqual(['V042', 'Lotbook', '02/14/2026']);
        const expected = formRows(lines).map((row) => ({
          T: ['D'],
          N: [String(getRefnum(row.box))],
          C: ['1'],
          L: ['1'],
          P: [row.description],
          D: [row.acquired, row.sold],
          $: [row.basis, row.proceeds, ...(row.adjustment === 0n ? [] : [row.adjustment])].map(formatCents),
        }));
        expect(file.records).toEqual(expected);
      }),
      { seed, numRuns: 100 },
    );
  });

  test('only the wash sale part of an adjustment is exported, and a warning names the other parts', async () => {
    const sale = line({ box: 'A', code: 'BW', adjustment: '950', proceeds: '4000', basis: '5200' });
    const washSales = [
      {
        kind: 'wash' as const,
        causedOn: sale.disposal.on,
        id: `${sale.disposal.id}/r/0`,
        disposalId: sale.disposal.id,
        on: sale.disposal.on,
        replacementLotId: 'r/0',
        replacementTransactionId: 'r',
        quantity: sale.disposal.quantity,
        disallowed: cents('750'),
        permanent: false,
      },
    ];
    const year = books(2025, [sale], { washSales });
    expect(readTxf(await readText(txfReport.render(year))).records[0]?.$).toEqual(['5200.00', '4000.00', '750.00']);
    expect(txfWarnings(year).join(' ')).toContain('Complete the other codes manually: 1 line has one.');
  });

  test('digital assets have a warning with their boxes', () => {
    expect(txfWarnings(books(2025, [line({ box: 'L' }), line({ box: 'H' })])).join(' ')).toContain('box H, L');
    expect(txfWarnings(books(2025, [line({ box: 'A' })]))).toEqual([]);
    expect(boxOrder.map(paperBox).join('')).toBe('ABCCCCDEFFFF');
  });

  test('a name outside ASCII cannot break a record', async () => {
    const text = await readText(txfReport.render(books(2024, [line({ asset: 'Ünïcorn\r\n^ 東京', quantity: '1' })])));
    expect(readTxf(text).records[0]?.P).toEqual(['1 sh. Unicorn??^ ??']);
  });
});
