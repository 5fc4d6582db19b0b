import { loadConfig } from '../config.ts';
import { loadDump } from '../db/load-dump.ts';
import { bucketSentence, countInBucket } from './blobs.ts';
import { readOptions, usageError } from './options.ts';
import { printResult } from './output.ts';
import { withPostgres } from './postgres.ts';
import { openInput } from './report/input.ts';

/** `load FILE|-` loads a dump into the database in DATABASE_URL or DATA_DIR, which must be empty. */
export async function load(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('load', args, 1);
  const [file] = words;
  if (file === undefined) throw usageError('load');
  const bytes = openInput(file);
  return withPostgres(loadConfig(process.env), async (postgres) => {
    const { head, tables, applied } = await loadDump(postgres.ownerUrl, bytes);
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const upgraded = applied.length === 0 ? '' : ` Upgraded to this version by ${applied.join(', ')}.`;
    const { takenAt, lotbook } = head;
    const sentence = `${rows} rows of ${tables.length} tables, as dumped by Lotbook ${lotbook} at ${takenAt}.${upgraded}`;
    const inBucket = await countInBucket(postgres);
    const result = { takenAt, lotbook, rows, tables, applied, inBucket };
    return printResult(options, result, `${sentence}${bucketSentence(inBucket)}`);
  });
}
