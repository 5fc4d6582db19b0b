import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { sweepImports } from '../../src/features/ledger/imports/sweep.ts';
import { openUpload, uploadLimits } from '../../src/features/ledger/imports/upload.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, fetchAll, fetchBookContent, type ImportResource, importCsv } from '../support/books.ts';
import { until } from '../support/until.ts';

/** Uploads over a socket in pieces, slowly, and sometimes incompletely. */
let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await testApp();
  app.app.listen({ port: 0, hostname: '127.0.0.1' });
  port = app.app.server?.port ?? 0;
});
afterAll(async () => {
  await app.app.stop(true);
  await app.close();
});

const head = (client: TestClient, more: string): string =>
  `POST /v1/transactions/import HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${client.cookie}\r\nContent-Type: text/csv\r\n${more}\r\n\r\n`;

function rows(count: number): string {
  return csvOf(...Array.from({ length: count }, (_, at) => `buy 2024-01-02 ${at + 1} X @10`));
}

/** Sends the text, waits, and breaks the connection. */
async function breakOff(text: string): Promise<void> {
  const socket = await sent(text);
  await Bun.sleep(300);
  socket.destroy();
}

async function sent(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => socket.write(text, () => resolve()));
    socket.once('error', reject);
  });
  return socket;
}

async function stagedRows(): Promise<number> {
  const [row] = await app.books.asOwner((sql) => sql`select count(*)::integer as count from staged`);
  return row?.count;
}

/** Excludes this query's own transaction. */
async function openTransactions(): Promise<number> {
  const [row] = await app.books.asOwner(
    (sql) => sql`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
  );
  return row?.count;
}

async function settled(client: TestClient): Promise<ImportResource[]> {
  let imports: ImportResource[] = [];
  await until('all imports end', async () => {
    imports = await fetchAll<ImportResource>(client, '/v1/imports');
    return imports.length > 0 && imports.every(({ status }) => status !== 'running');
  });
  return imports;
}

test('an interrupted upload stores nothing, and the list of imports states the reason', async () => {
  const client = await app.register('PRO');
  const csv = rows(5000);
  await breakOff(head(client, `Content-Length: ${csv.length}`) + csv.slice(0, csv.length / 2));
  const [failed] = await settled(client);
  expect(failed).toMatchObject({ status: 'failed', imported: 0, problem: { code: 'upload_broken' } });
  const notes = await fetchAll<{ kind: string }>(client, '/v1/notifications');
  expect(notes.map(({ kind }) => kind)).toEqual(['import_failed']);
  expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
  expect(await stagedRows()).toBe(0);
});

test('an interrupted preview leaves nothing in the list of imports', async () => {
  const client = await app.register('FREE');
  const csv = rows(5000);
  const preview = head(client, `Content-Length: ${csv.length}`).replace('/import HTTP', '/import?dryRun=true HTTP');
  const statuses = async () => (await fetchAll<ImportResource>(client, '/v1/imports')).map(({ status }) => status);
  const socket = await sent(preview + csv.slice(0, csv.length / 2));
  await until('an import runs', async () => (await statuses()).includes('running'));
  socket.destroy();
  await until('no import runs', async () => !(await statuses()).includes('running'));
  expect([await statuses(), await stagedRows()]).toEqual([[], 0]);
  expect(await fetchAll(client, '/v1/notifications')).toEqual([]);
});

test('a client that disconnects while its file is stored cancels the import and leaves no transaction open', async () => {
  const client = await app.register('PRO');
  const csv = rows(10_000);
  const socket = await sent(head(client, `Content-Length: ${csv.length}`) + csv);
  await until('all rows are staged', async () => (await stagedRows()) === 10_000);
  socket.destroy();
  const [failed] = await settled(client);
  expect(failed).toMatchObject({ status: 'failed', imported: 0 });
  expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
  expect(await stagedRows()).toBe(0);
  await until('no transaction is open', async () => (await openTransactions()) === 0);
});

test('an upload without a length that breaks between two chunks stores nothing either', async () => {
  const client = await app.register('PRO');
  const csv = rows(3000);
  const chunk = `${csv.length.toString(16)}\r\n${csv}\r\n`;
  await breakOff(head(client, 'Transfer-Encoding: chunked') + chunk);
  const [failed] = await settled(client);
  expect(failed).toMatchObject({ status: 'failed', imported: 0 });
  expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
});

test('a large upload arrives in pieces, and other requests are served in the meantime', async () => {
  const client = await app.register('PRO');
  const csv = rows(20_000);
  let answered = 0;
  let importing = true;
  const watch = (async () => {
    while (importing) {
      expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
      answered += 1;
      await Bun.sleep(10);
    }
  })();
  const response = await fetch(`http://127.0.0.1:${port}/v1/transactions/import`, {
    method: 'POST',
    headers: { cookie: client.cookie, 'content-type': 'text/csv' },
    body: csv,
  });
  importing = false;
  await watch;
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ imported: 20_000 });
  expect(answered).toBeGreaterThan(10);
});

test('with Prefer: respond-async the response is sent once the file has arrived, and events report further progress', async () => {
  const client = await app.register('PRO');
  const response = await client.request('POST', '/v1/transactions/import', {
    body: rows(200),
    headers: { 'content-type': 'text/csv', prefer: 'respond-async' },
  });
  expect(response.status).toBe(202);
  expect(response.headers.get('preference-applied')).toBe('respond-async');
  const { id, status } = (await response.json()) as ImportResource;
  expect(status).toBe('running');
  expect(response.headers.get('location')).toBe(`/v1/imports/${id}`);
  const stream = await (await client.request('GET', `/v1/imports/${id}/events`)).text();
  const events = [...stream.matchAll(/id: (\d+)\nevent: (\w+)\ndata: (.*)\n/g)];
  expect(events.at(-1)?.[2]).toBe('done');
  expect(JSON.parse(events.at(-1)?.[3] ?? '{}')).toMatchObject({ id, imported: 200, status: 'completed' });
  expect(await client.json('GET', `/v1/imports/${id}`)).toMatchObject({ status: 'completed', imported: 200 });
  // A client that missed only the last event resumes there, and a client that has all events gets no more.
  const beforeLast = String(Number(events.at(-1)?.[1]) - 1);
  const resumed = await client.request('GET', `/v1/imports/${id}/events`, { headers: { 'last-event-id': beforeLast } });
  expect(await resumed.text()).toContain('event: done');
  const over = await client.request('GET', `/v1/imports/${id}/events`, {
    headers: { 'last-event-id': events.at(-1)?.[1] ?? '' },
  });
  expect(await over.text()).not.toContain('event:');
});

test('an async import that is refused later is shown as failed in the list and in the events', async () => {
  const client = await app.register('FREE');
  const response = await client.request('POST', '/v1/transactions/import', {
    body: rows(51),
    headers: { 'content-type': 'text/csv', prefer: 'respond-async' },
  });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as ImportResource;
  const stream = await (await client.request('GET', `/v1/imports/${id}/events`)).text();
  expect(stream).toContain('event: failed');
  expect(await client.json('GET', `/v1/imports/${id}`)).toMatchObject({
    status: 'failed',
    problem: { code: 'plan_limit' },
  });
  expect(await fetchAll(client, '/v1/transactions')).toEqual([]);
});

test('an async import whose staged rows PostgreSQL lost in a crash fails with a request to import the file again', async () => {
  const client = await app.register('PRO');
  const id = await app.books.asOwner(async (sql) => {
    // The import waits for this lock.
    await sql`select pg_advisory_xact_lock(hashtextextended(id::text, 0)) from taxpayers`;
    const headers = { 'content-type': 'text/csv', prefer: 'respond-async' };
    const response = await client.request('POST', '/v1/transactions/import', { body: rows(30), headers });
    expect(response.status).toBe(202);
    await sql`delete from staged`;
    return ((await response.json()) as ImportResource).id;
  });
  await (await client.request('GET', `/v1/imports/${id}/events`)).text();
  expect(await client.json('GET', `/v1/imports/${id}`)).toMatchObject({
    status: 'failed',
    problem: { code: 'database_unavailable', detail: expect.stringContaining('Import it again') },
  });
  expect(await importCsv(client, rows(30))).toMatchObject({ imported: 30, duplicates: 0 });
});

test('an upload that declares more than the limit is refused before it arrives', async () => {
  const client = await app.register('PRO');
  const socket = await sent(head(client, `Content-Length: ${1024 ** 3 + 2 * 1024 ** 2}`));
  const answer = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
  socket.destroy();
  expect(answer).toStartWith('HTTP/1.1 413');
});

test('an upload that sends a byte now and then is ended, but an upload that waits for the server is not', async () => {
  const slow = (waitOn: 'sender' | 'reader') => {
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (waitOn === 'sender') await Bun.sleep(20);
        controller.enqueue(new Uint8Array(1));
      },
    });
    return new Request('http://localhost/', { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
  };
  const limits = { ...uploadLimits, windowSeconds: 0.1, bytesPerSecondMin: 1_000 };
  await expect((await openUpload(slow('sender'), limits)).readToEnd()).rejects.toThrow('too slow');
  const reader = (await openUpload(slow('reader'), { ...limits, bytesPerSecondMin: 1 })).content.getReader();
  for (let taken = 0; taken < 10; taken++) {
    await Bun.sleep(20);
    expect((await reader.read()).done).toBe(false);
  }
  await reader.cancel();
});

test('an upload without a length is cut off at the limit', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) });
  const headers = { 'content-type': 'text/csv' };
  const request = new Request('http://localhost/', { method: 'POST', headers, body });
  const upload = await openUpload(request, { ...uploadLimits, bytesMax: 5_000 });
  await expect(upload.readToEnd()).rejects.toMatchObject({ code: 'too_large', more: { members: { limit: 5_000 } } });
});

test('an Idempotency-Key is bound to the bytes of the file', async () => {
  const client = await app.register('PRO');
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'upload-1' };
  const send = (csv: string) => client.request('POST', '/v1/transactions/import', { body: csv, headers });
  const first = await send(rows(3));
  const again = await send(rows(3));
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await again.json()).toEqual(await first.json());
  const other = await send(rows(4));
  expect(other.status).toBe(422);
  expect(await other.json()).toMatchObject({ code: 'idempotency_mismatch' });
  expect(await fetchAll(client, '/v1/imports')).toHaveLength(1);
});

test('an import whose server was stopped is found, fails with a reason, and leaves the books unchanged', async () => {
  const client = await app.register('PRO');
  await importCsv(client, rows(2));
  const before = await fetchBookContent(client);
  const { id: taxpayerId } = await fetchTaxpayer(client);
  const importId = crypto.randomUUID();
  const long = new Date(Date.now() - 3_600_000);
  await app.books.database.asTaxpayer(taxpayerId, async (sql) => {
    await sql`
      insert into imports (taxpayer_id, id, status, created_at, moved_at)
      values (${taxpayerId}, ${importId}, 'running', ${long}, ${long})`;
  });
  await sweepImports(app.deps);
  expect(await client.json('GET', `/v1/imports/${importId}`)).toMatchObject({
    status: 'failed',
    problem: { code: 'interrupted' },
  });
  expect(await fetchBookContent(client)).toBe(before);
  const [note] = await fetchAll<{ kind: string; body: string; link: string }>(client, '/v1/notifications');
  expect(note).toMatchObject({ kind: 'import_failed', link: `/v1/imports/${importId}` });
  expect(note?.body).toContain('No rows were imported');
});

test('a server whose clock is ahead does not interfere with a running import', async () => {
  const client = await app.register('PRO');
  const { id: taxpayerId } = await fetchTaxpayer(client);
  const importId = crypto.randomUUID();
  await app.books.database.asTaxpayer(taxpayerId, async (sql) => {
    await sql`
      insert into imports (taxpayer_id, id, status, created_at, moved_at)
      values (${taxpayerId}, ${importId}, 'running', now(), now())`;
  });
  await sweepImports({ ...app.deps, clock: testClock(new Date(Date.now() + 150_000).toISOString()) });
  expect(await client.json('GET', `/v1/imports/${importId}`)).toMatchObject({ status: 'running' });
});

test('a job completes its import, however long it takes', async () => {
  const client = await app.register('PRO');
  const { id: taxpayerId } = await fetchTaxpayer(client);
  const importId = crypto.randomUUID();
  await app.books.database.asTaxpayer(taxpayerId, async (sql) => {
    await sql`
      insert into imports (taxpayer_id, id, status, store_order, created_at, moved_at)
      values (${taxpayerId}, ${importId}, 'running', '{}', now(), now() - interval '1 hour')`;
  });
  await sweepImports(app.deps);
  expect(await client.json('GET', `/v1/imports/${importId}`)).toMatchObject({ status: 'running' });
});

async function fetchTaxpayer(client: TestClient): Promise<{ id: string }> {
  const rows = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${client.email}`,
  );
  return rows[0] ?? { id: '' };
}
