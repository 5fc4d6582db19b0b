import { loadConfig } from '../config.ts';
import { connect } from '../db/connection.ts';
import { createDeps, jsonLog, systemClock } from '../deps.ts';
import { fillAccount } from '../features/answers/demo/account.ts';
import { logMail } from '../features/people/mail/smtp.ts';
import { CommandError, unknownUser } from './command.ts';
import { say } from './migrate.ts';
import { readOptions } from './options.ts';
import { bringUp, joinPostgres } from './postgres.ts';
import { printResult } from './result.ts';

/** `demo EMAIL` fills an empty account with the demo books, which the user can change. Works while a server runs. */
export async function demo(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('demo', args, Number.POSITIVE_INFINITY);
  const [email, ...more] = words;
  if (email === undefined || more.length > 0) throw new CommandError('Usage: lotbook demo EMAIL');
  const config = loadConfig(process.env);
  const postgres = await joinPostgres(config);
  try {
    await bringUp(postgres, say);
    const database = connect(postgres.address);
    const log = jsonLog(systemClock);
    const deps = createDeps({
      config,
      database,
      clock: systemClock,
      assistant: null,
      mail: logMail(log),
      billing: null,
      log,
    });
    const outcome = await fillAccount(deps, email).finally(() => database.close());
    if (outcome === 'unknown') throw unknownUser(email);
    if (outcome === 'in use') {
      throw new CommandError(`${email} already has transactions. Use an account without transactions.`);
    }
    await printResult(options, { email }, `${email} now has the demo books.`);
    return 0;
  } finally {
    await postgres.close();
  }
}
