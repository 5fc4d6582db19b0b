import { describe, expect, test } from 'bun:test';
import { normalizeHeader } from '../../src/formats/cells/cells.ts';
import type { Outcome, Row } from '../../src/formats/format.ts';
import { draws, isDeep } from '../support/depth.ts';
import { seedFor } from '../support/seed.ts';
import { type FormatFixture, formatFixtures } from './format-fixtures.ts';
import { csvOf, fixtureRows, isNumber, isOfMoney, readHeader } from './money-cells.ts';
import { readWhole } from './reading.ts';
import { restatedMoney } from './restated-money.ts';

/**
 * Tests that no money in a file is dropped: the amounts in its lines are read, rejected or skipped. An amount in a line
 * that is read has an effect: with another number instead, the line is read differently, or raises a warning or a
 * rejection. Redundant columns are in `fixtures/restated-money.tsv`, each with its reason.
 */

const seed = seedFor('money that is heard');
let state = seed;

/** Returns a random digit from 1 to 9. A generator of 31 bits (Lehmer) is random enough for this. */
function digit(): string {
  state = Number((BigInt(state || 1) * 48_271n) % 2_147_483_647n);
  return String(1 + (state % 9));
}

interface Unheard {
  readonly column: string;
  readonly types: string;
  readonly line: number;
}

for (const fixture of formatFixtures) {
  describe(fixture.name, () => {
    test('drops no money: another number instead of it changes the result, or raises a question', async () => {
      const silent = new Map<string, Unheard>();
      for (const one of await readUnheard(fixture)) silent.set(`${one.column}|${one.types}`, one);
      const known = restatedMoney.get(fixture.name) ?? [];
      const isKnown = (one: Unheard): boolean =>
        known.some(({ column, types }) => column === normalizeHeader(one.column) && types.test(one.types));
      const dropped = [...silent.values()].filter((one) => !isKnown(one));
      // Read these amounts. If the amount of a column repeats another one, or has no meaning for these types, add a line
      // with the reason to test/fixtures/restated-money.tsv.
      expect({ seed, dropped }).toEqual({ seed, dropped: [] });
      if (!isDeep) return;
      const needless = known.filter(
        ({ column, types }) =>
          ![...silent.values()].some((one) => column === normalizeHeader(one.column) && types.test(one.types)),
      );
      expect(needless.map(({ column }) => column)).toEqual([]);
    });
  });
}

/** The number of lines of a fixture that are changed. */
const linesMax = draws(4, 1_000);

/** Returns the amounts in lines that are read for which another number has no effect. */
async function readUnheard(fixture: FormatFixture): Promise<Unheard[]> {
  const rows = await fixtureRows(fixture);
  const whole = await readWhole(csvOf(rows));
  const before = textOf(whole.outcomes);
  const headerAt = await readHeader(rows, fixture);
  const unheard: Unheard[] = [];
  for (const outcome of whole.outcomes) {
    if (outcome.kind !== 'read') continue;
    const types = outcome.drafts.map(({ type }) => type).join('+');
    for (const line of outcome.lines) {
      if (line % Math.ceil(rows.length / linesMax) !== 0) continue;
      for (const [place, column] of (headerAt(line)?.cells ?? []).entries()) {
        const texts = numbersFor(column, rows[line - 1]?.cells[place] ?? '');
        let isHeard = texts.length === 0;
        for (const text of texts) {
          if (isHeard) continue;
          isHeard = before !== textOf((await readWhole(csvOf(withCell(rows, line, place, text)))).outcomes);
        }
        if (!isHeard) unheard.push({ column, types, line });
      }
    }
  }
  return unheard;
}

/** Returns other numbers of either sign for a money cell, or none for any other cell. */
function numbersFor(column: string, cell: string): string[] {
  const text = cell.trim();
  if (!isOfMoney(column) || (text !== '' && !isNumber(text))) return [];
  const digits = text.replace(/\d/g, digit);
  const fresh = text === '' || digits === text || /^[^\d]*0$/.test(text) ? `${digit()}${digit()}.37` : digits;
  return [fresh, fresh.startsWith('-') ? fresh.slice(1) : `-${fresh}`];
}

function withCell(rows: readonly Row[], line: number, index: number, text: string): readonly Row[] {
  const row = rows[line - 1];
  if (row === undefined) throw new Error(`There is no line ${line}.`);
  const padded = [...row.cells, ...Array<string>(Math.max(0, index + 1 - row.cells.length)).fill('')];
  return rows.with(line - 1, { ...row, cells: padded.with(index, text) });
}

function textOf(outcomes: readonly Outcome[]): string {
  return JSON.stringify(outcomes, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
