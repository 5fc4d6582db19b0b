import { describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import type { Deps } from '../../src/deps.ts';
import { eventStream, formatEvent, type ServerEvent } from '../../src/http/sse.ts';
import { streamsPerUserMax } from '../../src/server/open-streams.ts';
import { miniApp } from './mini.ts';

type Source = (lastEventId: string | undefined, signal: AbortSignal) => AsyncIterable<ServerEvent>;

const streaming = (events: Source) => (deps: Deps) =>
  new Elysia().get('/events', ({ request, server }) =>
    eventStream(deps, { request, server }, { caller: { userId: 'one', sessionId: 'first' }, events }),
  );

async function* forever(_: string | undefined, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}

describe('an event stream', () => {
  test('is sent line by line and ends with its last event', async () => {
    const app = miniApp(
      streaming(async function* () {
        yield { id: '1', event: 'step', data: { rows: 10 } };
        yield { data: 'two\nlines' };
      }),
    );
    const response = await app.ask('GET', '/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(
      'retry: 2000\n\nid: 1\nevent: step\ndata: {"rows":10}\n\ndata: "two\\nlines"\n\n',
    );
  });

  test('resumes after Last-Event-ID', async () => {
    const app = miniApp(
      streaming(async function* (lastEventId) {
        yield { data: { after: lastEventId ?? null } };
      }),
    );
    const response = await app.ask('GET', '/events', { headers: { 'last-event-id': '41' } });
    expect(await response.text()).toContain('{"after":"41"}');
  });

  test('breaks the connection if it fails midway, so that it does not look complete', async () => {
    const app = miniApp(
      streaming(async function* () {
        yield { data: 1 };
        throw new Error('lost');
      }),
    );
    const response = await app.ask('GET', '/events');
    await expect(response.text()).rejects.toThrow();
  });

  test('ends when the server drains', async () => {
    const app = miniApp(streaming(forever));
    const response = await app.ask('GET', '/events');
    const text = response.text();
    await app.deps.lifecycle.drain(1);
    expect(await text).toBe('retry: 2000\n\n');
  });

  test('counts toward a maximum per user, and closing one frees a slot', async () => {
    const app = miniApp(streaming(forever));
    const open = await Promise.all(Array.from({ length: streamsPerUserMax }, () => app.ask('GET', '/events')));
    expect(open.every((response) => response.status === 200)).toBe(true);
    expect((await app.ask('GET', '/events')).status).toBe(429);
    await open[0]?.body?.cancel();
    await Bun.sleep(10);
    const next = await app.ask('GET', '/events');
    expect(next.status).toBe(200);
    for (const response of [...open.slice(1), next]) await response.body?.cancel();
  });
});

test('an event has its id and name on separate lines', () => {
  expect(formatEvent({ id: '7', event: 'done', data: null })).toBe('id: 7\nevent: done\ndata: null\n\n');
});
