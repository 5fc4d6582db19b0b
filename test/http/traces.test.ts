import { afterAll, beforeAll, expect, test } from 'bun:test';
import { otlpTraces } from '../../src/server/otlp-traces.ts';
import { readTraceContext } from '../../src/server/traces.ts';
import { type TestApp, testApp } from '../support/app.ts';

interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: { key: string; value: object }[];
  readonly status: { code: number };
}

const [traceId, parentId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const received: { path: string; key: string | null; resource: string; spans: Span[] }[] = [];
const collector = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const body = (await request.json()) as { resourceSpans: { resource: object; scopeSpans: { spans: Span[] }[] }[] };
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const spans = scopeSpans.flatMap((scope) => scope.spans);
      const { pathname } = new URL(request.url);
      received.push({ path: pathname, key: request.headers.get('x-key'), resource: JSON.stringify(resource), spans });
    }
    return Response.json({});
  },
});

let app: TestApp;
const failures: Record<string, unknown>[] = [];
beforeAll(async () => {
  const service = { endpoint: `http://127.0.0.1:${collector.port}`, headers: { 'x-key': 'k' }, service: 'books' };
  const error = (_event: string, _cause: unknown, fields = {}) => void failures.push(fields);
  app = await testApp({ traces: otlpTraces(service, '9.9.9'), log: { info: () => {}, warn: () => {}, error } });
});
afterAll(async () => {
  await app.close();
  await collector.stop(true);
});

test("each request is a span of its sender's trace or of a new trace, named by its route template", async () => {
  const ask = (path: string, flags: string | null) =>
    app.request('GET', path, flags === null ? {} : { headers: { traceparent: `00-${traceId}-${parentId}-${flags}` } });
  await ask('/v1/transactions/some-id', '01');
  await ask('/v1/tax/lots', null);
  await ask('/v1/tax/years', '00');
  await ask('/readyz', '01');
  await app.deps.traces.close();
  const spans = received.flatMap((batch) => batch.spans);
  expect(received.map(({ path, key }) => [path, key])).toEqual(received.map(() => ['/v1/traces', 'k']));
  expect(received[0]?.resource).toContain('"books"');
  expect(spans.map(({ name }) => name).sort()).toEqual(['GET /v1/tax/lots', 'GET /v1/transactions/:id']);
  const [own] = spans.filter(({ name }) => name.endsWith(':id'));
  expect(own).toMatchObject({ traceId, parentSpanId: parentId });
  expect(own?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 401 } });
  const [other] = spans.filter(({ name }) => name.endsWith('lots'));
  expect(other?.traceId).not.toBe(traceId);
  expect(other?.parentSpanId).toBeUndefined();
  expect(JSON.stringify(received)).not.toContain('some-id');
});

test('the log entry for a failure contains the trace and the request id of the response', async () => {
  const { cookie } = await app.register();
  const { asService } = app.deps.database;
  Object.assign(app.deps.database, { asService: () => Promise.reject(new Error('a bug')) });
  const headers = { traceparent: `00-${traceId}-${parentId}-01`, cookie };
  const response = await app.request('GET', '/v1/account', { headers });
  Object.assign(app.deps.database, { asService });
  expect(response.status).toBe(500);
  expect(failures).toEqual([{ requestId: response.headers.get('x-request-id'), traceId, route: '/v1/account' }]);
});

test.each([
  [`00-${traceId}-${parentId}-01`, true, true],
  [`00-${traceId}-${parentId}-00`, true, false],
  [`01-${traceId}-${parentId}-01-more`, true, true],
  [`00-${traceId}-${parentId}-01-more`, false, true],
  [`ff-${traceId}-${parentId}-01`, false, true],
  [`00-${'0'.repeat(32)}-${parentId}-01`, false, true],
  [`00-${traceId}-${'0'.repeat(16)}-01`, false, true],
  [`00-${traceId.toUpperCase()}-${parentId}-01`, false, true],
  [null, false, true],
])('traceparent %s: followed %p, sampled %p', (header, isFollowed, sampled) => {
  const context = readTraceContext(header);
  expect([context.parentId === parentId, context.sampled]).toEqual([isFollowed, sampled]);
  expect(context.traceId === traceId).toBe(isFollowed);
  expect(context.traceId).toMatch(/^[0-9a-f]{32}$/);
});
