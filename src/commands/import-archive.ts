import { existsSync } from 'node:fs';
import { loadConfig } from '../config.ts';
import { jsonLog, systemClock } from '../deps.ts';
import { selectUserWithBooks } from '../features/answers/demo/demo.queries.ts';
import { importIntoAccount } from '../features/ledger/archives/archive-import.ts';
import { canonicalEmail } from '../features/people/auth/sign-in.ts';
import { CommandError, commandDeps, unknownUser } from './command.ts';
import { readOptions, usageError } from './options.ts';
import { printResult } from './output.ts';
import { withDatabase } from './postgres.ts';

/**
 * `import-archive FILE EMAIL`: imports the ZIP of `/v1/account/export` into an account without books. Works while a
 * server runs.
 */
export async function importArchive(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('import-archive', args, 2);
  const [file, email] = words;
  if (file === undefined || email === undefined) throw usageError('import-archive');
  if (!existsSync(file)) throw new CommandError(`There is no file ${file}.`);
  const config = loadConfig(process.env);
  const { manifest, rows, years } = await withDatabase(config, { connectionsMax: 2 }, async (database) => {
    const user = await database.asService((sql) => selectUserWithBooks(sql, canonicalEmail(email)));
    if (user === undefined) throw unknownUser(email);
    const deps = commandDeps(config, database, jsonLog(systemClock));
    return importIntoAccount(deps, Bun.file(file), { userId: user.id, taxpayerId: user.taxpayerId });
  });
  const { takenAt, lotbook, staysBehind } = manifest;
  const lines = [
    `${email} now has ${rows} rows, as exported by Lotbook ${lotbook} at ${takenAt}. Calculated ${years.length} tax years.`,
    ...staysBehind.map((sentence) => `Not imported: ${sentence}`),
  ];
  return printResult(options, { email, rows, years, lotbook, takenAt, staysBehind }, lines.join('\n'));
}
