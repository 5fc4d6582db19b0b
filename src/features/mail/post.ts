import type { Sql } from '../../db/connection.ts';
import type { Deps, Mail } from '../../deps.ts';
import { sealText } from '../seal/seal.ts';

/** The mail in a job. It is encrypted because its links give access to accounts. */
export interface PostedMail {
  /** Null sends no mail. */
  readonly mail: Mail | null;
  /** Lifetime in milliseconds. The mail is useless afterwards. */
  readonly lastsUntil: number | null;
}

/**
 * Posts a mail in the transaction that it reports on, so both are committed or neither. A job on any server delivers
 * it. Null takes the same time and sends nothing, so that the duration of a response does not reveal whether an account
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
  // Mails of one transaction are delivered in the order in which they were posted.
  const id = Bun.randomUUIDv7('hex', now);
  const text = JSON.stringify({ mail, lastsUntil } satisfies PostedMail);
  const { keyId, sealed } = await sealText(sql, config, text, { of: id, purpose: 'mail' });
  await jobs.sendMail(sql, { id, keyId, sealed: sealed.toBase64() });
}
