import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';
import { giveToOwnerOfFolder, type Runner } from './unprivileged.ts';

/** Where and how one PostgreSQL server keeps its files. */
export interface ServerFiles {
  /** The folder with bin, lib and share. */
  readonly programs: string;
  /** The database cluster (PGDATA). */
  readonly cluster: string;
  /** Holds the Unix socket; there is no other way in. */
  readonly socketFolder: string;
  readonly log: string;
  readonly runner: Runner;
}

/** A running server, as its own `postmaster.pid` tells. */
export interface RunningServer {
  readonly pid: number;
  readonly socketFolder: string;
  readonly port: number;
}

export type ServerSettings = Readonly<Record<string, string>>;

export const superuser = 'lotbook';
const startMilliseconds = 60_000;
const stopMilliseconds = 20_000;
/** A server that is to end at once gives its processes five seconds. */
const quitMilliseconds = 7_000;
const pollMilliseconds = 15;
const logBytesMax = 10_000_000;

/** Makes a new cluster. One that is left half made by a crash never stands under its final name. */
export function initialize(files: ServerFiles, more: readonly string[] = []): void {
  const unfinished = `${files.cluster}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  files.runner.makeFolder(unfinished);
  const command = [join(files.programs, 'bin', 'initdb'), '--pgdata', unfinished, '--username', superuser];
  const result = Bun.spawnSync(
    [...files.runner.prefix, ...command, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions', ...more],
    { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...files.runner.identity },
  );
  if (result.exitCode !== 0) throw new EmbeddedError(`PostgreSQL could not make its files: ${lastLine(result.stderr)}`);
  renameSync(unfinished, files.cluster);
}

/**
 * Starts a server in a process group of its own, so that a Ctrl-C meant for us does not stop it first. Where it does not
 * get ready, or `ending` aborts, nothing of it runs on.
 */
export async function startServer(
  files: ServerFiles,
  settings: ServerSettings = {},
  ending: AbortSignal | null = null,
): Promise<RunningServer> {
  files.runner.makeFolder(files.socketFolder);
  const given = {
    listen_addresses: '',
    unix_socket_directories: quotedFolder(files.socketFolder),
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    shared_buffers: `${sharedBuffers()}MB`,
    ...settings,
  };
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  if (existsSync(files.log) && statSync(files.log).size > logBytesMax) renameSync(files.log, `${files.log}.1`);
  const log = openSync(files.log, 'a', 0o600);
  const logStart = statSync(files.log).size;
  giveToOwnerOfFolder(files.log);
  const command = [...files.runner.prefix, join(files.programs, 'bin', 'postgres'), '-D', files.cluster, ...flags];
  const pid = await launch(command, log, files.runner).finally(() => closeSync(log));
  for (
    const deadline = performance.now() + startMilliseconds;
    performance.now() < deadline && isAlive(pid) && ending?.aborted !== true;
    await Bun.sleep(pollMilliseconds)
  ) {
    const running = runningServer(files.cluster, 'ready');
    if (running?.pid === pid) return running;
  }
  signalTo(pid, 'SIGQUIT');
  for (
    const deadline = performance.now() + quitMilliseconds;
    performance.now() < deadline && isAlive(pid);
    await Bun.sleep(pollMilliseconds)
  );
  throw new EmbeddedError(`PostgreSQL did not start: ${lastLine(readFileSync(files.log).subarray(logStart))}`);
}

/** A quarter of the memory, as its documentation asks for, and no more than an import of a million rows can use: MB. */
function sharedBuffers(): number {
  return Math.max(sharedBuffersMin, Math.min(sharedBuffersMax, Math.floor(totalmem() / 4 / 1024 ** 2)));
}

const sharedBuffersMin = 32;
const sharedBuffersMax = 512;

/**
 * Through a shell that ends at once, so that the server is nobody's child: whoever stops a process with its children (a
 * test runner at a timeout, a supervisor) does not mean it. Returns its process number.
 */
async function launch(command: readonly string[], log: number, runner: Runner): Promise<number> {
  const shell = Bun.spawn(['sh', '-c', '"$@" >&2 & echo $!', 'sh', ...command], {
    stdio: ['ignore', 'pipe', log],
    cwd: '/',
    detached: true,
    ...runner.identity,
  });
  const pid = Number(await new Response(shell.stdout).text());
  // Zero would mean our own process group.
  if (!(pid > 0)) throw new EmbeddedError('PostgreSQL did not start: no process could be made for it.');
  return pid;
}

/** The live server that holds the cluster, if any; with `ready` only once it lets clients in. */
export function runningServer(cluster: string, wanted: 'any' | 'ready' = 'any'): RunningServer | null {
  const [pid, , , port, socketFolder, , , status] = readLines(join(cluster, 'postmaster.pid'));
  if (pid === undefined || port === undefined || socketFolder === undefined) return null;
  if (wanted === 'ready' && status?.trim() !== 'ready') return null;
  return isAlive(Number(pid)) ? { pid: Number(pid), socketFolder, port: Number(port) } : null;
}

/** Whether the process is a PostgreSQL at all: a number that was left behind may belong to anybody by now. */
export function isPostgres(pid: number): boolean {
  if (process.platform === 'linux') {
    // A container often has no ps.
    const [stat = ''] = readLines(`/proc/${pid}/stat`);
    return /^\d+ \(postgres\) /.test(stat) && isAlive(pid);
  }
  const { stdout } = Bun.spawnSync(['ps', '-p', String(pid), '-o', 'comm='], { stdio: ['ignore', 'pipe', 'ignore'] });
  return /(?:^|\/)postgres$/.test(stdout.toString().trim());
}

/** `18.4` of the programs in a folder. */
export function serverVersion(programs: string): string {
  const { stdout } = Bun.spawnSync([join(programs, 'bin', 'postgres'), '--version'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const version = /\(PostgreSQL\) (\S+)/.exec(stdout.toString())?.[1];
  if (version === undefined)
    throw new EmbeddedError('The embedded PostgreSQL does not run on this machine. Set DATABASE_URL.');
  return version;
}

/** Ends sessions, writes a checkpoint and waits until the server is gone. */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalTo(pid, signal);
    for (
      const deadline = performance.now() + stopMilliseconds / 2;
      performance.now() < deadline;
      await Bun.sleep(pollMilliseconds)
    ) {
      // The file goes last, a moment before the process.
      if (!isAlive(pid) || !existsSync(join(cluster, 'postmaster.pid'))) return;
    }
  }
  throw new EmbeddedError(`PostgreSQL (process ${pid}) does not stop.`);
}

/** The address of a database on it, as `connect` takes it. */
export function addressOf(server: RunningServer, database: string): string {
  const folder = encodeURIComponent(server.socketFolder);
  return `postgres://${superuser}@localhost/${database}?host=${folder}&port=${server.port}`;
}

/** 18 for a cluster made by PostgreSQL 18; null where there is none. */
export function clusterVersion(cluster: string): number | null {
  const [version] = readLines(join(cluster, 'PG_VERSION'));
  return version === undefined ? null : Number.parseInt(version, 10);
}

export function isAlive(pid: number): boolean {
  // A container often has nobody who buries the dead (state Z).
  const [stat] = readLines(`/proc/${pid}/stat`);
  if (stat !== undefined) return !/\) [ZX] /.test(stat);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}

/** The setting is a list: a folder with a comma or a space in it stands in double quotes. */
function quotedFolder(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

function lastLine(output: Uint8Array): string {
  const lines = new TextDecoder().decode(output).trim().split('\n');
  const telling = lines.findLast((line) => /PANIC|FATAL|ERROR|error:/.test(line)) ?? lines.at(-1);
  return telling?.replace(/^.*?(?:FATAL|ERROR|error): */, '') || 'it gives no reason';
}
