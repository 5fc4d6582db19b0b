import manifest from '../../package.json' with { type: 'json' };
import { loadConfig } from '../config.ts';
import { createDump } from '../db/dump.ts';
import { bucketSentence, countInBucket } from './blobs.ts';
import { readOptions, usageError } from './options.ts';
import { printResult, say, sizeText, writeOut } from './output.ts';
import { withPostgres } from './postgres.ts';

/** `dump FILE|-` writes a dump. If the dump is piped, the result goes to stderr. */
export async function dump(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('dump', args, 1);
  const [file] = words;
  if (file === undefined) throw usageError('dump');
  return withPostgres(loadConfig(process.env), async (postgres) => {
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
    if (file !== '-') return printResult(options, result, sentence);
    say(options.has('json') ? JSON.stringify(result) : sentence);
    return 0;
  });
}
