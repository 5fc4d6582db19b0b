import { loadConfig } from '../../config.ts';
import { connect } from '../../db/connection.ts';
import { type BlobPort, createDeps, type Deps, jsonLog, systemClock } from '../../deps.ts';
import { countKept, countObjects, type KeptTable, keptTableNames } from '../../features/ledger/blobs/blobs.queries.ts';
import { announceAll, moveToBucket, moveToDatabase } from '../../features/ledger/blobs/collect.ts';
import { logMail } from '../../features/people/mail/smtp.ts';
import { CommandError } from '../command.ts';
import { say } from '../migrate.ts';
import { readOptions, usageError } from '../options.ts';
import { bringUp, joinPostgres } from '../postgres.ts';
import { printResult, sizeText } from '../result.ts';
import { openBlobs } from './blob-store.ts';

/** `blobs`, `blobs move bucket`, `blobs move database` and `blobs sweep` manage stored files while servers run. */
export async function blobs(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('blobs', args, 2);
  const [verb, where] = words;
  const isMove = verb === 'move' && (where === 'bucket' || where === 'database');
  const isSweep = verb === 'sweep' && where === undefined;
  if (verb !== undefined && !isMove && !isSweep) throw usageError('blobs');
  const config = loadConfig(process.env);
  const log = jsonLog(systemClock);
  const postgres = await joinPostgres(config);
  const database = connect(postgres.address, { connectionsMax: 4 });
  try {
    await bringUp(postgres, say);
    const world = { config, database, clock: systemClock, assistant: null, billing: null, mail: logMail(log), log };
    const deps = createDeps({ ...world, blobs: openBlobs(config) });
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
    await printResult(options, { moved, unknown, tables, ...objects }, lines.join('\n'));
    return 0;
  } finally {
    await database.close();
    await postgres.close();
  }
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
