import { nameTaxpayer, type Sql } from '../../../db/connection.ts';
import { isFreeEmail } from './auth.queries.ts';
import { endTokens } from './one-time-tokens.queries.ts';
import { announceEnds, deleteSessions } from './sessions.queries.ts';

// Deletions use the database's clock, because all servers share it and one server's clock may be wrong.

/**
 * Locks the user until the commit. Returns undefined if the account is deleted. Code that creates something for an
 * account (a session, a token, a client) also locks this row, so it runs entirely before or after the deletion.
 */
export async function lockAccount(
  sql: Sql,
  userId: string,
): Promise<{ readonly email: string; readonly stamp: number } | undefined> {
  const [row] = await sql<{ email: string; stamp: number }[]>`
    select email, stamp from users where id = ${userId} and email is not null for update`;
  return row;
}

interface NewDeletion {
  readonly userId: string;
  readonly email: string;
  readonly days: number;
  readonly byOperator: boolean;
}

/** Blocks sign-in and frees the email address. Returns the time of erasure. */
export async function insertDeletion(sql: Sql, deletion: NewDeletion): Promise<Date> {
  await sql`update users set email = null where id = ${deletion.userId}`;
  const [row] = await sql<{ erasedAt: Date }[]>`
    insert into account_deletions (user_id, email, requested_at, erase_at, by_operator)
    values (${deletion.userId}, ${deletion.email}, now(), now() + make_interval(days => ${deletion.days}),
      ${deletion.byOperator})
    returning erase_at as "erasedAt"`;
  if (row === undefined) throw new Error('The new deletion is missing.');
  return row.erasedAt;
}

/** A user who lost access to someone's books. */
export interface EndedGrant {
  readonly taxpayerId: string;
  readonly userId: string;
}

/**
 * Ends all sessions and tokens of the account, and all access that the user gave or received. Event streams end with
 * their session.
 */
export async function endAccess(sql: Sql, userId: string): Promise<EndedGrant[]> {
  await endSessionsAndTokens(sql, userId);
  await sql`delete from invitations where user_id = ${userId}`;
  const reached = await sql<{ taxpayerId: string; isOwn: boolean }[]>`
    select taxpayer_id as "taxpayerId", role = 'owner' as "isOwn" from memberships
    where user_id = ${userId} and role <> 'manager'`;
  const ended: EndedGrant[] = [];
  for (const { taxpayerId, isOwn } of reached) {
    const endedGrants = await sql<EndedGrant[]>`
      delete from memberships
      where taxpayer_id = ${taxpayerId} and role in ('viewer', 'preparer', 'reviewer')
        ${isOwn ? sql`` : sql`and user_id = ${userId}`}
      returning taxpayer_id as "taxpayerId", user_id as "userId"`;
    ended.push(...endedGrants);
  }
  return ended;
}

async function endSessionsAndTokens(sql: Sql, userId: string): Promise<void> {
  await deleteSessions(sql, userId);
  await announceEnds(
    sql,
    await sql<{ id: string }[]>`delete from access_tokens where user_id = ${userId} returning id`,
  );
  await sql`delete from program_connections where user_id = ${userId}`;
}

export interface WaitingDeletion {
  readonly userId: string;
  readonly email: string;
  readonly erasedAt: Date;
}

/**
 * Selects a pending deletion and disables the links that cancel it. They were sent to the address that the account had
 * when it was deleted, so they must not cancel a later deletion. Returns undefined if the account is not deleted or its
 * grace period is over.
 */
export async function takeDeletion(sql: Sql, userId: string): Promise<WaitingDeletion | undefined> {
  await endTokens(sql, userId, ['account_restore']);
  const [row] = await sql<WaitingDeletion[]>`
    delete from account_deletions where erase_at > now() and user_id = ${userId}
    returning user_id as "userId", email, erase_at as "erasedAt"`;
  return row;
}

/**
 * Restores the email address. Also changes the stamp, so nothing that began before the deletion can continue. Returns
 * false if a new account uses the address.
 */
export async function restoreAddress(sql: Sql, { userId, email }: WaitingDeletion): Promise<boolean> {
  const rows = await sql`
    update users set email = ${email}, stamp = stamp + 1
    where id = ${userId} and ${isFreeEmail(sql, email, userId)} returning 1`;
  return rows.length === 1;
}

export async function selectDeletion(sql: Sql, email: string): Promise<WaitingDeletion | undefined> {
  const [row] = await sql<WaitingDeletion[]>`
    select user_id as "userId", email, erase_at as "erasedAt" from account_deletions
    where email = ${email} order by requested_at desc limit 1`;
  return row;
}

/** Selects the users whose erasure is due, oldest deletion first. */
export async function selectDueDeletions(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select user_id as "userId" from account_deletions where erase_at <= now() order by erase_at, user_id limit ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** Locks the deletion until the commit. Returns undefined if another server is erasing the account or already has. */
export async function lockDueDeletion(
  sql: Sql,
  userId: string,
): Promise<{ readonly email: string; readonly byOperator: boolean } | undefined> {
  const [row] = await sql<{ email: string; byOperator: boolean }[]>`
    select email, by_operator as "byOperator" from account_deletions where user_id = ${userId} and erase_at <= now() for update skip locked`;
  return row;
}

/**
 * Erases the user, the user's books, and the client books that the user created, including all rows. Locks the user's
 * row first, so code that creates a client waits for the lock and then finds no user.
 */
export async function deleteUser(sql: Sql, userId: string): Promise<void> {
  await sql`select 1 from users where id = ${userId} for update`;
  await deleteBooksMadeBy(sql, userId);
  await endSessionsAndTokens(sql, userId);
  await sql`delete from users where id = ${userId}`;
}

/** Deletes the user's own books and the client books that the user created. */
export async function deleteBooksMadeBy(sql: Sql, userId: string): Promise<void> {
  const made = await sql<{ id: string }[]>`select id from taxpayers where created_by = ${userId} order by id`;
  for (const { id } of made) await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`;
  for (const { id } of made) await deleteBooks(sql, id);
}

/**
 * Deletes books with all their rows and all access to them. Memberships, invitations and tokens have no foreign key to
 * books, so they are deleted separately.
 */
export async function deleteBooks(sql: Sql, taxpayerId: string): Promise<void> {
  await announceEnds(
    sql,
    await sql<{ id: string }[]>`delete from access_tokens where client_id = ${taxpayerId} returning id`,
  );
  await sql`delete from program_connections where client_id = ${taxpayerId}`;
  await sql`delete from invitations where books_id = ${taxpayerId}`;
  await nameTaxpayer(sql, taxpayerId);
  await sql`delete from memberships where taxpayer_id = ${taxpayerId}`;
  await nameTaxpayer(sql, null);
  await sql`delete from taxpayers where id = ${taxpayerId}`;
}

/** Records the erasure. Nothing else of the account remains. */
export async function insertDeletedAccount(sql: Sql, userId: string, byOperator: boolean): Promise<void> {
  await sql`
    insert into deleted_accounts (user_id, deleted_at, by_operator) values (${userId}, now(), ${byOperator})
    on conflict do nothing`;
}
