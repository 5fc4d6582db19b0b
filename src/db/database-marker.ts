import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { restoreAdvice } from './damage.ts';
import { restoringCluster } from './postgres-server.ts';
import { EmbeddedError, giveToOwnerOfFolder } from './unprivileged-runner.ts';

/**
 * Writes a file next to the cluster that records that the data folder has had a database. A cluster that was renamed,
 * lost or emptied is then never replaced with a new, empty one.
 */
export function markDatabase(folder: string): void {
  const path = getMarkerPath(folder);
  if (existsSync(path)) return;
  writeFileSync(
    path,
    'This folder contains a Lotbook database in "postgres". If it is missing, Lotbook does not create a new one here.\n',
    {
      mode: 0o600,
    },
  );
  giveToOwnerOfFolder(path);
}

function hadDatabase(folder: string): boolean {
  return existsSync(getMarkerPath(folder));
}

/** Refuses to create a cluster if the folder once had one or contains part of one. */
export function refuseToReplace(cluster: string): void {
  const folder = dirname(cluster);
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new EmbeddedError(
      `The database in ${cluster} is incomplete: it has no PG_VERSION. ${restoreAdvice(cluster)}`,
    );
  }
  if (existsSync(restoringCluster(cluster))) {
    throw new EmbeddedError(
      `A restore into ${folder} was interrupted. Run \`lotbook restore "$BACKUP_TO"\` again, or remove ${restoringCluster(cluster)}.`,
    );
  }
  if (hadDatabase(folder)) {
    throw new EmbeddedError(
      `${folder} had a database, and ${cluster} is missing or empty. Move it back, or run \`lotbook restore "$BACKUP_TO"\`. ` +
        `To start with a new, empty database instead, remove ${getMarkerPath(folder)}.`,
    );
  }
}

/** Refuses to create a database if a cluster that once had ours no longer contains it. */
export function refuseToCreate(folder: string, cluster: string): void {
  if (!hadDatabase(folder)) return;
  throw new EmbeddedError(`PostgreSQL in ${cluster} has lost the database "lotbook". ${restoreAdvice(cluster)}`);
}

function getMarkerPath(folder: string): string {
  return join(folder, 'lotbook.database');
}
