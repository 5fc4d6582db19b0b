import type { Sql } from '../db/connection.ts';

/** An idempotency key belongs to one user, the books of one taxpayer and one route. */
export interface KeyScope {
  readonly taxpayerId: string;
  readonly userId: string;
  readonly route: string;
  readonly key: string;
}

interface StoredKey {
  readonly fingerprint: string | null;
  readonly claim: string;
  readonly inFlight: boolean;
  readonly status: number | null;
  readonly body: string | null;
}

export interface Claim {
  readonly claim: string;
  readonly fingerprint: string | null;
  readonly seconds: number;
}

// Uses the database's clock because several servers share the keys, and one server's clock may be wrong.

/** Deletes all taxpayers' rows. Returns the number of rows. */
export async function deleteOldKeys(sql: Sql, hours: number): Promise<number> {
  const deleted = await sql`
    delete from idempotency_keys where created_at < now() - make_interval(hours => ${hours}) returning 1`;
  return deleted.length;
}

/** Deletes one taxpayer's rows. */
export async function forgetOldKeys(sql: Sql, taxpayerId: string, hours: number): Promise<void> {
  await sql`
    delete from idempotency_keys
    where taxpayer_id = ${taxpayerId} and created_at < now() - make_interval(hours => ${hours})`;
}

/** Returns true if the key was free, or if its claim expired without a response. */
export async function claimKey(sql: Sql, scope: KeyScope, { claim, fingerprint, seconds }: Claim): Promise<boolean> {
  const rows = await sql`
    insert into idempotency_keys as mine (taxpayer_id, user_id, route, key, fingerprint, claim, claimed_until, created_at)
    values (${scope.taxpayerId}, ${scope.userId}, ${scope.route}, ${scope.key}, ${fingerprint}, ${claim},
      now() + make_interval(secs => ${seconds}), now())
    on conflict (taxpayer_id, user_id, route, key) do update
      set fingerprint = excluded.fingerprint, claim = excluded.claim, claimed_until = excluded.claimed_until
      where mine.status is null and mine.claimed_until < excluded.created_at
        and (mine.fingerprint is null or mine.fingerprint is not distinct from excluded.fingerprint)
    returning 1`;
  return rows.length === 1;
}

export async function readKey(sql: Sql, scope: KeyScope): Promise<StoredKey | undefined> {
  const [row] = await sql<StoredKey[]>`
    select fingerprint, claim, status is null and claimed_until >= now() as "inFlight", status, body
    from idempotency_keys
    where taxpayer_id = ${scope.taxpayerId} and user_id = ${scope.userId}
      and route = ${scope.route} and key = ${scope.key}`;
  return row;
}

/** Extends the claim, but never moves its expiration to an earlier time. */
export async function extendClaim(sql: Sql, scope: KeyScope, claim: string, seconds: number): Promise<void> {
  await sql`
    update idempotency_keys set claimed_until = greatest(claimed_until, now() + make_interval(secs => ${seconds}))
    where taxpayer_id = ${scope.taxpayerId} and user_id = ${scope.userId}
      and route = ${scope.route} and key = ${scope.key} and claim = ${claim} and status is null`;
}

/** Returns false if another attempt has taken the claim. In that case, the transaction must not commit. */
export async function storeResponse(
  sql: Sql,
  scope: KeyScope,
  response: { readonly claim: string; readonly fingerprint: string; readonly status: number; readonly body: string },
): Promise<boolean> {
  const rows = await sql`
    update idempotency_keys
    set status = ${response.status}, body = ${response.body}, fingerprint = ${response.fingerprint}
    where taxpayer_id = ${scope.taxpayerId} and user_id = ${scope.userId}
      and route = ${scope.route} and key = ${scope.key} and claim = ${response.claim} and status is null
    returning 1`;
  return rows.length === 1;
}

export async function releaseKey(sql: Sql, scope: KeyScope, claim: string): Promise<void> {
  await sql`
    delete from idempotency_keys
    where taxpayer_id = ${scope.taxpayerId} and user_id = ${scope.userId}
      and route = ${scope.route} and key = ${scope.key} and claim = ${claim} and status is null`;
}
