import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasProc, listPids, readStat } from '../base/processes.ts';
import { damageSentence } from './damage.ts';
import { EmbeddedError, giveToOwnerOfFolder, type Runner } from './unprivileged-runner.ts';

/** Paths and settings of one PostgreSQL server. */
export interface ServerFiles {
  /** The folder with bin, lib and share. */
  readonly programs: string;
  /** The database cluster (PGDATA). */
  readonly cluster: string;
  /** The folder for the Unix socket. The server does not listen anywhere else. */
  readonly socketFolder: string;
  readonly log: string;
  readonly runner: Runner;
}

/** A running server, read from its own `postmaster.pid`. */
export interface RunningServer {
  readonly pid: number;
  readonly socketFolder: string;
  readonly port: number;
}

export type ServerSettings = Readonly<Record<string, string>>;

export const superuser = 'lotbook';
const startMilliseconds = 60_000;
const stopMilliseconds = 20_000;
/** In an immediate shutdown, PostgreSQL gives its processes five seconds. */
const quitMilliseconds = 7_000;
const pollMilliseconds = 15;
const logBytesMax = 10_000_000;

/**
 * Creates a new cluster. The cluster gets its final name only when it is complete, so a crash leaves no partial one.
 * Each call uses a separate folder because the initdb of a killed process continues for a while.
 */
export function initialize(files: ServerFiles, more: readonly string[] = []): void {
  removeUnfinished(files.cluster);
  const unfinished = `${files.cluster}.new-${crypto.randomUUID().slice(0, 8)}`;
  files.runner.makeFolder(unfinished);
  const command = [join(files.programs, 'bin', 'initdb'), '--pgdata', unfinished, '--username', superuser];
  const result = runProgram(
    [...files.runner.prefix, ...command, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions', ...more],
    files.runner,
  );
  if (result.exitCode !== 0) {
    const reason = lastLine(result.stderr);
    const fault =
      damageSentence(reason ?? '', files.cluster) ?? (reason === null ? programsSentence(files.programs) : null);
    throw new EmbeddedError(fault ?? `PostgreSQL could not create its files: ${reason}`);
  }
  renameSync(unfinished, files.cluster);
}

/** Returns the working folder of a restore, used until the restore is complete. */
export function restoringCluster(cluster: string): string {
  return `${cluster}.restoring`;
}

function removeUnfinished(cluster: string): void {
  const folder = dirname(cluster);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one.startsWith(basename(cluster))))
    if (/^\.new(?:-[0-9a-f]{8})?$/.test(name.slice(basename(cluster).length)))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Starts a server in its own process group so that Ctrl-C does not stop it before us. If it does not become ready, or
 * `ending` aborts, the server is stopped.
 */
export async function startServer(
  files: ServerFiles,
  settings: ServerSettings = {},
  ending: AbortSignal | null = null,
  millisecondsMax = startMilliseconds,
): Promise<RunningServer> {
  files.runner.makeFolder(files.socketFolder);
  for (const file of [join(files.cluster, 'postmaster.pid'), socketLockIn(files.socketFolder)]) releaseZombie(file);
  const serverSettings = {
    listen_addresses: '',
    unix_socket_directories: quotedFolder(files.socketFolder),
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // The details of an error contain values from a row.
    log_error_verbosity: 'terse',
    shared_buffers: `${sharedBuffers()}MB`,
    ...forcedSettings(files.cluster),
    ...settings,
  };
  const flags = Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  if (existsSync(files.log) && statSync(files.log).size > logBytesMax) renameSync(files.log, `${files.log}.1`);
  const log = openSync(files.log, 'a', 0o600);
  const logStart = statSync(files.log).size;
  giveToOwnerOfFolder(files.log);
  const command = [...files.runner.prefix, join(files.programs, 'bin', 'postgres'), '-D', files.cluster, ...flags];
  const pid = await launch(command, log, files.runner).finally(() => closeSync(log));
  for (
    const deadline = performance.now() + millisecondsMax;
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
  const reason = lastLine(readFileSync(files.log).subarray(logStart));
  const fault = damageSentence(reason ?? '', files.cluster);
  throw new EmbeddedError(
    fault ??
      (reason === null
        ? `PostgreSQL did not start, and its log (${files.log}) gives no reason. ${programsSentence(files.programs)}`
        : `PostgreSQL did not start: ${reason}`),
  );
}

/**
 * Settings that run a command, load a library or read a file elsewhere. They are always off because the command line
 * outranks the configuration files. It does not outrank `alter database … set` and `alter role … set` in the catalog,
 * which can set the libraries of sessions and their path. A caller that needs one of these settings passes it.
 */
function forcedSettings(cluster: string): ServerSettings {
  const isNewer = (clusterVersion(cluster) ?? 0) >= 18;
  // PostgreSQL 17 and earlier do not start with an unrecognized setting.
  const empty = isNewer ? [...emptySettings, 'oauth_validator_libraries'] : emptySettings;
  return {
    ...Object.fromEntries(empty.map((name) => [name, ''])),
    ...(isNewer ? { extension_control_path: '$system' } : {}),
    dynamic_library_path: '$libdir',
    jit_provider: 'llvmjit',
    ssl: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    hba_file: join(cluster, 'pg_hba.conf'),
    ident_file: join(cluster, 'pg_ident.conf'),
  };
}

const emptySettings = [
  'archive_command',
  'archive_library',
  'archive_cleanup_command',
  'recovery_end_command',
  'restore_command',
  'ssl_passphrase_command',
  'shared_preload_libraries',
  'session_preload_libraries',
  'local_preload_libraries',
  'external_pid_file',
  'primary_conninfo',
];

/**
 * Returns a size in MB: a quarter of the memory, as PostgreSQL recommends, but no more than an import of a million rows
 * can use.
 */
function sharedBuffers(): number {
  return Math.max(sharedBuffersMin, Math.min(sharedBuffersMax, Math.floor(totalmem() / 4 / 1024 ** 2)));
}

const sharedBuffersMin = 32;
const sharedBuffersMax = 512;

/**
 * Starts the server through a shell that exits at once, so the server is not our child. A test runner or a supervisor
 * that kills our process with its children must not kill the server. Returns the process id of the server.
 */
async function launch(command: readonly string[], log: number, runner: Runner): Promise<number> {
  const shell = Bun.spawn(['sh', '-c', '"$@" >&2 & echo $!', 'sh', ...command], {
    stdio: ['ignore', 'pipe', log],
    cwd: '/',
    detached: true,
    ...runner.identity,
  });
  const pid = Number(await new Response(shell.stdout).text());
  // Zero would be our own process group.
  if (!(pid > 0)) throw new EmbeddedError('PostgreSQL did not start: no process could be created for it.');
  return pid;
}

function socketLockIn(socketFolder: string): string {
  return join(socketFolder, '.s.PGSQL.5432.lock');
}

/**
 * Replaces the process id in the lock file of a zombie with an unused one. PostgreSQL treats a lock file as that of a
 * running server as long as its process has an entry, and a zombie has one until its parent reaps it. Keeps the other
 * lines because PostgreSQL uses them to verify that no process of the dead server still uses its shared memory.
 */
function releaseZombie(file: string): void {
  const [pid, ...lines] = readLines(file);
  if (pid === undefined || !isZombie(Number(pid))) return;
  const descriptor = openSync(file, 'r+');
  // Overwrites the longer content with one write so that a crash does not leave an empty file.
  writeSync(descriptor, `${[unusedPid, ...lines].join('\n')}\n`, 0);
  closeSync(descriptor);
}

const unusedPid = 2_147_483_647;

/**
 * Removes an empty or damaged `postmaster.pid`, which prevents PostgreSQL from starting. A server that runs without a
 * readable file is stopped first. A valid file is kept because PostgreSQL itself determines whether it is stale. Called
 * by the holder of the folder's lock.
 */
export async function removeDamagedPidFile(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const [pid = '', , , port, socketFolder] = readLines(path);
  const isWhole = /^\d+$/.test(pid.trim()) && port !== undefined && socketFolder !== undefined;
  if (isWhole || !existsSync(path)) return;
  const holder = findPostmaster(cluster);
  if (holder !== null) await stopServer(cluster, holder);
  rmSync(path, { force: true });
}

/**
 * Stops the server that a killed process left on an incomplete cluster. Until that server ends, it holds the socket,
 * and no other server starts. Called by the holder of the folder's lock.
 */
export async function endLeftServer(cluster: string): Promise<void> {
  const pid = findPostmaster(cluster);
  if (pid === null) return;
  signalTo(pid, 'SIGQUIT');
  for (
    const deadline = performance.now() + quitMilliseconds;
    performance.now() < deadline;
    await Bun.sleep(pollMilliseconds)
  ) {
    if (!isAlive(pid)) return;
  }
  throw new EmbeddedError(`PostgreSQL (process ${pid}) runs on ${cluster} and does not stop. Stop it first.`);
}

/**
 * Finds the server for the folder in the system's list of processes, even after the folder was removed. On a system
 * without such a list, only the server's file can be used.
 */
function findPostmaster(cluster: string): number | null {
  if (process.platform !== 'linux') {
    const named = runningServer(cluster)?.pid;
    return named !== undefined && isPostgres(named) ? named : null;
  }
  if (!existsSync(dirname(cluster))) return null;
  const folder = join(realpathSync(dirname(cluster)), basename(cluster));
  const inside = listPids().filter((pid) => {
    const works = workingFolder(pid);
    return (works === folder || works === `${folder} (deleted)`) && isPostgres(pid);
  });
  // The server's own child processes use the folder too.
  return inside.find((pid) => !inside.includes(readStat(pid)?.parent ?? 0)) ?? null;
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Returns the live server of the cluster, if any. If `ready` is true, returns it only once it accepts clients. */
export function runningServer(cluster: string, state: 'any' | 'ready' = 'any'): RunningServer | null {
  const [pid, , , port, socketFolder, , , status] = readLines(join(cluster, 'postmaster.pid'));
  if (pid === undefined || port === undefined || socketFolder === undefined) return null;
  if (state === 'ready' && status?.trim() !== 'ready') return null;
  return isAlive(Number(pid)) ? { pid: Number(pid), socketFolder, port: Number(port) } : null;
}

/** Returns whether the process is a PostgreSQL because another program may have the id by now. */
export function isPostgres(pid: number): boolean {
  // A container often has no ps.
  const isNamedSo = hasProc ? readStat(pid)?.name === 'postgres' : /(?:^|\/)postgres$/.test(describeByPs(pid, 'comm'));
  return isNamedSo && isAlive(pid);
}

/** Returns the version of the programs in a folder, such as `18.4`. */
export function serverVersion(programs: string): string {
  const { stdout } = runProgram([join(programs, 'bin', 'postgres'), '--version']);
  const version = /\(PostgreSQL\) (\S+)/.exec(stdout.toString())?.[1];
  if (version === undefined) throw new EmbeddedError(programsSentence(programs));
  return version;
}

/** Runs a program and returns its output. A truncated program cannot even be started, so it has none. */
function runProgram(command: readonly string[], runner: Pick<Runner, 'identity'> = { identity: null }) {
  try {
    return Bun.spawnSync([...command], { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...runner.identity });
  } catch {
    return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 1 };
  }
}

/**
 * Describes programs that do not run. `programs` is `node_modules/…/native` or `DATA_DIR/programs-…/native`. The start
 * unpacks the latter if it is missing.
 */
function programsSentence(programs: string): string {
  const folder = dirname(programs);
  const remedy = basename(folder).startsWith(programsPrefix)
    ? `Run \`rm -r ${folder}\` and start again: Lotbook unpacks them again.`
    : 'Run `bun install --force` and start again.';
  return `The programs of PostgreSQL in ${folder} do not run: they are damaged, or built for another kind of machine. ${remedy} Or set DATABASE_URL.`;
}

/** Prefix of the folder into which the compiled binary unpacks PostgreSQL. */
export const programsPrefix = 'programs-';

/** Ends the sessions, writes a checkpoint and waits for the server to exit. */
export async function stopServer(cluster: string, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalTo(pid, signal);
    for (
      const deadline = performance.now() + stopMilliseconds / 2;
      performance.now() < deadline;
      await Bun.sleep(pollMilliseconds)
    ) {
      // The server removes the file last, a moment before it exits.
      if (!isAlive(pid) || !existsSync(join(cluster, 'postmaster.pid'))) return;
    }
  }
  throw new EmbeddedError(`PostgreSQL (process ${pid}) does not stop.`);
}

/** Returns the address of a database on the server, in the form that `connect` accepts. */
export function buildUrl(server: RunningServer, database: string, user = superuser): string {
  const folder = encodeURIComponent(server.socketFolder);
  return `postgres://${user}@localhost/${database}?host=${folder}&port=${server.port}`;
}

/** Returns 18 for a cluster of PostgreSQL 18, null if there is no cluster, and NaN if its version file is damaged. */
export function clusterVersion(cluster: string): number | null {
  const [version] = readLines(join(cluster, 'PG_VERSION'));
  return version === undefined ? null : Number.parseInt(version, 10);
}

/**
 * Returns whether the process is running. A zombie is not, although it has an entry: process 1 of a container often
 * reaps nothing.
 */
export function isAlive(pid: number): boolean {
  return hasEntry(pid) && !isZombie(pid);
}

function hasEntry(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function isZombie(pid: number, look: 'proc' | 'ps' = hasProc ? 'proc' : 'ps'): boolean {
  if (look === 'ps') return /^[ZX]/.test(describeByPs(pid, 'stat'));
  return /^[ZX]$/.test(readStat(pid)?.state ?? '');
}

/** Runs `ps`, on each call, for systems without /proc. */
function describeByPs(pid: number, column: 'stat' | 'comm'): string {
  const { stdout } = Bun.spawnSync(['ps', '-p', String(pid), '-o', `${column}=`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return stdout.toString().trim();
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}

/** Quotes a folder for the setting, which is a list, so a folder with a comma or a space needs double quotes. */
function quotedFolder(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}

/** Returns the first error that PostgreSQL logged since its last start, or an empty text if there is none. */
export function firstError(log: string): string {
  const lines = readLines(log);
  const start = lines.findLastIndex((line) => line.includes('starting PostgreSQL'));
  return messageOf(lines.slice(start + 1).find((line) => /(?:PANIC|FATAL|ERROR): /.test(line)) ?? '');
}

function messageOf(line: string): string {
  return line.replace(/^.*?(?:PANIC|FATAL|ERROR|error): */, '');
}

/** Returns the last line with an error, or null if there is none. */
function lastLine(output: Uint8Array): string | null {
  const lines = new TextDecoder().decode(output).trim().split('\n');
  const message = lines.findLast((line) => /PANIC|FATAL|ERROR|error:/.test(line)) ?? lines.at(-1);
  return messageOf(message ?? '') || null;
}
