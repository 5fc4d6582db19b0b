import type { Sql } from '../../../db/connection.ts';

// Links end by the database's clock, as sessions do.

/** Whose password a link to this address may set: nobody signs in to the demo books with one. */
export async function readResettable(sql: Sql, email: string): Promise<{ id: string; email: string } | undefined> {
  const [row] = await sql<{ id: string; email: string }[]>`
    select id, email from users where email = ${email} and not is_demo`;
  return row;
}

/** False where the user has so many open links already. */
export async function insertReset(
  sql: Sql,
  reset: {
    readonly tokenHash: Uint8Array;
    readonly userId: string;
    readonly seconds: number;
    readonly openMax: number;
  },
): Promise<boolean> {
  await sql`delete from password_resets where expires_at <= now()`;
  await sql`select 1 from users where id = ${reset.userId} for update`;
  const rows = await sql`
    insert into password_resets (token_hash, user_id, expires_at)
    select ${reset.tokenHash}, u.id, now() + make_interval(secs => ${reset.seconds})
    from users u
    where u.id = ${reset.userId} and u.email is not null
      and (select count(*) from password_resets p where p.user_id = u.id) < ${reset.openMax}
    returning 1`;
  return rows.length === 1;
}

/** Whose link it is; it stays open. */
export async function readReset(sql: Sql, tokenHash: Uint8Array): Promise<{ id: string; email: string } | undefined> {
  const [row] = await sql<{ id: string; email: string }[]>`
    select u.id, u.email from password_resets p join users u on u.id = p.user_id
    where p.token_hash = ${tokenHash} and p.expires_at > now()`;
  return row;
}

/** Uses the link up. False where somebody did so before. */
export async function takeReset(sql: Sql, tokenHash: Uint8Array): Promise<boolean> {
  const rows = await sql`
    delete from password_resets where token_hash = ${tokenHash} and expires_at > now() returning 1`;
  return rows.length === 1;
}

/** After a change of the password the links of before set none any more. */
export async function deleteResets(sql: Sql, userId: string): Promise<void> {
  await sql`delete from password_resets where user_id = ${userId}`;
}

export async function deleteDevices(sql: Sql, userId: string): Promise<void> {
  await sql`delete from devices where user_id = ${userId}`;
}
