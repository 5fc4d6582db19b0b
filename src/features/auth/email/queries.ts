import type { Sql } from '../../../db/connection.ts';

/** The newest one of a user counts. False where somebody has the address. */
export async function insertEmailChange(
  sql: Sql,
  change: {
    readonly tokenHash: Uint8Array;
    readonly userId: string;
    readonly email: string;
    readonly seconds: number;
  },
): Promise<boolean> {
  await sql`delete from email_changes where user_id = ${change.userId} or expires_at <= now()`;
  const rows = await sql`
    insert into email_changes (token_hash, user_id, email, expires_at)
    select ${change.tokenHash}, ${change.userId}, ${change.email}, now() + make_interval(secs => ${change.seconds})
    where not exists (select 1 from users where email = ${change.email})
    returning 1`;
  return rows.length === 1;
}

/** Uses the link up: the user, with the address of before, and the new one. */
export async function takeEmailChange(
  sql: Sql,
  tokenHash: Uint8Array,
): Promise<{ userId: string; before: string; email: string } | undefined> {
  const [row] = await sql<{ userId: string; before: string; email: string }[]>`
    delete from email_changes c using users u
    where c.token_hash = ${tokenHash} and c.expires_at > now() and u.id = c.user_id and u.email is not null
    returning c.user_id as "userId", u.email as before, c.email`;
  return row;
}

/** False where somebody took the address meanwhile. */
export async function updateEmail(sql: Sql, userId: string, email: string): Promise<boolean> {
  const rows = await sql`
    update users set email = ${email}, email_verified_at = now()
    where id = ${userId} and email is not null and not exists (select 1 from users where email = ${email}) returning 1`;
  return rows.length === 1;
}

export async function insertVerification(
  sql: Sql,
  verification: {
    readonly tokenHash: Uint8Array;
    readonly userId: string;
    readonly email: string;
    readonly seconds: number;
  },
): Promise<void> {
  await sql`delete from email_verifications where expires_at <= now()`;
  await sql`
    insert into email_verifications (token_hash, user_id, email, expires_at)
    values (${verification.tokenHash}, ${verification.userId}, ${verification.email},
      now() + make_interval(secs => ${verification.seconds}))`;
}

/** Uses the link up. False where it is no open one, or where the account has another address by now. */
/** Whose address is verified by it; null where it has ended, or the account has another address. */
export async function takeVerification(sql: Sql, tokenHash: Uint8Array): Promise<string | null> {
  const [row] = await sql<{ userId: string; email: string }[]>`
    delete from email_verifications where token_hash = ${tokenHash} and expires_at > now()
    returning user_id as "userId", email`;
  return row !== undefined && (await markVerified(sql, row.userId, row.email)) ? row.userId : null;
}

/** False where the account has another address. */
export async function markVerified(sql: Sql, userId: string, email: string): Promise<boolean> {
  const rows = await sql`
    update users set email_verified_at = now() where id = ${userId} and email = ${email} returning 1`;
  return rows.length === 1;
}
