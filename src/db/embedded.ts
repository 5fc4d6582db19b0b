import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { archivingInto, walFolderIn } from './backup/wal.ts';
import { openPool, serverRole } from './connection.ts';
import { damageSentence, restoreAdvice } from './damage.ts';
import { markDatabase, refuseToCreate, refuseToReplace } from './database-marker.ts';
import { type FolderLock, lockHolder, takeFolderLock } from './folder-lock.ts';
import { keepRunning, type ReportEvent } from './keep-running.ts';
import { postgresPrograms, removeOtherPrograms } from './postgres-programs.ts';
import {
  buildUrl,
  clusterVersion,
  endLeftServer,
  firstError,
  initialize,
  isPostgres,
  type RunningServer,
  removeDamagedPidFile,
  restoringCluster,
  runningServer,
  type ServerFiles,
  type ServerSettings,
  serverVersion,
  startServer,
  stopServer,
} from './postgres-server.ts';
import { EmbeddedError, giveToOwnerOfFolder, runnerFor } from './unprivileged-runner.ts';

/**
 * The embedded PostgreSQL, used if DATABASE_URL is not set. The first process that needs it starts and stops it. If
 * that process is killed with -9, PostgreSQL survives, and the next process verifies that it is ours and uses it.
 */
export interface EmbeddedPostgres {
  /** The address of the database `lotbook` in the form that `connect` accepts, for a user that owns nothing. */
  readonly url: string;
  /** The same address for the owner, which migrations need. */
  readonly ownerUrl: string;
  /** The real path of DATA_DIR. */
  readonly folder: string;
  /**
   * True if PostgreSQL was already running because a killed process left it, or because another process runs it now.
   */
  readonly adopted: boolean;
  /** Seconds since PostgreSQL ended and could not be restarted, or 0 while it runs. Only a server watches it. */
  secondsAway(): number;
  /** Stops PostgreSQL if this process started it or took it over. */
  close(): Promise<void>;
}

const database = 'lotbook';
/** The longest path of a Unix socket, on the strictest system. */
const socketPathBytesMax = 103;
const lockMilliseconds = 3_000;
const joinMilliseconds = 30_000;
const proofMilliseconds = 30_000;
const pollMilliseconds = 50;

/**
 * Opens the database for a server. The server locks the folder, and PostgreSQL is restarted whenever it ends. If
 * `archives` is true, finished WAL files are copied into a folder, from which a backup uploads them.
 */
export async function openEmbedded(
  dataDir: string,
  report: ReportEvent = () => {},
  archives = false,
): Promise<EmbeddedPostgres> {
  const lock = await lockData(dataDir);
  return keep(lock, report, archives);
}

/**
 * Locks the folder for this process. Throws an error if another process holds the lock for longer than a stop takes.
 */
export async function lockData(dataDir: string): Promise<DataLock> {
  const folder = makeDataFolder(dataDir);
  for (
    const deadline = performance.now() + lockMilliseconds;
    performance.now() < deadline;
    await Bun.sleep(pollMilliseconds)
  ) {
    const lock = takeFolderLock(folder);
    if (lock !== null) return { folder, lock };
  }
  throw new EmbeddedError(
    `Another Lotbook (${lockHolder(folder)}) runs in ${folder}. Stop it, or set DATA_DIR to a different folder.`,
  );
}

interface DataLock {
  readonly folder: string;
  readonly lock: FolderLock;
}

/** Opens the database for a command. Uses the PostgreSQL of a running server, or starts one until the command ends. */
export async function joinEmbedded(dataDir: string, archives = false): Promise<EmbeddedPostgres> {
  const folder = makeDataFolder(dataDir);
  for (
    const deadline = performance.now() + joinMilliseconds;
    performance.now() < deadline;
    await Bun.sleep(pollMilliseconds)
  ) {
    const lock = takeFolderLock(folder);
    if (lock !== null) return keep({ folder, lock }, null, archives);
    const server = runningServer(clusterOf(folder), 'ready');
    if (server !== null && (await hasRole(server)) && (await hasDatabase(server))) {
      return { ...getAddresses(server), folder, adopted: true, secondsAway: () => 0, close: async () => {} };
    }
  }
  throw new EmbeddedError(`The Lotbook in ${folder} (${lockHolder(folder)}) is not getting ready. Check its log.`);
}

/** Keeps PostgreSQL running. `report` is null for a command because PostgreSQL then runs too briefly to be watched. */
async function keep(
  { folder, lock }: DataLock,
  report: ReportEvent | null,
  archives: boolean,
): Promise<EmbeddedPostgres> {
  let started: RunningServer | null = null;
  try {
    const { server, adopted, files, settings } = await ensureServer(folder, archives);
    started = server;
    if (!(await hasRole(server))) await administer(server, letServerIn);
    if (!(await hasDatabase(server))) {
      refuseToCreate(folder, clusterOf(folder));
      await administer(server, `create database ${database} template template0 encoding 'UTF8' locale 'C'`);
    }
    markDatabase(folder);
    removeOtherPrograms(folder);
    const watch =
      report === null ? null : keepRunning(server, (ending) => startServer(files, settings, ending), report);
    return {
      ...getAddresses(server),
      folder,
      adopted,
      secondsAway: () => watch?.secondsAway() ?? 0,
      close: async () => {
        const running = watch === null ? server : await watch.end();
        if (running !== null) await stopServer(clusterOf(folder), running.pid);
        if (!server.socketFolder.startsWith(folder)) rmSync(server.socketFolder, { recursive: true, force: true });
        lock.release();
      },
    };
  } catch (error) {
    if (started !== null) await stopServer(clusterOf(folder), started.pid).catch(() => {});
    lock.release();
    throw explainError(error, folder);
  }
}

/**
 * Returns a sentence with the command to run if the driver, the system or the log reports damaged files. Damage that
 * ends the session is reported only in the log.
 */
function explainError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedError) return error;
  const cluster = clusterOf(folder);
  const sentence = damageSentence(error.message, cluster) ?? damageSentence(firstError(logOf(folder)), cluster);
  if (sentence !== null) return new EmbeddedError(sentence);
  // Errors from the system or from PostgreSQL have a code. Other errors are bugs in this program.
  if (!('code' in error) || typeof error.code !== 'string') return error;
  return new EmbeddedError(
    `The database in ${cluster} cannot be opened (${error.message}). Fix the cause and start again. If that does not help: ${restoreAdvice(cluster)}`,
    { cause: error },
  );
}

interface Ensured {
  readonly server: RunningServer;
  readonly adopted: boolean;
  /** The files that PostgreSQL was started with, used to restart it at the same address. */
  readonly files: ServerFiles;
  readonly settings: ServerSettings;
}

async function ensureServer(folder: string, archives: boolean): Promise<Ensured> {
  const files = await serverFiles(folder);
  const { cluster, programs } = files;
  const version = serverVersion(programs);
  refuseOtherVersion(cluster, version, folder);
  const settings = archives ? archivingInto(walFolderIn(folder)) : {};
  const running = runningServer(cluster);
  if (running !== null && (await isOurs(running, cluster))) {
    const is = await readServerState(running);
    if (is.version === version && is.archives === archives) {
      return { server: running, adopted: true, files: { ...files, socketFolder: running.socketFolder }, settings };
    }
    // An older program left its PostgreSQL running, or one with other settings is running. It must stop before ours
    // opens the files.
    await stopServer(cluster, running.pid);
  } else if (running !== null) {
    // Another program now has this process id. PostgreSQL does not start while the stale file exists.
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  } else await removeDamagedPidFile(cluster);
  if (clusterVersion(cluster) === null) {
    refuseToReplace(cluster);
    initialize(files);
  }
  // Stops the PostgreSQL that a killed restore left behind because it holds the socket.
  await endLeftServer(restoringCluster(cluster));
  if (archives) files.runner.makeFolder(walFolderIn(folder));
  const started = { ...files, socketFolder: chooseSocketFolder(folder) };
  return { server: await startServer(started, settings), adopted: false, files: started, settings };
}

/** Paths of the PostgreSQL in a data folder. The socket is elsewhere if its path would be too long. */
export async function serverFiles(folder: string): Promise<ServerFiles> {
  const cluster = clusterOf(folder);
  const programs = await postgresPrograms(folder);
  const runner = runnerFor(cluster, programs);
  return { programs, cluster, socketFolder: join(folder, 'socket'), log: logOf(folder), runner };
}

function makeDataFolder(dataDir: string): string {
  const path = resolve(dataDir);
  try {
    // Other users, such as the PostgreSQL user, may pass through to their own folders but not list this one.
    if (mkdirSync(path, { recursive: true, mode: 0o711 }) !== undefined) giveToOwnerOfFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : String(error);
    const fault =
      code === 'EEXIST' || code === 'ENOTDIR'
        ? `DATA_DIR (${path}) is not a folder, but a file, a broken link or a path below a file.`
        : `This user cannot write to DATA_DIR (${path}, ${code}).`;
    throw new EmbeddedError(`${fault} Set DATA_DIR to a different folder.`);
  }
}

function logOf(folder: string): string {
  return join(folder, 'postgres.log');
}

function clusterOf(folder: string): string {
  return join(folder, 'postgres');
}

function refuseOtherVersion(cluster: string, programs: string, folder: string): void {
  const made = clusterVersion(cluster);
  const major = Number.parseInt(programs, 10);
  if (made === null || made === major) return;
  if (Number.isNaN(made))
    throw new EmbeddedError(`The file PG_VERSION of ${cluster} is damaged. ${restoreAdvice(cluster)}`);
  throw new EmbeddedError(
    `The data in ${folder} was created by PostgreSQL ${made}, and this Lotbook includes PostgreSQL ${major}, which cannot read it. ` +
      'Start the Lotbook version that created it, or set DATA_DIR to a different folder.',
  );
}

/** Returns the folder for the socket: next to the data, or in a short path if that path is too long. */
export function chooseSocketFolder(folder: string): string {
  const socketFolder = join(folder, 'socket');
  if (Buffer.byteLength(join(socketFolder, '.s.PGSQL.5432')) <= socketPathBytesMax) return socketFolder;
  const temporary = Buffer.byteLength(tmpdir()) < 60 ? tmpdir() : '/tmp';
  return mkdtempSync(join(temporary, 'lotbook-'));
}

/** Queries the running server for its data folder because a process id alone proves nothing. */
async function isOurs(server: RunningServer, cluster: string): Promise<boolean> {
  for (
    const deadline = performance.now() + proofMilliseconds;
    performance.now() < deadline;
    await Bun.sleep(pollMilliseconds)
  ) {
    if (!isPostgres(server.pid)) return false;
    try {
      const [row] = await administer<{ folder: string }>(server, `select current_setting('data_directory') as folder`);
      return row !== undefined && realpathSync(row.folder) === realpathSync(cluster);
    } catch {
      // The server is starting, recovering or stopping.
    }
  }
  throw new EmbeddedError(
    `PostgreSQL (process ${server.pid}) runs on ${cluster}, but does not respond. Stop it first.`,
  );
}

async function readServerState(server: RunningServer): Promise<{ version?: string; archives?: boolean }> {
  const [row] = await administer<{ version: string; archives: boolean }>(
    server,
    `select current_setting('server_version') as version, current_setting('archive_mode') <> 'off' as archives`,
  );
  return row ?? {};
}

function getAddresses(server: RunningServer): Pick<EmbeddedPostgres, 'url' | 'ownerUrl'> {
  return { url: buildUrl(server, database, serverRole), ownerUrl: buildUrl(server, database) };
}

/** The role cannot sign in yet if a migration with DATABASE_URL created it. */
const letServerIn = `do $$ begin
  create role ${serverRole} login noinherit;
exception when duplicate_object then alter role ${serverRole} login;
end $$`;

async function hasRole(server: RunningServer): Promise<boolean> {
  const signsIn = `select from pg_roles where rolname = '${serverRole}' and rolcanlogin`;
  return (await administer(server, signsIn)).length === 1;
}

async function hasDatabase(server: RunningServer): Promise<boolean> {
  return (await administer(server, `select from pg_database where datname = '${database}'`)).length === 1;
}

async function administer<Row extends object>(server: RunningServer, statement: string): Promise<readonly Row[]> {
  const pool = openPool(buildUrl(server, 'postgres'), 1);
  try {
    return await pool.unsafe<Row[]>(statement);
  } finally {
    await pool.end({ timeout: 1 });
  }
}
