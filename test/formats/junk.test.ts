import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Row } from '../../src/formats/format.ts';
import { formats } from '../../src/formats/index.ts';
import { readRows } from '../../src/formats/rows/rows.ts';
import { writeLotbook } from '../../src/formats/sources/lotbook.ts';
import { draws } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { readWhole, streamOf } from './reading.ts';

/** Cells are corrupted at random: no reader fails on them, no line is lost, and the drafts are valid. */
const seed = seedFor('junk in cells');
const numRuns = draws(3, 15);

const junk = fc.constantFrom(
  ...['', ' ', '-', '0', '-1', '1e5', '12,5', '1.234', '(5)', '1,234,567.89', '1.000000000000000000001', 'NaN', '0x'],
  ...['99/99/2026', '2024-02-30', '2024-02-29 25:00', '1:0', '4:1', '€', '$', '"', '=1+1', '__proto__', 'null'],
  ...['BTC', 'USD', 'buy', 'sell', 'deposit', 'transfer', 'interest', 'trade', 'x'.repeat(300), '9'.repeat(23)],
);
const damages = fc.array(fc.tuple(fc.nat(), fc.nat(), junk), { minLength: 1, maxLength: 4 });

for (const { id } of formats) {
  test(`${id}: corrupted cells affect only their lines`, async () => {
    const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats', `${id}.csv`), 'utf8');
    const rows: Row[] = [];
    for await (const batch of readRows(streamOf(fixture))) rows.push(...batch);
    const { outcomes } = await readWhole(fixture);
    const firstLine = Math.min(...outcomes.flatMap(({ lines }) => [...lines]));
    const body = rows.findIndex(({ line }) => line >= firstLine);
    const property = fc.asyncProperty(damages, async (spoiled) => {
      const table = rows.map(({ cells }) => [...cells]);
      for (const [row, column, text] of spoiled) {
        const cells = table[body + (row % (table.length - body))] ?? [];
        cells[column % cells.length] = text;
      }
      const reading = await readWhole(csvOf(table), { format: id });
      const all = reading.outcomes.flatMap(({ lines }) => [...lines]);
      expect({ lines: all.length, different: new Set(all).size }).toEqual({
        lines: reading.end.rows,
        different: reading.end.rows,
      });
      const again = await readWhole([...writeLotbook(reading.drafts)].join(''));
      expect(again.outcomes.filter(({ kind }) => kind !== 'read')).toEqual([]);
    });
    await fc.assert(property, { seed, numRuns });
  });
}

function csvOf(table: readonly (readonly string[])[]): string {
  return table.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
}
