import type { Sql } from '../../../db/connection.ts';

/** Failures in a row of a known browser, which is unknown afterwards, and of a session, which ends. */
export const ownFailuresMax = 20;

interface NewDevice {
  readonly userId: string;
  readonly secretHash: Uint8Array;
  readonly hasSignedIn: boolean;
}

/** A browser that the user's account knows is used again, and its failures end. Undefined if the account does not know it. */
export async function touchDevice(
  sql: Sql,
  userId: string,
  secretHash: Uint8Array,
  hasSignedIn: boolean,
): Promise<{ readonly hadSignedIn: boolean } | undefined> {
  const [row] = await sql<{ hadSignedIn: boolean }[]>`
    select has_signed_in as "hadSignedIn" from devices
    where user_id = ${userId} and secret_hash = ${secretHash} for update`;
  if (row === undefined) return undefined;
  await sql`
    update devices set last_used_at = now(), failures = 0, has_signed_in = has_signed_in or ${hasSignedIn}
    where user_id = ${userId} and secret_hash = ${secretHash}`;
  return row;
}

/** A browser that the account knows. */
export interface KnownDevice {
  readonly secretHash: Uint8Array;
  /** With all factors. False: a link made it known. */
  readonly hasSignedIn: boolean;
}

/** Null if the account does not know the browser, or if it had too many failures in a row. */
export async function findDevice(sql: Sql, userId: string, secretHash: Uint8Array): Promise<KnownDevice | null> {
  const [row] = await sql<{ hasSignedIn: boolean }[]>`
    select has_signed_in as "hasSignedIn" from devices
    where user_id = ${userId} and secret_hash = ${secretHash} and failures < ${ownFailuresMax}`;
  return row === undefined ? null : { secretHash, ...row };
}

/** Of the user's devices the longest unused go. */
export async function insertDevice(
  sql: Sql,
  { userId, secretHash, hasSignedIn }: NewDevice,
  keep: number,
): Promise<void> {
  await sql`
    insert into devices (user_id, secret_hash, created_at, last_used_at, has_signed_in)
    values (${userId}, ${secretHash}, now(), now(), ${hasSignedIn})
    on conflict do nothing`;
  await sql`
    delete from devices where user_id = ${userId} and secret_hash not in (
      select secret_hash from devices where user_id = ${userId} order by last_used_at desc limit ${keep})`;
}

export async function deleteDevices(sql: Sql, userId: string): Promise<void> {
  await sql`delete from devices where user_id = ${userId}`;
}

/** The devices of a user but this one, which may be none. */
export async function deleteOtherDevices(sql: Sql, userId: string, secretHash: Uint8Array): Promise<void> {
  await sql`delete from devices where user_id = ${userId} and secret_hash <> ${secretHash}`;
}
