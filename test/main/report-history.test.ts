import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildLedger, idOfRank, rankOfId } from '../../src/commands/report/book-ledger.ts';
import { FileHistory } from '../../src/commands/report/history.ts';
import { splitIntoBooks } from '../../src/commands/report/partition.ts';
import { computeRanks, rowsInOrder } from '../../src/commands/report/row-order.ts';
import { resolveAssetClass } from '../../src/engine/events/classes.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import { Ledger } from '../../src/engine/events/ledger.ts';
import type { Transaction } from '../../src/engine/model.ts';
import type { Draft } from '../../src/formats/format.ts';
import { readWhole } from '../formats/reading.ts';
import { defaultRules } from '../support/golden.ts';

const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats/lotbook.csv'), 'utf8');

function historyOf(files: readonly Awaited<ReturnType<typeof readWhole>>[]): FileHistory {
  const history = new FileHistory({ accounts: {} }, files.length > 1);
  for (const [at, { drafts, end }] of files.entries()) {
    const file = history.begin(`file${at}.csv`, { id: 'schwab', assetClass: 'stock' }, '');
    for (const draft of drafts) history.add([draft], file);
    history.end(file, end);
  }
  return history;
}

/** Returns every replayed transaction once, in order of rank. */
function replayedOf(history: FileHistory): Transaction[] {
  const ranks = computeRanks(rowsInOrder(history), history);
  const [rules, prices, through] = [defaultRules, null, history.getDay(0)];
  const input = { history, ranks, rules, prices, through, year: 2024, lists: [] };
  const replayed = new Map<string, Transaction>();
  for (const book of splitIntoBooks(history)) {
    for (const one of buildLedger(book, input).transactions()) {
      expect(listAssetKeys(one).some((key) => book.keys.has(key))).toBe(true);
      replayed.set(one.id, one);
    }
  }
  return [...replayed.values()].sort((a, b) => rankOfId(a.id) - rankOfId(b.id));
}

/** Converts a draft as the other paths into the engine do. */
function transactionOf({ timeZone: _, ...draft }: Draft, rank: number): Transaction[] {
  const assetClass = resolveAssetClass(draft, { accounts: {} }, 'stock');
  return Ledger.of([{ ...draft, assetClass, id: idOfRank(rank), note: '' }]).transactions();
}

test('every kind of transaction is replayed with the values in its draft, except for its note', async () => {
  const file = await readWhole(fixture);
  const ordered = file.drafts.toSorted((a, b) => a.on - b.on || a.line - b.line);
  expect(ordered.length).toBeGreaterThan(40);
  expect(replayedOf(historyOf([file]))).toEqual(ordered.flatMap(transactionOf));
});

test('rows that occur in two files are replayed once, in either file order', async () => {
  const lines = fixture.trimEnd().split('\n');
  const header = lines[0] ?? '';
  const [first, second] = [await readWhole(fixture), await readWhole(`${[header, ...lines.slice(-20)].join('\n')}\n`)];
  const alone = replayedOf(historyOf([first]));
  const both = replayedOf(historyOf([first, second]));
  expect(both.length).toBe(alone.length);
  const withoutLines = (transactions: readonly Transaction[]) => transactions.map(({ line: _, ...one }) => one);
  expect(withoutLines(replayedOf(historyOf([second, first])))).toEqual(withoutLines(both));
});

test('a newest-first file counts its positions from its end, even next to an oldest-first file', async () => {
  const rows = ['2024-01-02,dividend,X,5', '2024-01-03,dividend,X,6'];
  const read = async (lines: readonly string[]) => readWhole(`date,type,asset,amount\n${lines.join('\n')}\n`);
  const history = historyOf([await read(rows), await read(rows.toReversed())]);
  const places = [0, 1, 2, 3].map((row) => [
    history.getLine(row),
    history.getPosition(row),
    history.findFileOfRow(row).firstRow,
  ]);
  expect(places).toEqual([
    [2, 2, 0],
    [3, 3, 0],
    [2, 2, 2],
    [3, 1, 2],
  ]);
});

test('ids sort in the same order as their ranks', () => {
  const ranks = [0, 1, 35, 36, 46_655, 46_656, 46_657, 999_999, 2_000_000_000];
  expect(ranks.map(idOfRank)).toEqual(ranks.map(idOfRank).toSorted());
  expect(ranks.map((rank) => rankOfId(idOfRank(rank)))).toEqual(ranks);
});
