import { loadConfig } from '../config.ts';
import { restoreEmbedded } from '../db/backup/restore-embedded.ts';
import { answer } from './answer.ts';
import { placeOf, refuseOtherDatabase } from './backup.ts';
import { CommandError } from './command.ts';
import { readOptions, usageError } from './options.ts';

/** `restore DIR|s3://… [--to TIME]`, into a DATA_DIR without a database. */
export async function restore(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('restore', args, 1);
  const [where] = words;
  if (where === undefined) throw usageError('restore');
  const config = loadConfig(process.env);
  refuseOtherDatabase(config);
  const to = momentOf(options.get('to'));
  const { entry, lastCommitAt, missing } = await restoreEmbedded(config.dataDir, { place: placeOf(where, config), to });
  const until = lastCommitAt === null ? `as of ${entry.endedAt}` : `with all that was committed until ${lastCommitAt}`;
  const sentence = `${config.dataDir} has the database of backup ${entry.id}, ${until}. \`lotbook verify\` checks it.`;
  const lost =
    missing === null
      ? ''
      : `\nThe log of changes has a hole: ${missing} is missing, and what came after it is not restored.`;
  await answer(options, { id: entry.id, endedAt: entry.endedAt, lastCommitAt, missing }, `${sentence}${lost}`);
  return missing === null ? 0 : 1;
}

/** With its offset: a moment without one is another one elsewhere. */
function momentOf(given: string | undefined): Date | null {
  if (given === undefined) return null;
  const whole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(given);
  const at = new Date(given.replace(' ', 'T'));
  if (!whole || Number.isNaN(at.getTime())) {
    throw new CommandError(
      '--to wants a moment with its offset, as 2026-03-01T09:30:00Z or 2026-03-01T04:30:00-05:00.',
    );
  }
  return at;
}
