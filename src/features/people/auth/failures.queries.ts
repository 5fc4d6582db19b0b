import type { Sql } from '../../../db/connection.ts';
import type { AuditAction } from '../../../http/operations/audit-actions.ts';

interface OwnAccount {
  readonly taxpayerId: string;
  /** Null if the account is deleted. */
  readonly email: string | null;
}

/** Selects the account with its own books. Returns undefined for the demo account, which has no owner. */
export async function readOwnAccount(sql: Sql, userId: string): Promise<OwnAccount | undefined> {
  const [row] = await sql<OwnAccount[]>`
    select m.taxpayer_id as "taxpayerId", u.email
    from users u join memberships m on m.user_id = u.id and m.role = 'owner'
    where u.id = ${userId} and not u.is_demo`;
  return row;
}

interface CountedFailure {
  readonly action: AuditAction;
  readonly way: string;
  readonly network: string;
  readonly networksMax: number;
  readonly address: string;
  readonly requestId: string;
  /** Null if the caller was not signed in. */
  readonly by: { readonly userId: string; readonly email: string | null } | null;
}

/** An empty string instead of the address. The addresses of further networks are not stored. */
const furtherNetworks = '';

/**
 * Counts a failure. The first failure of its kind from a network within an hour creates an audit entry. Later ones
 * increase the entry's count.
 */
export async function addFailure(sql: Sql, taxpayerId: string, failure: CountedFailure): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('failures ' || ${taxpayerId}::text, 0))`;
  const network = (await hasCapacity(sql, taxpayerId, failure)) ? failure.network : furtherNetworks;
  const counted = await sql`
    update sign_in_failures set tries = tries + 1, last_at = now()
    where taxpayer_id = ${taxpayerId} and hour = date_trunc('hour', now(), 'UTC') and network = ${network}
      and action = ${failure.action} and way = ${failure.way}
    returning 1`;
  if (counted.length > 0) return;
  const { action, way, address, requestId, by } = failure;
  const [entry] = await sql<{ sequence: string }[]>`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, address, request_id)
    values (${taxpayerId}, now(), ${action}, ${way}, ${by === null ? 'anyone' : 'user'}, ${by?.userId ?? null},
      ${by?.email ?? null}, ${network === furtherNetworks ? null : address}, ${requestId})
    returning sequence`;
  await sql`
    insert into sign_in_failures (taxpayer_id, hour, network, action, way, sequence, tries, last_at)
    values (${taxpayerId}, date_trunc('hour', now(), 'UTC'), ${network}, ${action}, ${way}, ${entry?.sequence ?? null}::bigint, 1,
      now())`;
}

/** Returns whether the network gets an entry of its own in this hour. */
async function hasCapacity(sql: Sql, taxpayerId: string, { network, networksMax }: CountedFailure): Promise<boolean> {
  const [row] = await sql<{ hasRoom: boolean }[]>`
    select coalesce(bool_or(network = ${network}), false) or count(distinct network) < ${networksMax} as "hasRoom"
    from sign_in_failures
    where taxpayer_id = ${taxpayerId} and hour = date_trunc('hour', now(), 'UTC') and network <> ${furtherNetworks}`;
  return row?.hasRoom === true;
}
