import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, runningServer, stopServer } from '../../src/db/postgres-server.ts';

/** `bun src/main.ts …` as a separate process in its own folder. */
export interface Folder {
  readonly path: string;
  /** The PostgreSQL that runs on the folder's data, if any. */
  postgres(): RunningServer | null;
  /** Stops remaining processes and removes the folder. */
  remove(): Promise<void>;
}

export interface Serving {
  readonly url: string;
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  request(method: string, path: string, init?: RequestInit): Promise<Response>;
}

/** Other programs may keep the machine busy. */
const readyMilliseconds = 150_000;
export const mainFile = join(import.meta.dir, '..', '..', 'src', 'main.ts');
/** The command that starts Lotbook: its sources, or the compiled program in LOTBOOK_PROGRAM, which starts faster. */
export const lotbook: readonly string[] = process.env.LOTBOOK_PROGRAM
  ? [process.env.LOTBOOK_PROGRAM]
  : [process.execPath, mainFile];

export function dataFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'lotbook-main-'));
  const cluster = join(path, 'data', 'postgres');
  return {
    path,
    postgres: () => runningServer(cluster),
    remove: async () => {
      const left = runningServer(cluster);
      if (left !== null) await stopServer(cluster, left.pid);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export type ProcessEnvironment = Readonly<Record<string, string>>;

/** Runs a command to completion. */
export async function runCommand(
  folder: Pick<Folder, 'path'>,
  args: readonly string[],
  env: ProcessEnvironment = {},
): Promise<{ code: number; out: string; err: string }> {
  const child = spawnMain(folder, args, env);
  const [out, err, code] = await Promise.all([readText(child.stdout), readText(child.stderr), child.exited]);
  return { code, out, err };
}

/** Starts a server and waits until it is ready. `before` is a command prefix that starts it. */
export async function serve(
  folder: Folder,
  env: ProcessEnvironment = {},
  before: readonly string[] = [],
): Promise<Serving> {
  const port = env.PORT ?? String(freePort());
  const child = spawnMain(folder, ['serve'], { PORT: port, ...env }, before);
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = performance.now() + readyMilliseconds; performance.now() < deadline; await Bun.sleep(50)) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${await readText(child.stderr)}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) {
      return {
        url,
        process: child,
        request: (method, path, init = {}) => fetch(`${url}${path}`, { method, ...init, keepalive: false }),
      };
    }
  }
  child.kill('SIGKILL');
  throw new Error(`serve did not get ready: ${await readText(child.stderr)}`);
}

/** Registers a user and returns their cookie. */
export async function registerAt(serving: Pick<Serving, 'request'>, email: string): Promise<string> {
  const response = await serving.request('POST', '/v1/auth/register', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });
  if (response.status !== 201) throw new Error(`register: ${response.status} ${await response.text()}`);
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

/** Asks a process to end and waits for it. Returns the elapsed time and the exit code. */
export async function stop(
  child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<{ code: number; milliseconds: number }> {
  const start = performance.now();
  child.kill(signal);
  const code = await child.exited;
  return { code, milliseconds: performance.now() - start };
}

/** Returns a port that was free a moment ago. */
export function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = probe;
  probe.stop(true);
  if (port === undefined) throw new Error('No port is free.');
  return port;
}

function readText(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return new Response(stream).text();
}

function spawnMain(
  folder: Pick<Folder, 'path'>,
  args: readonly string[],
  env: ProcessEnvironment,
  before: readonly string[] = [],
) {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return Bun.spawn([...before, ...lotbook, ...args], {
    cwd: folder.path,
    // Excludes the tests' environment, such as their database and ports.
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), DATA_DIR: join(folder.path, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
