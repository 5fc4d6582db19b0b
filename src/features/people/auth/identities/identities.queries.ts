import type { Sql } from '../../../../db/connection.ts';
import type { Provider } from '../auth.queries.ts';

export async function deleteIdentity(sql: Sql, userId: string, provider: Provider): Promise<boolean> {
  await sql`select 1 from users where id = ${userId} for update`;
  const rows = await sql`delete from identities where user_id = ${userId} and provider = ${provider} returning 1`;
  return rows.length === 1;
}
