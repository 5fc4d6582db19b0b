import type { Sql } from '../../../../db/connection.ts';
import { isFreeEmail } from '../auth.queries.ts';
import { lifetimeMinutesOf } from '../one-time-tokens.queries.ts';

export async function isEmailFree(sql: Sql, email: string, userId: string): Promise<boolean> {
  const rows = await sql`select 1 where ${isFreeEmail(sql, email, userId)}`;
  return rows.length === 1;
}

/** Changes the email address. Returns false if another account has taken it in the meantime. */
export async function updateEmail(sql: Sql, userId: string, email: string): Promise<boolean> {
  const rows = await sql`
    update users set email = ${email}, email_verified_at = now()
    where id = ${userId} and email is not null and ${isFreeEmail(sql, email, userId)} returning 1`;
  return rows.length === 1;
}

/**
 * Restores the previous email address, including for an account whose deletion was just canceled. Returns false if
 * another account uses the address.
 */
export async function returnEmail(sql: Sql, userId: string, email: string): Promise<boolean> {
  const rows = await sql`
    update users set email = ${email}, email_verified_at = now()
    where id = ${userId} and not exists (select 1 from users where email = ${email}) returning 1`;
  return rows.length === 1;
}

/**
 * Disables the undo links of later changes, because they lead to addresses that the owner of this address never chose.
 */
export async function endLaterUndos(sql: Sql, userId: string, issuedAt: Date): Promise<void> {
  await sql`
    delete from one_time_tokens
    where user_id = ${userId} and kind = 'email_undo'
      and expires_at >= ${issuedAt.toISOString()}::timestamptz + make_interval(mins => ${lifetimeMinutesOf('email_undo')})`;
}

/** Marks the address as verified. Returns false if the account has a different address. */
export async function markVerified(sql: Sql, userId: string, email: string): Promise<boolean> {
  const rows = await sql`
    update users set email_verified_at = now() where id = ${userId} and email = ${email} returning 1`;
  return rows.length === 1;
}

export async function isVerified(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`select 1 from users where id = ${userId} and email_verified_at is not null`;
  return rows.length === 1;
}
