import type { Sql } from '../../db/connection.ts';
import type { ActorKind } from '../../http/audit/queries.ts';
import type { AuditAction } from '../../http/operations/audit-actions.ts';

export interface EntryRow {
  readonly sequence: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly subject: string | null;
  readonly actor: ActorKind;
  readonly email: string | null;
  readonly tokenId: string | null;
  readonly tokenName: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

export interface EntriesAsked {
  readonly action: AuditAction | null;
  readonly actor: ActorKind | null;
  /** UTC days; `to` is exclusive. */
  readonly from: string | null;
  readonly to: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first. */
export async function listEntries(sql: Sql, taxpayerId: string, asked: EntriesAsked): Promise<EntryRow[]> {
  const { action, actor, from, to, before, limit } = asked;
  return sql<EntryRow[]>`
    select sequence, at, action, subject, actor, email, token_id as "tokenId", token_name as "tokenName", address,
      request_id as "requestId"
    from audit_entries
    where taxpayer_id = ${taxpayerId}
      ${action === null ? sql`` : sql`and action = ${action}`}
      ${actor === null ? sql`` : sql`and actor = ${actor}`}
      ${from === null ? sql`` : sql`and at >= ${from}::date`}
      ${to === null ? sql`` : sql`and at < ${to}::date`}
      ${before === null ? sql`` : sql`and sequence < ${before}::bigint`}
    order by sequence desc
    limit ${limit + 1}`;
}
