import type { Sql } from '../../../db/connection.ts';
import type { Deps, Mail } from '../../../deps.ts';
import { sealText } from '../seal.ts';

/** The payload of an email job. It is encrypted, because links in emails give access to accounts. */
export interface PostedMail {
  /** If null, nothing is sent. */
  readonly mail: Mail | null;
  /** The email expires at this time, in epoch milliseconds. Null if it never expires. */
  readonly lastsUntil: number | null;
}

/**
 * Posts an email in the caller's transaction, so that both are committed or neither. A job delivers it from any server.
 * A null email sends nothing but takes the same time, so that the response time does not reveal whether an account
 * exists.
 */
export async function postMail(
  { config, jobs, clock }: Pick<Deps, 'config' | 'jobs' | 'clock'>,
  sql: Sql,
  mail: Mail | null,
  { minutes }: { readonly minutes?: number } = {},
): Promise<void> {
  const now = clock.now().getTime();
  const lastsUntil = minutes === undefined ? null : now + minutes * 60_000;
  // The ids are time-ordered, so emails of one transaction are delivered in the order in which they were posted.
  const id = Bun.randomUUIDv7('hex', now);
  const text = JSON.stringify({ mail, lastsUntil } satisfies PostedMail);
  const { keyId, sealed } = await sealText(sql, config, text, { of: id, purpose: 'mail' });
  await jobs.sendMail(sql, { id, keyId, sealed: sealed.toBase64() });
}
