import { Elysia, t } from 'elysia';
import { Refusal } from '../base/refusal.ts';
import { schemaIsCurrent } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import { closed, problems } from './schemas.ts';

const tags = ['Health'];
const Alive = closed({ status: t.Literal('ok') });

/** For operators: whether the process is alive, whether it may have traffic, and its metrics. */
export const health = (deps: Deps) =>
  new Elysia()
    .get('/livez', () => ({ status: 'ok' as const }), {
      response: { 200: Alive },
      detail: { summary: 'The process is alive', operationId: 'livez', tags },
    })
    .get(
      '/readyz',
      async () => {
        if (deps.lifecycle.draining) throw new Refusal('shutting_down', 'The server is shutting down.');
        await deps.database.ping().catch(() => {
          throw new Refusal('database_unavailable', 'The database does not answer.');
        });
        if (!(await schemaIsCurrent(deps.database))) {
          throw new Refusal('database_unavailable', 'The database has the schema of another version.');
        }
        return { status: 'ok' as const };
      },
      {
        response: { 200: Alive, ...problems(503) },
        detail: { summary: 'The server may have traffic', operationId: 'readyz', tags },
      },
    )
    .get(
      '/metrics',
      () => new Response(deps.requestMetrics.text(gauges(deps)), { headers: { 'content-type': metricsType } }),
      {
        detail: {
          summary: 'Counts for Prometheus',
          operationId: 'metrics',
          tags,
          responses: {
            200: { description: 'Text format 0.0.4.', content: { 'text/plain': { schema: { type: 'string' } } } },
          },
        },
      },
    );

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

function gauges(deps: Deps) {
  const memory = process.memoryUsage();
  return [
    { name: 'http_requests_in_flight', help: 'Requests under way.', value: deps.lifecycle.inFlight },
    { name: 'process_resident_memory_bytes', help: 'Resident memory.', value: memory.rss },
    { name: 'process_heap_bytes', help: 'JavaScript heap in use.', value: memory.heapUsed },
    { name: 'process_uptime_seconds', help: 'Since the start.', value: Math.round(process.uptime()) },
  ];
}
