import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFixtures } from './format-fixtures.ts';
import { csvOf, fixtureRows, isNumber, readHeader, wordsOf } from './money-cells.ts';
import { readWhole } from './reading.ts';

/**
 * A trade for a currency whose row also states a price: if the price changes, the money changes too, or a warning is
 * raised. Columns that are not the price of the trade are in `fixtures/other-prices.tsv`, each with its reason.
 */

const other: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...Map.groupBy(
      readFileSync(join(import.meta.dir, '../fixtures/other-prices.tsv'), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => {
          const [fixture = '', column = '', why = ''] = line.split('\t');
          if (why === '') throw new Error(`Say why ${column} of ${fixture} is no price of a trade.`);
          return { fixture, column };
        }),
      ({ fixture }) => fixture,
    ),
  ].map(([fixture, columns]) => [fixture, new Set(columns.map(({ column }) => column))]),
);

const trades = /^(?:buy|sell|short_sell|cover|(?:buy|sell)_to_(?:open|close))$/;
const namesPrice = /\bprice\b|\bkurs\b|\brate\b/;

for (const fixture of formatFixtures) {
  test(`${fixture.name}: another price changes the value or raises a warning`, async () => {
    const rows = await fixtureRows(fixture);
    const [whole, headerAt] = [await readWhole(csvOf(rows)), await readHeader(rows, fixture)];
    const known = other.get(fixture.name) ?? new Set();
    const [silent, needless] = [new Set<string>(), new Set(known)];
    for (const outcome of whole.outcomes) {
      if (outcome.kind !== 'read' || !trades.test(outcome.drafts.map(({ type }) => type).join('+'))) continue;
      for (const line of outcome.lines) {
        for (const [place, column] of (headerAt(line)?.cells ?? []).entries()) {
          const row = rows[line - 1];
          const text = row?.cells[place]?.trim() ?? '';
          if (row === undefined || !namesPrice.test(wordsOf(column)) || !isNumber(text) || !/[1-9]/.test(text))
            continue;
          // A price per hundred and a price per share are the same price.
          const dearer = text.replace(/\d/, (digit) => `${digit}7`);
          const changed = rows.with(line - 1, { ...row, cells: row.cells.with(place, dearer) });
          if (moneyOf(await readWhole(csvOf(changed))) !== moneyOf(whole)) continue;
          needless.delete(column);
          if (!known.has(column)) silent.add(column);
        }
      }
    }
    expect({ silent: [...silent], needless: [...needless] }).toEqual({ silent: [], needless: [] });
  });
}

function moneyOf({ outcomes }: Awaited<ReturnType<typeof readWhole>>): string {
  return JSON.stringify(outcomes, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
