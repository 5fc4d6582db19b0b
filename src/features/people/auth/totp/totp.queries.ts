import type { Sql } from '../../../../db/connection.ts';
import type { SealedSecret } from '../../seal.ts';

export interface TotpKeyRow extends SealedSecret {
  readonly isConfirmed: boolean;
}

export async function readTotpKey(sql: Sql, userId: string): Promise<TotpKeyRow | undefined> {
  const [row] = await sql<TotpKeyRow[]>`
    select sealed, key_id as "keyId", confirmed_at is not null as "isConfirmed" from totp_keys where user_id = ${userId}`;
  return row;
}

/** Stores a key. Replaces a key that was never confirmed. Returns false if a confirmed key exists. */
export async function insertTotpKey(sql: Sql, userId: string, { sealed, keyId }: SealedSecret): Promise<boolean> {
  const rows = await sql`
    insert into totp_keys as k (user_id, sealed, key_id) values (${userId}, ${sealed}, ${keyId})
    on conflict (user_id) do update set sealed = ${sealed}, key_id = ${keyId}, last_step = 0 where k.confirmed_at is null
    returning 1`;
  return rows.length === 1;
}

/** Confirms a key. Returns false if the key was confirmed or replaced in the meantime. */
export async function confirmTotpKey(
  sql: Sql,
  userId: string,
  { sealed }: SealedSecret,
  step: number,
): Promise<boolean> {
  const rows = await sql`
    update totp_keys set confirmed_at = now(), last_step = ${step}
    where user_id = ${userId} and sealed = ${sealed} and confirmed_at is null returning 1`;
  return rows.length === 1;
}

/** Marks a time step as used. Returns false if a code for this step or a later one was already used. */
export async function takeStep(sql: Sql, userId: string, step: number): Promise<boolean> {
  const rows = await sql`
    update totp_keys set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning 1`;
  return rows.length === 1;
}

export async function deleteTotpKey(sql: Sql, userId: string): Promise<void> {
  await sql`delete from totp_keys where user_id = ${userId}`;
}
