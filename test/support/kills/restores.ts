import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tradesCsv } from '../../../scripts/bench/trades.ts';
import { restoringCluster, runningServer } from '../../../src/db/postgres-server.ts';
import { dataFolder, type Folder, freePort, serve, stop } from '../process.ts';
import { calm, Ground, signal } from './ground.ts';
import type { Kill } from './kill.ts';
import { done, spawnCommand } from './operations.ts';
import { differenceOf } from './state.ts';
import { addressIn, type WholeDatabase, wholeDatabase } from './whole-database.ts';

const operation = 'restore of a backup';
const pollMilliseconds = 5;

/** A data folder whose database will be replaced by a backup, with the contents of both. */
interface Prepared {
  readonly ground: Ground;
  readonly backups: string;
  readonly env: Readonly<Record<string, string>>;
  /** The contents after a restore to this moment. Later changes are only in the old database. */
  readonly to: string;
  readonly restored: WholeDatabase;
  readonly old: WholeDatabase;
  milliseconds: number;
}

/**
 * The rounds: a kill at a random moment or while PostgreSQL replays the WAL, and then either a second restore or a
 * start of the old database.
 */
const rounds = [
  { victim: 'command', isRecovering: true, goesBack: false },
  { victim: 'command', isRecovering: true, goesBack: true },
  { victim: 'command', isRecovering: false, goesBack: false },
  { victim: 'postmaster', isRecovering: true, goesBack: false },
  { victim: 'command', isRecovering: false, goesBack: true },
  { victim: 'command', isRecovering: false, goesBack: false },
] as const;
type Round = (typeof rounds)[number];

/** Kills a restore, or the PostgreSQL that it runs. Then the restore runs again, or the old database is started. */
export async function* killRestores(kills: number, random: () => number): AsyncGenerator<Kill> {
  if (kills === 0) return;
  const prepared = await prepare();
  try {
    for (let round = 0; round < kills; round++)
      yield await killRestore(prepared, rounds[round % rounds.length] as Round, random());
  } finally {
    await prepared.ground.folder.remove();
  }
}

async function prepare(): Promise<Prepared> {
  const secrets = { ...calm, BACKUP_PASSPHRASE: 'a long passphrase of the backups' };
  const ground = await Ground.open(secrets);
  const backups = join(ground.folder.path, 'backups');
  const env = { ...secrets, BACKUP_TO: backups };
  await ground.stop();
  await ground.start(env);
  const person = await ground.register();
  const add = (csv: string) => done(ground, person, { method: 'POST', path: '/v1/transactions/import', body: csv });
  await add(tradesCsv(2_000));
  const taken = spawnCommand(ground, ['backup', backups], env);
  if ((await taken.exited) !== 0) throw new Error(`backup: ${await new Response(taken.stderr).text()}`);
  await add(tradesCsv(1_000).replaceAll('Broker', 'Other broker'));
  const cluster = clusterOf(ground.folder);
  const restored = await wholeDatabase(addressIn(cluster));
  const [row] = await ground.asOwner((sql) => sql<{ at: Date }[]>`select clock_timestamp() as at`);
  await add(tradesCsv(1_000).replaceAll('Broker', 'Third broker'));
  const old = await wholeDatabase(addressIn(cluster));
  await ground.stop();
  const prepared = { ground, backups, env, to: (row?.at ?? new Date()).toISOString(), restored, old, milliseconds: 0 };
  const folder = folderToRestore(prepared);
  const started = performance.now();
  const command = restoreIn(folder, prepared);
  if ((await command.exited) !== 0) throw new Error(`restore: ${await new Response(command.stderr).text()}`);
  prepared.milliseconds = performance.now() - started;
  await folder.remove();
  return prepared;
}

async function killRestore(prepared: Prepared, round: Round, share: number): Promise<Kill> {
  const { victim, isRecovering, goesBack } = round;
  const faults: string[] = [];
  const folder = folderToRestore(prepared);
  const cluster = clusterOf(folder);
  const kept = filesOf(`${cluster}.old`);
  try {
    const command = restoreIn(folder, prepared);
    const started = performance.now();
    const recovering = () => runningServer(restoringCluster(cluster)) !== null;
    const isDue = () => performance.now() - started >= share * prepared.milliseconds;
    while (command.exitCode === null && !(isRecovering ? recovering() : isDue())) await Bun.sleep(pollMilliseconds);
    const milliseconds = performance.now() - started;
    const isMidway = command.exitCode === null;
    prepared.milliseconds *= isMidway ? 1 : 0.9;
    if (victim === 'command') command.kill('SIGKILL');
    else signal(runningServer(restoringCluster(cluster))?.pid ?? 0);
    await command.exited;

    const isThere = existsSync(cluster);
    if (!isThere) {
      const refusal = spawnCommand({ folder }, ['serve'], { ...prepared.env, PORT: String(freePort()) });
      const [code, text] = await Promise.all([refusal.exited, new Response(refusal.stderr).text()]);
      if (code === 0 || !/restore/.test(text)) faults.push(`serve ended with ${code}: ${text.slice(0, 300)}`);
      if (existsSync(cluster)) faults.push('a new database was created in place of the existing one');
    }
    const expected = goesBack && !isThere ? prepared.old : prepared.restored;
    if (goesBack && !isThere) renameSync(`${cluster}.old`, cluster);
    else if (!isThere) {
      const again = restoreIn(folder, prepared);
      const [code, text] = await Promise.all([again.exited, new Response(again.stderr).text()]);
      if (code !== 0) faults.push(`the restore again ended with ${code}: ${text.slice(0, 300)}`);
    }
    if (existsSync(`${cluster}.old`) && filesOf(`${cluster}.old`) !== kept) faults.push('the old database was changed');
    if (faults.length === 0) faults.push(...(await startedFaults(folder, prepared, expected)));
    return { operation, victim, milliseconds, isMidway, left: isThere ? 'all' : 'nothing', isReported: false, faults };
  } finally {
    await folder.remove();
  }
}

/** Starts the server, compares all rows, and stops it. */
async function startedFaults(folder: Folder, { env }: Prepared, expected: WholeDatabase): Promise<string[]> {
  const faults: string[] = [];
  const serving = await serve(folder, env).catch((error: unknown) => String(error));
  if (typeof serving === 'string') return [`the server did not start: ${serving.slice(0, 300)}`];
  const different = differenceOf(await wholeDatabase(addressIn(clusterOf(folder))), expected);
  if (different.length > 0) faults.push(`a mixture: ${different.join(', ')}`);
  const { code } = await stop(serving.process);
  if (code !== 0) faults.push(`the server stopped with ${code}`);
  const left = postgresIn(folder);
  if (left.length > 0) faults.push(`PostgreSQL still runs in ${left.join(', ')}`);
  return faults;
}

function folderToRestore({ ground }: Prepared): Folder {
  const folder = dataFolder();
  const data = join(folder.path, 'data');
  Bun.spawnSync(['cp', '-a', join(ground.folder.path, 'data'), data]);
  renameSync(clusterOf(folder), `${clusterOf(folder)}.old`);
  return folder;
}

function restoreIn(folder: Folder, { backups, env, to }: Prepared) {
  return spawnCommand({ folder }, ['restore', backups, '--to', to], env);
}

export function clusterOf(folder: Folder): string {
  return join(folder.path, 'data', 'postgres');
}

/** Returns the names, sizes and times of all files below the folder. */
function filesOf(path: string): string {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { size, mtimeMs } = statSync(join(path, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .join('\n');
}

/** Returns the folders below this one in which a PostgreSQL runs. */
export function postgresIn(folder: Folder): string[] {
  const { stdout } = Bun.spawnSync(['sh', '-c', `readlink /proc/[0-9]*/cwd`]);
  return [
    ...new Set(
      stdout
        .toString()
        .split('\n')
        .filter((path) => path.startsWith(join(folder.path, 'data'))),
    ),
  ];
}
