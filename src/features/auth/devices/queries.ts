import type { Sql } from '../../../db/connection.ts';

/** True where the user signed in in this browser before; it is used once more then. */
export async function touchDevice(sql: Sql, userId: string, secretHash: Uint8Array): Promise<boolean> {
  const rows = await sql`
    update devices set last_used_at = now() where user_id = ${userId} and secret_hash = ${secretHash} returning 1`;
  return rows.length === 1;
}

export async function knowsDevice(sql: Sql, userId: string, secretHash: Uint8Array): Promise<boolean> {
  const rows = await sql`select 1 from devices where user_id = ${userId} and secret_hash = ${secretHash}`;
  return rows.length === 1;
}

/** Of the user's devices the longest unused go. */
export async function insertDevice(sql: Sql, userId: string, secretHash: Uint8Array, keep: number): Promise<void> {
  await sql`
    insert into devices (user_id, secret_hash, created_at, last_used_at) values (${userId}, ${secretHash}, now(), now())
    on conflict do nothing`;
  await sql`
    delete from devices where user_id = ${userId} and secret_hash not in (
      select secret_hash from devices where user_id = ${userId} order by last_used_at desc limit ${keep})`;
}

/** The devices of a user but this one, which may be none. */
export async function deleteOtherDevices(sql: Sql, userId: string, secretHash: Uint8Array): Promise<void> {
  await sql`delete from devices where user_id = ${userId} and secret_hash <> ${secretHash}`;
}
