import type { Sql } from '../../../db/connection.ts';
import type { Provider } from './auth.queries.ts';

export interface FactorsRow {
  readonly hasApp: boolean;
  readonly passkeys: number;
}

/** Selects the user's second factors. Undefined if there is no user with this id. */
export async function readFactors(sql: Sql, userId: string): Promise<FactorsRow | undefined> {
  const [row] = await sql<FactorsRow[]>`
    select exists (select 1 from totp_keys k where k.user_id = u.id and k.confirmed_at is not null) as "hasApp",
      (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys
    from users u where u.id = ${userId}`;
  return row;
}

export async function insertRecoveryCodes(sql: Sql, userId: string, hashes: readonly Uint8Array[]): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`;
  for (const hash of hashes) await sql`insert into recovery_codes (user_id, code_hash) values (${userId}, ${hash})`;
}

export async function takeRecoveryCode(sql: Sql, userId: string, hash: Uint8Array): Promise<boolean> {
  const rows = await sql`delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning 1`;
  return rows.length === 1;
}

export async function countRecoveryCodes(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from recovery_codes where user_id = ${userId}`;
  return row?.count ?? 0;
}

/** Deletes the recovery codes if the account has no second factor left. */
export async function deleteSpareCodes(sql: Sql, userId: string): Promise<void> {
  await sql`
    delete from recovery_codes where user_id = ${userId}
      and not exists (select 1 from totp_keys k where k.user_id = ${userId} and k.confirmed_at is not null)
      and not exists (select 1 from passkeys p where p.user_id = ${userId})`;
}

interface MethodsRow {
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
