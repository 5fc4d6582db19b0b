import type { Sql } from '../../../db/connection.ts';
import type { SealedMail } from '../../../db/job-queue.ts';
import type { Deps, Mail } from '../../../deps.ts';
import { sealText, unseal } from '../seal.ts';
import { buildMail, type Letter } from './letter.ts';
import { MailRejectedError } from './smtp.ts';

/**
 * The first retries are seconds apart. From the 11th on, they are an hour apart. In total, delivery is retried for
 * about a day.
 */
const triesMax = 30;

/** Starts delivering emails that were posted on any server. */
export function deliverMails(deps: Deps): void {
  deps.jobs.deliverBy({ deliver: (mail, tries) => deliver(deps, mail, tries) });
}

/** Delivers an email. Returns false if it must be retried later. Logs only the domain of the address. */
async function deliver(deps: Deps, sealed: SealedMail, tries: number): Promise<boolean> {
  let mail: Mail | null = null;
  try {
    const posted = await open(deps, sealed);
    mail = posted.mail;
    if (mail === null) return true;
    if (posted.lastsUntil !== null && posted.lastsUntil <= deps.clock.now().getTime())
      throw new MailRejectedError('Too late.');
    await deps.mail.send({ ...mail, id: sealed.id });
    deps.mailCounts.sent += 1;
    return true;
  } catch (error) {
    const about = { mail: sealed.id, domain: mail?.to.split('@').at(-1), tries: tries + 1 };
    if (error instanceof MailRejectedError || tries + 1 >= triesMax) {
      deps.log.error('mail not sent', error, about);
      deps.mailCounts.givenUp += 1;
      return true;
    }
    deps.log.warn('mail not sent, tried again', about);
    return false;
  }
}

/**
 * Decrypts a posted email. Throws if the key is missing: while SECRET_KEY is being changed, another server may still
 * encrypt with a key that this server does not have.
 */
async function open(deps: Deps, { id, keyId, sealed }: SealedMail): Promise<PostedMail> {
  const text = await unseal(deps, { keyId, sealed: Uint8Array.fromBase64(sealed) }, { of: id, purpose: 'mail' });
  if (text === undefined) throw new Error('This server does not have the SECRET_KEY that encrypted this email.');
  return JSON.parse(text) as PostedMail;
}

/** The payload of an email job. It is encrypted, because links in emails give access to accounts. */
interface PostedMail {
  /** If null, nothing is sent. */
  readonly mail: Mail | null;
  /** The email expires at this time, in epoch milliseconds. Null if it never expires. */
  readonly lastsUntil: number | null;
}

type Post = Pick<Deps, 'config' | 'jobs' | 'clock'>;

interface PostOptions {
  /** The email expires after this time. */
  readonly minutes?: number;
}

/** Renders a letter and posts it. A null letter sends nothing, like a null email. */
export function postLetter(deps: Post, sql: Sql, to: string, letter: Letter | null, options?: PostOptions) {
  return postMail(deps, sql, letter && buildMail(to, letter), options);
}

/**
 * Posts an email in the caller's transaction, so that both are committed or neither. A job delivers it from any server.
 * A null email sends nothing but takes the same time, so that the response time does not reveal whether an account
 * exists.
 */
export async function postMail(
  { config, jobs, clock }: Post,
  sql: Sql,
  mail: Mail | null,
  { minutes }: PostOptions = {},
): Promise<void> {
  const now = clock.now().getTime();
  const lastsUntil = minutes === undefined ? null : now + minutes * 60_000;
  // The ids are time-ordered, so emails of one transaction are delivered in the order in which they were posted.
  const id = Bun.randomUUIDv7('hex', now);
  const text = JSON.stringify({ mail, lastsUntil } satisfies PostedMail);
  const { keyId, sealed } = await sealText(sql, config, text, { of: id, purpose: 'mail' });
  await jobs.sendMail(sql, { id, keyId, sealed: sealed.toBase64() });
}
