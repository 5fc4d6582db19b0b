import { numbered } from '../../../db/citus/numbered.ts';
import { nameTaxpayer, type Sql } from '../../../db/connection.ts';
import { deleteBooks } from '../auth/deletion/deletion.queries.ts';
import type { GrantedRole } from '../auth/permissions.ts';

/** Returns true if the books contain no transactions and only their owner has access. Waits for concurrent changes. */
export async function isEmpty(sql: Sql, taxpayerId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${taxpayerId}, 0))`;
  const rows = await sql`
    select 1 from taxpayers t where t.id = ${taxpayerId} and t.transactions_stored = 0
      and not exists (select from imports i where i.taxpayer_id = t.id and i.status = 'running')`;
  if (rows.length === 0) return false;
  const members = await sql`select 1 from memberships where taxpayer_id = ${taxpayerId}`;
  return members.length === 1;
}

/**
 * Makes a client the owner of the books that a CPA created for them. Deletes the client's previous books `own`, but
 * keeps their audit trail. The CPA keeps a role. Returns false if the CPA no longer has the books.
 */
export async function transferBooks(
  sql: Sql,
  books: {
    readonly taxpayerId: string;
    readonly from: string;
    readonly role: GrantedRole;
    readonly to: string;
    readonly now: Date;
  },
  emptyBooks: string,
): Promise<boolean> {
  const { taxpayerId, from, role, to, now } = books;
  const rows = await sql`
    update memberships set role = ${role}
    where taxpayer_id = ${taxpayerId} and user_id = ${from} and role = 'manager' returning 1`;
  if (rows.length === 0) return false;
  await continueEntries(sql, emptyBooks, taxpayerId);
  await deleteBooks(sql, emptyBooks);
  await sql`
    insert into memberships (taxpayer_id, user_id, role, created_at) values (${taxpayerId}, ${to}, 'owner', ${now})`;
  await sql`update taxpayers set created_by = ${to} where id = ${taxpayerId}`;
  return true;
}

/**
 * Copies audit entries to other books in their order. Reads them first and inserts them afterwards, because entries can
 * be read only for one named taxpayer at a time.
 */
async function continueEntries(sql: Sql, from: string, to: string): Promise<void> {
  await nameTaxpayer(sql, from);
  const [row] = await sql<{ entries: string }[]>`
    select coalesce(jsonb_agg(e order by e.sequence), '[]')::text as entries from audit_entries e where taxpayer_id = ${from}`;
  await nameTaxpayer(sql, null);
  await sql`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, token_id, token_name, address, request_id)
    select me.id, e.at, e.action, e.subject, e.actor, e.user_id, e.email, e.token_id, e.token_name, e.address, e.request_id
    from taxpayers me, jsonb_populate_recordset(null::audit_entries, ${row?.entries ?? '[]'}::text::jsonb) e
    where me.id = ${to} order by e.sequence
    ${numbered(sql)}`;
}
