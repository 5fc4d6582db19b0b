import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { refuseUnreachable } from '../../src/commands/blobs.ts';
import type { JobQueue, ScheduledWork } from '../../src/db/job-queue.ts';
import { BlobError } from '../../src/deps.ts';
import { importIntoAccount } from '../../src/features/ledger/archives/archive-import.ts';
import { bucketBlobs } from '../../src/features/ledger/blobs/bucket.ts';
import {
  announceAll,
  checkNamed,
  collectUnnamed,
  keepBlobs,
  moveToBucket,
  moveToDatabase,
  removeErased,
} from '../../src/features/ledger/blobs/collect.ts';
import { digestOf } from '../../src/features/ledger/blobs/read.ts';
import { unzipped } from '../forms/unzip.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { type ImportResource, importCsv } from '../support/books.ts';
import { eraseNow, tablesWith } from '../support/erasure.ts';
import { errorOf, s3Keys, s3Server } from '../support/s3-server.ts';

const service = s3Server();
const bounds = { tryMilliseconds: 30_000, triesMax: 2, pauseMilliseconds: 1, silenceMilliseconds: 0 };
const bucket = bucketBlobs('s3://files/lotbook', { endpoint: service.endpoint, ...s3Keys }, bounds);
const clock = testClock('2026-05-05T12:00:00Z');
const signal = new AbortController().signal;
const day = 86_400_000;
let server: TestApp;

beforeAll(async () => {
  server = await testApp({ clock, blobs: bucket, env: { DELETION_GRACE_DAYS: '0', BLOBS_GRACE_DAYS: '10' } });
});
afterEach(() => service.intercept(null));
afterAll(() => Promise.all([server.close(), service.close()]));

const header = 'date,type,account,asset,quantity,amount,note,description\n';
const csv = `${header}2024-01-02,buy,Schwab,AAPL,10,1000,first,Apple Inc.
2024-06-03,sell,Schwab,AAPL,4,600,,Apple Inc.
2024-06-04,sell,Schwab,AAPL,what,1,cannot be read,
`;

const move = () => moveToBucket(server.deps, bucket, signal);
const collect = () => collectUnnamed(server.deps, bucket, signal);

interface Books {
  readonly person: TestClient;
  readonly taxpayerId: string;
  readonly importId: string;
  readonly reportId: string;
}

/** Creates an account with an import of these rows and a report. */
async function filled(text = csv): Promise<Books> {
  const person = await server.register('PRO');
  const { id: importId } = await importCsv(person, text);
  const { id: reportId } = await person.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2024 } });
  const [row] = await server.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${person.email}`,
  );
  // Simulates a row that a format assembled, whose cells exist only in the text of the file.
  await server.books.asOwner((sql) => sql`update import_rejects set cells = '{}' where taxpayer_id = ${row?.id ?? ''}`);
  return { person, taxpayerId: row?.id ?? '', importId, reportId };
}

function objectsOf({ taxpayerId }: Books): string[] {
  return [...service.objects.keys()].filter((key) => key.startsWith(`files/lotbook/${taxpayerId}/`));
}

/** Undoes an import, and removes what a restore would need for a day. */
async function undoForGood(person: Books['person'], importId: string): Promise<void> {
  await person.request('DELETE', `/v1/imports/${importId}`);
  await server.books.asOwner((sql) => sql`delete from undone_imports where id = ${importId}`);
}

/** Returns every response that needs the text of the file or the books of the report. */
async function readPaths({ person, importId, reportId }: Books): Promise<Record<string, string>> {
  const rows = await person.json<{ data: { id: string }[] }>('GET', '/v1/transactions');
  const lines = await person.json<{ data: { id: string }[] }>('GET', '/v1/tax/disposals');
  return {
    file: `/v1/imports/${importId}/file`,
    rejects: `/v1/imports/${importId}/rejects`,
    rejectedLines: '/v1/imports/rejects',
    transaction: `/v1/transactions/${rows.data[0]?.id}`,
    explanation: `/v1/tax/disposals/${lines.data[0]?.id}/explain`,
    form: `/v1/tax/reports/${reportId}/download?format=8949`,
    lines: `/v1/tax/reports/${reportId}/download?format=csv`,
  };
}

async function selectAnswers(books: Books): Promise<Record<string, [number, string]>> {
  const answers: Record<string, [number, string]> = {};
  for (const [name, path] of Object.entries(await readPaths(books))) {
    const response = await books.person.request('GET', path);
    answers[name] = [response.status, digestOf(await response.bytes())];
  }
  return answers;
}

/** Counts the rows that contain their bytes, and the rows that refer to an object. */
async function selectRows({ taxpayerId }: Books): Promise<{ own: number; named: number }> {
  const [row] = await server.books.asOwner(
    (sql) => sql<{ own: number; named: number }[]>`
      select count(content)::integer as own, count(blob)::integer as named from (
        select content, blob from import_texts where taxpayer_id = ${taxpayerId}
        union all select content, blob from report_books where taxpayer_id = ${taxpayerId}
      ) k`,
  );
  return row ?? { own: 0, named: 0 };
}

test('stored files move to the bucket and back, and every response stays the same', async () => {
  const books = await filled();
  const before = await selectAnswers(books);
  expect(Object.values(before).map(([status]) => status)).toEqual(Array(7).fill(200));
  expect(await selectRows(books)).toEqual({ own: 2, named: 0 });

  expect(await move()).toBe(2);
  expect(await selectRows(books)).toEqual({ own: 0, named: 2 });
  for (const key of objectsOf(books)) {
    expect(key).toBe(`files/lotbook/${books.taxpayerId}/${digestOf(service.objects.get(key) as Uint8Array)}`);
  }
  expect(objectsOf(books)).toHaveLength(2);
  expect(await selectAnswers(books)).toEqual(before);
  const reread = { body: { apply: false } };
  await books.person.json('POST', `/v1/imports/${books.importId}/reread`, reread, 200);
  const [rejected] = (await books.person.json<{ data: { id: string }[] }>('GET', '/v1/imports/rejects')).data;
  const dismissed = { body: { dismiss: 'Not a trade.' } };
  await books.person.json('POST', `/v1/imports/rejects/${rejected?.id}`, dismissed, 200);
  const after = await selectAnswers(books);
  expect(await move()).toBe(0);

  expect(await moveToDatabase(server.deps, bucket, signal)).toBe(2);
  expect(await selectRows(books)).toEqual({ own: 2, named: 0 });
  expect(await selectAnswers(books)).toEqual(after);
  await move();
});

test('two users with the same file have one object each, and a second upload of the file shares its text', async () => {
  const [ann, bob] = [await filled(), await filled()];
  // Runs the command while a server is running the scheduled move.
  await Promise.all([move(), move()]);
  for (const one of [ann, bob]) expect(await selectRows(one)).toEqual({ own: 0, named: 2 });
  const names = (books: Books) => objectsOf(books).map((key) => key.split('/').at(-1));
  expect(names(ann).filter((name) => names(bob).includes(name))).toHaveLength(1);
  const again = await importCsv(ann.person, csv);
  expect(await selectRows(ann)).toEqual({ own: 0, named: 2 });
  await undoForGood(ann.person, ann.importId);
  const file = await ann.person.request('GET', `/v1/imports/${again.id}/file`);
  expect(await file.text()).toBe(csv);
});

test('a bucket that does not respond causes a 503 with Retry-After, and nothing is half stored', async () => {
  const books = await filled();
  await move();
  const before = await selectAnswers(books);
  service.intercept(() => errorOf(500, 'InternalError'));
  for (const [name, path] of Object.entries(await readPaths(books))) {
    const response = await books.person.request('GET', path);
    // The list of rejected rows is already streaming when the server needs the file.
    if (name === 'rejects') {
      await response.text().catch(() => {});
      continue;
    }
    expect([name, response.status, response.headers.get('retry-after')]).toEqual([name, 503, '30']);
    expect(await response.json()).toMatchObject({ code: 'files_unavailable' });
  }
  // Imports and reports do not need the bucket.
  const { id } = await importCsv(books.person, `${header}2024-07-01,buy,Schwab,MSFT,1,10,,\n`);
  await books.person.json('POST', '/v1/tax/reports', { body: { year: 2024 } }, 201);
  const rows = await selectRows(books);
  await expect(move()).rejects.toThrow('it returned 500 InternalError');
  expect(await selectRows(books)).toEqual(rows);
  service.intercept(null);
  await undoForGood(books.person, id);
  expect(await selectAnswers(books)).toEqual(before);
});

test('a server does not start without the bucket that holds its files', async () => {
  await expect(refuseUnreachable({ ...server.deps, blobs: null })).rejects.toThrow('Set BLOBS_TO to that bucket');
  await refuseUnreachable(server.deps);
});

test('a missing or changed object is reported, and the full check finds it', async () => {
  const books = await filled();
  await move();
  expect((await checkNamed(server.deps, () => {})).faults).toEqual([]);
  const [one = '', other = ''] = objectsOf(books);
  const kept = new Map(service.objects);
  service.objects.delete(one);
  service.objects.set(other, new Uint8Array(3));
  for (const path of [`/v1/imports/${books.importId}/file`, `/v1/tax/reports/${books.reportId}/download`]) {
    const response = await books.person.request('GET', path);
    expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ code: 'file_lost' })]);
  }
  const { faults } = await checkNamed(server.deps, () => {});
  expect(faults.map(({ taxpayerId, digest }) => `files/lotbook/${taxpayerId}/${digest}`).sort()).toEqual(
    [one, other].sort(),
  );
  expect(new Set(faults.map(({ reason }) => reason))).toEqual(new Set(['is missing', 'has different bytes']));
  for (const [key, bytes] of kept) service.objects.set(key, bytes);
});

test('a server that dies between storing the object and updating the row leaves the row unchanged, and the next one continues', async () => {
  const books = await filled();
  const before = await selectAnswers(books);
  for (const dying of ['put', 'get'] as const) {
    const gone = { ...bucket, [dying]: () => Promise.reject(new Error('The machine is gone.')) };
    await expect(moveToBucket(server.deps, gone, signal)).rejects.toThrow('The machine is gone.');
    expect(await selectRows(books)).toEqual({ own: 2, named: 0 });
    expect(await selectAnswers(books)).toEqual(before);
  }
  // Rejects bytes that the service returns changed.
  service.intercept((method) => (method === 'GET' ? new Response('other bytes') : undefined));
  await expect(move()).rejects.toThrow('returned different bytes');
  service.intercept(null);
  expect(await move()).toBe(2);
  expect(await selectAnswers(books)).toEqual(before);
});

test('unreferenced objects are removed after the grace period, but not earlier', async () => {
  const books = await filled();
  await move();
  expect(objectsOf(books)).toHaveLength(2);
  await undoForGood(books.person, books.importId);
  clock.move(9 * day);
  await collect();
  expect(objectsOf(books)).toHaveLength(2);
  // A second upload keeps the object for another ten days, although nothing refers to it in that time.
  const again = await importCsv(books.person, csv);
  await move();
  await undoForGood(books.person, again.id);
  clock.move(9 * day);
  await collect();
  expect(objectsOf(books)).toHaveLength(2);
  clock.move(2 * day);
  service.intercept((method) => (method === 'DELETE' ? errorOf(503, 'SlowDown') : undefined));
  await expect(collect()).rejects.toThrow('503 SlowDown');
  service.intercept(null);
  expect(await collect()).toBe(1);
  expect(objectsOf(books)).toHaveLength(1);
  const report = await books.person.request('GET', `/v1/tax/reports/${books.reportId}/download?format=csv`);
  expect(report.status).toBe(200);
});

test('an object that is uploaded during its removal still exists afterward', async () => {
  const books = await filled();
  await move();
  await undoForGood(books.person, books.importId);
  clock.move(11 * day);
  const [began, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.intercept(async (method) => {
    if (method !== 'DELETE') return undefined;
    began.resolve();
    await go.promise;
    return undefined;
  });
  const collecting = collect();
  await began.promise;
  const again = await importCsv(books.person, csv);
  const moving = move();
  go.resolve();
  await Promise.all([collecting, moving]);
  const file = await books.person.request('GET', `/v1/imports/${again.id}/file`);
  expect([file.status, await file.text()]).toEqual([200, csv]);
  expect((await checkNamed(server.deps, () => {})).faults).toEqual([]);
});

test('objects that a restored database does not refer to are removed after the grace period', async () => {
  const books = await filled();
  await move();
  const nobody = '0191b1a0-0000-7000-8000-00000000000a';
  const known = new Set(objectsOf(books));
  const unknown = [books.taxpayerId, nobody].map((id) => `files/lotbook/${id}/${digestOf(new Uint8Array(9))}`);
  for (const key of unknown) service.objects.set(key, new Uint8Array(9));
  expect(await announceAll(server.deps, bucket, signal)).toBe(2);
  expect(await announceAll(server.deps, bucket, signal)).toBe(0);
  clock.move(2 * 3_600_000);
  await removeErased(server.deps, bucket, signal);
  await collect();
  expect(unknown.map((key) => service.objects.has(key))).toEqual([true, false]);
  clock.move(11 * day);
  await collect();
  expect(new Set(objectsOf(books))).toEqual(known);
});

test('the schedule moves new files, removes expired ones, and retries later if the bucket fails', async () => {
  const books = await filled();
  const works = new Map<string, ScheduledWork>();
  const errors: unknown[] = [];
  const log = { ...server.deps.log, error: (_event: string, cause: unknown) => errors.push(cause) };
  const jobs = { schedule: (name: string, work: ScheduledWork) => works.set(name, work) } as unknown as JobQueue;
  keepBlobs({ ...server.deps, log, jobs, blobs: null });
  expect(works.size).toBe(0);
  keepBlobs({ ...server.deps, log, jobs });
  service.intercept(() => errorOf(503, 'SlowDown'));
  await works.get('blob-moves')?.perform(signal);
  expect([await selectRows(books), errors]).toEqual([{ own: 2, named: 0 }, [expect.any(BlobError)]]);
  service.intercept(null);
  await works.get('blob-moves')?.perform(signal);
  expect([await selectRows(books), objectsOf(books).length]).toEqual([{ own: 0, named: 2 }, 2]);
  await undoForGood(books.person, books.importId);
  clock.move(11 * day);
  await works.get('blob-collections')?.perform(signal);
  expect([await selectRows(books), objectsOf(books).length]).toEqual([{ own: 0, named: 1 }, 1]);
});

test('erasing an account removes its objects and keeps those of other accounts', async () => {
  const [ann, bob, eve] = [await filled(), await filled(), await filled()];
  await move();
  const erase = async ({ person }: Books): Promise<void> => {
    await person.json('DELETE', '/v1/account', { body: { password: person.password } }, 204);
    await eraseNow(server);
  };
  await erase(ann);
  // An object uploaded during the erasure is removed too.
  await importCsv(eve.person, `${header}2024-07-01,buy,Schwab,MSFT,1,10,,\n`);
  let isErased = false;
  const late = async (...given: Parameters<typeof bucket.put>): Promise<void> => {
    if (!isErased) await erase(eve);
    isErased = true;
    await bucket.put(...given);
  };
  expect(await moveToBucket(server.deps, { ...bucket, put: late }, signal)).toBe(0);
  expect(objectsOf(eve)).toHaveLength(3);
  await removeErased(server.deps, bucket, signal);
  expect(objectsOf(ann)).toHaveLength(2);
  clock.move(2 * 3_600_000);
  await removeErased(server.deps, bucket, signal);
  expect([objectsOf(ann), objectsOf(eve), objectsOf(bob).length]).toEqual([[], [], 2]);
  expect(await tablesWith(server, [ann.taxpayerId, eve.taxpayerId])).toEqual([]);
});

test('an export contains the bytes of the files, so a server without a bucket can import it', async () => {
  const books = await filled();
  const before = await selectAnswers(books);
  await move();
  const response = await books.person.request('GET', '/v1/account/export');
  const archive = await response.bytes();
  expect(unzipped(archive)['files/0001 import.csv']).toBe(csv);
  const here = await testApp();
  const bob = await here.register('PRO');
  const account = await here.books.asOwner(
    (sql) => sql<{ userId: string; taxpayerId: string }[]>`
      select u.id as "userId", m.taxpayer_id as "taxpayerId" from users u join memberships m on m.user_id = u.id`,
  );
  await importIntoAccount(here.deps, new Blob([archive]), account[0] as { userId: string; taxpayerId: string });
  const { data } = await bob.json<{ data: ImportResource[] }>('GET', '/v1/imports');
  const file = await bob.request('GET', `/v1/imports/${data[0]?.id}/file`);
  expect(await file.text()).toBe(csv);
  const form = await bob.request('GET', `/v1/tax/reports/${books.reportId}/download?format=csv`);
  expect(digestOf(await form.bytes())).toBe(before.lines?.[1] ?? '');
  await here.close();
});
