import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packagedPostgres } from '../../src/db/postgres-programs.ts';
import { runnerFor } from '../../src/db/unprivileged-runner.ts';
import { freePort } from './process.ts';

/**
 * Debian's PgBouncer in front of a test's database, in transaction mode: each transaction may use another connection.
 */
export interface Pooler {
  readonly url: string;
  close(): Promise<void>;
}

const program = '/usr/sbin/pgbouncer';
/** Tests that need PgBouncer are skipped if it is not installed. */
export const hasPooler = existsSync(program);

const connectionsMax = 6;
const startMilliseconds = 150_000;

/** Starts the pooler. `url` is the database URL for the server's role. */
export async function startPooler(url: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
  const port = freePort();
  const server = new URL(url);
  const name = server.pathname.slice(1);
  const host = server.searchParams.get('host') ?? server.hostname;
  const serverPort = server.searchParams.get('port') ?? (server.port || '5432');
  const user = decodeURIComponent(server.username);
  writeFileSync(join(folder, 'users.txt'), `"${user}" "${decodeURIComponent(server.password)}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=${host} port=${serverPort} dbname=${name} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${connectionsMax}
logfile = ${join(folder, 'log')}
`,
  );
  const child = Bun.spawn([...asServer(folder), program, join(folder, 'pgbouncer.ini')], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const close = async (): Promise<void> => {
    child.kill('SIGINT');
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  for (const deadline = performance.now() + startMilliseconds; performance.now() < deadline; await Bun.sleep(20)) {
    if (await isOpen(port)) return { url: `postgres://${user}@127.0.0.1:${port}/${name}`, close };
  }
  await close();
  throw new Error('PgBouncer did not start.');
}

/**
 * Returns the arguments for running as the server's user, because PgBouncer, like PostgreSQL, refuses to run as root,
 * and only that user may use the server's socket.
 */
function asServer(folder: string): readonly string[] {
  const { prefix, identity } = runnerFor(folder, packagedPostgres());
  if (identity === null) return prefix;
  const { uid, gid } = identity;
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) chownSync(path, uid, gid);
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
}

async function isOpen(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}
