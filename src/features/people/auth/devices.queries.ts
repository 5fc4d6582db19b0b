import type { Sql } from '../../../db/connection.ts';

/** The maximum number of consecutive failures. At this number, a known browser becomes unknown, and a session ends. */
export const ownFailuresMax = 20;

interface NewDevice {
  readonly userId: string;
  readonly secretHash: Uint8Array;
  readonly hasSignedIn: boolean;
}

/** Marks a known browser as used and resets its failures. Returns undefined if the browser is unknown. */
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

/** A browser that is registered for the account. */
export interface KnownDevice {
  readonly secretHash: Uint8Array;
  /** True if the user has signed in from it with all factors. False if a link added it. */
  readonly hasSignedIn: boolean;
}

/** Returns null if the browser is unknown or had too many consecutive failures. */
export async function findDevice(sql: Sql, userId: string, secretHash: Uint8Array): Promise<KnownDevice | null> {
  const [row] = await sql<{ hasSignedIn: boolean }[]>`
    select has_signed_in as "hasSignedIn" from devices
    where user_id = ${userId} and secret_hash = ${secretHash} and failures < ${ownFailuresMax}`;
  return row === undefined ? null : { secretHash, ...row };
}

/** Adds a device. If there are too many, deletes those that have not been used for the longest time. */
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

/** Deletes all devices of a user except the one with this hash. */
export async function deleteOtherDevices(sql: Sql, userId: string, secretHash: Uint8Array): Promise<void> {
  await sql`delete from devices where user_id = ${userId} and secret_hash <> ${secretHash}`;
}
