import type { Sql } from '../../../db/connection.ts';
import { countClients } from '../auth/auth.queries.ts';
import { deleteBooks } from '../auth/deletion/deletion.queries.ts';
import type { ClientRole } from '../auth/permissions.ts';
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
