import type { Sql } from '../../../db/connection.ts';

/** The preparer, books and service that a consent must cover today. */
export interface ConsentScope {
  readonly taxpayerId: string;
  readonly preparerId: string;
  readonly service: string;
  readonly today: string;
}

export interface ConsentRow {
  readonly id: string;
  readonly preparerId: string;
  readonly preparer: string;
  readonly service: string;
  readonly purpose: string;
  readonly signer: string;
  readonly signedOn: string;
  readonly expiresOn: string;
  readonly method: 'taxpayer' | 'on_paper';
  readonly recordedBy: string;
  readonly recordedAt: Date;
  readonly revokedBy: string | null;
  readonly revokedAt: Date | null;
}

export async function hasConsent(sql: Sql, { taxpayerId, preparerId, service, today }: ConsentScope): Promise<boolean> {
  const rows = await sql`
    select 1 from ai_consents
    where taxpayer_id = ${taxpayerId} and preparer_id = ${preparerId} and service = ${service} and revoked_at is null
      and signed_on <= ${today} and expires_on >= ${today}
    limit 1`;
  return rows.length === 1;
}

/** Selects consents, newest first. */
export function selectConsents(sql: Sql, taxpayerId: string): Promise<ConsentRow[]> {
  return sql<ConsentRow[]>`
    select id, preparer_id as "preparerId", preparer, service, purpose, signer, signed_on as "signedOn",
      expires_on as "expiresOn", method, recorded_by as "recordedBy", recorded_at as "recordedAt",
      revoked_by as "revokedBy", revoked_at as "revokedAt"
    from ai_consents where taxpayer_id = ${taxpayerId} order by recorded_at desc, id`;
}

/** Stores a consent. Returns false if the books already have `most` consents. */
export async function insertConsent(sql: Sql, taxpayerId: string, row: ConsentRow, most: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ai_consents ' || ${taxpayerId}::text, 0))`;
  const stored = await sql`select 1 from ai_consents where taxpayer_id = ${taxpayerId} limit ${most}`;
  if (stored.length >= most) return false;
  await sql`
    insert into ai_consents (taxpayer_id, id, preparer_id, preparer, service, purpose, signer, signed_on, expires_on, method,
      recorded_by, recorded_at)
    values (${taxpayerId}, ${row.id}, ${row.preparerId}, ${row.preparer}, ${row.service}, ${row.purpose}, ${row.signer},
      ${row.signedOn}, ${row.expiresOn}, ${row.method}, ${row.recordedBy}, ${row.recordedAt})`;
  return true;
}

/** Revokes a consent. Returns false if it does not exist or is already revoked. */
export async function revokeConsent(
  sql: Sql,
  taxpayerId: string,
  { id, by, at }: { readonly id: string; readonly by: string; readonly at: Date },
): Promise<boolean> {
  const rows = await sql`
    update ai_consents set revoked_by = ${by}, revoked_at = ${at}
    where taxpayer_id = ${taxpayerId} and id = ${id} and revoked_at is null returning 1`;
  return rows.length === 1;
}
