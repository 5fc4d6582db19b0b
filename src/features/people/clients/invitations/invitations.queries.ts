import type { Sql } from '../../../../db/connection.ts';
import type { GrantedRole } from '../../auth/permissions.ts';

export const invitationKinds = ['request', 'offer', 'handover', 'ownership'] as const;
export type InvitationKind = (typeof invitationKinds)[number];
export const invitationStates = ['open', 'accepted', 'declined', 'withdrawn', 'expired'] as const;

export interface InvitationRow {
  readonly id: string;
  readonly userId: string;
  readonly fromEmail: string;
  readonly fromName: string;
  readonly kind: InvitationKind;
  readonly email: string;
  readonly role: GrantedRole | 'manager';
  readonly booksId: string | null;
  readonly booksName: string | null;
  readonly replacedId: string | null;
  readonly replacedEmail: string | null;
  readonly state: (typeof invitationStates)[number];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

// Invitations expire by the database's clock, like sessions.

type NamelessRow = Omit<InvitationRow, 'booksName'>;

const invitations = (sql: Sql) => sql`
  select i.id, i.user_id as "userId", u.email as "fromEmail", u.name as "fromName", i.kind, i.email, i.role,
    i.books_id as "booksId", i.replaced_id as "replacedId", r.email as "replacedEmail",
    case when i.state = 'open' and i.expires_at <= now() then 'expired' else i.state end as state,
    i.created_at as "createdAt", i.expires_at as "expiresAt"
  from invitations i
  join users u on u.id = i.user_id
  left join users r on r.id = i.replaced_id`;

/**
 * Adds the name of the books. A separate query reads it, because books and invitations are on different nodes
 * (db/citus).
 */
async function withNames(sql: Sql, rows: readonly NamelessRow[]): Promise<InvitationRow[]> {
  const ids = rows.flatMap(({ booksId }) => booksId ?? []);
  if (ids.length === 0) return rows.map((row) => ({ ...row, booksName: null }));
  const books = await sql<{ id: string; name: string | null }[]>`
    select id, coalesce(nullif(name, ''), nullif(taxpayer_name, '')) as name from taxpayers where id = any(${ids}::uuid[])`;
  const names = new Map(books.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, booksName: names.get(row.booksId ?? '') ?? null }));
}

/** Selects an invitation that the user sent or received. */
export async function readInvitation(
  sql: Sql,
  who: { readonly userId: string; readonly email: string },
  id: string,
): Promise<InvitationRow | undefined> {
  const rows = await sql<NamelessRow[]>`
    ${invitations(sql)} where i.id = ${id} and (i.user_id = ${who.userId} or i.email = ${who.email})`;
  const [row] = await withNames(sql, rows);
  return row;
}

/** Selects the invitations that a user sent or received, newest first. */
export async function listInvitations(
  sql: Sql,
  who: { readonly userId: string; readonly email: string },
  listRequest: {
    readonly openOnly: boolean;
    readonly before: readonly [string, string] | null;
    readonly limit: number;
  },
): Promise<InvitationRow[]> {
  const { openOnly, before, limit } = listRequest;
  const rows = await sql<NamelessRow[]>`
    ${invitations(sql)}
    where (i.user_id = ${who.userId} or i.email = ${who.email})
      ${openOnly ? sql`and i.state = 'open' and i.expires_at > now()` : sql``}
      ${before === null ? sql`` : sql`and (date_trunc('milliseconds', i.created_at), i.id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`}
    order by date_trunc('milliseconds', i.created_at) desc, i.id desc
    limit ${limit + 1}`;
  return withNames(sql, rows);
}

/** Locks the inviter's row until the commit, so that concurrent requests count open invitations one after the other. */
export async function lockInviter(sql: Sql, userId: string): Promise<{ readonly open: number } | undefined> {
  const rows = await sql`select 1 from users where id = ${userId} and email is not null for update`;
  if (rows.length === 0) return undefined;
  const [row] = await sql<{ open: number }[]>`
    select count(*)::integer as open from invitations
    where user_id = ${userId} and state = 'open' and expires_at > now()`;
  return row;
}

/** Withdraws earlier invitations to the same address for the same books, because the new one replaces them. */
export async function withdrawEarlier(
  sql: Sql,
  invitation: {
    readonly userId: string;
    readonly kind: InvitationKind;
    readonly email: string;
    readonly booksId: string | null;
  },
): Promise<number> {
  const rows = await sql`
    update invitations set state = 'withdrawn', settled_at = now()
    where user_id = ${invitation.userId} and kind = ${invitation.kind} and email = ${invitation.email} and state = 'open'
      and books_id is not distinct from ${invitation.booksId}::uuid
    returning 1`;
  return rows.length;
}

export async function insertInvitation(
  sql: Sql,
  invitation: Pick<InvitationRow, 'id' | 'userId' | 'kind' | 'email' | 'role' | 'booksId' | 'replacedId'> & {
    readonly days: number;
  },
): Promise<void> {
  await sql`
    insert into invitations (user_id, id, kind, email, role, books_id, replaced_id, created_at, expires_at)
    values (${invitation.userId}, ${invitation.id}, ${invitation.kind}, ${invitation.email}, ${invitation.role}, ${invitation.booksId},
      ${invitation.replacedId}, now(), now() + make_interval(days => ${invitation.days}))`;
}

/**
 * Counts another email and extends the invitation. Returns false if the maximum is reached or the invitation is no
 * longer open.
 */
export async function renewInvitation(
  sql: Sql,
  id: string,
  link: { readonly days: number; readonly mailsMax: number },
): Promise<boolean> {
  const rows = await sql`
    update invitations set mails = mails + 1, expires_at = now() + make_interval(days => ${link.days})
    where id = ${id} and state = 'open' and mails < ${link.mailsMax} returning 1`;
  return rows.length === 1;
}

/** Sets the final state of an invitation. Returns false if it is no longer open, so nothing happens twice. */
export async function settleInvitation(
  sql: Sql,
  id: string,
  state: 'accepted' | 'declined' | 'withdrawn',
): Promise<boolean> {
  const rows = await sql`
    update invitations set state = ${state}, settled_at = now()
    where id = ${id} and state = 'open' and expires_at > now() returning 1`;
  return rows.length === 1;
}

/** Selects the user with this address for a notification. Excludes the demo account. */
export async function selectUserByEmail(
  sql: Sql,
  email: string,
): Promise<{ readonly id: string; readonly taxpayerId: string } | undefined> {
  const [row] = await sql<{ id: string; taxpayerId: string }[]>`
    select u.id, m.taxpayer_id as "taxpayerId" from users u
    join memberships m on m.user_id = u.id and m.role = 'owner'
    where u.email = ${email} and not u.is_demo`;
  return row;
}
