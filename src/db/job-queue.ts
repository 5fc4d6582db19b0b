import { AsyncLocalStorage } from 'node:async_hooks';
import { retryUntilDone } from '../base/deadline.ts';
import { Refusal } from '../base/refusal.ts';
import { adaptDatabase, execute, type JobWithMetadata, jobSchema, openBoss, type PgBoss } from './boss.ts';
import { type ConnectionPool, type DatabaseAddress, openServerPool, type Sql, serverRole } from './connection.ts';
import { booksQueue, mailQueue, type scheduledQueues } from './job-schema.ts';

/** Maximum number of concurrent jobs in one server. Large imports run in separate Workers. */
const jobsAtOnce = 4;
/** Maximum attempts for a job whose server died each time. */
const triesMax = 3;
const pollSeconds = 2;
const scheduledPollSeconds = 10;
const heartbeatRefreshSeconds = 3;
const connectionsMax = 3;
/** With two workers, this is twice the number of connections that a server keeps open to its mail server. */
const mailsAtOnce = 4;
const mailWorkers = 2;

/** Contains only ids. The row of the calculation or import contains the details. */
export interface Job {
  readonly kind: 'calculation' | 'import';
  readonly taxpayerId: string;
  /** Id of the calculation or import. */
  readonly id: string;
}

export interface JobWork {
  /**
   * Checks first whether the work is already done because it may be called again. `signal` aborts if the server stops
   * or another server got the job.
   */
  perform(job: Job, signal: AbortSignal): Promise<void>;
  /** Notifies the waiting user that the job failed. */
  giveUp(job: Job, error: unknown): Promise<void>;
}

/** A queued email, encrypted so that the job tables reveal nothing. */
export interface SealedMail {
  readonly id: string;
  /** The server key that encrypted the email. */
  readonly keyId: string;
  /** Base64. */
  readonly sealed: string;
}

interface MailWork {
  /** Returns false if the delivery must be retried later. `tries` is the number of earlier attempts. Never throws. */
  deliver(mail: SealedMail, tries: number): Promise<boolean>;
}

export interface ScheduledWork {
  /** The schedule in UTC, as `minute hour day month weekday`. */
  readonly cron: string;
  /**
   * Runs on one server each time. Another server or the next run continues unfinished work, so the function first
   * checks which work is done.
   */
  perform(signal: AbortSignal): Promise<void>;
}

interface OpenBoss {
  readonly boss: PgBoss;
  close(): Promise<void>;
}

/**
 * Runs work that continues after the response to its request. Any server on the database does the work, and another
 * server repeats it if that one dies. pg-boss stores the jobs.
 */
export class JobQueue {
  readonly #address: DatabaseAddress;
  readonly #onError: (error: unknown) => void;
  readonly #works = new Map<Job['kind'], JobWork>();
  /** A job does not belong to the request that started the queue. */
  readonly #outsideRequests = AsyncLocalStorage.snapshot();
  #mails: MailWork | undefined;
  readonly #scheduled = new Map<(typeof scheduledQueues)[number], ScheduledWork>();
  #running: Promise<OpenBoss> | undefined;
  #isRunning = false;
  readonly #stopped = new AbortController();
  /** Opened only for sending until the queue runs. */
  #sending: Promise<OpenBoss> | undefined;

  constructor(address: DatabaseAddress, onError: (error: unknown) => void) {
    this.#address = address;
    this.#onError = onError;
  }

  /** Registers the handler for jobs of that kind. Call it once, before the first job. */
  handle(kind: Job['kind'], work: JobWork): void {
    this.#works.set(kind, work);
  }

  /** Registers the delivery of emails. Call it once, before the first job. */
  deliverBy(work: MailWork): void {
    this.#mails = work;
  }

  /** Registers scheduled work. Call it once, before the first job. */
  schedule(name: (typeof scheduledQueues)[number], work: ScheduledWork): void {
    this.#scheduled.set(name, work);
  }

  /**
   * Sends a job in the caller's transaction, so a rollback removes it. Jobs for one taxpayer run one after another, in
   * the order in which they were sent.
   */
  async send(sql: Sql, job: Job): Promise<void> {
    const { boss } = await this.#start();
    // Switches the role because a taxpayer's role sees no jobs. SET would also reach the workers of a Citus cluster,
    // where the transaction is signed in as lotbook_app, which cannot switch to another role.
    await sql`select set_config('role', ${serverRole}, true)`;
    await boss.send(booksQueue, job, { singletonKey: job.taxpayerId, db: { executeSql: execute(sql) } });
    await sql`select set_config('role', 'lotbook_app', true)`;
  }

  /** Sends an email in the caller's transaction, which must run as the server's role. A rollback removes the email. */
  async sendMail(sql: Sql, { id, ...mail }: SealedMail): Promise<void> {
    const { boss } = await (this.#running ?? this.#openToSend());
    await boss.send(mailQueue, mail, { id, db: { executeSql: execute(sql) } });
  }

  /** Whether this server runs jobs: imports, calculations, emails and scheduled work. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Starts to run jobs. Sending the first job also starts them. */
  async start(): Promise<void> {
    await this.#start();
  }

  /** Tries to start until it succeeds or is stopped because the database may be unavailable at any moment. */
  async keepStarting(report: (error: unknown, pauseSeconds: number) => void): Promise<void> {
    await retryUntilDone(this.#stopped.signal, () => this.#start(), report);
  }

  /**
   * Accepts no more jobs. Running jobs have the given number of seconds to finish. Another server repeats unfinished
   * ones.
   */
  async stop(secondsMax: number): Promise<void> {
    this.#stopped.abort();
    this.#isRunning = false;
    const opened = [this.#running, this.#sending];
    [this.#running, this.#sending] = [undefined, undefined];
    for (const each of opened) {
      const open = await each?.catch(() => undefined);
      await open?.boss.stop({ graceful: secondsMax > 0, timeout: secondsMax * 1000 });
      await open?.close();
    }
  }

  #start(): Promise<OpenBoss> {
    this.#running ??= this.#outsideRequests(() => this.#open('work')).then(
      (open) => {
        this.#isRunning = !this.#stopped.signal.aborted;
        return open;
      },
      (error: unknown) => {
        // The next caller retries.
        this.#running = undefined;
        throw error;
      },
    );
    return this.#running;
  }

  #openToSend(): Promise<OpenBoss> {
    this.#sending ??= this.#outsideRequests(() => this.#open('send')).catch((error: unknown) => {
      this.#sending = undefined;
      throw error;
    });
    return this.#sending;
  }

  /** Closes everything on failure so that the next attempt does not run next to a half-started queue. */
  async #open(purpose: 'send' | 'work'): Promise<OpenBoss> {
    const pool = this.#openPool(purpose === 'work' ? connectionsMax : 1);
    const close = () => pool.end({ timeout: 1 });
    const boss = await openBoss(adaptDatabase(pool), purpose);
    boss.on('error', (error) => this.#onError(error));
    try {
      await boss.start();
      if (purpose === 'work') await this.#takeJobs(boss);
      return { boss, close };
    } catch (error) {
      await boss.stop({ graceful: false }).catch((failure: unknown) => this.#onError(failure));
      await close();
      throw error;
    }
  }

  #openPool(most: number): ConnectionPool {
    // LISTEN and blocks of statements need their own sessions, so they bypass a pooler.
    return openServerPool(this.#address.directUrl ?? this.#address.url, most, 'lotbook jobs');
  }

  async #takeJobs(boss: PgBoss): Promise<void> {
    await boss.work(
      booksQueue,
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
    if (this.#mails !== undefined) await this.#takeMails(boss, this.#mails);
    for (const [name, work] of this.#scheduled) await this.#keepSchedule(boss, name, work);
  }

  /** Deletes the row of a delivered email because its content is no longer needed. */
  async #takeMails(boss: PgBoss, work: MailWork): Promise<void> {
    await boss.work(
      mailQueue,
      {
        includeMetadata: true,
        perJobResults: true,
        localConcurrency: mailWorkers,
        batchSize: mailsAtOnce,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: pollSeconds,
        notifyPollingIntervalSeconds: pollSeconds,
        heartbeatRefreshSeconds,
      },
      (jobs: JobWithMetadata<Omit<SealedMail, 'id'>>[]) =>
        Promise.all(
          jobs.map(async ({ id, data, retryCount }) => {
            const isDone = await work.deliver({ id, ...data }, retryCount);
            if (isDone) await boss.deleteJob(mailQueue, id);
            // Omits the reason, which may name a person.
            return { id, status: isDone ? ('completed' as const) : ('failed' as const) };
          }),
        ),
    );
  }

  /** Every server has the schedule. One of them queues the work each time, and any of them does it. */
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
    // A newer server sent this job, and will take it after a while.
    if (work === undefined) throw new Error(`This server does not support jobs of the kind ${data.kind}.`);
    if (retryCount >= triesMax) {
      await work.giveUp(data, new Error(`A server stopped ${retryCount} times in the middle of this ${data.kind}.`));
      return;
    }
    try {
      await work.perform(data, signal);
    } catch (error) {
      // The job is retried by another server, or once the database is available again.
      if (signal.aborted || isTemporary(error)) throw error;
      await work.giveUp(data, error);
    }
  }
}

/** Returns the number of undelivered emails on all servers. Requires the role of the server. */
export async function countWaitingMails(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${sql(jobSchema)}.job
    where name = ${mailQueue} and state in ('created', 'retry', 'active')`;
  return row?.count ?? 0;
}

/** Returns whether a retry may succeed once the database is available or less busy. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'database_unavailable' || error.code === 'overloaded');
}
