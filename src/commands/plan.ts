import { loadConfig } from '../config.ts';
import { connect } from '../db/connection.ts';
import { canonicalEmail } from '../features/people/auth/sign-in.ts';
import { buildMail } from '../features/people/mail/letter.ts';
import { operatorSetPlan } from '../features/people/mail/templates.ts';
import { isPlan, setPlan } from '../features/people/plans/limits.ts';
import { mailOwner } from './accounts/owner-mail.ts';
import { CommandError, unknownUser } from './command.ts';
import { say } from './migrate.ts';
import { readOptions } from './options.ts';
import { bringUp, joinPostgres } from './postgres.ts';
import { printResult } from './result.ts';

/** `plan set EMAIL PLAN` takes effect at once, even while a server runs on the same database. */
export async function plan(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('plan', args, Number.POSITIVE_INFINITY);
  const [verb, email, wanted = '', ...more] = words;
  const name = wanted.toUpperCase();
  if (verb !== 'set' || email === undefined || more.length > 0 || !isPlan(name)) {
    throw new CommandError('Usage: lotbook plan set EMAIL FREE|PRO|CPA');
  }
  const config = loadConfig(process.env);
  const postgres = await joinPostgres(config);
  try {
    await bringUp(postgres, say);
    const database = connect(postgres.address, { connectionsMax: 1 });
    const isKnown = await setPlan(database, email, name).finally(() => database.close());
    if (!isKnown) throw unknownUser(email);
    const letter = operatorSetPlan(config.baseUrl, name);
    const { mailed, words: mailWords } = await mailOwner(config, buildMail(canonicalEmail(email), letter));
    await printResult(options, { email, plan: name, mailed }, `${email} now has the plan ${name}.\n${mailWords}`);
    return 0;
  } finally {
    await postgres.close();
  }
}
