import type { Sql } from '../../db/connection.ts';
import type { Deps, Mail } from '../../deps.ts';
import { sealIn } from '../seal/seal.ts';

/** What a job holds of a mail, encrypted: its links open accounts. */
export interface PostedMail {
  /** Null: none is sent. */
  readonly mail: Mail | null;
  /** In milliseconds. Nobody can use what is in it later. */
  readonly lastsUntil: number | null;
}

/**
 * Posts a mail in a transaction of the server, the one that does what the mail tells of: both are there, or neither. A job
 * delivers it, on any server. Null takes as long and sends nothing, where the time of an answer would tell of somebody.
 */
export async function postMail(
  { config, jobs, clock }: Pick<Deps, 'config' | 'jobs' | 'clock'>,
  sql: Sql,
  mail: Mail | null,
  { minutes }: { readonly minutes?: number } = {},
): Promise<void> {
  const now = clock.now().getTime();
  const lastsUntil = minutes === undefined ? null : now + minutes * 60_000;
  // In their order: those of one transaction are delivered in the one in which they were posted.
  const id = Bun.randomUUIDv7('hex', now);
  const text = JSON.stringify({ mail, lastsUntil } satisfies PostedMail);
  const { keyId, sealed } = await sealIn(sql, config, text, { of: id, purpose: 'mail' });
  await jobs.sendMail(sql, { id, keyId, sealed: sealed.toBase64() });
}
