import type { Sql } from '../../db/connection.ts';

/**
 * Returns the secret with the given name. Stores `made` first if no secret has the name. All servers of the database
 * share the secret.
 */
export async function keepServerSecret(sql: Sql, name: string, made: Uint8Array): Promise<Uint8Array> {
  const [kept] = await sql<{ secret: Uint8Array }[]>`select secret from server_secrets where name = ${name}`;
  if (kept !== undefined) return kept.secret;
  await sql`insert into server_secrets (name, secret) values (${name}, ${made}) on conflict do nothing`;
  const [row] = await sql<{ secret: Uint8Array }[]>`select secret from server_secrets where name = ${name}`;
  if (row === undefined) throw new Error('The secret of the server was not kept.');
  return row.secret;
}
