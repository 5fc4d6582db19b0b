import { sha256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { Elysia, t } from 'elysia';
import { Refusal } from '../base/refusal.ts';
import { databaseSilent } from '../db/database-refusals.ts';
import { countWaitingMails } from '../db/job-queue.ts';
import { schemaIsCurrent } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import { notFound } from './errors.ts';
import { group } from './operations.ts';
import { getRequestFacts } from './requests.ts';
import { closed, oneOf, problems } from './schemas.ts';

const { open } = group('Health');
const Alive = closed({ status: t.Literal('ok') });
const Ready = closed({
  status: t.Literal('ok'),
  jobRunner: oneOf(
    ['running', 'starting'],
    'Whether this server runs jobs: imports, calculations, emails and scheduled work. `starting`: the next attempt follows within ten seconds.',
  ),
});

/** Longer than a full disk or a slow recovery needs. */
const awaySecondsMax = 180;

/** Routes for operators: liveness, readiness and metrics. */
export const health = (deps: Deps) =>
  new Elysia()
    .get(
      '/livez',
      () => {
        const secondsAway = deps.databaseSecondsAway();
        if (secondsAway >= awaySecondsMax) {
          const minutes = Math.floor(secondsAway / 60);
          throw new Refusal(
            'database_unavailable',
            `The embedded PostgreSQL could not be started for ${minutes} minutes. Restart the server. If that does not help, run lotbook doctor.`,
          );
        }
        return { status: 'ok' as const };
      },
      open('getLiveness', null, {
        summary: 'Liveness probe',
        description:
          'Returns 503 if the embedded PostgreSQL could not be started for three minutes, because a restart of the process may help. If a PostgreSQL of DATABASE_URL is unavailable it returns 200, because a restart would change nothing.',
        response: { 200: Alive },
      }),
    )
    .get(
      '/readyz',
      async () => {
        if (deps.lifecycle.draining) throw new Refusal('shutting_down', 'The server is shutting down.');
        await deps.database.ping().catch(() => {
          throw new Refusal('database_unavailable', databaseSilent);
        });
        if (!(await schemaIsCurrent(deps.database))) {
          throw new Refusal('database_unavailable', 'The database schema belongs to a different version of Lotbook.');
        }
        const jobRunner = deps.jobs.isRunning ? ('running' as const) : ('starting' as const);
        return { status: 'ok' as const, jobRunner };
      },
      open('getReadiness', null, {
        summary: 'Readiness probe',
        description:
          'Requests are served while the job runner starts, so that does not make the server unready. The response and `/metrics` show it.',
        response: { 200: Ready },
      }),
    )
    .get(
      '/metrics',
      async ({ request }) => {
        if (!isOperator(request, deps)) throw notFound();
        return new Response(deps.requestMetrics.text([...gauges(deps), ...(await mailGauges(deps))]), {
          headers: { 'content-type': metricsType },
        });
      },
      open('getMetrics', null, {
        summary: 'Get Prometheus metrics',
        description:
          'Available to the local machine, and to `Authorization: Bearer` with the METRICS_TOKEN of the environment. Other requests get 404.',
        response: problems('not_found'),
        detail: {
          responses: {
            200: { description: 'Text format 0.0.4.', content: { 'text/plain': { schema: { type: 'string' } } } },
          },
        },
      }),
    );

/** Metrics for the whole service are private. */
function isOperator(request: Request, { config }: Deps): boolean {
  const token = request.headers.get('authorization')?.replace(/^Bearer /i, '');
  if (token === undefined || config.metricsToken === null) return getRequestFacts(request).isLocal;
  const [sentHash, wanted] = [token, config.metricsToken].map((text) => sha256(new TextEncoder().encode(text)));
  return constantTimeEqual(sentHash as Uint8Array, wanted as Uint8Array);
}

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Omits the age if there is no backup yet. */
function backupGauges({ backupState, clock }: Deps) {
  const { endedAt, failures, waitingWal } = backupState;
  const age = endedAt === null ? [] : [Math.round((clock.now().getTime() - endedAt.getTime()) / 1000)];
  return [
    ...age.map((value) => ({ name: 'lotbook_backup_age_seconds', help: 'Since the newest backup.', value })),
    { name: 'lotbook_backup_failures', help: 'Attempts since the last success.', value: failures },
    { name: 'lotbook_backup_wal_waiting', help: 'WAL files that are not in the backup yet.', value: waitingWal },
  ];
}

/**
 * Returns the email gauges. Without a database, the number of queued emails is unknown, but the other metrics are still
 * reported.
 */
async function mailGauges({ database, mailCounts }: Deps) {
  const waiting = await database.asService(countWaitingMails, { readOnly: true }).catch(() => null);
  return [
    { name: 'lotbook_mails_sent', help: 'Emails accepted by a mail server since the start.', value: mailCounts.sent },
    { name: 'lotbook_mails_given_up', help: 'Mails given up, since the start.', value: mailCounts.givenUp },
    ...(waiting === null
      ? []
      : [{ name: 'lotbook_mails_waiting', help: 'Undelivered emails of all servers.', value: waiting }]),
  ];
}

function bucketGauges({ blobs }: Deps) {
  if (blobs === null) return [];
  return [
    {
      name: 'lotbook_bucket_failures',
      help: 'Failed calls to the bucket since the last success.',
      value: blobs.failures,
    },
  ];
}

function gauges(deps: Deps) {
  const memory = process.memoryUsage();
  return [
    { name: 'http_requests_in_flight', help: 'Requests in progress.', value: deps.lifecycle.inFlight },
    { name: 'process_resident_memory_bytes', help: 'Resident memory.', value: memory.rss },
    { name: 'process_heap_bytes', help: 'JavaScript heap in use.', value: memory.heapUsed },
    { name: 'process_uptime_seconds', help: 'Since the start.', value: Math.round(process.uptime()) },
    {
      name: 'lotbook_books_to_renew',
      help: 'Taxpayers with books of another engine version.',
      value: deps.renewalState.left,
    },
    { name: 'lotbook_job_runner_running', help: '1 if this server takes jobs.', value: deps.jobs.isRunning ? 1 : 0 },
    {
      name: 'lotbook_database_away_seconds',
      help: 'Since the embedded PostgreSQL ended without a restart.',
      value: Math.round(deps.databaseSecondsAway()),
    },
    ...bucketGauges(deps),
    ...(deps.config.backup.to === null ? [] : backupGauges(deps)),
  ];
}
