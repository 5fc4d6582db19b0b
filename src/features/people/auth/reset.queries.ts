import type { Sql } from '../../../db/connection.ts';
import { readOwnBooks } from '../notifications.queries.ts';
import type { Provider } from './auth.queries.ts';
import type { TokenHolder } from './one-time-tokens.queries.ts';

interface ResettableUser extends TokenHolder {
  readonly email: string;
}

/**
 * Selects the user with this email address if the password can be reset by link. Excludes the demo account. Locks the
 * user's row until commit.
 */
export async function lockResettable(sql: Sql, email: string): Promise<ResettableUser | undefined> {
  const [row] = await sql<ResettableUser[]>`
    select id as "userId", stamp, email from users where email = ${email} and not is_demo for update`;
  return row;
}

export interface ResetPreview {
  readonly email: string;
  readonly verified: boolean;
  readonly tokens: number;
  readonly providers: Provider[];
  readonly grants: number;
  readonly transactions: number;
  readonly clients: number;
}

export async function readResetPreview(sql: Sql, userId: string): Promise<ResetPreview | undefined> {
  const [user] = await sql<Omit<ResetPreview, 'grants' | 'transactions' | 'clients'>[]>`
    select u.email, u.email_verified_at is not null as verified,
      (select count(*)::integer from access_tokens k
        where k.user_id = u.id and k.expires_at > now() and k.connection_id is null)
        + (select count(*)::integer from program_connections c where c.user_id = u.id and c.expires_at > now()) as tokens,
      array(select provider from identities i where i.user_id = u.id order by provider) as providers
    from users u where u.id = ${userId} and u.email is not null`;
  const ownBooks = await readOwnBooks(sql, userId);
  if (user === undefined || ownBooks === undefined) return undefined;
  const [books] = await sql<{ transactions: number }[]>`
    select transactions_stored as transactions from taxpayers where id = ${ownBooks}`;
  const grants = await sql`
    select 1 from memberships where taxpayer_id = ${ownBooks} and role in ('viewer', 'preparer', 'reviewer')`;
  const clients = await sql`select 1 from taxpayers where created_by = ${userId} and id <> ${ownBooks}`;
  return { ...user, grants: grants.length, transactions: books?.transactions ?? 0, clients: clients.length };
}
