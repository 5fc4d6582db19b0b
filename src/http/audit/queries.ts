import type { Sql } from '../../db/connection.ts';
import type { AuditAction } from '../operations/audit-actions.ts';

export const actorKinds = ['user', 'token', 'operator', 'anyone'] as const;
export type ActorKind = (typeof actorKinds)[number];

export interface NewEntry {
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
  /** Recorded by itself, and not with what it changes. */
  readonly isDownload: boolean;
}

/**
 * False where the transaction changed nothing, so that there is nothing to record. In one that deletes the account
 * nothing is recorded either: the entries go with it.
 */
export async function insertEntry(sql: Sql, entry: EntryOfCaller): Promise<boolean> {
  const rows = await sql`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, token_id, token_name, address, request_id)
    select me.id, now(), ${entry.action}, ${entry.subject}, ${entry.actor}, ${entry.userId}::uuid, ${entry.email},
      ${entry.token?.id ?? null}, ${entry.token?.name ?? null}, ${entry.address}, ${entry.requestId}::uuid
    from taxpayers me where me.id = ${entry.taxpayerId} and (${entry.isDownload} or has_changed_anything(me.id))
    returning 1`;
  return rows.length === 1;
}

/** The same, of a user's own books, by the user or in their name. */
export async function insertEntryOfUser(sql: Sql, userId: string, entry: NewEntry): Promise<boolean> {
  const isTheirs = entry.actor === 'user';
  const [own] = await sql<{ id: string }[]>`
    select taxpayer_id as id from memberships where user_id = ${userId} and role = 'owner'`;
  if (own === undefined) return false;
  const rows = await sql`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, address, request_id)
    select me.id, now(), ${entry.action}, ${entry.subject}, ${entry.actor},
      case when ${isTheirs} then u.id end, case when ${isTheirs} then u.email end, ${entry.address}, ${entry.requestId}::uuid
    from taxpayers me, users u
    where me.id = ${own.id} and u.id = ${userId} and not u.is_demo and has_changed_anything(me.id)
    returning 1`;
  return rows.length === 1;
}
