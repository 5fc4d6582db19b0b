import { numbered } from '../../../db/citus.ts';
import { nameTaxpayer, type Sql } from '../../../db/connection.ts';
import { countClients } from '../auth/auth.queries.ts';
import { deleteBooks } from '../auth/deletion.queries.ts';
import type { ClientRole, GrantedRole, Role } from '../auth/permissions.ts';
import type { Plan } from '../auth/plan.ts';

export interface ClientRow {
  readonly id: string;
  /** The user's role in the books. */
  readonly role: ClientRole;
  readonly name: string;
  readonly email: string | null;
  readonly taxpayerName: string;
  readonly tin: string;
  readonly timeZone: string;
  /** The time when they became the user's client. */
  readonly createdAt: Date;
  readonly transactions: number;
  readonly years: number[];
}

/**
 * Locks the new manager's row until the commit, so concurrent requests count clients one after another. Returns the
 * current plan, or undefined if the account was deleted.
 */
export async function lockClientHolder(sql: Sql, userId: string): Promise<Plan | undefined> {
  const [row] = await sql<
    { plan: Plan }[]
  >`select plan from users where id = ${userId} and email is not null for update`;
  return row?.plan;
}

/** Selects the books, the plan and the number of clients of a user who has clients. */
export async function readHolder(
  sql: Sql,
  userId: string,
): Promise<{ readonly id: string; readonly plan: Plan; readonly clients: number } | undefined> {
  const [row] = await sql<{ id: string; plan: Plan }[]>`
    select m.taxpayer_id as id, u.plan
    from users u join memberships m on m.user_id = u.id and m.role = 'owner' where u.id = ${userId}`;
  return row === undefined ? undefined : { ...row, clients: await countClients(sql, userId) };
}

interface NewClient {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
  readonly taxpayerName: string;
  readonly tin: string;
  readonly timeZone: string;
  readonly now: Date;
}

export async function insertClient(sql: Sql, client: NewClient): Promise<void> {
  await sql`
    insert into taxpayers (id, created_by, name, taxpayer_name, tin, time_zone, created_at)
    values (${client.id}, ${client.userId}, ${client.name}, ${client.taxpayerName}, ${client.tin}, ${client.timeZone},
      ${client.now})`;
  await sql`
    insert into memberships (taxpayer_id, user_id, role, created_at)
    values (${client.id}, ${client.userId}, 'manager', ${client.now})`;
  await sql`insert into clients (taxpayer_id, email) values (${client.id}, ${client.email})`;
}

/**
 * Selects a user's clients, oldest first: all, those after a cursor, or one by id. If the books have no name, the name
 * or email address of the owner's account is used.
 */
export async function readClients(
  sql: Sql,
  userId: string,
  listRequest: { readonly id?: string; readonly after?: readonly [string, string] | null; readonly limit: number },
): Promise<ClientRow[]> {
  const { id, after = null, limit } = listRequest;
  const members = await sql<MemberRow[]>`
    select m.taxpayer_id as id, m.role, u.name as "ownerName", u.email as "ownerEmail", m.created_at as "createdAt"
    from memberships m
    left join memberships o on o.taxpayer_id = m.taxpayer_id and o.role = 'owner'
    left join users u on u.id = o.user_id
    where m.user_id = ${userId} and m.role <> 'owner'
      ${id === undefined ? sql`` : sql`and m.taxpayer_id = ${id}`}
      ${after === null ? sql`` : sql`and (date_trunc('milliseconds', m.created_at), m.taxpayer_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by date_trunc('milliseconds', m.created_at), m.taxpayer_id
    limit ${limit + 1}`;
  if (members.length === 0) return [];
  const ids = members.map((member) => member.id);
  const books = await sql<BooksRow[]>`
    select t.id, coalesce(nullif(t.name, ''), nullif(t.taxpayer_name, '')) as name, c.email, t.taxpayer_name as "taxpayerName",
      t.tin, t.time_zone as "timeZone", t.transactions_stored as transactions
    from taxpayers t left join clients c on c.taxpayer_id = t.id where t.id = any(${ids}::uuid[])`;
  const yearRows = await sql<{ id: string; years: number[] }[]>`
    select taxpayer_id as id, array_agg(year order by year) as years from year_summaries
    where taxpayer_id = any(${ids}::uuid[]) group by taxpayer_id`;
  const byId = new Map(books.map((one) => [one.id, one]));
  const years = new Map(yearRows.map((one) => [one.id, one.years]));
  return members.flatMap(({ ownerName, ownerEmail, ...member }) => {
    const one = byId.get(member.id);
    if (one === undefined) return [];
    const name = one.name ?? (ownerName || (ownerEmail ?? ''));
    return [{ ...member, ...one, name, email: ownerEmail ?? one.email, years: years.get(member.id) ?? [] }];
  });
}

/** A membership, with the account that owns the books if there is one. */
type MemberRow = Pick<ClientRow, 'id' | 'role' | 'createdAt'> & {
  readonly ownerName: string | null;
  readonly ownerEmail: string | null;
};

type BooksRow = Omit<ClientRow, 'role' | 'createdAt' | 'years' | 'name'> & { readonly name: string | null };

export async function updateClient(
  sql: Sql,
  clientId: string,
  change: { readonly name?: string | undefined; readonly email?: string | null | undefined },
): Promise<void> {
  if (change.name !== undefined) await sql`update taxpayers set name = ${change.name} where id = ${clientId}`;
  if (change.email !== undefined) {
    await sql`
      insert into clients (taxpayer_id, email) values (${clientId}, ${change.email})
      on conflict (taxpayer_id) do update set email = excluded.email`;
  }
}

/** Locks the books. Waits for changes in progress and blocks new ones until the commit. */
export async function lockClient(sql: Sql, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 0))`;
}

/** Deletes books with all their rows if the user created them. The caller must hold the lock of the books. */
export async function deleteClient(sql: Sql, userId: string, clientId: string): Promise<boolean> {
  const managed = await sql`
    select 1 from memberships where taxpayer_id = ${clientId} and user_id = ${userId} and role = 'manager'`;
  const made = await sql`select 1 from taxpayers where id = ${clientId} and created_by = ${userId}`;
  if (managed.length === 0 || made.length === 0) return false;
  await deleteBooks(sql, clientId);
  return true;
}

/** Returns true if the books contain no transactions and only their owner has access. Waits for concurrent changes. */
export async function isEmpty(sql: Sql, taxpayerId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${taxpayerId}, 0))`;
  const rows = await sql`
    select 1 from taxpayers t where t.id = ${taxpayerId} and t.transactions_stored = 0
      and not exists (select from imports i where i.taxpayer_id = t.id and i.status = 'running')`;
  if (rows.length === 0) return false;
  const members = await sql`select 1 from memberships where taxpayer_id = ${taxpayerId}`;
  return members.length === 1;
}

/**
 * Makes a client the owner of the books that a CPA created for them. Deletes the client's previous books `own`, but
 * keeps their audit trail. The CPA keeps a role. Returns false if the CPA no longer has the books.
 */
export async function transferBooks(
  sql: Sql,
  books: {
    readonly taxpayerId: string;
    readonly from: string;
    readonly role: GrantedRole;
    readonly to: string;
    readonly now: Date;
  },
  emptyBooks: string,
): Promise<boolean> {
  const { taxpayerId, from, role, to, now } = books;
  const rows = await sql`
    update memberships set role = ${role}
    where taxpayer_id = ${taxpayerId} and user_id = ${from} and role = 'manager' returning 1`;
  if (rows.length === 0) return false;
  await continueEntries(sql, emptyBooks, taxpayerId);
  await deleteBooks(sql, emptyBooks);
  await sql`
    insert into memberships (taxpayer_id, user_id, role, created_at) values (${taxpayerId}, ${to}, 'owner', ${now})`;
  await sql`update taxpayers set created_by = ${to} where id = ${taxpayerId}`;
  return true;
}

/**
 * Copies audit entries to other books in their order. Reads them first and inserts them afterwards, because entries can
 * be read only for one named taxpayer at a time.
 */
async function continueEntries(sql: Sql, from: string, to: string): Promise<void> {
  await nameTaxpayer(sql, from);
  const [row] = await sql<{ entries: string }[]>`
    select coalesce(jsonb_agg(e order by e.sequence), '[]')::text as entries from audit_entries e where taxpayer_id = ${from}`;
  await nameTaxpayer(sql, null);
  await sql`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, token_id, token_name, address, request_id)
    select me.id, e.at, e.action, e.subject, e.actor, e.user_id, e.email, e.token_id, e.token_name, e.address, e.request_id
    from taxpayers me, jsonb_populate_recordset(null::audit_entries, ${row?.entries ?? '[]'}::text::jsonb) e
    where me.id = ${to} order by e.sequence
    ${numbered(sql)}`;
}

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
