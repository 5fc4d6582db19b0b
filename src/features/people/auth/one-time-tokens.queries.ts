import type { Sql } from '../../../db/connection.ts';
import type { Provider } from './auth.queries.ts';
import { linkTokenHash, newLinkToken } from './link-token.ts';

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

const hour = 60;
const day = 24 * hour;

interface TokenRule {
  /** Null if the code that issues the token sets the lifetime. */
  readonly minutes: number | null;
  /**
   * True if the token works only while the security stamp is unchanged and the account is not deleted. Unbound tokens
   * let the owner back in, so a thief must not be able to disable them by changing the password.
   */
  readonly isBound: boolean;
}

/** The lifetime of each kind of single-use token, and whether the token is bound. */
export const tokenRules = {
  /** Sets a new password. */
  password_reset: { minutes: 30, isBound: true },
  /** Changes the email address. Sent to the new address. */
  email_change: { minutes: hour, isBound: true },
  /** Cancels or undoes a change of the email address. Sent to the previous address. */
  email_undo: { minutes: 7 * day, isBound: false },
  /** Confirms the account's email address. */
  email_verification: { minutes: 3 * day, isBound: true },
  /** Cancels the deletion of an account. Works until the account is erased. */
  account_restore: { minutes: null, isBound: false },
  /** Registers a browser for an account that is under a password attack. */
  sign_in_link: { minutes: 30, isBound: true },
  /** Completes a provider sign-in that still needs the second factor. */
  second_factor: { minutes: 10, isBound: true },
  /** Holds the state of a provider sign-in. If it has a user, the provider account is linked to that user. */
  provider_sign_in: { minutes: 10, isBound: true },
  /** Holds the challenge that a passkey signs. If it has a user, the passkey is added to that user's account. */
  passkey_challenge: { minutes: 5, isBound: true },
  /** Accepts an invitation. The token's user is the sender. */
  invitation: { minutes: 14 * day, isBound: true },
} as const satisfies Record<string, TokenRule>;

export type TokenKind = keyof typeof tokenRules;

/** The payload for each kind of token, in addition to the user. */
export interface TokenPayloads {
  /** False if an operator printed the link, which does not prove that the user reads the mailbox. */
  readonly password_reset: { readonly isMailed: boolean };
  readonly email_change: { readonly email: string };
  readonly email_undo: {
    /** The previous address, to be restored. */
    readonly email: string;
    /** The time when the change was requested. Null means the time when this token was issued. */
    readonly requestedAt: string | null;
  };
  readonly email_verification: { readonly email: string };
  readonly account_restore: Record<never, never>;
  readonly sign_in_link: Record<never, never>;
  readonly second_factor: Record<never, never>;
  readonly provider_sign_in: {
    readonly provider: Provider;
    readonly codeVerifier: string;
    /** The browser's time zone, used if the sign-in creates an account. */
    readonly timeZone: string | null;
  };
  readonly passkey_challenge: Record<never, never>;
  readonly invitation: { readonly invitation: string };
}

/** Part of a payload, used to find tokens. */
type PayloadPart<Kind extends TokenKind> = { [Each in TokenKind]: Partial<TokenPayloads[Each]> }[Kind];

/** Kinds of tokens that can be issued before the user is known. */
type AnonymousKind = 'provider_sign_in' | 'passkey_challenge';

export function lifetimeMinutesOf<Kind extends TokenKind>(kind: Kind): (typeof tokenRules)[Kind]['minutes'] {
  return tokenRules[kind].minutes;
}
