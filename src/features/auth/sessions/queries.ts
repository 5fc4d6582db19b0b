import { arrayOf } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';

/** Triggers send the id of each session and of each token that goes, whatever deletes it. */
export const sessionEndChannel = 'session_ended';

/** Those of the sessions and tokens that have not ended. */
export async function selectOpenSessions(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const wanted = arrayOf(ids, (id) => id);
  const rows = await sql<{ id: string }[]>`
    select id from sessions where id = any(${wanted}::text[]) and expires_at > now()
    union all
    select id from access_tokens where id = any(${wanted}::text[]) and expires_at > now()`;
  return rows.map(({ id }) => id);
}

export async function deleteSessionsOf(sql: Sql, userId: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId}`;
}
