import manifest from '../../package.json' with { type: 'json' };
import { withDeadline } from '../base/deadline.ts';
import { type Config, loadConfig } from '../config.ts';
import { connect, type Database } from '../db/connection.ts';
import { mayDoMore } from '../db/server-check.ts';
import { createDeps, type Deps, jsonLog, type Log, systemClock } from '../deps.ts';
import { openAiAssistant } from '../features/answers/messages/openai.ts';
import { stripeBilling } from '../features/people/billing/stripe.ts';
import { logMail, smtpMail } from '../features/people/mail/smtp.ts';
import { createSite } from '../web/index.ts';
import { type BackupSchedule, startBackups } from './backup-schedule.ts';
import { openBlobs, refuseUnreachable } from './blobs.ts';
import { CommandError } from './command.ts';
import { readOptions } from './options.ts';
import { bringUp, keepPostgres, type Postgres } from './postgres.ts';
import { keepReaping } from './reaper.ts';

/**
 * A stop takes at most ten seconds. It waits for running requests, then for the database, and then the stop is forced.
 */
const drainSeconds = 6;
const flushMilliseconds = 1_500;
const databaseSeconds = 1;
const tracesMilliseconds = 1_000;
const forceMilliseconds = 9_500;
/** Event streams and uploads may be idle for longer. Their handlers raise the limit. */
const idleSeconds = 120;

/** Serves until SIGTERM or SIGINT, then finishes running work. */
export async function serve(args: readonly string[]): Promise<number> {
  readOptions('serve', args, 0);
  const config = loadConfig(process.env);
  const stopped = firstSignal();
  const log = jsonLog(systemClock);
  // This throws without glibc, so it runs before PostgreSQL is started.
  const stopReaping = keepReaping();
  const postgres = await keepPostgres(config, log.warn);
  let code = 0;
  let backups: BackupSchedule | null = null;
  try {
    await bringUp(postgres, (sentence) => log.info(sentence));
    const database = connect(postgres.address);
    if (await mayDoMore(database)) {
      const advice = 'Create a separate user for the server: OPERATIONS.md, "A PostgreSQL of your own".';
      log.warn('the user of DATABASE_URL may do more than the server needs', { advice });
    }
    const deps = await openDeps(config, database, log, postgres);
    await refuseUnreachable(deps);
    backups = postgres.embedded === null ? null : startBackups(deps, postgres.embedded);
    code = await serveUntil(stopped, deps, postgres);
    await backups?.end();
    await withDeadline(deps.traces.close(), tracesMilliseconds, 'too late').catch(() => {});
    await database.close(databaseSeconds);
  } finally {
    await postgres.close();
    stopReaping();
  }
  // PostgreSQL archives its last WAL when it stops.
  await backups?.shipRest();
  return code;
}

async function serveUntil(stopped: Promise<string>, deps: Deps, postgres: Postgres): Promise<number> {
  const app = createSite(deps);
  await app.modules;
  const server = listen(deps.config, (request) => app.fetch(request));
  // Calls Bun.serve directly because the framework's own listen shares a port that is in use, and its routes bypass the
  // guard.
  app.server = server;
  for (const begin of app.event.start ?? []) begin.fn(app);
  void deps.jobs.keepStarting((error, nextTrySeconds) =>
    deps.log.error('job runner not started', error, { nextTrySeconds }),
  );
  process.stdout.write(
    `Lotbook ${manifest.version} on ${deps.config.baseUrl} (API: /v1, docs: /docs), with ${postgres.description}\n`,
  );
  const crashed = Promise.withResolvers<string>();
  process.on('unhandledRejection', (reason) => deps.log.error('unhandled rejection', reason));
  process.on('uncaughtException', (error) => {
    deps.log.error('uncaught exception', error);
    crashed.resolve('crash');
  });
  const reason = await Promise.race([stopped, crashed.promise]);
  deps.log.info('stopping', { reason });
  // Cuts off running work before a supervisor sends kill -9.
  setTimeout(() => process.exit(1), forceMilliseconds).unref();
  await Promise.all([deps.lifecycle.drain(drainSeconds), deps.jobs.stop(drainSeconds)]);
  for (const end of app.event.stop ?? []) end.fn(app);
  // Responses that are complete may still be in transit. They get some time before the connections are closed.
  await Promise.race([server.stop(), Bun.sleep(flushMilliseconds)]);
  await server.stop(true);
  return reason === 'crash' ? 1 : 0;
}

function listen(config: Config, fetch: (request: Request) => Response | Promise<Response>): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: config.host,
      port: config.port,
      // Each route limits its body itself so that it can return a problem. Bun would close the connection.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      idleTimeout: idleSeconds,
      // Without this, the error of a response that breaks midway is printed unformatted between the lines of the log.
      development: false,
      fetch,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const why = code === 'EACCES' ? 'needs privileges that this user lacks' : 'is in use by another program';
    throw new CommandError(`Port ${config.port} of ${config.host} ${why}. Set PORT to a different one.`);
  }
}

async function openDeps(config: Config, database: Database, log: Log, { embedded }: Postgres): Promise<Deps> {
  const traces = config.traces === null ? null : await import('../server/otlp-traces.ts');
  return createDeps({
    ...(traces === null || config.traces === null
      ? {}
      : { traces: traces.otlpTraces(config.traces, manifest.version) }),
    config,
    database,
    clock: systemClock,
    assistant: config.ai === null ? null : openAiAssistant(config.ai, log),
    billing: config.billing === null ? null : stripeBilling(config.billing),
    mail: config.mail === null ? logMail(log) : smtpMail(config.mail),
    blobs: openBlobs(config),
    log,
    ...(embedded === null ? {} : { databaseSecondsAway: () => embedded.secondsAway() }),
  });
}

/** Resolves with the first signal. A second one has no effect because the stop is already in progress. */
function firstSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  return promise;
}
