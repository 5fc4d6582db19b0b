import { afterAll, beforeEach, expect, test } from 'bun:test';
import { BlobError, type BlobPort } from '../../src/deps.ts';
import { bucketBlobs } from '../../src/features/ledger/blobs/bucket.ts';
import { digestOf } from '../../src/features/ledger/blobs/read.ts';
import { errorOf, s3Keys, s3Server } from '../support/s3-server.ts';

const service = s3Server();
const access = { endpoint: service.endpoint, ...s3Keys };
const bounds = { tryMilliseconds: 30_000, triesMax: 3, pauseMilliseconds: 1, silenceMilliseconds: 0 };
const bucket = bucketBlobs('s3://files/lotbook/', access, bounds);
const name = { taxpayerId: '0191b1a0-0000-7000-8000-00000000000a', digest: 'ab12' };
const key = `files/lotbook/${name.taxpayerId}/${name.digest}`;
const bytes = crypto.getRandomValues(new Uint8Array(60_000));

beforeEach(() => {
  service.objects.clear();
  service.intercept(null);
});
afterAll(() => service.close());

test('stores, returns and removes bytes by taxpayer and digest', async () => {
  await bucket.put(name, bytes);
  await bucket.put(name, bytes);
  expect([...service.objects.keys()]).toEqual([key]);
  expect(Buffer.compare((await bucket.get(name)) as Uint8Array, bytes)).toBe(0);
  await bucket.put({ ...name, digest: 'empty' }, new Uint8Array(0));
  expect(await bucket.get({ ...name, digest: 'empty' })).toEqual(new Uint8Array(0));
  expect(await bucket.get({ ...name, digest: 'none' })).toBeNull();
  await bucket.remove(name);
  await bucket.remove(name);
  expect(await bucket.get(name)).toBeNull();
});

test('retries a failing service three times, but does not retry a rejected request', async () => {
  for (const [status, code, times] of [
    [500, 'InternalError', 3],
    [503, 'SlowDown', 3],
    [429, 'TooManyRequests', 3],
    [403, 'AccessDenied', 1],
    [400, 'InvalidRequest', 1],
    [301, 'PermanentRedirect', 1],
  ] as const) {
    let asked = 0;
    service.intercept(() => {
      asked += 1;
      return errorOf(status, code);
    });
    for (const ask of asks(bucket)) {
      asked = 0;
      const refused = await readRefusal(ask);
      expect([refused.message, asked]).toEqual([expect.stringContaining(`it returned ${status} ${code}.`), times]);
      expect(refused.message).not.toContain('Signature');
    }
  }
});

test('a temporary failure is retried until it succeeds', async () => {
  let asked = 0;
  service.intercept(() => {
    asked += 1;
    return asked < 3 ? errorOf(500, 'InternalError') : undefined;
  });
  await bucket.put(name, bytes);
  expect([asked, service.objects.has(key), bucket.failures]).toEqual([3, true, 0]);
});

test('errors distinguish a service that never responds, a service that is down, and a missing bucket', async () => {
  const { promise: never, resolve: answer } = Promise.withResolvers<undefined>();
  service.intercept(() => never);
  const hasty = bucketBlobs('s3://files', access, { ...bounds, tryMilliseconds: 30 });
  for (const ask of asks(hasty)) expect((await readRefusal(ask)).message).toContain('did not respond in time');
  service.intercept(() => new Response(new ReadableStream({ pull: () => never })));
  expect((await readRefusal(() => hasty.get(name))).message).toContain('did not respond in time');
  answer(undefined);
  const gone = bucketBlobs('s3://files', { ...access, endpoint: 'http://127.0.0.1:1' }, bounds);
  for (const ask of asks(gone)) expect((await readRefusal(ask)).message).toContain('cannot be reached');
  service.intercept(() => errorOf(404, 'NoSuchBucket'));
  for (const ask of asks(bucket)) expect((await readRefusal(ask)).message).toContain('404 NoSuchBucket');
});

test('calls fail fast for a while after the service has failed', async () => {
  const pausing = bucketBlobs('s3://files', access, { ...bounds, silenceMilliseconds: 600_000 });
  let asked = 0;
  service.intercept(() => {
    asked += 1;
    return errorOf(asked === 1 ? 403 : 500, 'Any');
  });
  expect((await readRefusal(() => pausing.put(name, bytes))).message).toContain('403');
  expect((await readRefusal(() => pausing.get(name))).message).toContain('500');
  expect((await readRefusal(() => pausing.remove(name))).message).toContain('did not respond a moment ago');
  expect(asked).toBe(4);
  expect(pausing.failures).toBe(2);
});

test('lists its own objects page by page, and nothing else under the prefix', async () => {
  const digests = Array.from({ length: 7 }, (_, at) => digestOf(new Uint8Array(at)));
  for (const digest of digests) await bucket.put({ ...name, digest }, new Uint8Array(1));
  service.objects.set('files/lotbook/base/1.json', new Uint8Array(1));
  service.objects.set(`files/other/${name.taxpayerId}/${digests[0]}`, new Uint8Array(1));
  const listed = (await Array.fromAsync(bucket.list())).flat();
  expect(listed).toEqual(digests.toSorted().map((digest) => ({ taxpayerId: name.taxpayerId, digest, bytes: 1 })));
  service.failWith(500);
  await expect(Array.fromAsync(bucket.list())).rejects.toThrow('it returned InternalError');
  service.failWith(null);
});

test('a wrong secret is refused, and no error reveals it', async () => {
  const other = bucketBlobs('s3://files', { ...access, secretAccessKey: 'another secret' }, bounds);
  for (const ask of asks(other)) {
    const { message } = await readRefusal(ask);
    expect(message).toContain('403 AccessDenied');
    expect(message).not.toContain('another secret');
  }
  expect(service.objects.size).toBe(0);
});

function asks(port: BlobPort): (() => Promise<unknown>)[] {
  return [() => port.put(name, bytes), () => port.get(name), () => port.remove(name)];
}

async function readRefusal(ask: () => Promise<unknown>): Promise<BlobError> {
  const refused = await ask().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BlobError);
  return refused as BlobError;
}
