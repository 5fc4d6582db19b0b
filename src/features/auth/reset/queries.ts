import type { Sql } from '../../../db/connection.ts';
import type { TokenHolder } from '../one-time-tokens/queries.ts';

export interface ResettableUser extends TokenHolder {
  readonly email: string;
}

/** Whose password a link to this address may set: nobody signs in to the demo books with one. Locked until the commit. */
export async function lockResettable(sql: Sql, email: string): Promise<ResettableUser | undefined> {
  const [row] = await sql<ResettableUser[]>`
    select id as "userId", stamp, email from users where email = ${email} and not is_demo for update`;
  return row;
}

export async function deleteDevices(sql: Sql, userId: string): Promise<void> {
  await sql`delete from devices where user_id = ${userId}`;
}
