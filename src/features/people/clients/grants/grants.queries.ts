import type { Sql } from '../../../../db/connection.ts';
import type { GrantedRole, Role } from '../../auth/permissions.ts';

export interface GrantRow {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: GrantedRole;
  readonly createdAt: Date;
}

/** Selects the users to whom the owner gave access, oldest first. */
export function listGrants(sql: Sql, taxpayerId: string): Promise<GrantRow[]> {
  return sql<GrantRow[]>`
    select m.user_id as "userId", u.name, u.email, m.role, m.created_at as "createdAt"
    from memberships m join users u on u.id = m.user_id
    where m.taxpayer_id = ${taxpayerId} and m.role in ('viewer', 'preparer', 'reviewer')
    order by m.created_at, m.user_id`;
}

export async function readRole(sql: Sql, taxpayerId: string, userId: string): Promise<Role | undefined> {
  const [row] = await sql<{ role: Role }[]>`
    select role from memberships where taxpayer_id = ${taxpayerId} and user_id = ${userId}`;
  return row?.role;
}

/** Gives a user access, or changes the role if the user already has access. */
export async function putGrant(
  sql: Sql,
  grant: { readonly taxpayerId: string; readonly userId: string; readonly role: GrantedRole; readonly now: Date },
): Promise<void> {
  await sql`
    insert into memberships (taxpayer_id, user_id, role, created_at)
    values (${grant.taxpayerId}, ${grant.userId}, ${grant.role}, ${grant.now})
    on conflict (taxpayer_id, user_id) do update set role = excluded.role`;
}

/** Selects the access that the owner gave to a user. Locks the row until the commit. */
export async function lockGrant(sql: Sql, taxpayerId: string, userId: string): Promise<GrantRow | undefined> {
  const [row] = await sql<GrantRow[]>`
    select m.user_id as "userId", u.name, u.email, m.role, m.created_at as "createdAt"
    from memberships m join users u on u.id = m.user_id
    where m.taxpayer_id = ${taxpayerId} and m.user_id = ${userId} and m.role in ('viewer', 'preparer', 'reviewer')
    for update of m`;
  return row;
}

/** Revokes the access that the owner gave to a user. Returns false if there was none. */
export async function deleteGrant(sql: Sql, taxpayerId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    delete from memberships
    where taxpayer_id = ${taxpayerId} and user_id = ${userId} and role in ('viewer', 'preparer', 'reviewer')
    returning 1`;
  return rows.length === 1;
}

/** Moves the client to another CPA. Returns false if the current CPA no longer has the client. */
export async function moveClient(
  sql: Sql,
  client: { readonly taxpayerId: string; readonly from: string; readonly to: string; readonly now: Date },
): Promise<boolean> {
  const { taxpayerId, from, to, now } = client;
  const rows = await sql`
    delete from memberships where taxpayer_id = ${taxpayerId} and user_id = ${from} and role = 'manager' returning 1`;
  if (rows.length === 0) return false;
  await sql`
    insert into memberships (taxpayer_id, user_id, role, created_at) values (${taxpayerId}, ${to}, 'manager', ${now})`;
  await sql`update taxpayers set created_by = ${to} where id = ${taxpayerId}`;
  return true;
}

/** Selects the user who owns the books, with the email address that others see. */
export async function selectOwner(
  sql: Sql,
  taxpayerId: string,
): Promise<{ readonly userId: string; readonly email: string } | undefined> {
  const [row] = await sql<{ userId: string; email: string }[]>`
    select u.id as "userId", u.email from memberships m join users u on u.id = m.user_id
    where m.taxpayer_id = ${taxpayerId} and m.role = 'owner'`;
  return row;
}

/**
 * Selects every user with access to these books, together with the user's own books, whose feed receives the
 * notifications.
 */
export async function selectFeeds(
  sql: Sql,
  taxpayerId: string,
): Promise<{ readonly userId: string; readonly feed: string }[]> {
  const users = await sql<{ id: string }[]>`select user_id as id from memberships where taxpayer_id = ${taxpayerId}`;
  return sql<{ userId: string; feed: string }[]>`
    select user_id as "userId", taxpayer_id as feed from memberships
    where user_id = any(${users.map(({ id }) => id)}::uuid[]) and role = 'owner' order by 1`;
}
