import manifest from '../../package.json' with { type: 'json' };
import { sleepUnless, withDeadline } from '../base/deadline.ts';
import { type BackupLocation, listBackups } from '../db/backup/catalog.ts';
import { takeBackup } from '../db/backup/take.ts';
import { archiveSet, shipWal, waitingWal } from '../db/backup/wal.ts';
import type { EmbeddedPostgres } from '../db/embedded.ts';
import type { Deps } from '../deps.ts';
import { openBackupLocation } from './postgres.ts';

export interface BackupSchedule {
  /** Starts no further work. A running backup ends with its session. */
  end(): Promise<void>;
  /** Stores the WAL that PostgreSQL archived when it stopped. */
  shipRest(): Promise<void>;
}

const shipMilliseconds = 5_000;
const retryMilliseconds = 60_000;
const endMilliseconds = 500;
const restMilliseconds = 2_000;

/**
 * Stores WAL as it arrives while the server runs, and a new backup whenever the newest one of this data folder is old
 * enough. Returns null if BACKUP_TO is not set. This is not a job because the embedded PostgreSQL runs only as long as
 * the server that started it, and only that server has the folder with its WAL. If that server dies, nothing is written
 * that a backup could miss. Its next start makes a backup if one is due, based on the existing backups.
 */
export function startBackups(deps: Deps, embedded: EmbeddedPostgres): BackupSchedule | null {
  const { clock, log, backupState, config } = deps;
  const { to, everyHours, keep } = config.backup;
  if (to === null) return null;
  const location = openBackupLocation(to, config);
  const { folder, ownerUrl } = embedded;
  const ending = new AbortController();

  const look = async (): Promise<void> => {
    await shipWal(folder, location);
    backupState.waitingWal = waitingWal(folder);
    const set = archiveSet(folder);
    const now = clock.now();
    const due = backupState.endedAt === null || now.getTime() - backupState.endedAt.getTime() >= everyHours * 3_600_000;
    if (!due) return;
    const { entry, removed } = await takeBackup({
      ownerUrl,
      place: location,
      keep,
      lotbook: manifest.version,
      set,
      now,
    });
    backupState.endedAt = new Date(entry.endedAt);
    log.info('backed up', { to: location.store.place, id: entry.id, bytes: entry.bytes, removed });
  };

  const run = async (): Promise<void> => {
    backupState.endedAt = await findNewest(folder, location).catch(() => null);
    while (!ending.signal.aborted) {
      try {
        await look();
        backupState.failures = 0;
      } catch (error) {
        if (ending.signal.aborted) return;
        backupState.failures += 1;
        log.error('not backed up', error, { to: location.store.place, failures: backupState.failures });
      }
      await sleepUnless(ending.signal, backupState.failures > 0 ? retryMilliseconds : shipMilliseconds);
    }
  };
  const running = run();

  return {
    end: async () => {
      ending.abort();
      await Promise.race([running, Bun.sleep(endMilliseconds)]);
    },
    shipRest: async () => {
      // The next start stores the remaining WAL.
      await withDeadline(shipWal(folder, location), restMilliseconds, 'too late').catch(() => 0);
    },
  };
}

/** Backups of another data folder in the same store do not count. */
async function findNewest(folder: string, location: BackupLocation): Promise<Date | null> {
  const set = archiveSet(folder);
  const newest = (await listBackups(location)).backups.findLast((entry) => entry.set === set);
  return newest === undefined ? null : new Date(newest.endedAt);
}
