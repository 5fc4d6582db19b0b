import type { Sql } from '../../db/connection.ts';
import type { ActorKind } from '../../http/audit/queries.ts';
import type { AuditAction } from '../../http/audit-actions.ts';

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
  /** For failed attempts: how many failures of this kind occurred within the hour, and when the last one occurred. */
  readonly times: number;
  readonly lastAt: Date | null;
}

interface EntriesRequest {
  readonly action: AuditAction | null;
  readonly actor: ActorKind | null;
  /** UTC days; `to` is exclusive. */
  readonly from: string | null;
  readonly to: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Lists entries, newest first. */
export async function listEntries(sql: Sql, taxpayerId: string, entriesRequest: EntriesRequest): Promise<EntryRow[]> {
  const { action, actor, from, to, before, limit } = entriesRequest;
  return sql<EntryRow[]>`
    select e.sequence, e.at, e.action, e.subject, e.actor, e.email, e.token_id as "tokenId", e.token_name as "tokenName",
      e.address, e.request_id as "requestId", coalesce(f.tries, 1) as times, f.last_at as "lastAt"
    from audit_entries e
    left join sign_in_failures f on f.taxpayer_id = e.taxpayer_id and f.sequence = e.sequence
    where e.taxpayer_id = ${taxpayerId}
      ${action === null ? sql`` : sql`and e.action = ${action}`}
      ${actor === null ? sql`` : sql`and e.actor = ${actor}`}
      ${from === null ? sql`` : sql`and e.at >= ${from}::date`}
      ${to === null ? sql`` : sql`and e.at < ${to}::date`}
      ${before === null ? sql`` : sql`and e.sequence < ${before}::bigint`}
    order by e.sequence desc
    limit ${limit + 1}`;
}
