import { loadConfig } from '../config.ts';
import { connect } from '../db/connection.ts';
import { migrate } from '../db/migrate.ts';
import { isPlan, setPlan } from '../features/plans/set.ts';
import { CommandError } from './command.ts';
import { joinPostgres } from './postgres.ts';

/** `plan set EMAIL PLAN`. Takes effect at once, also while a server runs on the same database. */
export async function plan(args: readonly string[]): Promise<number> {
  const [verb, email, wanted = '', ...more] = args;
  const name = wanted.toUpperCase();
  if (verb !== 'set' || email === undefined || more.length > 0 || !isPlan(name)) {
    throw new CommandError('Usage: lotbook plan set EMAIL FREE|PRO|CPA');
  }
  const postgres = await joinPostgres(loadConfig(process.env));
  try {
    await migrate(postgres.ownerUrl);
    const database = connect(postgres.address, { connectionsMax: 1 });
    const found = await setPlan(database, email, name).finally(() => database.close());
    if (!found) throw new CommandError(`Nobody is registered as ${email}.`);
    process.stdout.write(`${email} has the plan ${name} now.\n`);
    return 0;
  } finally {
    await postgres.close();
  }
}
