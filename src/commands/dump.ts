import manifest from '../../package.json' with { type: 'json' };
import { loadConfig } from '../config.ts';
import { createDump } from '../db/dump.ts';
import { bucketSentence, countInBucket } from './blobs/blob-store.ts';
import { say } from './migrate.ts';
import { readOptions, usageError } from './options.ts';
import { writeOut } from './output.ts';
import { joinPostgres } from './postgres.ts';
import { printResult, sizeText } from './result.ts';

/** `dump FILE|-` writes a dump. If the dump is piped, the result goes to stderr. */
export async function dump(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('dump', args, 1);
  const [file] = words;
  if (file === undefined) throw usageError('dump');
  const postgres = await joinPostgres(loadConfig(process.env));
  try {
    const databaseDump = createDump(postgres.ownerUrl, manifest.version);
    let bytes = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of databaseDump.bytes) {
        bytes += piece.length;
        yield piece;
      }
    };
    await writeOut(file === '-' ? null : file, counted());
    const tables = databaseDump.sums();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const inBucket = await countInBucket(postgres);
    const sentence = `${rows} rows of ${tables.length} tables: ${sizeText(bytes)}.${bucketSentence(inBucket)}`;
    const result = { bytes, rows, tables, inBucket };
    if (file === '-') say(options.has('json') ? JSON.stringify(result) : sentence);
    else await printResult(options, result, sentence);
    return 0;
  } finally {
    await postgres.close();
  }
}
