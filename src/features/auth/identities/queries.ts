import type { Sql } from '../../../db/connection.ts';
import type { Provider } from '../queries.ts';

// A pending sign-in ends by the database's clock, as sessions do.

export async function insertPending(
  sql: Sql,
  pending: { readonly tokenHash: Uint8Array; readonly userId: string; readonly seconds: number },
): Promise<void> {
  await sql`delete from pending_sign_ins where expires_at <= now()`;
  await sql`
    insert into pending_sign_ins (token_hash, user_id, expires_at)
    values (${pending.tokenHash}, ${pending.userId}, now() + make_interval(secs => ${pending.seconds}))`;
}

/** Who waits; it stays pending. */
export async function readPending(sql: Sql, tokenHash: Uint8Array): Promise<{ id: string; email: string } | undefined> {
  const [row] = await sql<{ id: string; email: string }[]>`
    select u.id, u.email from pending_sign_ins p join users u on u.id = p.user_id
    where p.token_hash = ${tokenHash} and p.expires_at > now() and u.email is not null`;
  return row;
}

/** False where it was completed meanwhile. */
export async function takePending(sql: Sql, tokenHash: Uint8Array): Promise<boolean> {
  const rows = await sql`
    delete from pending_sign_ins where token_hash = ${tokenHash} and expires_at > now() returning 1`;
  return rows.length === 1;
}

export async function deleteIdentity(sql: Sql, userId: string, provider: Provider): Promise<boolean> {
  await sql`select 1 from users where id = ${userId} for update`;
  const rows = await sql`delete from identities where user_id = ${userId} and provider = ${provider} returning 1`;
  return rows.length === 1;
}
