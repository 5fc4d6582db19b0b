import { loadConfig } from '../config.ts';
import { jsonLog, systemClock } from '../deps.ts';
import { fillAccount } from '../features/answers/demo/account.ts';
import { CommandError, commandDeps, unknownUser } from './command.ts';
import { readOptions } from './options.ts';
import { printResult } from './output.ts';
import { withDatabase } from './postgres.ts';

/** `demo EMAIL` fills an empty account with the demo books, which the user can change. Works while a server runs. */
export async function demo(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('demo', args, Number.POSITIVE_INFINITY);
  const [email, ...more] = words;
  if (email === undefined || more.length > 0) throw new CommandError('Usage: lotbook demo EMAIL');
  const config = loadConfig(process.env);
  const outcome = await withDatabase(config, {}, (database) =>
    fillAccount(commandDeps(config, database, jsonLog(systemClock)), email),
  );
  if (outcome === 'unknown') throw unknownUser(email);
  if (outcome === 'in use') {
    throw new CommandError(`${email} already has transactions. Use an account without transactions.`);
  }
  return printResult(options, { email }, `${email} now has the demo books.`);
}
