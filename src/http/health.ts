import { sha256 } from '@oslojs/crypto/sha2';
import { constantTimeEqual } from '@oslojs/crypto/subtle';
import { Elysia, t } from 'elysia';
import { Refusal } from '../base/refusal.ts';
import { countWaitingMails } from '../db/job-queue.ts';
import { schemaIsCurrent } from '../db/migrate.ts';
import type { Deps } from '../deps.ts';
import { notFound } from './errors.ts';
import { factsOf } from './requests.ts';
import { closed, oneOf, problems } from './schemas.ts';

const tags = ['Health'];
const Alive = closed({ status: t.Literal('ok') });
const Ready = closed({
  status: t.Literal('ok'),
  jobRunner: oneOf(
    ['running', 'starting'],
    'Whether this server takes jobs: imports, calculations, mails and what is scheduled. `starting`: the next try follows within ten seconds.',
  ),
});

/** A full disk or a slow recovery needs less. */
const awaySecondsMax = 180;

/** For operators: whether the process is alive, whether it may have traffic, and its metrics. */
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
            `The PostgreSQL inside could not be started for ${minutes} minutes. Restart the server, and run lotbook doctor if it stays away.`,
          );
        }
        return { status: 'ok' as const };
      },
      {
        response: { 200: Alive, ...problems('overloaded') },
        detail: {
          summary: 'Liveness probe',
          description:
            'Returns 503 when the PostgreSQL inside could not be started for three minutes: a restart of the process may help. While a PostgreSQL of DATABASE_URL is away it returns 200, because a restart would change nothing.',
          operationId: 'livez',
          tags,
        },
      },
    )
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
        const jobRunner = deps.jobs.isRunning ? ('running' as const) : ('starting' as const);
        return { status: 'ok' as const, jobRunner };
      },
      {
        response: { 200: Ready, ...problems('overloaded') },
        detail: {
          summary: 'Readiness probe',
          description:
            'Requests are answered while the job runner starts, so that does not make the server unready: the response and `/metrics` show it.',
          operationId: 'readyz',
          tags,
        },
      },
    )
    .get(
      '/metrics',
      async ({ request }) => {
        if (!isOperator(request, deps)) throw notFound();
        return new Response(deps.requestMetrics.text([...gauges(deps), ...(await mailGauges(deps))]), {
          headers: { 'content-type': metricsType },
        });
      },
      {
        response: problems('not_found'),
        detail: {
          summary: 'Counts for Prometheus',
          description:
            'Answers to this machine itself, and to `Authorization: Bearer` with the METRICS_TOKEN of the environment. To anybody else it is 404.',
          operationId: 'metrics',
          tags,
          responses: {
            200: { description: 'Text format 0.0.4.', content: { 'text/plain': { schema: { type: 'string' } } } },
          },
        },
      },
    );

/** Figures of the whole service are private. */
function isOperator(request: Request, { config }: Deps): boolean {
  const token = request.headers.get('authorization')?.replace(/^Bearer /i, '');
  if (token === undefined || config.metricsToken === null) return factsOf(request).isLocal;
  const [given, wanted] = [token, config.metricsToken].map((text) => sha256(new TextEncoder().encode(text)));
  return constantTimeEqual(given as Uint8Array, wanted as Uint8Array);
}

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** No age means that there is no backup yet. */
function backupGauges({ backupState, clock }: Deps) {
  const { endedAt, failures, waitingWal } = backupState;
  const age = endedAt === null ? [] : [Math.round((clock.now().getTime() - endedAt.getTime()) / 1000)];
  return [
    ...age.map((value) => ({ name: 'lotbook_backup_age_seconds', help: 'Since the newest backup.', value })),
    { name: 'lotbook_backup_failures', help: 'Tries since the last one that succeeded.', value: failures },
    { name: 'lotbook_backup_wal_waiting', help: 'Files of WAL that are not in the backup yet.', value: waitingWal },
  ];
}

/** Without a database the number of queued mails is unknown, and the other figures are still reported. */
async function mailGauges({ database, mailCounts }: Deps) {
  const waiting = await database.asService(countWaitingMails, { readOnly: true }).catch(() => null);
  return [
    { name: 'lotbook_mails_sent', help: 'Mails that a mail server took, since the start.', value: mailCounts.sent },
    { name: 'lotbook_mails_given_up', help: 'Mails given up, since the start.', value: mailCounts.givenUp },
    ...(waiting === null
      ? []
      : [{ name: 'lotbook_mails_waiting', help: 'Mails of all servers that none has taken yet.', value: waiting }]),
  ];
}

function bucketGauges({ blobs }: Deps) {
  if (blobs === null) return [];
  return [
    {
      name: 'lotbook_bucket_failures',
      help: 'Calls to the bucket that failed, since the last one that did not.',
      value: blobs.failures,
    },
  ];
}

function gauges(deps: Deps) {
  const memory = process.memoryUsage();
  return [
    { name: 'http_requests_in_flight', help: 'Requests under way.', value: deps.lifecycle.inFlight },
    { name: 'process_resident_memory_bytes', help: 'Resident memory.', value: memory.rss },
    { name: 'process_heap_bytes', help: 'JavaScript heap in use.', value: memory.heapUsed },
    { name: 'process_uptime_seconds', help: 'Since the start.', value: Math.round(process.uptime()) },
    { name: 'lotbook_books_to_renew', help: 'Taxpayers with books of another engine.', value: deps.renewalState.left },
    { name: 'lotbook_job_runner_running', help: '1 if this server takes jobs.', value: deps.jobs.isRunning ? 1 : 0 },
    {
      name: 'lotbook_database_away_seconds',
      help: 'Since the PostgreSQL inside ended and was not started again.',
      value: Math.round(deps.databaseSecondsAway()),
    },
    ...bucketGauges(deps),
    ...(deps.config.backup.to === null ? [] : backupGauges(deps)),
  ];
}
