import { type Config, loadConfig } from '../config.ts';
import { connect, type Database } from '../db/connection.ts';
import { systemClock } from '../deps.ts';
import { createUser, disableTotp, listUsers, removeUser, signOut } from '../features/auth/operator/operator.ts';
import { resetLink, resetMinutes } from '../features/auth/reset/reset.ts';
import { answer } from './answer.ts';
import { CommandError } from './command.ts';
import { say } from './migrate.ts';
import { readOptions } from './options.ts';
import { bringUp, joinPostgres } from './postgres.ts';

interface UserOrder {
  readonly database: Database;
  readonly config: Config;
  readonly email: string;
}

interface UserAnswer {
  readonly result: object;
  readonly sentence: string;
}

/** What an operator does with the users, by the verb; also while a server runs. */
const verbs: Readonly<Record<string, (order: UserOrder) => Promise<UserAnswer>>> = {
  create: async (order) => {
    const { database, email } = order;
    const made = await createUser(database, email, systemClock.now());
    if (made === 'invalid') throw new CommandError(`${email} is no e-mail address.`);
    if (made === 'taken') throw new CommandError(`Somebody is registered as ${email} already.`);
    return linkFor(order);
  },
  list: async ({ database }) => {
    const users = await listUsers(database);
    const lines = users.map(({ email, plan, createdAt, hasApp, passkeys }) =>
      [email, plan, `since ${createdAt.toISOString().slice(0, 10)}`, ...factorWords(hasApp, passkeys)].join('  '),
    );
    return { result: { users }, sentence: lines.join('\n') || 'Nobody is registered yet.' };
  },
  'reset-password': (order) => linkFor(order),
  'sign-out': async ({ database, email }) => {
    if (!(await signOut(database, email))) throw unknown(email);
    return { result: { email }, sentence: `${email} is signed out everywhere. Tokens of programs go on.` };
  },
  'disable-totp': async ({ database, email }) => {
    if (!(await disableTotp(database, email))) throw unknown(email);
    return {
      result: { email },
      sentence: `${email} signs in without a second factor now: no app, passkey or recovery code of it counts.`,
    };
  },
  delete: async ({ database, email }) => {
    if (!(await removeUser(database, email))) throw unknown(email);
    return { result: { email }, sentence: `${email} is deleted, with all the books.` };
  },
};

const usage = 'Usage: lotbook user list, or lotbook user create|reset-password|sign-out|disable-totp|delete EMAIL';

/** `user create|reset-password|sign-out|disable-totp|delete EMAIL`, `user list`. */
export async function user(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('user', args, Number.POSITIVE_INFINITY);
  const [verb = '', email = '', ...more] = words;
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (work === undefined || (verb === 'list') !== (email === '') || more.length > 0) throw new CommandError(usage);
  const config = loadConfig(process.env);
  const postgres = await joinPostgres(config);
  try {
    await bringUp(postgres, say);
    const database = connect(postgres.address, { connectionsMax: 1 });
    const { result, sentence } = await work({ database, config, email }).finally(() => database.close());
    await answer(options, result, sentence);
    return 0;
  } finally {
    await postgres.close();
  }
}

async function linkFor({ database, config, email }: UserOrder): Promise<UserAnswer> {
  const link = await resetLink({ database, config }, email);
  if (link === undefined) throw unknown(email);
  const sentence = `${link}\nIt sets a new password for ${email}, once, within ${resetMinutes} minutes.`;
  return { result: { email, link, minutes: resetMinutes }, sentence };
}

function factorWords(hasApp: boolean, passkeys: number): string[] {
  return [...(hasApp ? ['authenticator app'] : []), ...(passkeys > 0 ? [`passkeys: ${passkeys}`] : [])];
}

function unknown(email: string): CommandError {
  return new CommandError(`Nobody is registered as ${email}.`);
}
