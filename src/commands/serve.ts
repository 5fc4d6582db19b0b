import { dlopen, FFIType } from 'bun:ffi';
import manifest from '../../package.json' with { type: 'json' };
import { sleepUnless, withDeadline } from '../base/deadline.ts';
import { listPids, readStat } from '../base/processes.ts';
import { type Config, loadConfig } from '../config.ts';
import { type BackupLocation, listBackups } from '../db/backup/catalog.ts';
import { takeBackup } from '../db/backup/take.ts';
import { archiveSet, shipWal, waitingWal } from '../db/backup/wal.ts';
import { connect, type Database } from '../db/connection.ts';
import type { EmbeddedPostgres } from '../db/embedded.ts';
import { mayDoMore } from '../db/server-check.ts';
import { createDeps, type Deps, jsonLog, type Log, systemClock } from '../deps.ts';
import { openAiAssistant } from '../features/answers/messages/openai.ts';
import { stripeBilling } from '../features/people/billing/stripe.ts';
import { logMail, smtpMail } from '../features/people/mail/smtp.ts';
import { createSite } from '../web/index.ts';
import { openBlobs, refuseUnreachable } from './blobs.ts';
import { CommandError } from './command.ts';
import { readOptions } from './options.ts';
import { bringUp, keepPostgres, openBackupLocation, type Postgres } from './postgres.ts';

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

interface BackupSchedule {
  /** Starts no further work. A running backup ends with its session. */
  end(): Promise<void>;
  /** Stores the WAL that PostgreSQL archived when it stopped. */
  shipRest(): Promise<void>;
}

const shipMilliseconds = 5_000;
const retryMilliseconds = 60_000;
const endMilliseconds = 500;
const restMilliseconds = 2_000;

/**
 * Stores WAL as it arrives while the server runs, and a new backup whenever the newest one of this data folder is old
 * enough. Returns null if BACKUP_TO is not set. This is not a job because the embedded PostgreSQL runs only as long as
 * the server that started it, and only that server has the folder with its WAL. If that server dies, nothing is written
 * that a backup could miss. Its next start makes a backup if one is due, based on the existing backups.
 */
function startBackups(deps: Deps, embedded: EmbeddedPostgres): BackupSchedule | null {
  const { clock, log, backupState, config } = deps;
  const { to, everyHours, keep } = config.backup;
  if (to === null) return null;
  const location = openBackupLocation(to, config);
  const { folder, ownerUrl } = embedded;
  const ending = new AbortController();

  const look = async (): Promise<void> => {
    await shipWal(folder, location);
    backupState.waitingWal = waitingWal(folder);
    const set = archiveSet(folder);
    const now = clock.now();
    const due = backupState.endedAt === null || now.getTime() - backupState.endedAt.getTime() >= everyHours * 3_600_000;
    if (!due) return;
    const { entry, removed } = await takeBackup({
      ownerUrl,
      place: location,
      keep,
      lotbook: manifest.version,
      set,
      now,
    });
    backupState.endedAt = new Date(entry.endedAt);
    log.info('backed up', { to: location.store.place, id: entry.id, bytes: entry.bytes, removed });
  };

  const run = async (): Promise<void> => {
    backupState.endedAt = await findNewest(folder, location).catch(() => null);
    while (!ending.signal.aborted) {
      try {
        await look();
        backupState.failures = 0;
      } catch (error) {
        if (ending.signal.aborted) return;
        backupState.failures += 1;
        log.error('not backed up', error, { to: location.store.place, failures: backupState.failures });
      }
      await sleepUnless(ending.signal, backupState.failures > 0 ? retryMilliseconds : shipMilliseconds);
    }
  };
  const running = run();

  return {
    end: async () => {
      ending.abort();
      await Promise.race([running, Bun.sleep(endMilliseconds)]);
    },
    shipRest: async () => {
      // The next start stores the remaining WAL.
      await withDeadline(shipWal(folder, location), restMilliseconds, 'too late').catch(() => 0);
    },
  };
}

/** Backups of another data folder in the same store do not count. */
async function findNewest(folder: string, location: BackupLocation): Promise<Date | null> {
  const set = archiveSet(folder);
  const newest = (await listBackups(location)).backups.findLast((entry) => entry.set === set);
  return newest === undefined ? null : new Date(newest.endedAt);
}

const lookMilliseconds = 2_000;
const withoutWaiting = 1;

/**
 * Reaps zombies until the returned function is called. Process 1 of a container inherits every process whose parent has
 * ended, such as PostgreSQL and its sessions, and must remove their entries when they end. If this is not process 1,
 * there is nothing to reap.
 */
function keepReaping(pid = process.pid): () => void {
  if (pid !== 1) return () => {};
  const { waitpid } = openLibrary().symbols;
  let previous: ReadonlySet<number> = new Set();
  const reap = (): void => {
    const zombies = listZombies(pid);
    // The runtime reaps its own children at once and must not find one of them missing, so a zombie is left alone for
    // one scan.
    for (const zombie of zombies) if (previous.has(zombie)) waitpid(zombie, null, withoutWaiting);
    previous = zombies;
  };
  const timer = setInterval(reap, lookMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

/** Opens glibc. Only Linux runs programs as process 1, and the binary needs glibc anyway. */
function openLibrary() {
  try {
    return dlopen('libc.so.6', { waitpid: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i32 } });
  } catch {
    throw new CommandError(
      'Lotbook runs as process 1 and cannot load glibc, which it needs to reap ended processes. Run it under an init, such as `docker run --init`.',
    );
  }
}

function listZombies(parent: number): ReadonlySet<number> {
  return new Set(listPids().filter((pid) => isZombieChild(parent, pid)));
}

function isZombieChild(parent: number, pid: number): boolean {
  const stat = readStat(pid);
  return stat?.state === 'Z' && stat.parent === parent;
}
