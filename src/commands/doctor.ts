import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { type Config, loadConfig } from '../config.ts';
import { type IgnoredBackup, listBackups } from '../db/backup/catalog.ts';
import { waitingWal } from '../db/backup/wal.ts';
import { connect } from '../db/connection.ts';
import { schemaIsCurrent } from '../db/migrate.ts';
import { mayDoMore, readServerFacts, type ServerFacts } from '../db/server-check.ts';
import { systemClock } from '../deps.ts';
import { ignoredLine } from './backup.ts';
import { openBlobs } from './blobs.ts';
import { readOptions } from './options.ts';
import { printResult, sizeText } from './output.ts';
import { joinPostgres, openBackupLocation, type Postgres } from './postgres.ts';

interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly detail: string;
}

/** `doctor` checks the environment. A fault stops the service or can lose data. A warning may turn into a fault. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { options } = readOptions('doctor', args, 0);
  const config = loadConfig(process.env);
  const findings: Finding[] = [ok('version', `Lotbook ${manifest.version}, Bun ${Bun.version}`)];
  if (config.databaseUrl === null) findings.push(await checkDisk('disk', config.dataDir));
  findings.push(...(await checkDatabase(config)), await checkBucket(config), await checkBackups(config));
  const isSound = findings.every(({ state }) => state !== 'fault');
  const lines = findings.map(({ name, state, detail }) => `${marks[state]} ${name}: ${detail}`);
  await printResult(options, { sound: isSound, findings }, lines.join('\n'));
  return isSound ? 0 : 1;
}

const marks = { ok: 'ok      ', warning: 'warning ', fault: 'FAULT   ' } as const;
const freeBytesLow = 2_000_000_000;
const freeBytesMin = 200_000_000;
const clockSecondsWarned = 2;
const clockSecondsMax = 60;
/** The number of connections that one server needs. */
const connectionsOfServer = 20;
const waitingWalMax = 100;

async function checkDisk(name: string, folder: string): Promise<Finding> {
  const there = nearestExisting(resolve(folder));
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const detail = `${sizeText(free)} free for ${folder}`;
  return grade(name, detail, { isFault: free < freeBytesMin, isWarning: free < freeBytesLow });
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  let postgres: Postgres | undefined;
  try {
    postgres = await joinPostgres(config);
    const sentAt = systemClock.now().getTime();
    const facts = await readServerFacts(postgres.ownerUrl);
    const ownNow = (sentAt + systemClock.now().getTime()) / 2;
    return [
      ok('database', `PostgreSQL ${facts.version}, ${postgres.description}, ${sizeText(facts.bytes)}`),
      checkClock(facts.now.getTime() - ownNow),
      checkConnections(facts),
      ...(await checkSchema(facts, postgres)),
      facts.extensions.includes('amcheck')
        ? ok('extensions', facts.extensions.join(', '))
        : warning('extensions', 'amcheck is missing: `lotbook verify` checks the books, but not tables and indexes'),
    ];
  } catch (error) {
    return [thrown('database', error)];
  } finally {
    await postgres?.close();
  }
}

function checkClock(milliseconds: number): Finding {
  const seconds = Math.abs(milliseconds) / 1000;
  const detail = `${seconds.toFixed(1)} s between this machine and the database`;
  return grade('clock', detail, { isFault: seconds > clockSecondsMax, isWarning: seconds > clockSecondsWarned });
}

function checkConnections({ connections, connectionsMax }: ServerFacts): Finding {
  const detail = `${connections} of ${connectionsMax}; a server takes up to ${connectionsOfServer}`;
  return grade('connections', detail, { isWarning: connectionsMax - connections < connectionsOfServer });
}

async function checkSchema({ roles }: ServerFacts, postgres: Postgres): Promise<Finding[]> {
  if (roles.length < 2)
    return [warning('schema', 'does not exist yet: `lotbook serve` or `lotbook migrate` creates it')];
  const database = connect(postgres.address, { connectionsMax: 1 });
  try {
    const isCurrent = await schemaIsCurrent(database);
    const isOpen = await mayDoMore(database);
    return [
      isCurrent
        ? ok('schema', 'matches this version')
        : fault('schema', 'belongs to another version: `lotbook migrate` upgrades an older one'),
      isOpen
        ? warning(
            'rights',
            'the server\'s user has more privileges than it needs: OPERATIONS.md, "A PostgreSQL of your own"',
          )
        : ok('rights', 'the server signs in as a user that owns nothing'),
    ];
  } catch (error) {
    return [thrown('schema', error)];
  } finally {
    await database.close();
  }
}

/** Writes, reads and removes an object. */
async function checkBucket(config: Config): Promise<Finding> {
  const blobs = openBlobs(config);
  if (blobs === null) return ok('bucket', 'none: PostgreSQL stores the files of imports and the books of reports');
  const name = { taxpayerId: 'doctor', digest: crypto.randomUUID() };
  const bytes = crypto.getRandomValues(new Uint8Array(1_000));
  try {
    await blobs.put(name, bytes);
    const back = await blobs.get(name);
    await blobs.remove(name);
    if (back === null || Buffer.compare(back, bytes) !== 0) {
      return fault(
        'bucket',
        `${blobs.place} returned ${back === null ? 'nothing' : 'different bytes'} for an object it accepted`,
      );
    }
    return (await blobs.get(name)) === null
      ? ok('bucket', `${blobs.place} can be written to, read and removed from`)
      : fault('bucket', `${blobs.place} still has an object that was removed`);
  } catch (error) {
    return thrown('bucket', error);
  }
}

/** Checks the backups. Exported for its test. */
export async function checkBackups(config: Config): Promise<Finding> {
  const { to, everyHours, passphrase } = config.backup;
  if (config.databaseUrl !== null)
    return ok('backups', 'backups of the PostgreSQL of DATABASE_URL are not visible from here');
  if (to === null) return warning('backups', 'no automatic backups: set BACKUP_TO');
  try {
    const { backups, ignored } = await listBackups(openBackupLocation(to, config));
    const newest = backups.at(-1);
    if (newest === undefined && ignored.length > 0)
      return fault(
        'backups',
        `no backup in ${to} can be restored. ${newestOfEachReason(ignored).map(ignoredLine).join(' ')}`,
      );
    if (newest === undefined) return fault('backups', `no backup in ${to} yet`);
    const hours = (systemClock.now().getTime() - Date.parse(newest.endedAt)) / 3_600_000;
    const waiting = waitingWal(resolve(config.dataDir));
    const detail = `the newest backup in ${to} is ${hours.toFixed(1)} hours old, ${waiting} WAL files are waiting`;
    if (hours > 2 * everyHours || waiting > waitingWalMax) return fault('backups', detail);
    if (ignored.length > 0) {
      return warning('backups', `${detail}; ${ignored.length} others are ignored: \`lotbook backup ${to} --list\``);
    }
    return passphrase === null ? warning('backups', `${detail}; not encrypted`) : ok('backups', detail);
  } catch (error) {
    return thrown('backups', error);
  }
}

/** Returns the newest ignored backup for each reason. The input is sorted oldest first. */
function newestOfEachReason(ignored: readonly IgnoredBackup[]): IgnoredBackup[] {
  return ignored.filter(({ reason }, index) => ignored.findLastIndex((other) => other.reason === reason) === index);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function grade(
  name: string,
  detail: string,
  { isFault = false, isWarning }: { readonly isFault?: boolean; readonly isWarning: boolean },
): Finding {
  return { name, state: isFault ? 'fault' : isWarning ? 'warning' : 'ok', detail };
}

function thrown(name: string, error: unknown): Finding {
  return fault(name, error instanceof Error ? error.message : String(error));
}

function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail };
}

function warning(name: string, detail: string): Finding {
  return { name, state: 'warning', detail };
}

function fault(name: string, detail: string): Finding {
  return { name, state: 'fault', detail };
}
