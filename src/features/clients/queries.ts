import type { Sql } from '../../db/connection.ts';

export interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly taxpayerName: string;
  readonly tin: string;
  readonly timeZone: string;
  readonly createdAt: Date;
  readonly transactions: number;
  readonly years: number[];
}

/**
 * Locks the preparer's row until the commit, so that parallel requests count the clients one at a time. False where the
 * account was deleted meanwhile.
 */
export async function lockPreparer(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql`select 1 from users where id = ${userId} for update`;
  return rows.length === 1;
}

export async function countClients(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from memberships where user_id = ${userId} and role = 'preparer'`;
  return row?.count ?? 0;
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
    values (${client.id}, ${client.userId}, 'preparer', ${client.now})`;
  await sql`insert into clients (taxpayer_id, email) values (${client.id}, ${client.email})`;
}

/** A preparer's clients, oldest first: all, after a cursor, or the one of an id. */
export function readClients(
  sql: Sql,
  userId: string,
  asked: { readonly id?: string; readonly after?: readonly [string, string] | null; readonly limit: number },
): Promise<ClientRow[]> {
  const { id, after = null, limit } = asked;
  return sql<ClientRow[]>`
    select t.id, t.name, c.email, t.taxpayer_name as "taxpayerName", t.tin, t.time_zone as "timeZone",
      t.created_at as "createdAt", t.transactions_stored as transactions,
      array(select year from year_summaries y where y.taxpayer_id = t.id order by year) as years
    from memberships m
    join taxpayers t on t.id = m.taxpayer_id
    left join clients c on c.taxpayer_id = t.id
    where m.user_id = ${userId} and m.role = 'preparer'
      ${id === undefined ? sql`` : sql`and t.id = ${id}`}
      ${after === null ? sql`` : sql`and (date_trunc('milliseconds', t.created_at), t.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`}
    order by date_trunc('milliseconds', t.created_at), t.id
    limit ${limit + 1}`;
}

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

/** Deletes the books with all rows, once what changes them now is done. */
export async function deleteClient(sql: Sql, userId: string, clientId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${clientId}, 0))`;
  const rows = await sql`
    delete from taxpayers
    where id = ${clientId} and created_by = ${userId}
      and exists (select from memberships m
        where m.taxpayer_id = ${clientId} and m.user_id = ${userId} and m.role = 'preparer')
    returning 1`;
  if (rows.length === 1) await sql`delete from access_tokens where client_id = ${clientId}`;
  return rows.length === 1;
}
