import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Elysia } from 'elysia';
import { guard } from '../../src/http/guard.ts';
import { operationVerbs } from '../../src/http/operations/operations.ts';
import { type RequestInput, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { documentedRefusals } from '../support/documented-refusals.ts';
import { credentialsFor, joined } from '../support/walk/credentials.ts';
import { readProblem } from './mini.ts';

interface Operation {
  summary?: string;
  operationId?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema?: object }> };
  responses: Record<string, { description?: string; headers?: object; content?: Record<string, { schema?: object }> }>;
}
interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; securitySchemes: object };
}

let app: TestApp;
let document: OpenApi;
let operations: { method: string; path: string; operation: Operation }[];

beforeAll(async () => {
  app = await testApp();
  document = (await (await app.request('GET', '/v1/openapi.json')).json()) as OpenApi;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});
afterAll(() => app.close());

/** Fills each path parameter with an unknown id, or with a valid year. */
const filled = (path: string): string => path.replace('{year}', '2025').replace(/\{\w+\}/g, foreignId);
const foreignId = '00000000-0000-4000-8000-000000000000';
const isPublic = ({ operation }: { operation: Operation }) => operation.security?.length === 0;
const needsSession = () => operations.filter((found) => !isPublic(found));
/** Years have no owner. */
const named = () => needsSession().filter(({ path }) => path.replace('{year}', '').includes('{'));

describe('the document', () => {
  test('starts each operationId with a verb from the list', () => {
    const starts = new RegExp(`^(${operationVerbs.join('|')})([A-Z]|$)`);
    const others = operations.map(({ operation }) => operation.operationId ?? '').filter((id) => !starts.test(id));
    expect(operations.length).toBeGreaterThan(150);
    expect(others).toEqual([]);
  });

  test('has an error in words for each text of a request that must match a pattern', () => {
    const silent: string[] = [];
    let patterns = 0;
    const visit = (at: string, schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('pattern' in schema && typeof schema.pattern === 'string') {
        patterns += 1;
        if (!('x-message' in schema)) silent.push(at);
      }
      if ('$ref' in schema) visit(at, schemas[String(schema.$ref).split('/').at(-1) ?? '']);
      for (const [name, part] of Object.entries(schema)) visit(`${at}/${name}`, part);
    };
    const schemas = document.components.schemas as Readonly<Record<string, unknown>>;
    for (const { method, path, operation } of operations) {
      visit(`${method} ${path}`, [operation.requestBody, operation.parameters]);
    }
    expect(patterns).toBeGreaterThan(20);
    // Add an `x-message` to the schema: what to enter, with an example.
    expect(silent).toEqual([]);
  });

  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toStartWith('3.1.');
    const result = await new Validator().validate({ ...structuredClone(document) });
    expect(result.valid ? [] : result.errors).toEqual([]);
  });

  test('names the header fields that operations read and send', () => {
    const fieldsOf = (path: string, method: string): string[] =>
      (document.paths[path]?.[method]?.parameters ?? []).flatMap(({ name, in: place }) =>
        place === 'header' ? [name] : [],
      );
    const answered = (path: string, method: string, status: string): string[] =>
      Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {});
    expect(fieldsOf('/v1/transactions/import', 'post')).toEqual(['Idempotency-Key', 'Prefer']);
    expect(fieldsOf('/v1/clients/calculate', 'post')).toEqual(['Idempotency-Key']);
    expect(answered('/v1/transactions/import', 'post', '201')).toContain('Location');
    expect(fieldsOf('/v1/tax/calculate', 'post')).toContain('Prefer');
    expect(answered('/v1/tax/calculate', 'post', '202')).toContain('Location');
    expect(fieldsOf('/v1/notifications/stream', 'get')).toContain('Last-Event-ID');
    expect(fieldsOf('/v1/tax/summary', 'get')).toContain('If-None-Match');
    for (const path of ['/v1/transactions/{id}', '/v1/tax/settings', '/v1/clients/{id}']) {
      expect([path, ...fieldsOf(path, 'patch')]).toContain('If-Match');
      expect([path, ...answered(path, 'get', '200')]).toContain('ETag');
      expect([path, ...answered(path, 'patch', '200')]).toContain('ETag');
    }
  });

  test('defines amounts, days and enums once', () => {
    const names = ['Money', 'Quantity', 'Day', 'Instant', 'TransactionType', 'LotMethod', 'AssetClass', 'IssueKind'];
    expect(Object.keys(document.components.schemas)).toContainValues(names);
    const text = JSON.stringify(document.paths);
    const types = JSON.stringify(document.components.schemas).split('"reported_sale"').length - 1;
    expect(text).not.toContain('"reported_sale"');
    // The component itself lists these words, and so does a mapping, which has two more.
    expect(types).toBeLessThanOrEqual(2);
  });

  test('lists the codes that an operation can return, and a request that gets another code fails', async () => {
    const said = (path: string, method: string, status: string): string =>
      document.paths[path]?.[method]?.responses[status]?.description ?? '';
    expect(said('/v1/transactions/{id}', 'delete', '409')).toBe('Refused: `conflict`, `year_locked`.');
    expect(said('/v1/tax/summary', 'get', '403')).toBe('Refused: `forbidden`, `insufficient_scope`.');
    expect(said('/v1/tax/reports', 'post', '403')).toContain('`plan_limit`');
    const request = new Request('http://localhost/v1/tax/summary?year=2024');
    const refused = await app.app.fetch(request);
    const { expectDocumented } = documentedRefusals(app.app);
    await expectDocumented(request, refused);
    const headers = { 'content-type': 'application/problem+json' };
    const other = Response.json({ code: 'plan_limit' }, { status: 403, headers });
    await expect(expectDocumented(request, other)).rejects.toThrow('returned 403 plan_limit');
  });

  test('is the same on the first request to a new application', async () => {
    const fresh = await testApp();
    expect(await (await fresh.request('GET', '/v1/openapi.json')).json()).toEqual(document);
    await fresh.close();
  });

  test('describes each response if there are several', () => {
    const { responses } = document.paths['/v1/ai/messages']?.post ?? { responses: {} };
    expect(Object.keys(responses['201']?.content ?? {})).toEqual(['application/json']);
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['text/event-stream']);
  });

  test('has no keyword specific to OpenAPI 3.0 or the validator', () => {
    const text = JSON.stringify(document);
    for (const keyword of ['"nullable"', '"format":"integer"', '"format":"numeric"', '"type":"void"', '"~']) {
      expect(text).not.toContain(keyword);
    }
  });

  test('has a summary, a unique id, a tag, and request and response schemas for every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`;
      expect([name, typeof operation.operationId, operation.tags?.length]).toEqual([name, 'string', 1]);
      expect([name, (operation.summary ?? '').length > 5]).toEqual([name, true]);
      const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
      expect([name, successes.length > 0]).toEqual([name, true]);
      const bodies = [operation.requestBody?.content, ...successes.map(([, response]) => response.content)];
      for (const content of bodies) {
        if (content === undefined) continue;
        for (const [type, { schema }] of Object.entries(content)) {
          expect([name, type, typeof schema]).toEqual([name, type, 'object']);
        }
      }
      for (const [status, { content }] of successes) {
        if (status === '200' || status === '201') expect([name, content !== undefined]).toEqual([name, true]);
      }
    }
  });

  test('lists the errors of every operation as problems, with their codes', () => {
    for (const { method, path, operation } of operations) {
      const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect([method, path, refusals.map(([status]) => status)]).toEqual([
        method,
        path,
        expect.arrayContaining(['400', '429', '500', '503']) as unknown as string[],
      ]);
      for (const [, { description, content }] of refusals) {
        expect(description).toMatch(/`[a-z_]+`/);
        expect(Object.keys(content ?? {})).toEqual(['application/problem+json']);
      }
      if (!isPublic({ operation })) expect(operation.responses['401']).toBeDefined();
    }
  });

  test('describes the session as a cookie', () => {
    expect(document.components.securitySchemes).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
    });
  });
});

test('a route that does not declare who may use it stops the server from starting', () => {
  const undeclared = new Elysia().get('/v1/surprise', () => 'a', { detail: { summary: 'Surprise' } });
  expect(() => guard(undeclared, app.deps)).toThrow('GET /v1/surprise does not declare who may use it. Pass open(');
  const hidden = new Elysia().get('/page', () => 'a', { detail: { hide: true } });
  expect(() => guard(hidden, app.deps)).not.toThrow();
});

describe('every operation', () => {
  test('returns 401 without a session, unless the document marks it as public', async () => {
    for (const { method, path } of needsSession()) {
      const response = await app.request(method, filled(path));
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect((await readProblem(response)).code).toBe('unauthenticated');
    }
    const open = operations.filter(isPublic).map(({ path }) => path);
    for (const path of open) {
      expect(path).toMatch(
        /^\/(livez|readyz|metrics|auth\/(google|github)(\/callback)?|v1\/(plans|help(\/\{entry\})?|formats|config|policies|account\/restore|billing\/webhook|notifications\/unsubscribe|auth\/(register|login(\/(factor|link))?|demo|password\/reset(\/(confirm|preview))?|email\/(confirm|verify|undo)|passkeys\/sign-in(\/options)?)))$/,
      );
    }
  });

  test('returns 404 for resources of another user and for unknown ones', async () => {
    const who = await app.register('CPA');
    for (const { method, path, operation } of named()) {
      const response = await ask(who, method, filled(path), operation);
      const body = await response.text();
      expect([method, path, [404, 415, 422].includes(response.status), response.status < 500]).toEqual([
        method,
        path,
        true,
        true,
      ]);
      if (operation.requestBody === undefined) {
        expect([method, path, response.status]).toEqual([method, path, 404]);
      }
      expect(body).not.toContain('select');
    }
  });

  test("returns 404 for another user's client", async () => {
    const [mine, theirs] = [await app.register('CPA'), await app.register('CPA')];
    const { id } = await theirs.json<{ id: string }>('POST', '/v1/clients', { body: { name: 'Secret' } }, 201);
    const acting = operations.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'client'));
    expect(acting.length).toBeGreaterThan(3);
    for (const { method, path, operation } of acting) {
      const { cookie = '', headers = {} } = await credentialsFor(app, { security: [], ...operation }, mine.cookie);
      const response = await ask(mine, method, `${filled(path)}?client=${id}`, operation, { cookie, headers });
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
  });

  test('returns 405 with the allowed methods for another method, also without a session', async () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const allowed = Object.keys(item).map((method) => method.toUpperCase());
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !allowed.includes(name))) {
        const response = await app.request(method, filled(path));
        // A static path may also match a path with a parameter, and that path may support the method.
        if (response.status === 401) continue;
        expect([method, path, response.status]).toEqual([method, path, 405]);
        const named = (response.headers.get('allow') ?? '').split(', ');
        for (const known of allowed) expect(named).toContain(known);
        expect((await readProblem(response)).code).toBe('method_not_allowed');
      }
    }
  });

  test('returns 400 for an unknown query parameter', async () => {
    const who = await app.register('CPA');
    for (const { method, path } of operations.filter(({ path }) => !path.endsWith('/callback'))) {
      const response = await who.request(method, `${filled(path)}?surprise=1`);
      expect([method, path, response.status]).toEqual([method, path, 400]);
      expect((await readProblem(response)).code).toBe('unknown_parameter');
    }
  });

  test('returns 403 for a write from another site', async () => {
    const who = await app.register('CPA');
    for (const { method, path } of operations.filter(({ method }) => method !== 'GET')) {
      const response = await who.request(method, filled(path), { headers: { 'sec-fetch-site': 'cross-site' } });
      expect([method, path, response.status]).toEqual([method, path, 403]);
      expect((await readProblem(response)).code).toBe('csrf');
    }
  });

  test('may not be cached by proxies, or must be revalidated', async () => {
    const who = await app.register('CPA');
    for (const { method, path } of needsSession().filter(({ method }) => method === 'GET')) {
      const response = await who.request(method, filled(path));
      await response.body?.cancel();
      expect([path, response.headers.get('cache-control') ?? '']).toEqual([
        path,
        expect.stringMatching(/no-store|private, no-cache/) as unknown as string,
      ]);
    }
  });
});

test('returns 404 for routes that do not exist, and does not list them in the document', async () => {
  const who = await app.register();
  const later = ['nonsense'];
  for (const path of later) {
    for (const method of ['GET', 'POST']) expect((await who.request(method, `/v1/${path}`)).status).toBe(404);
    expect(document.paths[`/v1/${path}`]).toBeUndefined();
  }
});

/** Sends an empty body of the right type. */
async function ask(
  who: TestClient,
  method: string,
  path: string,
  operation: Operation,
  input: RequestInput = {},
): Promise<Response> {
  const types = Object.keys(operation.requestBody?.content ?? {});
  if (types.includes('application/json')) return who.request(method, path, { ...input, body: {} });
  if (types.includes('text/csv'))
    return who.request(method, path, joined(input, { body: 'a', headers: { 'content-type': 'text/csv' } }));
  return who.request(method, path, input);
}
