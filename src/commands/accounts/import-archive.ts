import { existsSync } from 'node:fs';
import { loadConfig } from '../../config.ts';
import { connect } from '../../db/connection.ts';
import { createDeps, jsonLog, systemClock } from '../../deps.ts';
import { selectUserWithBooks } from '../../features/answers/demo/demo.queries.ts';
import { importIntoAccount } from '../../features/ledger/archives/archive-import.ts';
import { canonicalEmail } from '../../features/people/auth/sign-in.ts';
import { logMail } from '../../features/people/mail/smtp.ts';
import { CommandError, unknownUser } from '../command.ts';
import { say } from '../migrate.ts';
import { readOptions, usageError } from '../options.ts';
import { bringUp, joinPostgres } from '../postgres.ts';
import { printResult } from '../result.ts';

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
  const postgres = await joinPostgres(config);
  try {
    await bringUp(postgres, say);
    const database = connect(postgres.address, { connectionsMax: 2 });
    try {
      const user = await database.asService((sql) => selectUserWithBooks(sql, canonicalEmail(email)));
      if (user === undefined) throw unknownUser(email);
      const log = jsonLog(systemClock);
      const world = { config, database, clock: systemClock, assistant: null, mail: logMail(log), billing: null, log };
      const account = { userId: user.id, taxpayerId: user.taxpayerId };
      const { manifest, rows, years } = await importIntoAccount(createDeps(world), Bun.file(file), account);
      const { takenAt, lotbook, staysBehind } = manifest;
      const lines = [
        `${email} now has ${rows} rows, as exported by Lotbook ${lotbook} at ${takenAt}. Calculated ${years.length} tax years.`,
        ...staysBehind.map((sentence) => `Not imported: ${sentence}`),
      ];
      await printResult(options, { email, rows, years, lotbook, takenAt, staysBehind }, lines.join('\n'));
    } finally {
      await database.close();
    }
    return 0;
  } finally {
    await postgres.close();
  }
}
