import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import { Refusal } from '../../src/base/refusal.ts';
import { jsonLog } from '../../src/deps.ts';
import { LineBudget } from '../../src/server/rate-limits.ts';
import { type TestApp, type TestClient, testApp, testClock } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';
import { miniApp } from './mini.ts';

const clock = testClock('2026-03-04T05:06:07Z');
const lines: string[] = [];
const log = jsonLog(clock, (line) => lines.push(line));
const written = () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);

let app: TestApp;
let owner: TestClient;
beforeAll(async () => {
  app = await testApp({ log, clock });
  owner = await app.register();
});
afterAll(() => app.close());

describe('the log contains', () => {
  test('the error of the job queue, which is a plain object', () => {
    log.error('jobs', { message: 'connection ended', queue: 'books' });
    log.error('jobs', { code: 7 });
    expect(written().map(({ cause }) => cause)).toEqual(['connection ended', '{"code":7}']);
  });

  test('errors with user, time, address and token, in UTC', async () => {
    const viewer = await app.register('CPA');
    const client = await grantAccess(app, viewer, owner, 'viewer');
    const body = { name: 'Nightly', scopes: ['read'] };
    const { id, token } = await owner.json<{ id: string; token: string }>('POST', '/v1/auth/tokens', { body }, 201);
    const ids = await Promise.all(
      [viewer, owner].map(async (who) => (await who.json<{ id: string }>('GET', '/v1/account')).id),
    );
    written();
    const asked = [
      await app.request('GET', '/v1/account'),
      await viewer.request('POST', `/v1/tax/years/2024/lock?client=${client}`),
      await app.request('POST', '/v1/tax/years/2024/lock', { headers: { authorization: `Bearer ${token}` } }),
      await app.request('GET', '/v1/account', { headers: { authorization: 'Bearer lot_none' } }),
      await owner.request('GET', `/v1/imports/${crypto.randomUUID()}`),
      await viewer.request('GET', `/v1/tax/summary?client=${crypto.randomUUID()}`),
      await viewer.request('GET', `/v1/tax/reports/${crypto.randomUUID()}/download`, {
        headers: { 'sec-fetch-site': 'cross-site' },
      }),
      await app.request('POST', '/v1/auth/login', { body: '{', headers: { 'content-type': 'application/json' } }),
    ];
    const common = { at: '2026-03-04T05:06:07.000Z', level: 'warn', event: 'request refused', address: 'memory' };
    expect(written()).toMatchObject(
      [
        { code: 'unauthenticated', route: '/v1/account' },
        { code: 'forbidden', route: '/v1/tax/years/:year/lock', userId: ids[0] },
        { code: 'insufficient_scope', userId: ids[1], tokenId: id },
        { code: 'invalid_token' },
        { code: 'not_found', route: '/v1/imports/:id', userId: ids[1] },
        { code: 'not_found', route: '/v1/tax/summary', userId: ids[0] },
        { code: 'csrf', route: '/v1/tax/reports/:id/download' },
        { code: 'invalid_json', route: '/v1/auth/login' },
      ].map((line, at) => ({ ...common, ...line, requestId: asked[at]?.headers.get('x-request-id') })),
    );
  });

  test('an assistant tool that the token may not call', async () => {
    const body = { name: 'Program', scopes: ['import'] };
    const { id, token } = await owner.json<{ id: string; token: string }>('POST', '/v1/auth/tokens', { body }, 201);
    written();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'overview', arguments: {} } };
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' };
    expect((await app.request('POST', '/mcp', { body: call, headers })).status).toBe(200);
    expect(written()).toMatchObject([
      { event: 'request refused', code: 'insufficient_scope', route: '/mcp', tokenId: id },
    ]);
  });

  test('no everyday errors, such as unknown pages and incomplete forms', async () => {
    written();
    await app.request('GET', '/nowhere');
    await owner.request('POST', '/v1/transactions', { body: { type: 'buy' } });
    expect(written()).toEqual([]);
  });

  test('no taxpayer number, file name, note or question from a request', async () => {
    written();
    const marks = ['123-45-6789', 'Zaphod Fields', 'my-secret-trades.csv', 'a private note', 'how much is Quux worth'];
    const [tin, taxpayerName, , note, question] = marks;
    await owner.json('PATCH', '/v1/account', { body: { tin, taxpayerName } });
    await importCsv(owner, csvOf('buy 2024-01-02 1 X @10'));
    await owner.request('POST', '/v1/ai/messages', { body: { content: question } });
    await owner.request('POST', '/v1/tax/notes', { body: { text: note } });
    await owner.request('PATCH', '/v1/account', { body: { tin, taxpayerName, surprise: tin } });
    await owner.request('GET', `/v1/transactions?${new URLSearchParams({ surprise: tin ?? '' })}`);
    const all = lines.join('');
    expect(marks.filter((mark) => all.includes(mark))).toEqual([]);
  });
});

test('one event per line for any input', async () => {
  written();
  const nasty = 'x\r\n{"at":"2026-01-01","level":"error","event":"planted"}\u2028\u0000\u001b[2J';
  await app.request('POST', '/v1/auth/login', {
    body: { email: 'nobody@example.com', password: 'wrong horse' },
    headers: { 'user-agent': nasty.replaceAll(/[^ -~]/g, '?'), traceparent: '00-"\\n-1' },
  });
  log.warn('planted', { note: nasty });
  log.error('planted', new Error(nasty));
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line.endsWith('}\n')).toBe(true);
    expect([...line.slice(0, -1)].filter((character) => character < ' ')).toEqual([]);
  }
  expect(written().map(({ event }) => event)).toEqual(['sign-in failed', 'planted', 'planted']);
});

test('the log contains the cause of an unavailable dependency, and the response does not', async () => {
  const cause = new Error('connect ECONNREFUSED db.internal:5432');
  const away = miniApp(
    () =>
      new Elysia().get('/data', () => {
        throw new Refusal('database_unavailable', 'The database does not answer.', {}, cause);
      }),
    { log },
  );
  const response = await away.ask('GET', '/data');
  expect([response.status, await response.text()]).toEqual([503, expect.not.stringContaining('db.internal')]);
  const [line] = written();
  expect(line).toMatchObject({ level: 'error', event: 'request not served', code: 'database_unavailable' });
  expect(line?.cause).toContain('db.internal');
});

describe('log lines about errors', () => {
  test('are limited per minute for a network and in total, and the next one states how many were omitted', () => {
    const moved = testClock('2026-03-04T05:06:07Z');
    const budget = new LineBudget(() => moved.now());
    const taken = (network: string, count: number) =>
      Array.from({ length: count }, () => budget.take(network)).filter((leftOut) => leftOut !== null).length;
    expect(taken('a', 100)).toBe(30);
    expect(taken('b', 100)).toBe(30);
    const others = Array.from({ length: 1_000 }, (_, at) => taken(`n${at}`, 1));
    expect(others.reduce((sum, each) => sum + each, 0)).toBe(540);
    moved.move(60_000);
    expect(budget.take('a')).toBe(460);
    expect(budget.take('a')).toBe(0);
  });

  test('do not flood the log', async () => {
    written();
    for (let turn = 0; turn < 100; turn++) await app.request('GET', '/v1/account');
    expect(written().length).toBeLessThanOrEqual(30);
    clock.move(60_000);
    await app.request('GET', '/v1/account');
    expect(written()).toMatchObject([{ code: 'unauthenticated', leftOut: expect.any(Number) }]);
  });
});
