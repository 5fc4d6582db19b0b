import { loadConfig } from '../config.ts';
import { restoreEmbedded } from '../db/backup/restore.ts';
import { refuseOtherDatabase } from './backup.ts';
import { restoredLines, toRestoreResult } from './backup-lines.ts';
import { openBackupLocation } from './backup-location.ts';
import { CommandError } from './command.ts';
import { readOptions, usageError } from './options.ts';
import { printResult } from './result.ts';

/** `restore DIR|s3://… [--to TIME]` restores into a DATA_DIR without a database. */
export async function restore(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('restore', args, 1);
  const [where] = words;
  if (where === undefined) throw usageError('restore');
  const config = loadConfig(process.env);
  refuseOtherDatabase(config);
  const to = parseMoment(options.get('to'));
  const restored = await restoreEmbedded(config.dataDir, { place: openBackupLocation(where, config), to });
  const [first, ...more] = restoredLines(restored);
  const lines = [`${first} It is in ${config.dataDir}. Run \`lotbook verify\` to check it.`, ...more];
  await printResult(options, toRestoreResult(restored), lines.join('\n'));
  return restored.missing === null ? 0 : 1;
}

/** Requires an offset because a time without one would be ambiguous. */
function parseMoment(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const whole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(text.replace(' ', 'T'));
  if (!whole || Number.isNaN(at.getTime())) {
    throw new CommandError('--to needs a time with an offset, like 2026-03-01T09:30:00Z or 2026-03-01T04:30:00-05:00.');
  }
  return at;
}
