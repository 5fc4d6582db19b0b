import type { Sql } from '../../../../db/connection.ts';
import type { NewCredential, StoredCredential } from './webauthn.ts';

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly isSynced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export async function selectPasskeys(sql: Sql, userId: string): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`
    select id, name, is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = ${userId} order by created_at desc, id`;
}

export async function selectCredentialIds(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql<{ credentialId: string }[]>`
    select credential_id as "credentialId" from passkeys where user_id = ${userId}`;
  return rows.map(({ credentialId }) => credentialId);
}

/** Stores a passkey. Returns undefined if the credential already exists or the user has the maximum number. */
export async function insertPasskey(
  sql: Sql,
  passkey: NewCredential & { readonly userId: string; readonly name: string; readonly most: number },
): Promise<PasskeyRow | undefined> {
  await sql`select 1 from users where id = ${passkey.userId} for update`;
  const [row] = await sql<PasskeyRow[]>`
    insert into passkeys (user_id, id, credential_id, public_key, counter, name, is_synced, created_at)
    select ${passkey.userId}, gen_random_uuid(), ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.name}, ${passkey.isSynced}, now()
    where (select count(*) from passkeys where user_id = ${passkey.userId}) < ${passkey.most}
    on conflict (credential_id) do nothing
    returning id, name, is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"`;
  return row;
}

export async function renamePasskey(
  sql: Sql,
  passkey: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<PasskeyRow | undefined> {
  const [row] = await sql<PasskeyRow[]>`
    update passkeys set name = ${passkey.name} where user_id = ${passkey.userId} and id = ${passkey.id}
    returning id, name, is_synced as "isSynced", created_at as "createdAt", last_used_at as "lastUsedAt"`;
  return row;
}

/** Deletes a passkey and returns its name. */
export async function deletePasskey(sql: Sql, userId: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`;
  return row?.name;
}

/** Deletes all passkeys of a user who lost them. */
export async function deletePasskeys(sql: Sql, userId: string): Promise<void> {
  await sql`delete from passkeys where user_id = ${userId}`;
}

export interface KnownCredential extends StoredCredential {
  readonly userId: string;
  readonly stamp: number;
  /** Null if the account is deleted. */
  readonly email: string | null;
  readonly erasedAt: Date | null;
}

/** Selects a credential with its user. Excludes the demo account. */
export async function selectCredential(sql: Sql, credentialId: string): Promise<KnownCredential | undefined> {
  const [row] = await sql<KnownCredential[]>`
    select p.user_id as "userId", u.stamp, u.email, w.erase_at as "erasedAt", p.credential_id as "credentialId", p.public_key as "publicKey",
      p.counter::double precision as counter
    from passkeys p join users u on u.id = p.user_id left join account_deletions w on w.user_id = u.id
    where p.credential_id = ${credentialId} and not u.is_demo`;
  return row;
}

/**
 * Updates the counter of a passkey. Returns false if the passkey was removed or used with a later counter in the
 * meantime.
 */
export async function touchPasskey(sql: Sql, { credentialId, counter }: StoredCredential, next: number) {
  const rows = await sql`
    update passkeys set counter = ${next}, last_used_at = now()
    where credential_id = ${credentialId} and counter = ${counter} returning 1`;
  return rows.length === 1;
}
