import type { Sql } from '../../../db/connection.ts';

export interface TotpKey {
  readonly secret: string;
  readonly isConfirmed: boolean;
}

export async function readTotpKey(sql: Sql, userId: string): Promise<TotpKey | undefined> {
  const [row] = await sql<TotpKey[]>`
    select secret, confirmed_at is not null as "isConfirmed" from totp_keys where user_id = ${userId}`;
  return row;
}

/** In the place of one that was never confirmed. False where one asks for codes already. */
export async function insertTotpKey(sql: Sql, userId: string, secret: string): Promise<boolean> {
  const rows = await sql`
    insert into totp_keys as k (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = ${secret}, last_step = 0 where k.confirmed_at is null
    returning 1`;
  return rows.length === 1;
}

/** False where the key was confirmed, or replaced, meanwhile. */
export async function confirmTotpKey(sql: Sql, userId: string, secret: string, step: number): Promise<boolean> {
  const rows = await sql`
    update totp_keys set confirmed_at = now(), last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and confirmed_at is null returning 1`;
  return rows.length === 1;
}

/** False where a code of this step or of a later one was taken before. */
export async function takeStep(sql: Sql, userId: string, step: number): Promise<boolean> {
  const rows = await sql`
    update totp_keys set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning 1`;
  return rows.length === 1;
}

export async function deleteTotpKey(sql: Sql, userId: string): Promise<void> {
  await sql`delete from totp_keys where user_id = ${userId}`;
  await sql`delete from recovery_codes where user_id = ${userId}`;
}

export async function insertRecoveryCodes(sql: Sql, userId: string, hashes: readonly Uint8Array[]): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`;
  for (const hash of hashes) await sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${hash})`;
}

export async function takeRecoveryCode(sql: Sql, userId: string, hash: Uint8Array): Promise<boolean> {
  const rows = await sql`delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning 1`;
  return rows.length === 1;
}

export async function countRecoveryCodes(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from recovery_codes where user_id = ${userId}`;
  return row?.count ?? 0;
}
