import { createApp } from '../../src/app.ts';
import { type Environment, loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/connection.ts';
import { type Clock, createDeps, type Deps, type Mail, silentLog, systemClock, type World } from '../../src/deps.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { documentedRefusals } from './documented-refusals.ts';

/** The whole application on its own database, called without a socket. */
export interface TestApp {
  readonly app: ReturnType<typeof createApp>;
  readonly deps: Deps;
  readonly books: TestDatabase;
  /** The emails sent, oldest first, once all of them are delivered. */
  mails(): Promise<readonly Mail[]>;
  /** Another server on the same database. It stops together with this one. */
  another(): Pick<TestApp, 'app' | 'deps'>;
  request(method: string, path: string, given?: RequestInput): Promise<Response>;
  /** Creates a user with an account on the given plan. The email address is verified unless the test opts out. */
  register(plan?: 'FREE' | 'PRO' | 'CPA', options?: { readonly isVerified?: boolean }): Promise<TestClient>;
  close(): Promise<void>;
}

/** A signed-in user. */
export interface TestClient {
  readonly email: string;
  readonly password: string;
  /** `session=…`, as a browser would send it. */
  readonly cookie: string;
  request(method: string, path: string, given?: RequestInput): Promise<Response>;
  /** Sends a request, expects the status and parses the JSON. */
  json<T = Record<string, unknown>>(method: string, path: string, given?: RequestInput, status?: number): Promise<T>;
}

export interface RequestInput {
  /** A plain object is sent as JSON. Text, bytes, streams and forms are sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookie?: string;
}

export interface TestAppOptions extends Partial<Omit<World, 'config' | 'database'>> {
  /** Variables added to an empty environment. */
  readonly env?: Environment;
  /** Returns the database URL for the application. Defaults to the URL that the test uses. */
  readonly connectTo?: (books: TestDatabase) => Promise<Database>;
}

/** Keeps tests from reaching a rate limit by accident. Tests of the limits set RATE_LIMIT_FACTOR themselves. */
const calmEnvironment: Environment = { RATE_LIMIT_FACTOR: '100000' };

/** Users share passwords so that a run hashes only this many of them (`remembered-hashes.ts`). */
const differentPasswords = 40;

export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, connectTo, ...overrides } = options;
  const books = await testDatabase();
  const mails: Mail[] = [];
  const others: Deps[] = [];
  const database = (await connectTo?.(books)) ?? books.database;
  const deps = createDeps({
    config: loadConfig({ ...calmEnvironment, ...env }),
    database,
    clock: systemClock,
    assistant: null,
    billing: null,
    mail: { send: async (mail) => void mails.push(mail) },
    log: silentLog,
    ...overrides,
  });
  const app = createApp(deps);
  const refusals = documentedRefusals(app);
  const request = async (method: string, path: string, input: RequestInput = {}): Promise<Response> => {
    const asked = requestOf(method, path, input);
    const response = await app.fetch(asked);
    await refusals.expectDocumented(asked, response);
    return response;
  };
  let registered = 0;
  return {
    app,
    deps,
    books,
    mails: async () => {
      await allDelivered(books, deps);
      return mails.toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
    },
    another: () => {
      const other = createDeps(deps);
      others.push(other);
      return { app: createApp(other), deps: other };
    },
    request,
    register: async (plan = 'FREE', { isVerified = true } = {}) => {
      registered += 1;
      const email = `person${registered}@example.com`;
      const password = `correct horse ${registered % differentPasswords}`;
      const response = await request('POST', '/v1/auth/register', { body: { email, password } });
      if (response.status !== 201) throw new Error(`register: ${response.status} ${await response.text()}`);
      await books.asOwner(
        (sql) => sql`
          update users set plan = ${plan}, email_verified_at = case when ${isVerified} then now() end where email = ${email}`,
      );
      return readClient(request, email, password, sessionCookie(response));
    },
    close: async () => {
      await Promise.all([deps, ...others].map(({ jobs }) => jobs.stop(0)));
      if (database !== books.database) await database.close();
      await books.drop();
    },
  };
}

/** Waits until all emails are delivered, because some are sent in parallel with the response. */
async function allDelivered(books: TestDatabase, { lifecycle, jobs }: Deps): Promise<void> {
  await jobs.start();
  for (const until = performance.now() + 150_000; performance.now() < until; await Bun.sleep(5)) {
    if (lifecycle.inFlight > 0) continue;
    const [row] = await books.asOwner(
      (sql) => sql<{ left: number }[]>`select count(*)::integer as left from jobs.job where name = 'mails'`,
    );
    if (row?.left === 0) return;
  }
  throw new Error('Emails are still queued, and nothing delivers them.');
}

/**
 * Ages everything that expires according to the database's clock: sessions, tokens, provider sign-ins, links, account
 * deletions, failed guesses, idempotency keys.
 */
export async function letTimePass(app: TestApp, seconds: number): Promise<void> {
  await app.books.asOwner(async (sql) => {
    const earlier = sql`make_interval(secs => ${seconds})`;
    await sql`
      update sessions set created_at = created_at - ${earlier}, last_used_at = last_used_at - ${earlier},
        proved_at = proved_at - ${earlier}, expires_at = expires_at - ${earlier}`;
    await sql`
      update access_tokens set created_at = created_at - ${earlier}, expires_at = expires_at - ${earlier},
        last_used_at = last_used_at - ${earlier}`;
    await sql`
      update program_connections set created_at = created_at - ${earlier}, expires_at = expires_at - ${earlier},
        refreshed_at = refreshed_at - ${earlier}`;
    await sql`update wrong_guesses set counted_at = counted_at - ${earlier}`;
    await sql`update account_guesses set tried_at = tried_at - ${earlier}, paced_at = paced_at - ${earlier}`;
    await sql`update one_time_tokens set expires_at = expires_at - ${earlier}`;
    await sql`update invitations set created_at = created_at - ${earlier}, expires_at = expires_at - ${earlier}`;
    await sql`
      update account_deletions set requested_at = requested_at - ${earlier}, erase_at = erase_at - ${earlier}`;
    // On a Citus cluster, an update cannot compute an instant from a column.
    const keys = await sql<{ taxpayer: string; key: string; createdAt: Date; claimedUntil: Date }[]>`
      select taxpayer_id as taxpayer, key, created_at - ${earlier} as "createdAt", claimed_until - ${earlier} as "claimedUntil"
      from idempotency_keys`;
    for (const { taxpayer, key, createdAt, claimedUntil } of keys) {
      await sql`
        update idempotency_keys set created_at = ${createdAt}, claimed_until = ${claimedUntil}
        where taxpayer_id = ${taxpayer} and key = ${key}`;
    }
  });
}

/** Returns a clock that moves only when a test moves it. */
export function testClock(start: string): Clock & { move(milliseconds: number): void } {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    move: (milliseconds) => {
      at += milliseconds;
    },
  };
}

/** Returns the `session=…` cookie from a sign-in response. */
export function sessionCookie(response: Response): string {
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith('session='));
  if (cookie === undefined) throw new Error('The response sets no session.');
  return cookie.split(';')[0] ?? '';
}

export function readClient(request: TestApp['request'], email: string, password: string, cookie: string): TestClient {
  const ask: TestClient['request'] = (method, path, given = {}) => request(method, path, { cookie, ...given });
  return {
    email,
    password,
    cookie,
    request: ask,
    json: async <T>(method: string, path: string, input: RequestInput = {}, status?: number): Promise<T> => {
      const response = await ask(method, path, input);
      const text = await response.text();
      const wanted = status === undefined ? response.ok : response.status === status;
      if (!wanted) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? null : JSON.parse(text)) as T;
    },
  };
}

function requestOf(method: string, path: string, input: RequestInput): Request {
  const headers = new Headers(input.headers);
  if (input.cookie !== undefined) headers.set('cookie', input.cookie);
  const { body } = input;
  if (body === undefined) return new Request(`http://localhost${path}`, { method, headers });
  if (isBodyInit(body)) return new Request(`http://localhost${path}`, { method, headers, body });
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return new Request(`http://localhost${path}`, { method, headers, body: JSON.stringify(body) });
}

function isBodyInit(body: unknown): body is BodyInit {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    body instanceof ReadableStream ||
    body instanceof Uint8Array ||
    body instanceof ArrayBuffer
  );
}
