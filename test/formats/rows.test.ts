import { expect, test } from 'bun:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import { Refusal } from '../../src/base/refusal.ts';
import type { Row } from '../../src/formats/format.ts';
import { type RowLimits, readRows, rowLimits } from '../../src/formats/rows/rows.ts';
import { draws } from '../support/depth.ts';
import { type Source, streamOf } from './reading.ts';

const tricky =
  'name,note,amount\r\n"Zoë, a","two\nlines",1\n"she said ""hi""",,2\r"",plain €,3\r\n\n"\r\n",x,4\n"a"  ,b,5';
const trickyRows = [
  { line: 1, cells: ['name', 'note', 'amount'] },
  { line: 2, cells: ['Zoë, a', 'two\nlines', '1'] },
  { line: 4, cells: ['she said "hi"', '', '2'] },
  { line: 5, cells: ['', 'plain €', '3'] },
  { line: 7, cells: ['\r\n', 'x', '4'] },
  { line: 9, cells: ['a', 'b', '5'] },
];

test('quotes, line ends of three kinds and blank lines in one file', async () => {
  expect(await readAllRows(tricky)).toEqual(trickyRows);
});

test('a file reads the same when cut at every byte', async () => {
  const bytes = new TextEncoder().encode(tricky);
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(await readAllRows([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(trickyRows);
  }
});

test('a file reads the same in blocks of every size', async () => {
  const bytes = new TextEncoder().encode(tricky);
  for (let blockBytes = 1; blockBytes <= bytes.length; blockBytes++) {
    expect(await readAllRows(bytes, { blockBytes })).toEqual(trickyRows);
  }
});

test('cells with any content are read back, regardless of cuts, line ends and delimiter', async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`rows.test seed ${seed}`);
  const cell = fc.oneof(
    fc.string({ maxLength: 6, unit: fc.constantFrom('a', '1', '"', ',', ';', '\n', '\r', ' ', 'é', '😀', '.') }),
    fc.constantFrom('', '0', '-1.5', '"', '""', '\n', '=1+1'),
  );
  const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 });
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom('\n', '\r\n', '\r'),
      cuts,
      fc.integer({ min: 1, max: 40 }),
      async (cells, end, at, blockBytes) => {
        const header = ['first column', 'second column', 'third column'];
        const csv = [header, ...cells]
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join(end);
        const rows = await readAllRows(cutAt(new TextEncoder().encode(csv), at), { blockBytes });
        expect(rows.map((row) => row.cells)).toEqual([
          header,
          ...cells.filter((row) => row.some((one) => one.trim() !== '')),
        ]);
      },
    ),
    { seed, numRuns: draws(60, 300) },
  );
});

test('random text has the rows that papaparse finds, regardless of cuts, line ends and delimiter', async () => {
  const cell = fc.oneof(
    fc.string({ maxLength: 5, unit: fc.constantFrom('a', '1', '.', ' ', 'é', '😀', '-') }),
    fc
      .string({ maxLength: 5, unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', ' ', 'é') })
      .map((text) => `"${text.replaceAll('"', '""')}"`),
    fc.constantFrom('', '5" pipe', '""'),
  );
  const record = fc.tuple(
    fc.array(cell, { minLength: 1, maxLength: 5 }),
    fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\r\n'),
  );
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(',', ';', '\t'),
      cuts,
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (records, delimiter, at, blockBytes, isEnded) => {
        // papaparse knows one line end for each text, so it gets each record on its own.
        const lines: { line: number; cells: readonly string[] }[] = [];
        let csv = `sep=${delimiter}\n`;
        for (const [index, [cells, end]] of records.entries()) {
          const text = cells.join(delimiter);
          const parsed = Papa.parse<string[]>(text, { delimiter, newline: '\n' }).data;
          lines.push({ line: 1 + countLineEnds(csv), cells: parsed.length === 0 ? [''] : (parsed[0] as string[]) });
          csv += text + (index === records.length - 1 && !isEnded ? '' : end);
        }
        const rows = await readAllRows(cutAt(new TextEncoder().encode(csv), at), { blockBytes });
        expect(rows.slice(1)).toEqual(lines.filter(({ cells }) => cells.some((one) => one.trim() !== '')) as Row[]);
      },
    ),
    { numRuns: draws(200, 2_000) },
  );
});

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

test('the delimiter is found in the rows: comma, semicolon, tab, or the sep= line', async () => {
  expect((await readAllRows('a;b;c\n1,5;2,5;3\n'))[1]?.cells).toEqual(['1,5', '2,5', '3']);
  expect((await readAllRows('a\tb\tc\n1,5\t2\t3\n'))[1]?.cells).toEqual(['1,5', '2', '3']);
  expect((await readAllRows('a,b,c\nx;y;z;w,2,3\n'))[1]?.cells).toEqual(['x;y;z;w', '2', '3']);
  expect((await readAllRows('sep=;\na;b,c,d;e\n1;2,,;3\n'))[2]?.cells).toEqual(['1', '2,,', '3']);
});

test('text after a closing quote marks the cell as uncertain and does not affect other lines', async () => {
  const rows = await readAllRows('a,b,c\n1,"he said "hi", ok",3\n4,5,6\n');
  expect(rows.map(({ flaw }) => flaw)).toEqual([undefined, 1, undefined]);
  expect(rows[2]).toEqual({ line: 3, cells: ['4', '5', '6'] });
});

test('a quote inside an unquoted cell is an ordinary character', async () => {
  expect((await readAllRows('a,b\n5" pipe,3\n'))[1]).toEqual({ line: 2, cells: ['5" pipe', '3'] });
});

test('at most a few pieces of a large file are in memory at once, and timers run', async () => {
  const line = new TextEncoder().encode(`${'2024-01-01,buy,ACME,10,100.00'.padEnd(63, 'x')}\n`);
  const chunk = new Uint8Array(line.length * 1024);
  for (let at = 0; at < chunk.length; at += line.length) chunk.set(line, at);
  const chunks = 400;
  let pulled = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (pulled === chunks) controller.close();
        else controller.enqueue(chunk);
        pulled++;
      },
    },
    { highWaterMark: 1 },
  );
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  let rows = 0;
  let ahead = 0;
  for await (const batch of readRows(stream)) {
    rows += batch.length;
    // The number of chunks pulled beyond those used. Back-pressure limits it to a few.
    ahead = Math.max(ahead, pulled * 1024 - rows);
  }
  clearInterval(timer);
  expect(rows).toBe(chunks * 1024);
  expect(ahead).toBeLessThan(6 * 1024);
  expect(ticks).toBeGreaterThan(5);
});

test('a reader that stops also stops the upload', async () => {
  let canceled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('a,b,c\n'.repeat(20_000))),
    cancel: () => {
      canceled = true;
    },
  });
  for await (const _ of readRows(stream)) break;
  expect(canceled).toBe(true);
});

test('a broken stream is reported as the caller’s error, not as a refusal', async () => {
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('connection lost')),
  });
  const failure = await Array.fromAsync(readRows(stream)).catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(Refusal);
  expect(String(failure)).toContain('connection lost');
});

async function readAllRows(source: Source, limits: Partial<RowLimits> = {}): Promise<Row[]> {
  const rows = (await Array.fromAsync(readRows(streamOf(source), { ...rowLimits, ...limits }))).flat();
  return rows.map(({ line, cells, flaw }) => ({ line, cells, ...(flaw === undefined ? {} : { flaw }) }));
}

function cutAt(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...chunks, bytes.subarray(at)];
}
