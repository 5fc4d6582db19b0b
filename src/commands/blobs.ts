import { type Config, loadConfig } from '../config.ts';
import { connect } from '../db/connection.ts';
import { schemaIsCurrent } from '../db/migrate.ts';
import { type BlobPort, type Deps, jsonLog, systemClock } from '../deps.ts';
import {
  countKept,
  countObjects,
  isBucketNamed,
  type KeptTable,
  keptTableNames,
} from '../features/ledger/blobs/blobs.queries.ts';
import { bucketBlobs } from '../features/ledger/blobs/bucket.ts';
import { announceAll, moveToBucket, moveToDatabase } from '../features/ledger/blobs/collect.ts';
import { CommandError, commandDeps } from './command.ts';
import { readOptions, usageError } from './options.ts';
import { printResult, sizeText } from './output.ts';
import { type Postgres, withDatabase } from './postgres.ts';

/** `blobs`, `blobs move bucket`, `blobs move database` and `blobs sweep` manage stored files while servers run. */
export async function blobs(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('blobs', args, 2);
  const [verb, where] = words;
  const isMove = verb === 'move' && (where === 'bucket' || where === 'database');
  const isSweep = verb === 'sweep' && where === undefined;
  if (verb !== undefined && !isMove && !isSweep) throw usageError('blobs');
  const config = loadConfig(process.env);
  return withDatabase(config, { connectionsMax: 4 }, async (database) => {
    const deps = commandDeps(config, database, jsonLog(systemClock), openBlobs(config));
    const moved = where === undefined ? 0 : await move(deps, where);
    const unknown = isSweep ? await announceAll(deps, requireBucket(deps), new AbortController().signal) : 0;
    const tables = await countAll(deps);
    const objects = await database.asService(countObjects, { readOnly: true });
    const lines = [
      ...(where === undefined ? [] : [`${moved} pieces moved to the ${where}.`]),
      ...(isSweep ? [`${unknown} objects were unknown and will be removed after ${config.blobs.graceDays} days.`] : []),
      ...tables.map(({ what, own, named }) => `${what}: ${own} in PostgreSQL, ${named} in the bucket.`),
      `${objects.objects} objects in the bucket, ${sizeText(objects.bytes)}.`,
    ];
    return printResult(options, { moved, unknown, tables, ...objects }, lines.join('\n'));
  });
}

function move(deps: Deps, where: string): Promise<number> {
  const { signal } = new AbortController();
  return where === 'bucket'
    ? moveToBucket(deps, requireBucket(deps), signal)
    : moveToDatabase(deps, requireBucket(deps), signal);
}

function requireBucket({ blobs }: Deps): BlobPort {
  if (blobs === null) throw new CommandError('Set BLOBS_TO to the bucket, like s3://BUCKET/PREFIX.');
  return blobs;
}

const whats: Readonly<Record<KeptTable, string>> = {
  import_texts: 'Pieces of imported files',
  undone_texts: 'Pieces of files whose import was undone',
  report_books: 'Parts of the books of reports',
};

async function countAll({ database }: Deps) {
  const tables: { what: string; own: number; named: number }[] = [];
  for (const table of keptTableNames) {
    const counts = await database.asService((sql) => countKept(sql, table), { readOnly: true });
    tables.push({ what: whats[table], ...counts });
  }
  return tables;
}

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
