import { describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import type { Deps } from '../../src/deps.ts';
import { download } from '../../src/http/download.ts';
import { miniApp } from './mini.ts';

const text = new TextEncoder();
const serving = (body: () => ReadableStream<Uint8Array>) =>
  miniApp((deps: Deps) =>
    new Elysia().get('/file', () => download(deps, { fileName: 'a"b.csv', mediaType: 'text/csv', body: body() })),
  );

/** Streams `count` pieces, then ends or fails. */
const pieces = (count: number, broken = false): ReadableStream<Uint8Array> => {
  let given = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1;
      if (given <= count) controller.enqueue(text.encode(`${given}\n`));
      else if (broken) controller.error(new Error('The database went away.'));
      else controller.close();
    },
  });
};

describe('a download', () => {
  test('is a complete attachment with a name that cannot break a header', async () => {
    const response = await serving(() => pieces(3)).ask('GET', '/file');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a_b.csv"');
    expect(await response.text()).toBe('1\n2\n3\n');
  });

  test('delays the stop of the server while it is in progress', async () => {
    const app = serving(() => pieces(3));
    const lifecycle = app.deps.lifecycle;
    const reader = (await app.ask('GET', '/file')).body?.getReader();
    await reader?.read();
    expect(lifecycle.inFlight).toBe(1);
    let drained = false;
    const drain = lifecycle.drain(5).then(() => {
      drained = true;
    });
    expect(await reader?.read()).toMatchObject({ done: false });
    expect(drained).toBe(false);
    while (!(await reader?.read())?.done);
    await drain;
    expect(lifecycle.inFlight).toBe(0);
  });

  test('no longer counts as in progress after it fails or is canceled, or if it was a HEAD request', async () => {
    const broken = serving(() => pieces(1, true));
    await (await broken.ask('GET', '/file')).text().catch(() => {});
    const left = serving(() => pieces(1000));
    await (await left.ask('GET', '/file')).body?.cancel();
    const head = serving(() => pieces(1000));
    await head.ask('HEAD', '/file');
    await Bun.sleep(0);
    expect([broken, left, head].map((app) => app.deps.lifecycle.inFlight)).toEqual([0, 0, 0]);
  });
});
