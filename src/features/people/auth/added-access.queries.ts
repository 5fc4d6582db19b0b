import type { Sql } from '../../../db/connection.ts';
import { readOwnBooks } from '../notifications.queries.ts';
import { announceEnds } from './sessions.queries.ts';

/** The kinds of access that an intruder could add to an account in order to return later. */
export const accessKinds = ['tokens', 'identities', 'grants', 'invitations', 'passkeys', 'app'] as const;
export type AccessKind = (typeof accessKinds)[number];

interface AccessOf {
  readonly userId: string;
  /** Null removes access regardless of when it was added. */
  readonly since: Date | null;
}

/** The statement that removes each kind of access. The type requires an entry for every kind. */
const endings: Readonly<Record<AccessKind, (sql: Sql, of: AccessOf) => Promise<unknown>>> = {
  tokens: async (sql, { userId, since }) => {
    const ended = await sql<{ id: string }[]>`
      delete from access_tokens where user_id = ${userId} and created_at >= ${startOf(since)}::timestamptz returning id`;
    await announceEnds(sql, ended);
    await sql`delete from program_connections where user_id = ${userId} and created_at >= ${startOf(since)}::timestamptz`;
  },
  identities: (sql, { userId, since }) => sql`
    delete from identities where user_id = ${userId} and created_at >= ${startOf(since)}::timestamptz`,
  grants: async (sql, { userId, since }) => {
    const ownBooks = await readOwnBooks(sql, userId);
    if (ownBooks === undefined) return;
    await sql`
      delete from memberships
      where taxpayer_id = ${ownBooks} and role in ('viewer', 'preparer', 'reviewer')
        and created_at >= ${startOf(since)}::timestamptz`;
  },
  invitations: (sql, { userId, since }) => sql`
    update invitations set state = 'withdrawn', settled_at = now()
    where user_id = ${userId} and state = 'open' and created_at >= ${startOf(since)}::timestamptz`,
  passkeys: (sql, { userId, since }) => sql`
    delete from passkeys where user_id = ${userId} and created_at >= ${startOf(since)}::timestamptz`,
  app: async (sql, { userId, since }) => {
    await sql`
      delete from totp_keys where user_id = ${userId} and coalesce(confirmed_at >= ${startOf(since)}::timestamptz, true)`;
    // Also deletes recovery codes. They can replace an app or a passkey, and an intruder may have copied them at any
    // time.
    await sql`delete from recovery_codes where user_id = ${userId}`;
  },
};

/**
 * Removes access that was added to an account since the given time. Does not change sessions, the password or the
 * books.
 */
export async function endAddedAccess(
  sql: Sql,
  userId: string,
  kinds: readonly AccessKind[],
  since: Date | null,
): Promise<void> {
  for (const kind of accessKinds) if (kinds.includes(kind)) await endings[kind](sql, { userId, since });
}

function startOf(since: Date | null): string {
  return (since ?? new Date(0)).toISOString();
}
