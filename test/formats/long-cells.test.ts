import { describe, expect, test } from 'bun:test';
import { limits } from '../../src/base/limits.ts';
import { Refusal } from '../../src/base/refusal.ts';
import type { Row } from '../../src/formats/format.ts';
import { readRows, rowLimits } from '../../src/formats/rows/rows.ts';
import { draws } from '../support/depth.ts';
import { formatFixtures } from './format-fixtures.ts';
import { readWhole, streamOf } from './reading.ts';

/**
 * Reading must take linear time in the length of every cell and header. A pattern that tries every start against every
 * end takes 10⁸ steps for a cell of ten thousand characters, some hundred milliseconds. Linear reading takes six for a
 * whole file of twenty such cells. On a busy machine the measurement is repeated.
 */
const cellsMilliseconds = 60;
/**
 * A header of sixty thousand characters takes 2 · 10⁹ such steps. Linear reading of sixty of them takes a tenth of a
 * second.
 */
const headersMilliseconds = 700;

function repeated(part: string, length: number): string {
  return part.repeat(Math.floor(length / part.length));
}

/** Returns texts that make patterns backtrack: long repeated runs, and an end that does not match. */
function hostileCells(length: number): string[] {
  const parts = [' ', '1', '(', ',111', '1 ', '.', 'A', 'A ', ' 1 @ 1', ') ', 'a(', '1/', 'USD', '-', '0', '"', '_'];
  const runs = parts.map((part) => `1${repeated(part, length - 4)}`);
  // A dot in a pattern does not match a line end, and `$` matches only at the end.
  return [...runs.map((run) => `${run}x`), ...runs.slice(0, 3).map((run) => `${run}x\ny`)];
}

/** The maximum length of a cell that a pattern reads. */
const longest = hostileCells(limits.noteCharacters - 100);

async function readAllRows(source: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of readRows(streamOf(source))) rows.push(...batch);
  return rows;
}

function csvOf(table: readonly (readonly string[])[]): string {
  return table.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
}

/**
 * Reads a file, or has it refused, within a limit of CPU time. On a busy machine, one of five attempts must succeed.
 */
async function readInTime(file: string, millisecondsMax: number, format?: string): Promise<number> {
  const took: number[] = [];
  while (took.length < 5 && !took.some((one) => one < millisecondsMax)) {
    const start = process.cpuUsage();
    await readWhole(file, format === undefined ? {} : { format }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    const { user, system } = process.cpuUsage(start);
    took.push((user + system) / 1000);
  }
  return Math.min(...took);
}

describe('a long cell in each column of', () => {
  for (const { name, format, text } of formatFixtures) {
    test(name, async () => {
      const rows = await readAllRows(text);
      const { outcomes } = await readWhole(text);
      const firstLine = Math.min(...outcomes.flatMap(({ lines }) => [...lines]));
      const head = rows.filter(({ line }) => line < firstLine).map(({ cells }) => cells);
      const body = rows.filter(({ line }) => line >= firstLine).map(({ cells }) => cells);
      const columns = Math.max(...body.map((cells) => cells.length));
      const count = Math.max(body.length, longest.length);
      for (let column = 0; column < columns; column += draws(12, 1)) {
        const spoilt = Array.from({ length: count }, (_, at) => {
          const cells = body[(at + column) % body.length] ?? [];
          const hostile = longest[at % longest.length] ?? '';
          // The text before it may be the beginning of a pattern.
          const keepsCell = (at + column) % 2 === 0;
          return cells.map((cell, index) => (index !== column ? cell : keepsCell ? cell + hostile : hostile));
        });
        const milliseconds = await readInTime(csvOf([...head, ...spoilt]), cellsMilliseconds, format.id);
        expect({ column, milliseconds, isLinear: milliseconds < cellsMilliseconds }).toMatchObject({ isLinear: true });
      }
    });
  }
});

describe('a long header', () => {
  const headers = hostileCells(60_000);

  for (const { name, text } of formatFixtures.filter((_, place) => place % draws(12, 1) === 0)) {
    test(`among the headers of ${name}, and instead of each in turn`, async () => {
      const rows = await readAllRows(text);
      const wider = rows.map(({ cells }, at) => [...cells, ...(at < 3 ? headers.slice(0, 200) : [])]);
      const [first = []] = rows.map(({ cells }) => cells);
      const renamed = [first.map((_, index) => headers[index % headers.length] ?? ''), ...rows.slice(1).map(cellsOf)];
      for (const table of [wider, renamed]) {
        expect(await readInTime(csvOf(table), headersMilliseconds)).toBeLessThan(headersMilliseconds);
      }
    });
  }

  test('of a mapping', async () => {
    const name = headers[2] ?? '';
    const file = csvOf([['date', 'what', name], ...longest.map((cell) => ['2024-01-02', cell, cell])]);
    const mapping = { columns: { date: 'date', what: 'type', [name]: 'amount' }, signs: 'amount' } as const;
    const start = process.cpuUsage();
    const { end } = await readWhole(file, { mapping });
    const { user, system } = process.cpuUsage(start);
    expect(end.rejected).toBe(longest.length);
    expect((user + system) / 1000).toBeLessThan(headersMilliseconds);
  });
});

function cellsOf({ cells }: Row): readonly string[] {
  return cells;
}

describe('a cell beyond the maximum length', () => {
  const header = 'date,type,account,asset,quantity,amount,lots,note,unread';
  const rowWith = (column: string, cell: string): string => {
    const cells: Record<string, string> = { date: '2024-01-02', type: 'sell', account: 'Home', asset: 'ACME' };
    const all: Record<string, string> = { ...cells, quantity: '1', amount: '10', [column]: cell };
    return header
      .split(',')
      .map((name) => all[name] ?? '')
      .join(',');
  };

  test('rejects its line with line and column, and an unread column may be longer', async () => {
    const long = 'n'.repeat(limits.noteCharacters + 1);
    for (const column of header.split(',')) {
      const { outcomes, end } = await readWhole(`${header}\n${rowWith(column, long)}\n`);
      const [outcome] = outcomes;
      if (column === 'unread') expect(end.read).toBe(1);
      else expect(outcome).toMatchObject({ kind: 'rejected', issue: { line: 2, column } });
    }
  });

  test('a number of three hundred characters is read, and one more is rejected', async () => {
    for (const column of ['quantity', 'amount']) {
      const number = `7.${'0'.repeat(limits.valueCharacters - 2)}`;
      expect((await readWhole(`${header}\n${rowWith(column, number)}\n`)).end.read).toBe(1);
      const { outcomes } = await readWhole(`${header}\n${rowWith(column, `${number}0`)}\n`);
      expect(outcomes[0]).toMatchObject({ kind: 'rejected', issue: { line: 2, column, code: 'bad_number' } });
    }
  });
});

test('a file whose rows take too long is refused by the line and the column that took it', async () => {
  const file = `date,type,asset,quantity,amount,note\n${`2024-01-02,buy,ACME,1,10,${'n'.repeat(900)}\n`.repeat(50)}`;
  const limited = { ...rowLimits, readingMilliseconds: -1, readingMillisecondsPerMegabyte: 0 };
  const refusal = await readWhole(file, {}, limited).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw new Error('The file was read.');
  expect(refusal.code).toBe('too_slow');
  expect(refusal.more.errors).toEqual([{ code: 'too_slow', detail: refusal.detail, line: 2, column: 'note' }]);
});
