import type { Sql } from '../../db/connection.ts';
import type { AuditAction } from '../audit-actions.ts';

export const actorKinds = ['user', 'token', 'operator', 'anyone'] as const;
export type ActorKind = (typeof actorKinds)[number];

interface NewEntry {
  readonly action: AuditAction;
  readonly subject: string | null;
  readonly actor: ActorKind;
  readonly address: string | null;
  readonly requestId: string | null;
}

export interface EntryOfCaller extends NewEntry {
  readonly taxpayerId: string;
  readonly userId: string;
  readonly email: string;
  readonly token: { readonly id: string; readonly name: string } | null;
  /** Writes the entry in its own transaction because a download changes nothing. */
  readonly isDownload: boolean;
}

/**
 * Returns false if the transaction changed nothing, so there is nothing to record. A transaction that deletes the
 * account records nothing either because the entries are deleted with it.
 */
export async function insertEntry(sql: Sql, entry: EntryOfCaller): Promise<boolean> {
  const isRecorded = entry.isDownload || (await hasChangedHere(sql));
  const rows = await sql`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, token_id, token_name, address, request_id)
    select me.id, now(), ${entry.action}, ${entry.subject}, ${entry.actor}, ${entry.userId}::uuid, ${entry.email},
      ${entry.token?.id ?? null}, ${entry.token?.name ?? null}, ${entry.address}, ${entry.requestId}::uuid
    from taxpayers me where me.id = ${entry.taxpayerId} and (${isRecorded} or has_changed_anything(me.id))
    returning 1`;
  return rows.length === 1;
}

/** Records the same for a user's own books, by the user or in their name. */
export async function insertEntryOfUser(sql: Sql, userId: string, entry: NewEntry): Promise<boolean> {
  const isTheirs = entry.actor === 'user';
  const [own] = await sql<{ id: string; email: string | null }[]>`
    select m.taxpayer_id as id, u.email from users u join memberships m on m.user_id = u.id and m.role = 'owner'
    where u.id = ${userId} and not u.is_demo`;
  if (own === undefined) return false;
  const hasChanged = await hasChangedHere(sql);
  const rows = await sql`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, address, request_id)
    select me.id, now(), ${entry.action}, ${entry.subject}, ${entry.actor}, ${isTheirs ? userId : null}::uuid,
      ${isTheirs ? own.email : null}, ${entry.address}, ${entry.requestId}::uuid
    from taxpayers me where me.id = ${own.id} and (${hasChanged} or has_changed_anything(me.id))
    returning 1`;
  return rows.length === 1;
}

/**
 * Returns whether the transaction has changed anything on this server. On a Citus cluster this is the coordinator,
 * which stores user data. For books, the worker runs `has_changed_anything` (sql/0001_users.sql).
 */
async function hasChangedHere(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ changed: boolean }[]>`select pg_current_xact_id_if_assigned() is not null as changed`;
  return row?.changed === true;
}
