import { expect, spyOn, test } from 'bun:test';
import { freeze } from '../../src/features/gains/reports/frozen.ts';
import { RenderPool, renderBounds } from '../../src/features/gains/reports/render.ts';
import type { FormChoices } from '../../src/forms/choices.ts';
import { withChoices } from '../../src/forms/format-choices.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { boxOrder } from '../../src/forms/lines.ts';
import { books, line } from '../forms/books.ts';
import { isDeep } from '../support/depth.ts';
import { until } from '../support/until.ts';
import { plainBooks } from './plain-books.ts';

const stamp = { revision: 'r1', asOf: '2025-01-01T00:00:00Z' };
const never = new AbortController().signal;

const frozenBooks = new Map<number, ReturnType<typeof freeze>>();

async function readJob(format: string, lines: number) {
  const freezing = frozenBooks.get(lines) ?? freeze(plainBooks(lines));
  frozenBooks.set(lines, freezing);
  return { format, stamp, ...readCopy((await freezing).parts) };
}

/** Returns a copy of books in the shape that a report stores. */
function readCopy(parts: readonly Uint8Array[]) {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  return { taxpayerId: 'a taxpayer', bytes, readParts: async () => parts };
}

async function readBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body).arrayBuffer());
}

test('for every format, a Worker returns the same bytes as rendering without a Worker', async () => {
  const pool = new RenderPool();
  const books = plainBooks(40);
  for (const format of reportFormats) {
    const drawn = await pool.render(await readJob(format.id, 40), never);
    const here = Buffer.concat(await Array.fromAsync(format.render(books)));
    expect(drawn.fileName).toBe(format.fileName(books));
    expect(drawn.mediaType).toBe(format.mediaType);
    expect(Buffer.compare(await readBytes(drawn.body), here)).toBe(0);
  }
  expect(pool.busy).toBe(0);
});

test('lines for every box, with codes and wash sales, are streamed in the same order as in memory', async () => {
  const lines = Array.from({ length: 1_300 }, (_, index) =>
    line({
      box: boxOrder[(index * 7) % 12] ?? 'A',
      asset: index % 5 === 0 ? '#5 "box":"C"' : `S${index}`,
      ...(index % 3 === 0 ? { code: index % 2 === 0 ? 'BW' : 'W', adjustment: '1.25' } : {}),
    }),
  );
  const washSales = lines.flatMap(({ disposal, code, adjustment }) =>
    code === 'BW'
      ? [
          {
            kind: 'wash' as const,
            causedOn: disposal.on,
            id: `${disposal.id}/r/0`,
            disposalId: disposal.id,
            on: disposal.on,
            replacementLotId: 'r/0',
            replacementTransactionId: 'r',
            quantity: disposal.quantity,
            disallowed: adjustment,
            permanent: false,
          },
        ]
      : [],
  );
  const year = books(2025, lines, { washSales });
  const { parts } = await freeze(year);
  const found = { revision: year.revision, asOf: year.asOf };
  const pool = new RenderPool();
  const cuts: FormChoices[] = [{}, { linesMax: 500 }, { linesMax: 500, part: 2 }, { merge: 'sale' }];
  for (const format of reportFormats) {
    const accepted = cuts.filter((cut) => Object.keys(cut).every((name) => format.takes.includes(name as never)));
    const isSlow = format.mediaType === 'application/pdf' || format.id === 'preparer';
    for (const choices of isSlow && !isDeep ? accepted.slice(0, 1) : accepted) {
      const drawn = await pool.render({ format: format.id, choices, stamp: found, ...readCopy(parts) }, never);
      const here = Buffer.concat(await Array.fromAsync(format.render(withChoices(year, format, choices))));
      expect([format.id, choices, Buffer.compare(await readBytes(drawn.body), here)]).toEqual([format.id, choices, 0]);
    }
  }
});

test('a Worker that rendered a large report is terminated, and one that rendered a small report is kept', async () => {
  const ended = spyOn(Worker.prototype, 'terminate');
  try {
    const job = await readJob('csv', 40);
    const drawWith = async (largeBytes: number): Promise<void> => {
      const pool = new RenderPool({ ...renderBounds, largeBytes });
      await readBytes((await pool.render(job, never)).body);
      expect(pool.busy).toBe(0);
    };
    await drawWith(job.bytes + 1);
    expect(ended).toHaveBeenCalledTimes(0);
    await drawWith(job.bytes);
    expect(ended).toHaveBeenCalledTimes(1);
  } finally {
    ended.mockRestore();
  }
});

test('a Worker refuses a part that does not exist with the usual error', async () => {
  const pool = new RenderPool({ ...renderBounds, workers: 1 });
  const job = { ...(await readJob('csv', 3)), choices: { linesMax: 2, part: 3 } };
  await expect(pool.render(job, never)).rejects.toMatchObject({ code: 'invalid' });
  expect(pool.busy).toBe(0);
});

test('the numbers of reports being rendered and of queued requests are limited, and a request above the limit is refused as overloaded', async () => {
  const pool = new RenderPool({ ...renderBounds, workers: 1, waiting: 1, aheadBytes: 1 });
  const job = await readJob('csv', 20_000);
  const first = await pool.render(job, never);
  expect(pool.busy).toBe(1);
  const second = pool.render(job, never);
  await expect(pool.render(job, never)).rejects.toMatchObject({ code: 'overloaded' });
  const whole = await readBytes(first.body);
  expect(Buffer.compare(await readBytes((await second).body), whole)).toBe(0);
  expect(pool.busy).toBe(0);
});

test('a client that disconnects frees its Worker at once', async () => {
  const pool = new RenderPool({ ...renderBounds, workers: 1, aheadBytes: 1 });
  const job = await readJob('csv', 20_000);
  const left = await pool.render(job, never);
  await left.body.cancel();
  expect(pool.busy).toBe(0);
  expect((await readBytes((await pool.render(job, never)).body)).length).toBeGreaterThan(1_000_000);
});

test('a client that disconnects while its request is queued is removed from the queue', async () => {
  const pool = new RenderPool({ ...renderBounds, workers: 1, waiting: 1, aheadBytes: 1 });
  const job = await readJob('csv', 20_000);
  const first = await pool.render(job, never);
  const leaving = new AbortController();
  const second = pool.render(job, leaving.signal);
  leaving.abort();
  await expect(second).rejects.toThrow('canceled');
  await first.body.cancel();
  expect(pool.busy).toBe(0);
});

test('a client that reads nothing is disconnected after a timeout', async () => {
  const pool = new RenderPool({ ...renderBounds, workers: 1, aheadBytes: 1, stallSeconds: 0.1 });
  const stalled = await pool.render(await readJob('csv', 20_000), never);
  await until('no Worker renders', () => pool.busy === 0);
  await expect(readBytes(stalled.body)).rejects.toThrow('stopped reading');
});

test('an error in a Worker is rethrown to the caller, and the next report is rendered as usual', async () => {
  const pool = new RenderPool({ ...renderBounds, workers: 1 });
  await expect(
    pool.render({ format: 'csv', stamp, ...readCopy([new Uint8Array([1, 2, 3])]) }, never),
  ).rejects.toThrow();
  expect(pool.busy).toBe(0);
  expect((await readBytes((await pool.render(await readJob('csv', 3), never)).body)).length).toBeGreaterThan(0);
});

test('large reports are rendered one at a time alongside small ones, and a queued report does not read its books yet', async () => {
  const pool = new RenderPool({ ...renderBounds, aheadBytes: 1, largeBytes: 10_000 });
  const large = await readJob('csv', 20_000);
  const first = await pool.render(large, never);
  let isRead = false;
  const second = pool.render(
    {
      ...large,
      readParts: () => {
        isRead = true;
        return large.readParts();
      },
    },
    never,
  );
  expect((await readBytes((await pool.render(await readJob('csv', 3), never)).body)).length).toBeGreaterThan(0);
  expect(isRead).toBe(false);
  const whole = await readBytes(first.body);
  expect(Buffer.compare(await readBytes((await second).body), whole)).toBe(0);
  expect(pool.busy).toBe(0);
});
