import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { notify } from '../../src/features/people/notifications.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Item {
  id: string;
  title: string;
  readAt: string | null;
}
interface Feed {
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}

const addRow = async (taxpayerId: string, title: string) =>
  app.deps.database.asTaxpayer(taxpayerId, (sql) =>
    notify(sql, taxpayerId, { kind: 'import_completed', title, body: 'Told.', link: null, at: app.deps.clock.now() }),
  );

async function fetchBooks(who: TestClient): Promise<string> {
  const [row] = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id
      where u.email = ${who.email} and m.role = 'owner'`,
  );
  return row?.id ?? '';
}

describe('the feed', () => {
  test('lists the newest first, page by page, without gaps or repeats while more arrive', async () => {
    const who = await app.register();
    const books = await fetchBooks(who);
    for (const title of ['one', 'two', 'three', 'four', 'five']) await addRow(books, title);
    const first = await who.json<Feed>('GET', '/v1/notifications?limit=2');
    expect(first.data.map(({ title }) => title)).toEqual(['five', 'four']);
    await addRow(books, 'six');
    const second = await who.json<Feed>('GET', `/v1/notifications?limit=2&cursor=${first.nextCursor}`);
    const third = await who.json<Feed>('GET', `/v1/notifications?limit=2&cursor=${second.nextCursor}`);
    expect([...second.data, ...third.data].map(({ title }) => title)).toEqual(['three', 'two', 'one']);
    expect([third.hasMore, third.nextCursor]).toEqual([false, null]);
  });

  test('has the documented fields', async () => {
    const who = await app.register();
    await addRow(await fetchBooks(who), 'one');
    const { data } = await who.json<Feed>('GET', '/v1/notifications');
    expect(data).toEqual([
      {
        id: '1',
        kind: 'import_completed',
        title: 'one',
        body: 'Told.',
        link: null,
        createdAt: expect.stringMatching(/Z$/),
        readAt: null,
      } as Item,
    ]);
  });

  test('marks one as read, and then all', async () => {
    const who = await app.register();
    const books = await fetchBooks(who);
    for (const title of ['one', 'two', 'three']) await addRow(books, title);
    const read = await who.json<Item>('POST', '/v1/notifications/2/read');
    expect([read.id, Number.isNaN(Date.parse(read.readAt ?? ''))]).toEqual(['2', false]);
    expect((await who.json<Item>('POST', '/v1/notifications/2/read')).readAt).toBe(read.readAt);
    expect(await who.json('POST', '/v1/notifications/read')).toEqual({ read: 2 });
    const { data } = await who.json<Feed>('GET', '/v1/notifications');
    expect(data.every(({ readAt }) => readAt !== null)).toBe(true);
  });

  test("excludes other users' notifications", async () => {
    const [mine, theirs] = [await app.register(), await app.register()];
    await addRow(await fetchBooks(theirs), 'secret');
    expect((await mine.json<Feed>('GET', '/v1/notifications')).data).toEqual([]);
    for (const id of ['1', '2', 'x', '-1', '9'.repeat(40)]) {
      expect((await mine.request('POST', `/v1/notifications/${id}/read`)).status).toBe(404);
    }
  });

  test('contains nothing from rolled-back transactions', async () => {
    const who = await app.register();
    const books = await fetchBooks(who);
    const work = app.deps.database.asTaxpayer(books, async (sql) => {
      await notify(sql, books, { kind: 'tell_broker', title: 't', body: 'b', link: null, at: app.deps.clock.now() });
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect((await who.json<Feed>('GET', '/v1/notifications')).data).toEqual([]);
  });

  test('refuses a cursor that the server did not issue', async () => {
    const who = await app.register();
    const response = await who.request('GET', '/v1/notifications?cursor=bm8');
    expect([response.status, (await response.json()).code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('the stream', () => {
  test('sends each notification at once', async () => {
    const who = await app.register();
    const books = await fetchBooks(who);
    await addRow(books, 'before');
    const stream = await openStream(who);
    await addRow(books, 'after');
    expect(await stream.next()).toEqual({ id: '2', title: 'after' });
    await stream.close();
  });

  test('sends missed notifications in order after Last-Event-ID, and continues', async () => {
    const who = await app.register();
    const books = await fetchBooks(who);
    for (const title of ['one', 'two', 'three']) await addRow(books, title);
    const stream = await openStream(who, '1');
    expect([await stream.next(), await stream.next()]).toEqual([
      { id: '2', title: 'two' },
      { id: '3', title: 'three' },
    ]);
    await addRow(books, 'four');
    expect(await stream.next()).toEqual({ id: '4', title: 'four' });
    await stream.close();
  });

  test('misses none of 50 concurrent notifications', async () => {
    const who = await app.register();
    const books = await fetchBooks(who);
    const stream = await openStream(who);
    await Promise.all(Array.from({ length: 50 }, (_, at) => addRow(books, String(at))));
    const ids: string[] = [];
    while (ids.length < 50) ids.push((await stream.next()).id);
    expect(ids).toEqual(Array.from({ length: 50 }, (_, at) => String(at + 1)));
    await stream.close();
  });

  test('sends nothing that belongs to other users', async () => {
    const [mine, theirs] = [await app.register(), await app.register()];
    const stream = await openStream(mine);
    await addRow(await fetchBooks(theirs), 'theirs');
    await addRow(await fetchBooks(mine), 'mine');
    expect((await stream.next()).title).toBe('mine');
    await stream.close();
  });
});

interface OpenStream {
  next(): Promise<{ id: string; title: string }>;
  close(): Promise<void>;
}

/** Opens a stream and waits until it listens: its first bytes arrive before it queries existing notifications. */
async function openStream(who: TestClient, lastEventId?: string): Promise<OpenStream> {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await who.request('GET', '/v1/notifications/stream', { headers });
  expect(response.status).toBe(200);
  const reader = response.body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  if (reader === undefined) throw new Error('The stream has no body.');
  let text = '';
  await Bun.sleep(150);
  return {
    async next() {
      for (;;) {
        const event = /id: (\d+)\nevent: notification\ndata: (.*)\n\n/.exec(text);
        if (event !== null) {
          text = text.slice(event.index + event[0].length);
          return { id: event[1] ?? '', title: (JSON.parse(event[2] ?? '{}') as Item).title };
        }
        const { done, value } = await reader.read();
        if (done) throw new Error('The stream ended.');
        text += value;
      }
    },
    close: () => reader.cancel(),
  };
}

describe('a disabled kind', () => {
  test('is not sent, even after it is enabled again, without affecting other kinds or other books', async () => {
    const [who, other] = [await app.register(), await app.register()];
    const books = await fetchBooks(who);
    const { kinds } = await who.json<{ kinds: Record<string, boolean> }>('GET', '/v1/notifications/settings');
    expect(new Set(Object.values(kinds))).toEqual(new Set([true]));
    const body = { kinds: { import_completed: false } };
    expect(await who.json<unknown>('PATCH', '/v1/notifications/settings', { body })).toEqual({
      kinds: { ...kinds, import_completed: false },
      digest: 'off',
    });
    await addRow(books, 'not kept');
    await addRow(await fetchBooks(other), 'of another');
    await app.deps.database.asTaxpayer(books, (sql) =>
      notify(sql, books, { kind: 'review_needed', title: 'kept', body: '', link: null, at: app.deps.clock.now() }),
    );
    await who.json('PATCH', '/v1/notifications/settings', { body: { kinds: { import_completed: true } } });
    await addRow(books, 'on again');
    const titles = async (of: TestClient) =>
      (await of.json<Feed>('GET', '/v1/notifications')).data.map(({ title }) => title);
    expect(await titles(who)).toEqual(['on again', 'kept']);
    expect(await titles(other)).toEqual(['of another']);
    await who.json('PATCH', '/v1/notifications/settings', { body: { kinds: { weather: false } } }, 422);
  });
});
