import type { Sql } from '../../../db/connection.ts';
import type { Deps, Mail } from '../../../deps.ts';
import { sealText } from '../seal.ts';
import { buildMail, type Letter } from './letter.ts';

/** The payload of an email job. It is encrypted, because links in emails give access to accounts. */
export interface PostedMail {
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
