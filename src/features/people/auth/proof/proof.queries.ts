import type { Sql } from '../../../../db/connection.ts';

/**
 * Gives the session a new secret. Returns the number of seconds until the session expires, or undefined if it has ended
 * in the meantime.
 */
export async function renewSession(
  sql: Sql,
  session: { readonly id: string; readonly userId: string; readonly secretHash: Uint8Array },
): Promise<number | undefined> {
  const renewed = await sql`
    update sessions set secret_hash = ${session.secretHash}, proved_at = now(), last_used_at = now(), failures = 0
    where id = ${session.id} and user_id = ${session.userId} and expires_at > now() returning 1`;
  if (renewed.length === 0) return undefined;
  const [row] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from expires_at - now()))::integer as seconds from sessions where id = ${session.id}`;
  return row?.seconds;
}
