import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { demoEmail, demoFiles } from '../../src/features/answers/demo/account.ts';
import { readUserOnDevice } from '../../src/features/people/auth/auth.queries.ts';
import { sessionCookie, type TestApp, testApp } from '../support/app.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly security?: readonly object[];
}
type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<Response>;

let app: TestApp;
let operations: { method: string; path: string; operation: Operation }[];
let ask: Ask;

beforeAll(async () => {
  app = await testApp();
  const { paths } = (await (await app.request('GET', '/v1/openapi.json')).json()) as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  ask = await visitor();
});
afterAll(() => app.close());

/** Opens the demo books as a visitor. */
async function visitor(): Promise<Ask> {
  const cookie = sessionCookie(await app.request('POST', '/v1/auth/demo'));
  return (method, path, body, type) =>
    app.request(method, path, { cookie, body, ...(type === undefined ? {} : { headers: { 'content-type': type } }) });
}

async function read<T = Record<string, unknown>>(path: string): Promise<T> {
  const response = await ask('GET', path);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as T;
}

/** Returns everything that a visitor can read about the account and the books. */
async function everything(): Promise<Record<string, unknown>> {
  const paths = [
    'account',
    'status',
    'tax/settings',
    'tax/summary?year=2025',
    'tax/reports',
    'imports',
    'notifications',
  ];
  const lists = ['prices', 'balances', 'tax/issues', 'tax/assets', 'ai/messages', 'clients', 'transactions/edits'];
  const all: Record<string, unknown> = {};
  for (const path of [...paths, ...lists]) all[path] = await read(`/v1/${path}`);
  all.rows = await (await ask('GET', '/v1/transactions/export')).text();
  return all;
}

describe('the demo books', () => {
  test('contain every row of their files, two open issues, wash sales and a report for each year', async () => {
    const rows = demoFiles.reduce((sum, { text }) => sum + text.trim().split('\n').length - 1, 0);
    const account = await read<{ demo: boolean; usage: { transactions: number } }>('/v1/account');
    expect([account.demo, account.usage.transactions]).toEqual([true, rows]);
    const { data } = await read<{ data: { rejected: number; imported: number }[] }>('/v1/imports');
    expect(data.map(({ rejected }) => rejected)).toEqual(demoFiles.map(() => 0));
    const summary = await read<{ washSaleDisallowed: string; issues: number }>('/v1/tax/summary?year=2025');
    expect(summary).toMatchObject({ washSaleDisallowed: '1269.20', issues: 2 });
    const reports = await read<{ data: { id: string; year: number; stale: boolean }[] }>('/v1/tax/reports');
    expect(reports.data.map(({ year, stale }) => [year, stale])).toEqual([
      [2025, false],
      [2024, false],
    ]);
    const form = await ask('GET', `/v1/tax/reports/${reports.data[0]?.id}/download?format=8949`);
    expect([form.status, form.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    await form.body?.cancel();
  });

  test('belong to one account, which is filled once, even for concurrent visitors', async () => {
    const fresh = await testApp();
    const answers = await Promise.all(Array.from({ length: 6 }, () => fresh.request('POST', '/v1/auth/demo')));
    const accounts = await Promise.all(answers.map((response) => response.json() as Promise<{ id: string }>));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    expect(new Set(answers.map(sessionCookie)).size).toBe(6);
    const [imports] = await fresh.books.asOwner((sql) => sql`select count(*)::integer as found from imports`);
    expect(imports?.found).toBe(demoFiles.length);
    await fresh.close();
  });

  test('are deleted after a new release once they have no visitors', async () => {
    const fresh = await testApp();
    const old = await fresh.request('POST', '/v1/auth/demo');
    const cookie = sessionCookie(old);
    const { id } = (await old.json()) as { id: string };
    const rename = (email: string, from: string) =>
      fresh.books.asOwner((sql) => sql`update users set email = ${email} where email = ${from}`);
    await rename('demo-of-before', demoEmail);
    const now = (await (await fresh.request('POST', '/v1/auth/demo')).json()) as { id: string };
    expect(now.id).not.toBe(id);
    expect((await fresh.request('GET', '/v1/account', { cookie })).status).toBe(200);
    await fresh.request('POST', '/v1/auth/logout', { cookie });
    await fresh.books.asOwner((sql) => sql`delete from sessions`);
    await rename('demo-of-now', demoEmail);
    await fresh.request('POST', '/v1/auth/demo');
    const left = await fresh.books.asOwner((sql) => sql`select email from users`);
    expect(left.map(({ email }) => email)).toEqual([demoEmail]);
    await fresh.close();
  });

  test('reveal nothing about one visitor to another', async () => {
    const other = await visitor();
    const mine = await read<{ data: { id: string; current: boolean }[] }>('/v1/auth/sessions');
    expect(mine.data.map(({ current }) => current)).toEqual([true]);
    expect((await other('DELETE', `/v1/auth/sessions/${mine.data[0]?.id}`)).status).toBe(403);
    expect((await other('POST', '/v1/auth/logout')).status).toBe(204);
    expect((await ask('GET', '/v1/account')).status).toBe(200);
  });

  test('belong to an account that allows no sign-in and whose address cannot be registered', async () => {
    const credentials = { email: demoEmail, password: 'correct horse battery' };
    expect((await app.request('POST', '/v1/auth/login', { body: credentials })).status).toBe(401);
    expect((await app.request('POST', '/v1/auth/register', { body: credentials })).status).toBe(422);
    const hash = await Bun.password.hash(credentials.password);
    await app.books.asOwner((sql) => sql`update users set password_hash = ${hash} where email = ${demoEmail}`);
    expect((await app.request('POST', '/v1/auth/login', { body: credentials })).status).toBe(401);
    // A password reset does not reach the account either.
    expect(
      await app.deps.database.asService((sql) => readUserOnDevice(sql, demoEmail, new Uint8Array(32))),
    ).toBeUndefined();
  });

  test('allow only as many visitors per network as the rate limit for sign-ins', async () => {
    const fresh = await testApp({ env: { RATE_LIMIT_FACTOR: '0.01' } });
    const statuses = [];
    for (let at = 0; at < 3; at += 1) statuses.push((await fresh.request('POST', '/v1/auth/demo')).status);
    expect(statuses).toEqual([200, 200, 429]);
    await fresh.close();
  });
});

describe('an operation that would change the demo books', () => {
  test('is refused for every documented operation, and changes nothing', async () => {
    const ids = await fetchIds();
    const before = await everything();
    const writes = operations.filter(
      ({ method, path, operation }) =>
        method !== 'GET' && operation.security?.length !== 0 && path !== '/v1/auth/logout',
    );
    expect(writes.length).toBeGreaterThan(30);
    const refused: string[] = [];
    const kept: string[] = [];
    for (const { method, path, operation } of writes) {
      const at = path.replace('{year}', '2025').replace('{id}', ids(path));
      const bodies = Object.entries(operation.requestBody?.content ?? { '': {} });
      for (const [type, { example }] of bodies) {
        const response = await ask(method, at, bodyOf(type, example), type === 'text/csv' ? type : undefined);
        const { code = '', detail = '' } = response.status === 403 ? ((await response.json()) as Refused) : {};
        const isRefused = code === 'forbidden' && detail.startsWith('The demo books are read-only');
        (isRefused ? refused : kept).push(`${method} ${path}`);
      }
    }
    // Operations for programs do not accept sessions, and this account cannot create tokens.
    // A question is answered and not stored.
    expect(kept.toSorted()).toEqual(['POST /mcp', 'POST /v1/ai/messages', 'POST /v1/tax/what-if']);
    expect(refused.length).toBeGreaterThan(30);
    expect(await everything()).toEqual(before);
  });

  test('can be tried as a dry run if it offers one, except for a file', async () => {
    const before = await everything();
    const offered = operations.filter(
      ({ method, operation }) => method !== 'GET' && operation.parameters?.some(({ name }) => name === 'dryRun'),
    );
    expect(offered.length).toBeGreaterThan(2);
    const ids = await fetchIds();
    for (const { method, path, operation } of offered) {
      // The file of an import is a CSV here, although its body can have other types, too.
      const content = Object.entries(operation.requestBody?.content ?? {});
      const [type, { example }] = content.find(([name]) => name === 'text/csv') ?? content.at(-1) ?? ['', {}];
      const send = async (query: string): Promise<number> => {
        const address = `${path.replace('{id}', ids(path))}?${query}`;
        return (await ask(method, address, bodyOf(type, example), type === 'text/csv' ? type : undefined)).status;
      };
      const isFile = type === 'text/csv';
      expect([path, (await send('dryRun=true')) === 403, await send('dryRun=false')]).toEqual([path, isFile, 403]);
    }
    expect(await everything()).toEqual(before);
  });
});

interface Refused {
  readonly code?: string;
  readonly detail?: string;
}

/** Returns paths with existing ids, so that only the demo rule can refuse them. */
async function fetchIds(): Promise<(path: string) => string> {
  const first = async (path: string): Promise<string> =>
    (await read<{ data: { id: string }[] }>(path)).data[0]?.id ?? crypto.randomUUID();
  const [transaction, row] = [await first('/v1/transactions'), await first('/v1/imports')];
  const [issue, report] = [await first('/v1/tax/issues'), await first('/v1/tax/reports')];
  return (path) =>
    path.includes('/issues/')
      ? issue
      : path.includes('/imports/')
        ? row
        : path.includes('/reports/')
          ? report
          : transaction;
}

function bodyOf(type: string, example: unknown): unknown {
  if (type === 'multipart/form-data') {
    const form = new FormData();
    form.append('file', new File(['date,type\n'], 'a.csv'));
    return form;
  }
  return type === '' ? undefined : (example ?? {});
}
