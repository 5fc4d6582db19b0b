import type { Sql } from '../../../db/connection.ts';
import { linkTokenHash, newLinkToken } from './link-token.ts';
import {
  type AnonymousKind,
  type PayloadPart,
  type TokenKind,
  type TokenPayloads,
  tokenRules,
} from './one-time-token-kinds.ts';

// Tokens use the database's clock, like sessions, because all servers share it and one server's clock may be wrong.

/** A token's user, and the user's stamp at the time of the proof of identity. */
export interface TokenHolder {
  readonly userId: string;
  readonly stamp: number;
}

/** The current user of an open token. */
export interface TokenUser extends TokenHolder {
  /** Null if the account is deleted. */
  readonly email: string | null;
}

export interface OpenToken<Kind extends TokenKind> {
  readonly user: Kind extends AnonymousKind ? TokenUser | null : TokenUser;
  readonly payload: TokenPayloads[Kind];
  readonly issuedAt: Date;
}

interface NewToken<Kind extends TokenKind> {
  readonly holder: Kind extends AnonymousKind ? TokenHolder | null : TokenHolder;
  readonly payload: TokenPayloads[Kind];
  /** The token's text. Random by default. */
  readonly token?: string;
  /** Required for kinds without a fixed lifetime. */
  readonly minutes?: number;
}

/** Stores a new token and returns it. */
export async function issueToken<Kind extends TokenKind>(
  sql: Sql,
  kind: Kind,
  { holder, payload, token = newLinkToken(), minutes }: NewToken<Kind>,
): Promise<string> {
  const { isBound, minutes: usualMinutes } = tokenRules[kind];
  const lifetime = minutes ?? usualMinutes;
  if (lifetime === null) throw new Error(`A token of the kind ${kind} needs a lifetime.`);
  await sql`
    insert into one_time_tokens (kind, token_hash, user_id, payload, stamp, expires_at)
    values (${kind}, ${linkTokenHash(token)}, ${holder?.userId ?? null}, ${sql.json(payload)},
      ${isBound ? (holder?.stamp ?? null) : null}, now() + make_interval(mins => ${lifetime}))`;
  return token;
}

/**
 * Returns a token without consuming it. Undefined if it was used or has expired, or if the user's stamp has changed.
 */
export async function findToken<Kind extends TokenKind>(
  sql: Sql,
  kind: Kind,
  token: string,
): Promise<OpenToken<Kind> | undefined> {
  const [row] = await sql<StoredToken<Kind>[]>`
    select ${openColumns(sql, kind)} from one_time_tokens
    where kind = ${kind} and token_hash = ${linkTokenHash(token)} and expires_at > now()`;
  if (row === undefined) return undefined;
  const [user] = await sql<TokenUser[]>`
    select id as "userId", stamp, email from users where id = ${row.userId}`;
  return openToken(kind, row, user);
}

/**
 * Consumes a token, so it works only once. Returns undefined in the same cases as `findToken`. Locks the user first, so
 * a concurrent change of the stamp happens either before or after this. With `userId`, does not consume the tokens of
 * other users. Null matches no user.
 */
export async function consumeToken<Kind extends TokenKind>(
  sql: Sql,
  kind: Kind,
  token: string,
  { userId }: { readonly userId?: string | null } = {},
): Promise<OpenToken<Kind> | undefined> {
  const tokenHash = linkTokenHash(token);
  const [user] = await sql<TokenUser[]>`
    select id as "userId", stamp, email from users
    where id = (select user_id from one_time_tokens where token_hash = ${tokenHash} and kind = ${kind}) for update`;
  const [row] = await sql<StoredToken<Kind>[]>`
    delete from one_time_tokens where kind = ${kind} and token_hash = ${tokenHash} and expires_at > now()
      ${userId === undefined ? sql`` : sql`and user_id is not distinct from ${userId}::uuid`}
    returning ${openColumns(sql, kind)}`;
  return row && openToken(kind, row, user);
}

/** Disables a user's open tokens. With a payload, disables only matching tokens. */
export async function endTokens<Kind extends TokenKind>(
  sql: Sql,
  userId: string,
  kinds: readonly Kind[],
  payload: PayloadPart<Kind> = {},
): Promise<void> {
  await sql`
    delete from one_time_tokens
    where user_id = ${userId} and kind = any(${kinds as readonly string[] as string[]}::text[])
      and payload @> ${sql.json(payload)}`;
}

/** Counts a user's open tokens. With a payload, counts only matching tokens. */
export async function countOpenTokens<Kind extends TokenKind>(
  sql: Sql,
  { userId, stamp }: TokenHolder,
  kind: Kind,
  payload: PayloadPart<Kind> = {},
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from one_time_tokens
    where user_id = ${userId} and kind = ${kind} and expires_at > now() and (stamp is null or stamp = ${stamp})
      and payload @> ${sql.json(payload)}`;
  return row?.count ?? 0;
}

/** Deletes expired tokens of all kinds. */
export async function sweepTokens(sql: Sql): Promise<void> {
  await sql`delete from one_time_tokens where expires_at <= now()`;
}

export async function readHolder(sql: Sql, userId: string): Promise<TokenHolder | undefined> {
  const [row] = await sql<TokenHolder[]>`
    select id as "userId", stamp from users where id = ${userId} and email is not null`;
  return row;
}

/** Changes the security stamp, which disables every bound token issued to the user. */
export async function changeStamp(sql: Sql, userId: string): Promise<void> {
  await sql`update users set stamp = stamp + 1 where id = ${userId}`;
}

/**
 * Locks the user until the commit. Returns false if the stamp has changed since it was read, because the password
 * verified in between is then outdated.
 */
export async function lockStamp(sql: Sql, { userId, stamp }: TokenHolder): Promise<boolean> {
  const rows = await sql`select 1 from users where id = ${userId} and stamp = ${stamp} for update`;
  return rows.length === 1;
}

interface StoredToken<Kind extends TokenKind> {
  readonly payload: TokenPayloads[Kind];
  readonly issuedAt: Date;
  readonly userId: string | null;
  readonly stamp: number | null;
}

function openToken<Kind extends TokenKind>(
  kind: Kind,
  { payload, issuedAt, userId, stamp }: StoredToken<Kind>,
  user: TokenUser | undefined,
): OpenToken<Kind> | undefined {
  if (userId !== null && user === undefined) return undefined;
  if (user !== undefined && tokenRules[kind].isBound && (user.email === null || user.stamp !== stamp)) return undefined;
  return { user: (user ?? null) as OpenToken<Kind>['user'], payload, issuedAt };
}

function openColumns(sql: Sql, kind: TokenKind) {
  return sql`payload, expires_at - make_interval(mins => ${tokenRules[kind].minutes ?? 0}) as "issuedAt", user_id as "userId", stamp`;
}
