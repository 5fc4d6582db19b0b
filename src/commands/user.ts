import { loadConfig } from '../config.ts';
import { connect } from '../db/connection.ts';
import { resetLink, resetMinutes } from '../features/auth/reset/reset.ts';
import { answer } from './answer.ts';
import { CommandError } from './command.ts';
import { say } from './migrate.ts';
import { readOptions } from './options.ts';
import { bringUp, joinPostgres } from './postgres.ts';

/** `user reset-password EMAIL`. Prints the link that a mail would hold; also while a server runs. */
export async function user(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('user', args, Number.POSITIVE_INFINITY);
  const [verb, email, ...more] = words;
  if (verb !== 'reset-password' || email === undefined || more.length > 0) {
    throw new CommandError('Usage: lotbook user reset-password EMAIL');
  }
  const config = loadConfig(process.env);
  const postgres = await joinPostgres(config);
  try {
    await bringUp(postgres, say);
    const database = connect(postgres.address, { connectionsMax: 1 });
    const link = await resetLink({ database, config }, email).finally(() => database.close());
    if (link === undefined) throw new CommandError(`Nobody is registered as ${email}.`);
    const sentence = `${link}\nIt sets a new password for ${email}, once, within ${resetMinutes} minutes.`;
    await answer(options, { email, link, minutes: resetMinutes }, sentence);
    return 0;
  } finally {
    await postgres.close();
  }
}
