import type { Sql } from '../../../db/connection.ts';
import type { Provider } from './auth.queries.ts';

export interface MethodsRow {
  readonly password: boolean;
  readonly totp: boolean;
  readonly passkeys: number;
  readonly providers: Provider[];
}

export async function readMethods(sql: Sql, userId: string): Promise<MethodsRow | undefined> {
  const [row] = await sql<MethodsRow[]>`
    select u.password_hash is not null as password,
      exists (select 1 from totp_keys k where k.user_id = u.id and k.confirmed_at is not null) as totp,
      (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys,
      array(select provider from identities i where i.user_id = u.id order by provider) as providers
    from users u where u.id = ${userId}`;
  return row;
}
