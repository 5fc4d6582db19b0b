import { Refusal } from '../base/refusal.ts';
import { type Config, loadConfig } from '../config.ts';
import { type Mail, systemClock } from '../deps.ts';
import {
  createUser,
  disableTotp,
  listUsers,
  type OperatorDeps,
  removeUser,
  restoreUser,
  signOut,
  verifyUser,
} from '../features/people/auth/operator.ts';
import { resetLink, resetMinutes } from '../features/people/auth/reset.routes.ts';
import { canonicalEmail } from '../features/people/auth/sign-in.ts';
import { stripeBilling } from '../features/people/billing/stripe.ts';
import { createSubscriptionPort } from '../features/people/billing/subscription.ts';
import { buildMail } from '../features/people/mail/letter.ts';
import { smtpMail } from '../features/people/mail/smtp.ts';
import { operatorActionTaken, operatorSetPlan } from '../features/people/mail/templates.ts';
import { isPlan, setPlan } from '../features/people/plans.ts';
import { CommandError, unknownUser } from './command.ts';
import { readOptions } from './options.ts';
import { printResult } from './output.ts';
import { withDatabase } from './postgres.ts';

interface UserRequest extends OperatorDeps {
  readonly email: string;
  /** `--now` means without the grace period. */
  readonly atOnce: boolean;
}

interface UserResult {
  readonly result: object;
  readonly sentence: string;
  /** The affected account. */
  readonly mail?: Mail;
}

/** The operator's commands for managing users, by verb. They work while a server runs. */
const verbs: Readonly<Record<string, (request: UserRequest) => Promise<UserResult>>> = {
  create: async (request) => {
    const { database, email } = request;
    const made = await createUser(database, email, systemClock.now());
    if (made === 'invalid') throw new CommandError(`${email} is not a valid email address.`);
    if (made === 'taken') throw new CommandError(`A user is already registered as ${email}.`);
    const { mail: _, ...outcome } = await linkFor(request);
    return outcome;
  },
  list: async ({ database }) => {
    const users = await listUsers(database);
    const lines = users.map(({ email, plan, isVerified, createdAt, erasedAt, hasApp, passkeys }) =>
      [
        email,
        plan,
        `since ${dayOf(createdAt)}`,
        ...(isVerified ? [] : ['address not confirmed']),
        ...(erasedAt === null ? [] : [`deleted, erased on ${dayOf(erasedAt)}`]),
        ...factorWords(hasApp, passkeys),
      ].join('  '),
    );
    return { result: { users }, sentence: lines.join('\n') || 'No user is registered yet.' };
  },
  'reset-password': (request) => linkFor(request),
  verify: async ({ database, email }) => {
    if (!(await verifyUser(database, email))) throw unknownUser(email);
    return {
      result: { email },
      sentence: `The address ${email} is confirmed. Its user can now create tokens, passkeys, linked accounts and invitations.`,
    };
  },
  'sign-out': async ({ database, email }) => {
    if (!(await signOut(database, email))) throw unknownUser(email);
    return { result: { email }, sentence: `${email} is signed out everywhere. API tokens keep working.` };
  },
  'disable-totp': async ({ database, config, email }) => {
    if (!(await disableTotp(database, email))) throw unknownUser(email);
    return {
      result: { email },
      mail: buildMail(canonicalEmail(email), operatorActionTaken(config.baseUrl, 'factorRemoved')),
      sentence: `${email} now signs in without two-factor authentication: its app, passkeys and recovery codes no longer work.`,
    };
  },
  delete: async (request) => {
    const { email, config } = request;
    const removal = await removeUser(request, email, request.atOnce);
    if (removal === undefined) throw unknownUser(email);
    const { erasedAt, mail } = removal;
    const day = erasedAt === null ? null : dayOf(erasedAt);
    const sentence =
      day === null
        ? `${email} was erased, with all the books.`
        : `${email} was deleted and can no longer sign in. It is erased on ${day}, after ${config.deletionGraceDays} days. Until then, "lotbook user restore ${email}" cancels the deletion. To erase it now, run "lotbook user delete ${email} --now".`;
    return { result: { email, erasedAt }, sentence, mail };
  },
  restore: async (request) => {
    const mail = await restoreUser(request, request.email);
    if (mail === undefined) throw new CommandError(`${request.email} has no pending deletion.`);
    return { result: { email: request.email }, sentence: `${request.email} was restored, with all the books.`, mail };
  },
};

const usage =
  'Usage: lotbook user list, or lotbook user create|reset-password|verify|sign-out|disable-totp|restore EMAIL, or lotbook user delete EMAIL [--now]';

/** `user create|reset-password|verify|sign-out|disable-totp|delete|restore EMAIL` and `user list` manage accounts. */
export async function user(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('user', args, Number.POSITIVE_INFINITY);
  const [verb = '', email = '', ...more] = words;
  const work = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  const atOnce = options.has('now');
  if (work === undefined || (verb === 'list') !== (email === '') || more.length > 0 || (atOnce && verb !== 'delete')) {
    throw new CommandError(usage);
  }
  const config = loadConfig(process.env);
  const { result, sentence, mail } = await withDatabase(config, { connectionsMax: 1 }, (database) => {
    const billing = config.billing === null ? null : stripeBilling(config.billing);
    const request = { database, config, email, atOnce, elsewhere: createSubscriptionPort({ database, billing }) };
    return work(request).catch((error: unknown) => {
      throw error instanceof Refusal ? new CommandError(error.detail) : error;
    });
  });
  if (mail === undefined) return printResult(options, result, sentence);
  return printMailed(config, mail, options, result, sentence);
}

async function linkFor({ database, config, email }: UserRequest): Promise<UserResult> {
  const link = await resetLink({ database, config }, email);
  if (link === undefined) throw unknownUser(email);
  const { BASE_URL, HOST, PORT } = process.env;
  const isAssumed = [BASE_URL, HOST, PORT].every((set) => (set ?? '') === '');
  const address = `\nThe link assumes that the server is at ${config.baseUrl}. If it is not, set BASE_URL for this command too.`;
  const use = `Use it within ${resetMinutes} minutes to set a new password for ${email}. It works once.`;
  const sentence = `${link}\n${use}${isAssumed ? address : ''}`;
  const mail = buildMail(canonicalEmail(email), operatorActionTaken(config.baseUrl, 'passwordLink'));
  return { result: { email, link, minutes: resetMinutes }, sentence, mail };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function factorWords(hasApp: boolean, passkeys: number): string[] {
  return [...(hasApp ? ['authenticator app'] : []), ...(passkeys > 0 ? [`passkeys: ${passkeys}`] : [])];
}

/** `plan set EMAIL PLAN` takes effect at once, even while a server runs on the same database. */
export async function plan(args: readonly string[]): Promise<number> {
  const { words, options } = readOptions('plan', args, Number.POSITIVE_INFINITY);
  const [verb, email, wanted = '', ...more] = words;
  const name = wanted.toUpperCase();
  if (verb !== 'set' || email === undefined || more.length > 0 || !isPlan(name)) {
    throw new CommandError('Usage: lotbook plan set EMAIL FREE|PRO|CPA');
  }
  const config = loadConfig(process.env);
  if (!(await withDatabase(config, { connectionsMax: 1 }, (database) => setPlan(database, email, name))))
    throw unknownUser(email);
  const letter = buildMail(canonicalEmail(email), operatorSetPlan(config.baseUrl, name));
  return printMailed(config, letter, options, { email, plan: name }, `${email} now has the plan ${name}.`);
}

/** Notifies the owner of an account about an operator's change, and prints the result of both. */
async function printMailed(
  config: Config,
  mail: Mail,
  options: ReadonlyMap<string, string>,
  result: object,
  sentence: string,
): Promise<number> {
  const { mailed, words } = await mailOwner(config, mail);
  return printResult(options, { ...result, mailed }, `${sentence}\n${words}`);
}

/**
 * Notifies the owner of an account about an operator's change, and returns the sentence for the operator. If the email
 * fails, the change stays in effect.
 */
export async function mailOwner(
  config: Config,
  mail: Mail,
): Promise<{ readonly mailed: boolean; readonly words: string }> {
  if (config.mail === null) {
    return { mailed: false, words: `${mail.to} was not notified, because SMTP_URL is not set. Notify them yourself.` };
  }
  try {
    await smtpMail(config.mail).send(mail);
    return { mailed: true, words: `${mail.to} gets an email about it.` };
  } catch {
    return { mailed: false, words: `The mail server did not accept the email to ${mail.to}. Notify them yourself.` };
  }
}
