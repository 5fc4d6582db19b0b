import postgres from 'postgres';
import { withDeadline } from '../base/deadline.ts';
import { openSemaphore } from '../base/semaphore.ts';
import { booksDeleted, databaseSilent, toRefusal } from './database-refusals.ts';

/** Runs statements inside one transaction. Results contain date, numeric and bigint values as strings. */
export type Sql = postgres.TransactionSql<{ bigint: bigint; date: string }>;

export interface Database {
  /** The address of the database. A Worker uses it to open its own connections. */
  readonly address: DatabaseAddress;
  /**
   * Runs one transaction for a taxpayer. The role owns nothing, and row-level security shows it only this taxpayer's
   * rows. Nothing is retried because only the caller knows whether the work may run twice.
   */
  asTaxpayer<T>(taxpayerId: string, work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs one transaction as `lotbook_server`, for data that belongs to no single taxpayer: users, sessions, scheduled
   * sweeps.
   */
  asService<T>(work: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls back for each NOTIFY on the channel until the returned function is called. Reconnects automatically. */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  /** Throws if the database does not respond within two seconds. */
  ping(): Promise<void>;
  /** Closes the connections. Running statements have five seconds to finish by default. */
  close(secondsMax?: number): Promise<void>;
}

export interface DatabaseAddress {
  /** `postgres://user:password@host:port/database`. `?host=/folder` names the folder of a Unix socket. */
  readonly url: string;
  /**
   * The direct address of the server if `url` is a pooler in transaction mode. Such a pooler assigns a connection to
   * each transaction, so settings are made in the transaction, nothing is prepared, and LISTEN needs this address.
   */
  readonly directUrl: string | null;
}

export interface TransactionOptions {
  /** If true, all statements see the state at the first one, for a response that takes several statements. */
  readonly snapshot?: boolean;
  readonly readOnly?: boolean;
  /** Overrides the statement timeout of the connection. */
  readonly statementSecondsMax?: number;
}

interface ConnectionOptions {
  /** The name that operators see in `pg_stat_activity`. */
  readonly name?: string;
  readonly connectionsMax?: number;
}

/** The initial role of the server's sessions, to which `reset role` returns. It owns nothing (sql/0008_server.sql). */
export const serverRole = 'lotbook_server';

const connectionsMaxDefault = 16;
/**
 * Maximum number of concurrent transactions per taxpayer. With more, one user's requests would hold up everyone else's.
 */
const perTaxpayerMax = 4;
/** Connections reserved for reading sessions and for sign-ins while taxpayers' work runs. */
const keptForService = 4;
const statementSecondsMax = 120;
/** Maximum time that an import waits for another import by the same taxpayer. */
const lockSecondsMax = 60;
/** Longer than the longest replay because the engine works between two statements. */
const idleInTransactionSecondsMax = 300;
const connectSecondsMax = 10;
/** The pause between two attempts to connect. The driver's own pause grows to twenty seconds while a request waits. */
const reconnectSecondsMax = 0.5;
const closeSecondsMax = 5;
const pingMilliseconds = 2_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Opens a pool of connections. Behind a pooler, each transaction repeats its settings. */
export function connect(address: DatabaseAddress, options: ConnectionOptions = {}): Database {
  const connectionsMax = options.connectionsMax ?? connectionsMaxDefault;
  const isPooler = address.directUrl !== null;
  const { url, name = 'lotbook' } = { ...address, ...options };
  const pool = isPooler ? openPoolerPool(url, connectionsMax, name) : openServerPool(url, connectionsMax, name);
  const start = isPooler ? poolerHead : '';
  let listening: ConnectionPool | undefined;
  const pooled = openSemaphore({ placesMax: connectionsMax });
  const taxpayers = openSemaphore({
    // A Worker has few connections and no sessions to read.
    placesMax: connectionsMax < 2 * keptForService ? connectionsMax : connectionsMax - keptForService,
    placesPerKeyMax: perTaxpayerMax,
  });

  const transact = <T>(
    head: string,
    work: (sql: Sql) => Promise<T>,
    transactionOptions: TransactionOptions = {},
  ): Promise<T> =>
    pooled('', async () => {
      let isOver = false;
      const mode = [
        transactionOptions.snapshot ? 'isolation level repeatable read' : '',
        transactionOptions.readOnly ? 'read only' : '',
      ];
      try {
        const result = await pool.begin(mode.filter((word) => word !== '').join(' '), async (sql) => {
          const settings = start + head + timeoutSetting(transactionOptions.statementSecondsMax);
          if (settings === '') return [await work(whileOpen(sql, () => isOver))] as const;
          // Sent together with the first statement of the work. If the settings fail, PostgreSQL runs no other statement
          // of the transaction.
          const applied = sql.unsafe(settings).execute();
          applied.catch(() => undefined);
          try {
            return [await work(whileOpen(sql, () => isOver))] as const;
          } finally {
            await applied;
          }
        });
        return result[0] as T;
      } catch (error) {
        throw toRefusal(error);
      } finally {
        isOver = true;
      }
    });

  return {
    address,
    asTaxpayer: async (taxpayerId, work, transactionOptions) => {
      const head = `set local role lotbook_app; ${taxpayerSetting(taxpayerId)}`;
      return taxpayers(taxpayerId, () => transact(head, work, transactionOptions));
    },
    asService: (work, transactionOptions) =>
      transact(isPooler ? `set local role ${serverRole};` : '', work, transactionOptions),
    listen: async (channel, onPayload) => {
      if (address.directUrl !== null) listening ??= openServerPool(address.directUrl, 1, name);
      const subscription = await (listening ?? pool).listen(channel, onPayload);
      return async () => {
        await subscription.unlisten();
      };
    },
    ping: async () => {
      await withDeadline(pool.unsafe('select 1').execute(), pingMilliseconds, databaseSilent);
    },
    close: async (secondsMax = closeSecondsMax) => {
      await Promise.all([pool.end({ timeout: secondsMax }), listening?.end({ timeout: secondsMax })]);
    },
  };
}

/** Sets the taxpayer whose rows row-level security shows for the rest of the transaction. Null means no taxpayer. */
export async function nameTaxpayer(sql: Sql, taxpayerId: string | null): Promise<void> {
  await sql.unsafe(taxpayerId === null ? "set local app.taxpayer = '';" : taxpayerSetting(taxpayerId));
}

/** Uses SET, which reaches the workers of a Citus cluster. `set_config` does not. */
function taxpayerSetting(taxpayerId: string): string {
  if (!uuid.test(taxpayerId)) throw new Error('A taxpayer is named by a uuid.');
  return `set local app.taxpayer = '${taxpayerId}';`;
}

/**
 * Serializes a taxpayer's imports, edits and calculations because most of them would deadlock otherwise. Throws an
 * error if the taxpayer was deleted in the meantime because rows in the books must not outlive the taxpayer.
 */
export async function withTaxpayerLock(sql: Sql, taxpayerId: string): Promise<void> {
  // Sent together. The second runs when the first has the lock, and then sees what is committed by that time.
  const [, rows] = await Promise.all([
    sql`select pg_advisory_xact_lock(hashtextextended(${taxpayerId}, 0))`,
    sql`select 1 from taxpayers where id = ${taxpayerId}`,
  ]);
  if (rows.length === 0) throw booksDeleted();
}

/**
 * Refuses statements once the transaction is over. If its connection breaks, a transaction is over while its work may
 * still run, and the connection soon serves another transaction. Statements from the old work must not run there.
 */
function whileOpen(sql: Sql, isOver: () => boolean): Sql {
  const check = (): void => {
    if (isOver()) throw new Error('The transaction is over.');
  };
  return new Proxy(sql, {
    apply: (target, self, parameters) => {
      check();
      return Reflect.apply(target, self, parameters);
    },
    get: (target, name) => {
      check();
      return Reflect.get(target, name);
    },
  });
}

type SessionSettings = Readonly<Record<string, string | number | boolean>>;

const timeouts: SessionSettings = {
  statement_timeout: statementSecondsMax * 1000,
  lock_timeout: lockSecondsMax * 1000,
  idle_in_transaction_session_timeout: idleInTransactionSecondsMax * 1000,
  // After a kill -9 of the server, a running statement held its locks for 19.7 s. With this setting, it held them for
  // 0.2 s.
  client_connection_check_interval: 500,
};

/**
 * A server that loses power closes no connections. This setting ends its sessions and locks anyway (`scripts/nodes
 * half-open`).
 */
const keepAlive = {
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
};

/**
 * The first statements in a transaction behind a pooler. The role is set once, after them, because Citus repeats all
 * settings on each worker, where it is connected as the transaction's role, which cannot switch to another role.
 */
const poolerHead = Object.entries(timeouts)
  .map(([name, value]) => `set local ${name} = ${value};`)
  .join('');

/** Sessions that start as `lotbook_server`. */
export function openServerPool(url: string, connectionsMax: number, name: string): ConnectionPool {
  return openPool(url, connectionsMax, { application_name: name, role: serverRole });
}

/**
 * Opens a pool without connection settings because a pooler refuses connections with settings that it does not
 * recognize.
 */
function openPoolerPool(url: string, connectionsMax: number, name: string): ConnectionPool {
  const { href, path } = reachable(url);
  return postgres(href, {
    ...path,
    ...poolOptions(connectionsMax),
    prepare: false,
    connection: { application_name: name, TimeZone: 'UTC' },
  });
}

export type ConnectionPool = postgres.Sql<{ bigint: bigint; date: string }>;

/** Opens a bare pool for work outside of transactions or with other settings: migrations, tests. */
export function openPool(url: string, connectionsMax: number, settings: SessionSettings = {}): ConnectionPool {
  const { href, path } = reachable(url);
  return postgres(href, {
    ...path,
    ...poolOptions(connectionsMax),
    connection: { application_name: 'lotbook', TimeZone: 'UTC', ...timeouts, ...keepAlive, ...settings },
  });
}

function reachable(url: string): { readonly href: string; readonly path: { readonly path?: string } } {
  const address = new URL(url);
  const socketFolder = address.searchParams.get('host');
  const port = address.searchParams.get('port') ?? 5432;
  // libpq reads these from the address itself. A server would refuse them as settings.
  for (const name of ['host', 'port', 'channel_binding']) address.searchParams.delete(name);
  return { href: address.href, path: socketFolder === null ? {} : { path: `${socketFolder}/.s.PGSQL.${port}` } };
}

function poolOptions(connectionsMax: number) {
  return {
    max: connectionsMax,
    connect_timeout: connectSecondsMax,
    backoff: (tries: number) => Math.min(3 ** tries / 100, reconnectSecondsMax),
    onnotice: () => {},
    // An undefined parameter would leave the connection hanging.
    transform: { undefined: null },
    types: {
      // Dates are text because a calendar day as a JS Date would shift with the time zone.
      date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (day: string) => day },
      bigint: {
        to: 20,
        from: [],
        serialize: (value: bigint) => value.toString(),
        parse: (value: string) => BigInt(value),
      },
    },
  };
}

function timeoutSetting(seconds: number | undefined): string {
  return seconds === undefined ? '' : `set local statement_timeout = ${Math.ceil(seconds * 1000)};`;
}
