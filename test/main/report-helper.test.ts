import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/base/day.ts';
import { Helper } from '../../src/commands/report/helper.ts';
import { History } from '../../src/commands/report/history.ts';
import type { PartsOrder } from '../../src/commands/report/parts.ts';
import { newTurns, partsInTurn } from '../../src/commands/report/turns.ts';
import { readWhole } from '../formats/reading.ts';
import { defaultRules } from '../support/golden.ts';

const order: PartsOrder = {
  year: 2024,
  rules: { ...defaultRules, method: 'HIFO' },
  through: 20_400 as Day,
  prices: new Map([['2024-01-01 EUR', '1.1']]),
  lists: ['lines', 'washSales', 'incomes', 'contracts', 'openLots'],
};

async function historyOfFixture(): Promise<History> {
  const { drafts } = await readWhole(readFileSync(join(import.meta.dir, '../fixtures/formats/lotbook.csv')));
  const history = new History({});
  const file = history.begin('lotbook.csv', null);
  for (const draft of drafts) history.add(draft, file);
  return history;
}

function rowsOf(history: History): Uint32Array<SharedArrayBuffer> {
  const rows = new Uint32Array(new SharedArrayBuffer(4 * history.length));
  rows.forEach((_, at) => {
    rows[at] = at;
  });
  return rows;
}

test('the second thread makes of the books what the first one makes of them', async () => {
  const history = await historyOfFixture();
  const rows = rowsOf(history);
  const own = partsInTurn(history, rows, order, newTurns());
  const helper = new Helper();
  const others = await helper.replay({ history: history.state, rows, order, turns: newTurns() });
  helper.close();
  expect(own.size).toBeGreaterThan(5);
  expect(new Map([...others].sort(([a], [b]) => a - b))).toEqual(new Map([...own].sort(([a], [b]) => a - b)));
});

test('a book is taken once, by whichever thread comes first', async () => {
  const history = await historyOfFixture();
  const rows = rowsOf(history);
  const all = partsInTurn(history, rows, order, newTurns());
  const turns = newTurns();
  const told: number[] = [];
  const helper = new Helper();
  const others = helper.replay({ history: history.state, rows, order, turns });
  const own = partsInTurn(history, rows, order, turns, (done) => told.push(done));
  const places = [...own.keys(), ...(await others).keys()];
  helper.close();
  expect(places.sort((a, b) => a - b)).toEqual([...all.keys()].sort((a, b) => a - b));
  expect(told).toEqual(told.toSorted((a, b) => a - b));
});

test('what fails in the second thread is told', async () => {
  const helper = new Helper();
  const history = new History({}).state;
  const broken = { history: { ...history, columns: [] }, rows: rowsOf(new History({})), order, turns: newTurns() };
  const failed = await helper.replay(broken).catch((error: unknown) => error);
  helper.close();
  expect(String(failed)).toContain('adopt');
});
