import { toArrayText } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import { booksDeleted } from '../../../db/database-refusals.ts';
import { type HolderRow, holderColumns, joinHolder, withTimeZone } from './auth.queries.ts';
import { deleteDevices } from './devices.queries.ts';
import { changeStamp } from './one-time-tokens.queries.ts';
import { recentMinutes } from './recent-proof.ts';

/** The channel for the ids of ended sessions and tokens. */
export const sessionEndChannel = 'session_ended';

/**
 * Notifies every server to end the event streams of these sessions and tokens. Code that deletes sessions or tokens
 * must call this. A trigger would not work: it would run on each worker of a Citus cluster, where a transaction that
 * used NOTIFY cannot be prepared.
 */
export async function announceEnds(sql: Sql, ended: readonly { readonly id: string }[]): Promise<void> {
  if (ended.length === 0) return;
  await sql`
    select pg_notify(${sessionEndChannel}, e.id) from unnest(${toArrayText(ended, ({ id }) => id)}::text[]) as e (id)`;
}

/** Returns those of the given sessions and tokens that are still valid. */
export async function selectOpenSessions(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const idTexts = toArrayText(ids, (id) => id);
  const rows = await sql<{ id: string }[]>`
    select id from sessions where id = any(${idTexts}::text[]) and expires_at > now()
    union all
    select id from access_tokens where id = any(${idTexts}::text[]) and expires_at > now()`;
  return rows.map(({ id }) => id);
}

/**
 * Ends all sessions. Also changes the stamp, which disables links, flows and challenges that an intruder may have
 * begun, and deletes the devices, because an intruder may have used one of them.
 */
export async function deleteSessions(sql: Sql, userId: string): Promise<void> {
  await changeStamp(sql, userId);
  await deleteDevices(sql, userId);
  await announceEnds(sql, await sql<{ id: string }[]>`delete from sessions where user_id = ${userId} returning id`);
}

export interface SessionRow extends HolderRow {
  readonly id: string;
  readonly secretHash: Uint8Array;
  /** True if the stored time of the last use is more than a minute old, so it must be updated. */
  readonly isIdle: boolean;
  readonly hasRecentProof: boolean;
}

/** Selects a valid session with its user and the user's own books. */
export async function readSession(sql: Sql, id: string): Promise<SessionRow | undefined> {
  const [row] = await sql<Omit<SessionRow, 'timeZone'>[]>`
    select held.id, held.secret_hash as "secretHash", held.last_used_at < now() - interval '1 minute' as "isIdle",
      held.proved_at > now() - make_interval(mins => ${recentMinutes}) as "hasRecentProof", ${holderColumns(sql)}
    from sessions held ${joinHolder(sql)}
    where held.id = ${id} and held.expires_at > now() and u.email is not null`;
  return withTimeZone(sql, row);
}

export async function touchSession(sql: Sql, id: string): Promise<void> {
  await sql`update sessions set last_used_at = now() where id = ${id}`;
}

export interface SessionListRow {
  readonly id: string;
  readonly device: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** Lists sessions, newest first. The cursor contains the creation time and id of the last session shown. */
export async function listSessions(
  sql: Sql,
  listRequest: {
    readonly userId: string;
    /** Lists only this session, for an account that several people share. */
    readonly onlyId: string | null;
    readonly after: readonly [string, string] | null;
    readonly limit: number;
  },
): Promise<SessionListRow[]> {
  const { userId, onlyId, after, limit } = listRequest;
  return sql<SessionListRow[]>`
    select id, device, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from sessions
    where user_id = ${userId} and expires_at > now()
      ${onlyId === null ? sql`` : sql`and id = ${onlyId}`}
      ${after === null ? sql`` : sql`and (date_trunc('milliseconds', created_at), id) < (${after[0]}::timestamptz, ${after[1]})`}
    order by date_trunc('milliseconds', created_at) desc, id desc
    limit ${limit + 1}`;
}

export async function insertSession(
  sql: Sql,
  session: {
    readonly id: string;
    readonly userId: string;
    readonly secretHash: Uint8Array;
    readonly device: string;
    readonly seconds: number;
  },
): Promise<void> {
  const rows = await sql`
    insert into sessions (id, user_id, secret_hash, device, created_at, last_used_at, expires_at)
    select ${session.id}, u.id, ${session.secretHash}, ${session.device}, now(), now(),
      now() + make_interval(secs => ${session.seconds})
    from users u where u.id = ${session.userId} and u.email is not null
    for key share of u
    returning 1`;
  if (rows.length === 0) throw booksDeleted();
}

/** Deletes expired sessions, and all but the newest `keep` sessions. */
export async function trimSessions(sql: Sql, userId: string, keep: number): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    delete from sessions where user_id = ${userId} and (expires_at <= now() or id not in (
      select id from sessions where user_id = ${userId} order by created_at desc, id desc limit ${keep})) returning id`;
  await announceEnds(sql, rows);
}

export async function deleteSession(sql: Sql, userId: string, id: string): Promise<boolean> {
  const rows = await sql<{ id: string }[]>`
    delete from sessions where user_id = ${userId} and id = ${id} returning id`;
  await announceEnds(sql, rows);
  return rows.length === 1;
}

export async function deleteOtherSessions(sql: Sql, userId: string, kept: string): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    delete from sessions where user_id = ${userId} and id <> ${kept} returning id`;
  await announceEnds(sql, rows);
}

/**
 * Gives the session a new secret. Returns the number of seconds until the session expires, or undefined if it has ended
 * in the meantime.
 */
export async function renewSession(
  sql: Sql,
  session: { readonly id: string; readonly userId: string; readonly secretHash: Uint8Array },
): Promise<number | undefined> {
  const renewed = await sql`
    update sessions set secret_hash = ${session.secretHash}, proved_at = now(), last_used_at = now(), failures = 0
    where id = ${session.id} and user_id = ${session.userId} and expires_at > now() returning 1`;
  if (renewed.length === 0) return undefined;
  const [row] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from expires_at - now()))::integer as seconds from sessions where id = ${session.id}`;
  return row?.seconds;
}
