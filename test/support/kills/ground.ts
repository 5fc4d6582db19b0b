import { openPool, type Sql } from '../../../src/db/connection.ts';
import { buildUrl } from '../../../src/db/postgres-server.ts';
import { nameRowsAlike } from '../database.ts';
import { dataFolder, type Folder, registerAt, type Serving, serve } from '../process.ts';

/**
 * The victim: the server, one PostgreSQL session (PostgreSQL then restarts all sessions), PostgreSQL's main process, or
 * the command that runs the operation.
 */
export type Victim = 'server' | 'session' | 'postmaster' | 'command';

/** A user with their own account on the test server. */
export interface Person {
  readonly email: string;
  readonly taxpayerId: string;
  readonly cookie: string;
}

export const calm = { RATE_LIMIT_FACTOR: '100000' };
const readySecondsMax = 150;

/** A server with its embedded PostgreSQL in its own folder. Its processes are killed and restarted. */
export class Ground {
  readonly #folder: Folder;
  readonly #env: Readonly<Record<string, string>>;
  #serving: Serving;
  #registered = 0;

  private constructor(folder: Folder, env: Readonly<Record<string, string>>, serving: Serving) {
    this.#folder = folder;
    this.#env = env;
    this.#serving = serving;
  }

  static async open(env: Readonly<Record<string, string>> = calm): Promise<Ground> {
    const folder = dataFolder();
    const ground = new Ground(folder, env, await serve(folder, env));
    await nameRowsAlike(ground);
    return ground;
  }

  get folder(): Folder {
    return this.#folder;
  }

  request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return this.#serving.request(method, path, init);
  }

  async register(): Promise<Person> {
    this.#registered += 1;
    const email = `person${this.#registered}@example.com`;
    const cookie = await registerAt(this, email);
    return this.asOwner(async (sql) => {
      await sql`update users set plan = 'PRO', email_verified_at = now() where email = ${email}`;
      const [row] = await sql<{ id: string }[]>`
        select t.id from taxpayers t join users u on u.id = t.created_by where u.email = ${email}`;
      return { email, taxpayerId: row?.id ?? '', cookie };
    });
  }

  /** Runs one transaction as the owner of the tables, without row-level security. */
  async asOwner<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const pool = openPool(this.#address(), 1);
    try {
      return (await pool.begin(async (sql) => [await work(sql)] as const))[0] as T;
    } finally {
      await pool.end({ timeout: 5 });
    }
  }

  /** Finds the victim in advance, so that the kill itself is only a signal. */
  async aimAt(victim: Exclude<Victim, 'command'>): Promise<{ kill(): Promise<void>; end(): Promise<void> }> {
    if (victim === 'server') return { kill: () => this.#killServer(), end: async () => {} };
    const postmaster = this.#folder.postgres()?.pid ?? 0;
    if (victim === 'postmaster') return { kill: async () => signal(postmaster), end: async () => {} };
    const pool = openPool(this.#address(), 1);
    await pool`select 1`;
    return {
      kill: async () => {
        const [row] = await pool<{ pid: number }[]>`
          select pid from pg_stat_activity where usename = 'lotbook_server' and backend_type = 'client backend'
          order by (state <> 'idle') desc, state_change desc limit 1`;
        signal(row?.pid ?? 0);
      },
      end: () => pool.end({ timeout: 1 }).catch(() => {}),
    };
  }

  /** Restarts the server if it was killed. Returns once it serves and its database responds. */
  async recover(): Promise<void> {
    if (this.#serving.process.exitCode !== null || this.#serving.process.signalCode !== null) {
      await this.#letServersFallSilent();
      this.#serving = await serve(this.#folder, this.#env);
    }
    for (const until = performance.now() + readySecondsMax * 1000; performance.now() < until; await Bun.sleep(50)) {
      const ready = await this.request('GET', '/readyz').catch(() => null);
      if (ready?.ok !== true) continue;
      if (await this.asOwner((sql) => sql`select 1`).catch(() => null)) return;
    }
    throw new Error(`The server did not get ready within ${readySecondsMax} seconds after a kill.`);
  }

  async close(): Promise<void> {
    await this.#killServer();
    await this.#folder.remove();
  }

  /** Starts the server after a stop. */
  async start(env: Readonly<Record<string, string>>): Promise<void> {
    this.#serving = await serve(this.#folder, env);
  }

  /** Stops the server and its PostgreSQL as an operator does, and keeps the folder. */
  async stop(): Promise<void> {
    this.#serving.process.kill('SIGTERM');
    if ((await this.#serving.process.exited) !== 0) throw new Error('The server did not stop cleanly.');
  }

  async #killServer(): Promise<void> {
    this.#serving.process.kill('SIGKILL');
    await this.#serving.process.exited;
  }

  #letServersFallSilent(): Promise<void> {
    return letServersFallSilent(this).then(() =>
      this.asOwner(async (sql) => {
        await sql`update idempotency_keys set claimed_until = now() where status is null`;
      }),
    );
  }

  #address(): string {
    const server = this.#folder.postgres();
    if (server === null) throw new Error('PostgreSQL does not run.');
    return buildUrl(server, 'lotbook');
  }
}

/** Makes work that killed servers had started look idle for a minute. */
export async function letServersFallSilent(books: Pick<Ground, 'asOwner'>): Promise<void> {
  await books.asOwner(async (sql) => {
    await sql`update imports set moved_at = now() - interval '2 minutes' where status = 'running'`;
    await sql`update jobs.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`;
  });
}

export function signal(pid: number): void {
  // Zero would mean our own process group.
  if (pid > 0) process.kill(pid, 'SIGKILL');
}
