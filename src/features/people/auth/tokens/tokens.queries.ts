import type { Sql } from '../../../../db/connection.ts';
import { booksDeleted } from '../../../../db/database-refusals.ts';
import type { TokenScope } from '../../../../http/operations.ts';
import { type HolderRow, holderColumns, joinHolder, withTimeZone } from '../auth.queries.ts';
import { lockAccount } from '../deletion.queries.ts';
import { announceEnds } from '../sessions.queries.ts';

// A valid token with its user. Tokens expire by the database's clock, like sessions.

export interface TokenRow extends HolderRow {
  readonly id: string;
  readonly name: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly TokenScope[];
  /** The only client whose books the token can access. Null if it can access all books that its user can access. */
  readonly clientId: string | null;
  /** The connection of a program that got the token by OAuth. Null if a user created the token. */
  readonly connection: { readonly id: string; readonly programId: string } | null;
  /** True if the stored time of the last use is missing or more than a minute old, so it must be updated. */
  readonly isIdle: boolean;
}

/** Selects a valid token with its user and the user's own books. */
export async function readAccessToken(sql: Sql, id: string): Promise<TokenRow | undefined> {
  const [row] = await sql<Omit<TokenRow, 'timeZone'>[]>`
    select held.id, held.name, held.secret_hash as "secretHash", held.scopes, held.client_id as "clientId",
      case when c.id is not null then jsonb_build_object('id', c.id, 'programId', c.program_id) end as connection,
      coalesce(held.last_used_at < now() - interval '1 minute', true) as "isIdle", ${holderColumns(sql)}
    from access_tokens held ${joinHolder(sql)} left join program_connections c on c.id = held.connection_id
    where held.id = ${id} and held.expires_at > now() and u.email is not null`;
  return withTimeZone(sql, row);
}

export async function touchAccessToken(sql: Sql, id: string): Promise<void> {
  await sql`update access_tokens set last_used_at = now() where id = ${id}`;
}

export interface TokenListRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: TokenScope[];
  readonly clientId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Lists the tokens that the user created, newest first. Includes expired tokens. */
export async function listAccessTokens(
  sql: Sql,
  listRequest: { readonly userId: string; readonly after: readonly [string, string] | null; readonly limit: number },
): Promise<TokenListRow[]> {
  const { userId, after, limit } = listRequest;
  return sql<TokenListRow[]>`
    select ${listColumns(sql)} from access_tokens
    where user_id = ${userId} and connection_id is null
      ${after === null ? sql`` : sql`and (date_trunc('milliseconds', created_at), id) < (${after[0]}::timestamptz, ${after[1]})`}
    order by date_trunc('milliseconds', created_at) desc, id desc
    limit ${limit + 1}`;
}

interface NewTokenRow {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: Uint8Array;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly clientId: string | null;
  readonly days: number;
}

/**
 * Stores a token. Returns undefined if the user already has the maximum number of tokens. Locks the user's row so that
 * parallel requests cannot exceed the maximum.
 */
export async function insertAccessToken(
  sql: Sql,
  token: NewTokenRow,
  tokensMax: number,
): Promise<TokenListRow | undefined> {
  if ((await lockAccount(sql, token.userId)) === undefined) throw booksDeleted();
  const [row] = await sql<TokenListRow[]>`
    insert into access_tokens (user_id, id, secret_hash, name, scopes, client_id, created_at, expires_at)
    select ${token.userId}, ${token.id}, ${token.secretHash}, ${token.name}, ${sql.array([...token.scopes])}, ${token.clientId},
      now(), now() + make_interval(days => ${token.days})
    where (select count(*) from access_tokens where user_id = ${token.userId} and connection_id is null) < ${tokensMax}
    returning ${listColumns(sql)}`;
  return row;
}

export async function deleteAccessToken(sql: Sql, userId: string, id: string): Promise<boolean> {
  const rows = await sql<{ id: string }[]>`
    delete from access_tokens where user_id = ${userId} and id = ${id} and connection_id is null returning id`;
  await announceEnds(sql, rows);
  return rows.length === 1;
}

function listColumns(sql: Sql) {
  return sql`id, name, scopes, client_id as "clientId", created_at as "createdAt", expires_at as "expiresAt",
    last_used_at as "lastUsedAt"`;
}
