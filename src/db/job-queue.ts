import { AsyncLocalStorage } from 'node:async_hooks';
import type { Db, JobWithMetadata, PgBoss } from 'pg-boss';
import { Refusal } from '../base/refusal.ts';
import {
  type ConnectionPool,
  type DatabaseAddress,
  openPool,
  openServerPool,
  type Sql,
  serverRole,
} from './connection.ts';
import { MigrationError } from './migration-files.ts';

/** The tables of pg-boss stand in a schema of their own. They hold ids and no data of anybody's books. */
const schema = 'jobs';
/** Any number, but the same in every Lotbook, and not the one of the migrations. */
const installLock = 7_102_032;
/** One queue: imports and calculations of one taxpayer run one after the other, in the order in which they were sent. */
const queue = 'books';
const policy = 'key_strict_fifo';
const queueOptions = {
  // Wakes a server that listens.
  notify: true,
  // A server that died is noticed by its silence, not by the time that its job takes.
  heartbeatSeconds: 10,
  expireInSeconds: 3_600,
  // More often than any job is tried: one that failed for good would hold up all later ones of its taxpayer.
  retryLimit: 100,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  deleteAfterSeconds: 3_600,
} as const;
/** Work by the clock has a queue for each, so that it waits for no taxpayer. */
const scheduledQueues = ['digests', 'erasures', 'blob-moves', 'blob-collections'] as const;
/** None is asked for while one waits or runs. */
const scheduledPolicy = 'exclusive';
const scheduledOptions = { ...queueOptions, retryLimit: 2 } as const;
/** At once in one server. Large imports have Workers of their own. */
const jobsAtOnce = 4;
/** Of a job whose servers died each time. */
const triesMax = 3;
const pollSeconds = 2;
const scheduledPollSeconds = 10;
const heartbeatRefreshSeconds = 3;
const superviseSeconds = 5;
const connectionsMax = 3;

/** Ids only: what is to be done stands with the calculation or the import. */
export interface Job {
  readonly kind: 'calculation' | 'import';
  readonly taxpayerId: string;
  /** Of the calculation or the import. */
  readonly id: string;
}

export interface JobWork {
  /**
   * May be called although the work was done before: it looks first. `signal` aborts where the server stops, or another one
   * was given the job.
   */
  perform(job: Job, signal: AbortSignal): Promise<void>;
  /** Says to whoever waits for it that it failed. */
  giveUp(job: Job, error: unknown): Promise<void>;
}

export interface ScheduledWork {
  /** When, in UTC: `minute hour day month weekday`. */
  readonly cron: string;
  /** By one server each time. What is not finished is done by another, or the next time: it looks what was done. */
  perform(signal: AbortSignal): Promise<void>;
}

/**
 * Work that goes on after its request was answered: any server of the database does it, and where one dies in the middle,
 * another does it anew. Kept by pg-boss.
 */
export class JobQueue {
  readonly #address: DatabaseAddress;
  readonly #onError: (error: unknown) => void;
  readonly #works = new Map<Job['kind'], JobWork>();
  /** A job is of no request, whichever one began the queue. */
  readonly #outsideRequests = AsyncLocalStorage.snapshot();
  readonly #scheduled = new Map<(typeof scheduledQueues)[number], ScheduledWork>();
  #running: Promise<{ readonly boss: PgBoss; readonly close: () => Promise<void> }> | undefined;

  constructor(address: DatabaseAddress, onError: (error: unknown) => void) {
    this.#address = address;
    this.#onError = onError;
  }

  /** What is done for jobs of that kind. Said once, before the first job. */
  handle(kind: Job['kind'], work: JobWork): void {
    this.#works.set(kind, work);
  }

  /** What is done by the clock. Said once, before the first job. */
  schedule(name: (typeof scheduledQueues)[number], work: ScheduledWork): void {
    this.#scheduled.set(name, work);
  }

  /**
   * In the caller's transaction: where it rolls back, there is no job. Jobs of one taxpayer are done one after the other,
   * in the order in which they were sent.
   */
  async send(sql: Sql, job: Job): Promise<void> {
    const { boss } = await this.#start();
    // The role of a taxpayer sees no jobs.
    await sql.unsafe(`set local role ${serverRole}`);
    await boss.send(queue, job, { singletonKey: job.taxpayerId, db: { executeSql: execute(sql) } });
    await sql.unsafe('set local role lotbook_app');
  }

  /** Begins to take jobs. The first job sent does so too. */
  async start(): Promise<void> {
    await this.#start();
  }

  /** Takes no more jobs. Those under way have so many seconds; what they do not finish, another server does anew. */
  async stop(secondsMax: number): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    this.#running = undefined;
    if (running === undefined) return;
    await running.boss.stop({ graceful: secondsMax > 0, timeout: secondsMax * 1000 });
    await running.close();
  }

  #start() {
    this.#running ??= this.#outsideRequests(() => this.#open()).catch((error: unknown) => {
      // The next one who needs it tries again.
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #open() {
    // LISTEN and blocks of statements need sessions of their own, so a pooler is passed by.
    const pool = openServerPool(this.#address.directUrl ?? this.#address.url, connectionsMax, 'lotbook jobs');
    const boss = await openBoss(databaseOf(pool), { migrate: false, useListenNotify: true });
    boss.on('error', (error) => this.#onError(error));
    await boss.start();
    await boss.work(
      queue,
      {
        includeMetadata: true,
        localConcurrency: jobsAtOnce,
        pollingIntervalSeconds: pollSeconds,
        notifyPollingIntervalSeconds: pollSeconds,
        heartbeatRefreshSeconds,
      },
      async (jobs: JobWithMetadata<Job>[]) => {
        for (const job of jobs) await this.#run(job);
      },
    );
    for (const [name, work] of this.#scheduled) await this.#keepSchedule(boss, name, work);
    return { boss, close: () => pool.end({ timeout: 1 }) };
  }

  /** Every server says when. One of them asks for the work each time, and any of them does it. */
  async #keepSchedule(boss: PgBoss, name: string, { cron, perform }: ScheduledWork): Promise<void> {
    await boss.work(
      name,
      { includeMetadata: true, pollingIntervalSeconds: scheduledPollSeconds, heartbeatRefreshSeconds },
      async (jobs: JobWithMetadata[]) => {
        for (const { signal } of jobs) await perform(signal);
      },
    );
    await boss.schedule(name, cron, null, { tz: 'UTC' });
  }

  async #run({ data, retryCount, signal }: JobWithMetadata<Job>): Promise<void> {
    const work = this.#works.get(data.kind);
    // Of a newer server: it takes the job after a while.
    if (work === undefined) throw new Error(`This server does no jobs of the kind ${data.kind}.`);
    if (retryCount >= triesMax) {
      await work.giveUp(data, new Error(`A server stopped ${retryCount} times in the middle of this ${data.kind}.`));
      return;
    }
    try {
      await work.perform(data, signal);
    } catch (error) {
      // It is tried again: by another server, or where the database is away for a while.
      if (signal.aborted || isTemporary(error)) throw error;
      await work.giveUp(data, error);
    }
  }
}

function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'database_unavailable' || error.code === 'overloaded');
}

/** Brings the tables of the jobs up to this version, and lets the server use them. As their owner. */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  const pool = openPool(ownerUrl, 3, { statement_timeout: 0, lock_timeout: 0 });
  const alone = await pool.reserve();
  try {
    // Servers that start together wait for the first one.
    await alone`select pg_advisory_lock(${installLock})`;
    if (!(await mayInstall(pool))) return;
    const boss = await openBoss(databaseOf(pool), { migrate: true, useListenNotify: false });
    await boss.start();
    if ((await boss.getQueue(queue)) === null) await boss.createQueue(queue, { policy, ...queueOptions });
    else await boss.updateQueue(queue, queueOptions);
    for (const name of scheduledQueues) {
      if ((await boss.getQueue(name)) === null) {
        await boss.createQueue(name, { policy: scheduledPolicy, ...scheduledOptions });
      } else await boss.updateQueue(name, scheduledOptions);
    }
    await boss.stop({ graceful: false });
    await pool.unsafe(`
      grant usage on schema ${schema} to ${serverRole};
      grant select, insert, update, delete on all tables in schema ${schema} to ${serverRole};
      grant usage on all sequences in schema ${schema} to ${serverRole}`);
  } finally {
    await alone`select pg_advisory_unlock(${installLock})`;
    alone.release();
    await pool.end({ timeout: 5 });
  }
}

/** False where they are there and belong to somebody else, who keeps them. */
async function mayInstall(pool: ConnectionPool): Promise<boolean> {
  const [row] = await pool<{ isMissing: boolean; mayCreate: boolean; isOwner: boolean }[]>`
    select n.oid is null as "isMissing", has_database_privilege(current_database(), 'create') as "mayCreate",
      coalesce(pg_has_role(n.nspowner, 'usage'), false) as "isOwner"
    from (select) as one left join pg_namespace n on n.nspname = ${schema}`;
  if (row?.isMissing === true && !row.mayCreate) {
    throw new MigrationError(
      'The schema of the jobs is missing, and this database user may not make one. An administrator helps with: ' +
        `grant create on database … to the owner of the tables. Then run "lotbook migrate" with the DATABASE_URL of the owner.`,
    );
  }
  return row?.isMissing === true || row?.isOwner === true;
}

/** The library is loaded by whoever serves or migrates: other commands begin sooner without it. */
async function openBoss(
  db: Db,
  given: { readonly migrate: boolean; readonly useListenNotify: boolean },
): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  return new PgBoss({
    db,
    schema,
    ...given,
    createSchema: given.migrate,
    supervise: !given.migrate,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    schedule: !given.migrate,
    registerInstance: false,
    // Only the owner of the tables may rebuild their indexes.
    reindex: false,
    monitorVacuum: false,
    openTelemetry: { enabled: false },
  });
}

type Execute = Db['executeSql'];

/** pg-boss sends some statements as blocks from `BEGIN` to `COMMIT`, which need one connection throughout. */
function databaseOf(pool: ConnectionPool): Db {
  return {
    executeSql: async (text, values) => {
      if (!/^\s*begin\b/i.test(text)) return execute(pool)(text, values);
      const reserved = await pool.reserve();
      try {
        return await execute(reserved)(text, values);
      } finally {
        reserved.release();
      }
    },
    listen: async (channel, onNotification, onReconnect) => {
      const subscription = await pool.listen(channel, onNotification, onReconnect);
      return { close: () => subscription.unlisten() };
    },
  };
}

/** The rows of every statement of a text, one after the other. */
function execute(sql: Pick<ConnectionPool, 'unsafe'>): Execute {
  return async (text, values) => {
    const result: unknown[] = await sql.unsafe(text, values as never[]);
    return { rows: result.some(Array.isArray) ? result.flat() : [...result] };
  };
}
