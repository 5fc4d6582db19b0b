import type { Sql } from '../../../db/connection.ts';
import type { TokenHolder } from '../one-time-tokens/queries.ts';
import type { Provider } from '../queries.ts';

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

export interface ResetPreview {
  readonly email: string;
  readonly verified: boolean;
  readonly tokens: number;
  readonly providers: Provider[];
  readonly grants: number;
  readonly transactions: number;
}

export async function readResetPreview(sql: Sql, userId: string): Promise<ResetPreview | undefined> {
  const [user] = await sql<Omit<ResetPreview, 'grants' | 'transactions'>[]>`
    select u.email, u.email_verified_at is not null as verified,
      (select count(*)::integer from access_tokens k where k.user_id = u.id and k.expires_at > now()) as tokens,
      array(select provider from identities i where i.user_id = u.id order by provider) as providers
    from users u where u.id = ${userId} and u.email is not null`;
  const [own] = await sql<{ id: string }[]>`
    select taxpayer_id as id from memberships where user_id = ${userId} and role = 'owner'`;
  if (user === undefined || own === undefined) return undefined;
  const [books] = await sql<{ transactions: number }[]>`
    select transactions_stored as transactions from taxpayers where id = ${own.id}`;
  const grants = await sql`
    select 1 from memberships where taxpayer_id = ${own.id} and role in ('viewer', 'preparer', 'reviewer')`;
  return { ...user, grants: grants.length, transactions: books?.transactions ?? 0 };
}

/** The one of the user's own books. */
export async function readTimeZone(sql: Sql, userId: string): Promise<string | undefined> {
  const [own] = await sql<{ id: string }[]>`
    select taxpayer_id as id from memberships where user_id = ${userId} and role = 'owner'`;
  if (own === undefined) return undefined;
  const [books] = await sql<{ timeZone: string }[]>`select time_zone as "timeZone" from taxpayers where id = ${own.id}`;
  return books?.timeZone;
}
