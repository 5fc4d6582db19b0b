import { describe, expect, test } from 'bun:test';
import { Elysia, t } from 'elysia';
import { Refusal, refusalCodes } from '../../src/base/refusal.ts';
import type { Log } from '../../src/deps.ts';
import { problemResponse, problemTable } from '../../src/http/problems.ts';
import { closed, nullable, oneOf, query, whole, year, yearParameter } from '../../src/http/schemas.ts';
import { jsonBody, miniApp, readProblem } from './mini.ts';

const routes = () =>
  new Elysia()
    .post('/things', ({ body }) => body, {
      body: closed({ name: t.String({ minLength: 2 }), parts: t.Optional(t.Array(closed({ count: t.Number() }))) }),
    })
    .get('/things', ({ query: given }) => given, {
      query: query({ year: t.Optional(yearParameter), dryRun: t.Optional(t.Boolean()) }),
    })
    .post('/elections', ({ body }) => body, {
      body: closed({
        year: t.Optional(year),
        count: t.Optional(whole()),
        method: t.Optional(nullable(oneOf(['FIFO', 'LIFO']))),
        accounts: t.Optional(nullable(t.Record(t.String(), nullable(closed({ type: oneOf(['ira', 'taxable']) }))))),
      }),
    })
    .get('/things/export', () => 'all')
    .get('/things/:id', ({ params }) => params.id)
    .delete('/things/:id', () => 'gone')
    .get('/bug', () => {
      throw new Error('select * from secrets');
    })
    .get('/misfit', () => ({ cents: 'a lot' }) as never, { response: closed({ cents: t.Number() }) })
    .get('/refused', () => {
      throw new Refusal('plan_limit', 'Too many.', { members: { plan: 'FREE', limit: 50, used: 49, requested: 2 } });
    })
    .get('/later', () => {
      throw new Refusal('overloaded', 'Later.', { retryAfterSeconds: 7 });
    });

describe('an error response', () => {
  const app = miniApp(routes);

  test('is a problem with every field, and its instance is the request id', async () => {
    const response = await app.ask('GET', '/refused');
    expect(response.status).toBe(403);
    expect(await readProblem(response)).toEqual({
      type: 'urn:lotbook:problem:plan_limit',
      title: 'This would exceed the limit of your plan',
      status: 403,
      detail: 'Too many.',
      instance: response.headers.get('x-request-id'),
      code: 'plan_limit',
      plan: 'FREE',
      limit: 50,
      used: 49,
      requested: 2,
    });
  });

  test('returns 404 for an unknown path', async () => {
    const response = await app.ask('GET', '/nowhere');
    expect([response.status, (await readProblem(response)).code]).toEqual([404, 'not_found']);
  });

  test('returns 405 with Allow for a wrong method', async () => {
    const response = await app.ask('PATCH', '/things');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await readProblem(response)).code).toBe('method_not_allowed');
    expect((await app.ask('POST', '/things/7')).headers.get('allow')).toBe('DELETE, GET, HEAD');
    // A static path in the document is never an id.
    expect((await app.ask('DELETE', '/things/export')).headers.get('allow')).toBe('GET, HEAD');
  });

  test('returns 422 with JSON pointers for an invalid body, without repeating any of the body', async () => {
    const response = await app.ask('POST', '/things', jsonBody({ name: 'x', parts: [{ count: 'hunter2' }] }));
    const problem = await readProblem(response);
    expect(response.status).toBe(422);
    expect((problem.errors as { pointer: string }[]).map((error) => error.pointer)).toEqual([
      '/name',
      '/parts/0/count',
    ]);
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  test('returns 422 for a string in place of an integer because JSON has numbers', async () => {
    expect((await app.ask('POST', '/elections', jsonBody({ year: 2024, count: 3 }))).status).toBe(200);
    for (const year of ['2024', 2024.5, 1899, null]) {
      const response = await app.ask('POST', '/elections', jsonBody({ year }));
      expect([year, response.status]).toEqual([year, 422]);
      expect((await readProblem(response)).errors).toMatchObject([{ pointer: '/year' }]);
    }
  });

  test('lists the possible values at the position of the error', async () => {
    const readErrors = async (body: object) =>
      (await readProblem(await app.ask('POST', '/elections', jsonBody(body)))).errors;
    expect(await readErrors({ method: 'fifo' })).toEqual([
      { pointer: '/method', code: 'invalid', detail: 'Expected FIFO, LIFO or null' },
    ]);
    expect(await readErrors({ accounts: { Robinhood: { type: 'pension' } } })).toEqual([
      { pointer: '/accounts/Robinhood/type', code: 'invalid', detail: 'Expected ira or taxable' },
    ]);
  });

  test('reports a missing field once', async () => {
    expect((await readProblem(await app.ask('POST', '/things', jsonBody({})))).errors).toEqual([
      { pointer: '/name', code: 'invalid', detail: 'Missing' },
    ]);
  });

  test('does not repeat a long name from the caller', async () => {
    const response = await app.ask('POST', '/things', jsonBody({ name: 'ok', ['x'.repeat(100_000)]: 1 }));
    expect((await response.text()).length).toBeLessThan(1000);
  });

  test('returns 422 for a year that is not written in digits, and names the parameter', async () => {
    expect(await (await app.ask('GET', '/things?year=2024')).json()).toEqual({ year: 2024 });
    for (const year of ['2e3', '0x7e8', '%202024', '02024', '+2024', '2024.0', '', '1899', '2101', '-1']) {
      const response = await app.ask('GET', `/things?year=${year}`);
      expect([year, response.status]).toEqual([year, 422]);
      expect((await readProblem(response)).errors).toMatchObject([{ pointer: '/year' }]);
    }
    const switched = await app.ask('GET', '/things?dryRun=maybe');
    expect((await readProblem(switched)).errors).toMatchObject([
      { pointer: '/dryRun', detail: 'Expected true or false' },
    ]);
  });

  test('returns 422 for an unknown field', async () => {
    const response = await app.ask('POST', '/things', jsonBody({ name: 'ok', isAdmin: true }));
    expect(response.status).toBe(422);
    expect((await readProblem(response)).errors).toMatchObject([{ pointer: '/isAdmin' }]);
  });

  test('returns 400 for an unknown query parameter, also on routes without parameters', async () => {
    for (const path of ['/things?jear=2025', '/bug?x=1']) {
      const response = await app.ask('GET', path);
      expect([response.status, (await readProblem(response)).code]).toEqual([400, 'unknown_parameter']);
    }
  });

  test('returns 400 for a repeated query parameter, and 422 for an invalid one', async () => {
    expect((await app.ask('GET', '/things?year=2024&year=2025')).status).toBe(400);
    const response = await app.ask('GET', '/things?year=soon');
    expect([response.status, (await readProblem(response)).code]).toEqual([422, 'invalid']);
  });

  test('includes Retry-After with 429 and 503', async () => {
    expect((await app.ask('GET', '/later')).headers.get('retry-after')).toBe('7');
    for (const code of refusalCodes.filter((name) => [429, 503].includes(problemTable[name][0]))) {
      expect(problemResponse(new Refusal(code, ''), 'id').headers.get('retry-after')).toBe('5');
    }
  });

  test('a name with a NUL or invalid UTF-8 is not reported as a bug', async () => {
    expect((await app.ask('GET', '/things/%00')).status).toBe(404);
    expect((await app.ask('GET', '/things?year=%00')).status).toBe(400);
    expect((await app.ask('GET', '/things/%E0%A4%A')).status).toBeLessThan(500);
  });
});

describe('a bug', () => {
  test('returns 500 without details, which are in the log under the request id', async () => {
    const logged: string[] = [];
    const log: Log = {
      info() {},
      warn() {},
      error: (_event, cause, fields) => void logged.push(`${cause} ${fields?.requestId}`),
    };
    const app = miniApp(routes, { log });
    const response = await app.ask('GET', '/bug');
    const problem = await readProblem(response);
    expect([response.status, problem.code]).toEqual([500, 'internal']);
    expect(JSON.stringify(problem)).not.toContain('select');
    expect(logged).toEqual([`Error: select * from secrets ${problem.instance}`]);
  });

  test('returns 500 for a response that does not match its schema, and logs none of its values', async () => {
    const logged: string[] = [];
    const log: Log = { info() {}, warn() {}, error: (_event, cause) => void logged.push(String(cause)) };
    const response = await miniApp(routes, { log }).ask('GET', '/misfit');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('a lot');
    expect(logged.join()).toContain('cents: ');
    expect(logged.join()).not.toContain('a lot');
  });
});
