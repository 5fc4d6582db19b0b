import type { Sql } from '../../../db/connection.ts';

export interface DemoUserRow {
  readonly id: string;
  readonly taxpayerId: string;
  readonly transactions: number;
}

/** Selects a user by email address, with the user's own books. */
export async function selectUserWithBooks(sql: Sql, email: string): Promise<DemoUserRow | undefined> {
  const [user] = await sql<Omit<DemoUserRow, 'transactions'>[]>`
    select u.id, m.taxpayer_id as "taxpayerId"
    from users u join memberships m on m.user_id = u.id and m.role = 'owner' where u.email = ${email}`;
  if (user === undefined) return undefined;
  const [books] = await sql<Pick<DemoUserRow, 'transactions'>[]>`
    select transactions_stored as transactions from taxpayers where id = ${user.taxpayerId}`;
  return books === undefined ? undefined : { ...user, ...books };
}

export async function markDemo(sql: Sql, userId: string): Promise<void> {
  await sql`update users set is_demo = true, plan = 'PRO' where id = ${userId}`;
}

/** Selects demo accounts from other releases that have no open sessions. */
export async function selectAbandonedDemos(sql: Sql, email: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from users u
    where is_demo and email <> ${email}
      and not exists (select from sessions s where s.user_id = u.id and s.expires_at > now())`;
  return rows.map(({ id }) => id);
}
