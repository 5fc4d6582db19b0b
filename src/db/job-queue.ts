import { AsyncLocalStorage } from 'node:async_hooks';
import { Refusal } from '../base/refusal.ts';
import { retryUntilDone } from '../base/retry.ts';
import { databaseOf, execute, type JobWithMetadata, jobSchema, openBoss, type PgBoss } from './boss.ts';
import { type ConnectionPool, type DatabaseAddress, openServerPool, type Sql, serverRole } from './connection.ts';
import { booksQueue, mailQueue, type scheduledQueues } from './job-schema.ts';

/** At once in one server. Large imports have Workers of their own. */
const jobsAtOnce = 4;
/** Of a job whose servers died each time. */
const triesMax = 3;
const pollSeconds = 2;
const scheduledPollSeconds = 10;
const heartbeatRefreshSeconds = 3;
const connectionsMax = 3;
/** As many connections as a server keeps open to its mail server, twice. */
const mailsAtOnce = 4;
const mailWorkers = 2;

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

/** A mail as it waits for its delivery: whoever reads the tables of the jobs reads none. */
export interface SealedMail {
  readonly id: string;
  /** By which of the server's keys. */
  readonly keyId: string;
  /** In base 64. */
  readonly sealed: string;
}

export interface MailWork {
  /** False where it is to be tried later. `tries` were made before. Never throws. */
  deliver(mail: SealedMail, tries: number): Promise<boolean>;
}

export interface ScheduledWork {
  /** When, in UTC: `minute hour day month weekday`. */
  readonly cron: string;
  /** By one server each time. What is not finished is done by another, or the next time: it looks what was done. */
  perform(signal: AbortSignal): Promise<void>;
}

interface OpenBoss {
  readonly boss: PgBoss;
  close(): Promise<void>;
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
  #mails: MailWork | undefined;
  readonly #scheduled = new Map<(typeof scheduledQueues)[number], ScheduledWork>();
  #running: Promise<OpenBoss> | undefined;
  #isRunning = false;
  readonly #stopped = new AbortController();
  /** Until it runs. */
  #sending: Promise<OpenBoss> | undefined;

  constructor(address: DatabaseAddress, onError: (error: unknown) => void) {
    this.#address = address;
    this.#onError = onError;
  }

  /** What is done for jobs of that kind. Said once, before the first job. */
  handle(kind: Job['kind'], work: JobWork): void {
    this.#works.set(kind, work);
  }

  /** Who delivers mails. Said once, before the first job. */
  deliverBy(work: MailWork): void {
    this.#mails = work;
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
    // The role of a taxpayer sees no jobs. SET would reach the workers of a cluster of Citus too, which the transaction is
    // signed in to as lotbook_app: that one may become no other.
    await sql`select set_config('role', ${serverRole}, true)`;
    await boss.send(booksQueue, job, { singletonKey: job.taxpayerId, db: { executeSql: execute(sql) } });
    await sql`select set_config('role', 'lotbook_app', true)`;
  }

  /** In the caller's transaction, which is one of the server: where it rolls back, nothing is mailed. */
  async sendMail(sql: Sql, { id, ...mail }: SealedMail): Promise<void> {
    const { boss } = await (this.#running ?? this.#openToSend());
    await boss.send(mailQueue, mail, { id, db: { executeSql: execute(sql) } });
  }

  /** Whether this server takes jobs: imports, calculations, mails and what is scheduled. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Begins to take jobs. The first job sent does so too. */
  async start(): Promise<void> {
    await this.#start();
  }

  /** Tries to begin until it takes jobs, or is stopped: the database may be away at any moment. */
  async keepStarting(report: (error: unknown, pauseSeconds: number) => void): Promise<void> {
    await retryUntilDone(this.#stopped.signal, () => this.#start(), report);
  }

  /** Takes no more jobs. Those under way have so many seconds; what they do not finish, another server does anew. */
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
        // The next one who needs it tries again.
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

  /** Leaves nothing open if it fails: the next try would run beside what is half begun. */
  async #open(purpose: 'send' | 'work'): Promise<OpenBoss> {
    const pool = this.#openPool(purpose === 'work' ? connectionsMax : 1);
    const close = () => pool.end({ timeout: 1 });
    const boss = await openBoss(databaseOf(pool), purpose);
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
    // LISTEN and blocks of statements need sessions of their own, so a pooler is passed by.
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

  /** A mail that is delivered leaves no row: what is in it is needed no more. */
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
            // Without its reason, which may name a person.
            return { id, status: isDone ? ('completed' as const) : ('failed' as const) };
          }),
        ),
    );
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

/** Mails that no mail server has taken yet, whichever server posted them. As the server. */
export async function countWaitingMails(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from ${sql(jobSchema)}.job
    where name = ${mailQueue} and state in ('created', 'retry', 'active')`;
  return row?.count ?? 0;
}

/** Whether the same may succeed once the database is back, or less busy. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'database_unavailable' || error.code === 'overloaded');
}
