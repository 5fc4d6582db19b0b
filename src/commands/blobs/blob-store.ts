import type { Config } from '../../config.ts';
import { connect } from '../../db/connection.ts';
import { schemaIsCurrent } from '../../db/migrate.ts';
import type { BlobPort, Deps } from '../../deps.ts';
import { countKept, isBucketNamed, keptTableNames } from '../../features/ledger/blobs/blobs.queries.ts';
import { bucketBlobs } from '../../features/ledger/blobs/bucket.ts';
import { CommandError } from '../command.ts';
import type { Postgres } from '../postgres.ts';

/** Returns the bucket in BLOBS_TO, or null if PostgreSQL stores everything. */
export function openBlobs({ blobs, s3 }: Pick<Config, 'blobs' | 's3'>): BlobPort | null {
  return blobs.to === null || s3 === null ? null : bucketBlobs(blobs.to, s3);
}

/** Refuses to start without BLOBS_TO on a database with files in a bucket because many requests would fail. */
export async function refuseUnreachable({ blobs, database }: Deps): Promise<void> {
  if (blobs !== null || !(await database.asService(isBucketNamed, { readOnly: true }))) return;
  throw new CommandError(
    'Files of this database are in a bucket. Set BLOBS_TO to that bucket, or run "lotbook blobs move database" once with BLOBS_TO.',
  );
}

/** Counts the rows that refer to an object in the bucket. */
export async function countInBucket(postgres: Postgres): Promise<number> {
  const database = connect(postgres.address, { connectionsMax: 1 });
  try {
    if (!(await schemaIsCurrent(database))) return 0;
    const counts = await database.asService(
      (sql) => Promise.all(keptTableNames.map((table) => countKept(sql, table))),
      {
        readOnly: true,
      },
    );
    return counts.reduce((sum, { named }) => sum + named, 0);
  } finally {
    await database.close();
  }
}

/** Reminds an operator who copies the database to copy the bucket too. */
export function bucketSentence(inBucket: number): string {
  if (inBucket === 0) return '';
  return `\n${inBucket} pieces of files and reports are only in the bucket of BLOBS_TO. Copy the bucket too, or run "lotbook blobs move database" first.`;
}
