import type { Sql } from '../../../db/connection.ts';
import type { Role } from '../../people/auth/permissions.ts';
import type { Plan } from '../../people/auth/plan.ts';
import type { ExchangeKind, ExchangeState, HeldBalance } from './exchanges/exchange.ts';

/** Why the last sync did not finish. `code` is that of a refusal, or `busy`, `failed` or `keys_refused`. */
export interface SyncProblem {
  readonly code: string;
  readonly detail: string;
}

/** A sync that began and is not stored yet. */
export interface SyncReading {
  /** The id of the sync. */
  readonly run: string;
  readonly position: ExchangeState;
  readonly pages: number;
  readonly isDone: boolean;
  readonly balances: readonly HeldBalance[];
  /** When the balances were read, in ISO 8601. */
  readonly at: string;
}

export interface ConnectionRow {
  readonly id: string;
  readonly kind: ExchangeKind;
  readonly account: string;
  readonly createdAt: Date;
  readonly isAutomatic: boolean;
  readonly reading: SyncReading | null;
  readonly dueAt: Date | null;
  /** Whether a server works on it now. */
  readonly isRunning: boolean;
  readonly problem: SyncProblem | null;
  readonly syncedAt: Date | null;
  readonly importIds: string[];
  /** Imports of files that already have rows of the account. */
  readonly knownImportIds: string[];
}

const stored = (sql: Sql) => sql`
  c.id, c.kind, c.account, c.created_at as "createdAt", c.is_automatic as "isAutomatic", c.reading, c.due_at as "dueAt",
  c.problem, c.synced_at as "syncedAt", c.import_ids as "importIds", c.known_import_ids as "knownImportIds"`;
const columns = (sql: Sql) => sql`${stored(sql)}, coalesce(c.claimed_until > now(), false) as "isRunning"`;

export async function selectConnections(sql: Sql, taxpayerId: string): Promise<ConnectionRow[]> {
  return sql<ConnectionRow[]>`
    select ${columns(sql)} from connections c where c.taxpayer_id = ${taxpayerId} order by c.created_at, c.id`;
}

export async function selectConnection(sql: Sql, { taxpayerId, id }: ConnectionScope) {
  const [row] = await sql<ConnectionRow[]>`
    select ${columns(sql)} from connections c where c.taxpayer_id = ${taxpayerId} and c.id = ${id}`;
  return row;
}

export interface ConnectionScope {
  readonly taxpayerId: string;
  readonly id: string;
}

interface NewConnection {
  readonly kind: ExchangeKind;
  readonly account: string;
  readonly keyId: string;
  readonly sealed: Uint8Array;
  readonly userId: string;
  readonly isAutomatic: boolean;
  readonly at: Date;
}

export async function insertConnection(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  one: NewConnection,
): Promise<void> {
  await sql`
    insert into connections (taxpayer_id, id, kind, account, key_id, sealed, user_id, created_at, is_automatic, due_at)
    values (${taxpayerId}, ${id}, ${one.kind}, ${one.account}, ${one.keyId}, ${one.sealed as never}, ${one.userId},
      ${one.at}, ${one.isAutomatic}, ${one.at})`;
}

/** Turns daily syncs on or off. */
export async function updateAutomatic(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  isAutomatic: boolean,
  dueAt: Date | null,
) {
  await sql`
    update connections set is_automatic = ${isAutomatic},
      due_at = case when reading is not null and problem is null then due_at else ${dueAt}::timestamptz end
    where taxpayer_id = ${taxpayerId} and id = ${id}`;
}

/** Makes the connection due. One that waits because the service asked for it stays as it is. */
export async function requestSync(sql: Sql, { taxpayerId, id }: ConnectionScope, at: Date): Promise<void> {
  await sql`
    update connections set due_at = ${at}, failures = 0
    where taxpayer_id = ${taxpayerId} and id = ${id}
      and not (due_at is not null and due_at > ${at} and coalesce(problem ->> 'code' = 'busy', false))`;
}

export async function deleteConnection(sql: Sql, { taxpayerId, id }: ConnectionScope): Promise<boolean> {
  const rows = await sql`delete from connections where taxpayer_id = ${taxpayerId} and id = ${id} returning 1`;
  return rows.length > 0;
}

/** Selects connections that a server may work on now, of all taxpayers. */
export async function selectDueConnections(sql: Sql, at: Date, limit: number) {
  return sql<ConnectionScope[]>`
    select taxpayer_id as "taxpayerId", id from connections
    where due_at <= ${at} and (claimed_until is null or claimed_until < now())
    order by due_at limit ${limit}`;
}

/** A connection that this server works on. */
export interface ClaimedConnection extends Omit<ConnectionRow, 'isRunning'> {
  readonly keyId: string;
  readonly sealed: Uint8Array;
  readonly userId: string;
  readonly cursor: ExchangeState | null;
  readonly failures: number;
}

/** Takes the connection for `seconds`. Returns undefined if another server has it, or if it is no longer due. */
export async function claimConnection(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  claim: string,
  at: Date,
  seconds: number,
) {
  const [row] = await sql<ClaimedConnection[]>`
    update connections c set claim = ${claim}, claimed_until = now() + make_interval(secs => ${seconds})
    where c.taxpayer_id = ${taxpayerId} and c.id = ${id} and c.due_at <= ${at}
      and (c.claimed_until is null or c.claimed_until < now())
    returning ${stored(sql)}, c.key_id as "keyId", c.sealed, c.user_id as "userId", c.cursor, c.failures`;
  return row;
}

/** Extends the claim. Returns false if the connection was deleted or another server has it. */
export async function extendConnectionClaim(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  claim: string,
  seconds: number,
) {
  const rows = await sql`
    update connections set claimed_until = now() + make_interval(secs => ${seconds})
    where taxpayer_id = ${taxpayerId} and id = ${id} and claim = ${claim} returning 1`;
  return rows.length > 0;
}

/** Stores the progress of a sync and a page, which is read again if this fails. Returns false if the claim is lost. */
export async function recordReading(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  claim: string,
  reading: SyncReading,
  content: string | null,
): Promise<boolean> {
  const rows = await sql`
    update connections set reading = ${JSON.stringify(reading)}::text::jsonb
    where taxpayer_id = ${taxpayerId} and id = ${id} and claim = ${claim} returning 1`;
  if (rows.length === 0) return false;
  if (content !== null) {
    await sql`
      insert into connection_pages (taxpayer_id, connection_id, number, content)
      values (${taxpayerId}, ${id}, ${reading.pages}, ${content})`;
  }
  return true;
}

/** Removes the pages of a sync that begins again. */
export async function deletePages(sql: Sql, { taxpayerId, id }: ConnectionScope): Promise<void> {
  await sql`delete from connection_pages where taxpayer_id = ${taxpayerId} and connection_id = ${id}`;
}

export async function selectPages(sql: Sql, { taxpayerId, id }: ConnectionScope): Promise<string[]> {
  const rows = await sql<{ content: string }[]>`
    select content from connection_pages where taxpayer_id = ${taxpayerId} and connection_id = ${id} order by number`;
  return rows.map(({ content }) => content);
}

interface EmptySync {
  readonly claim: string;
  readonly cursor: ExchangeState;
  readonly knownImportIds: readonly string[];
  readonly at: Date;
}

/** Ends a sync that brought no rows. Returns false if the connection was deleted or another server has it. */
export async function recordEmptySync(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  { claim, cursor, knownImportIds, at }: EmptySync,
): Promise<boolean> {
  const rows = await sql`
    update connections set cursor = ${JSON.stringify(cursor)}::text::jsonb, reading = null, synced_at = ${at}, problem = null,
      failures = 0, known_import_ids = ${knownImportIds as string[]}::uuid[]
    where taxpayer_id = ${taxpayerId} and id = ${id} and claim = ${claim} returning 1`;
  if (rows.length === 0) return false;
  await deletePages(sql, { taxpayerId, id });
  return true;
}

interface ReleaseOptions {
  readonly claim: string;
  readonly dueAt: Date | null;
  /** Whether `dueAt` is the next daily sync, which the user may have turned off in the meantime. */
  readonly isDaily: boolean;
  readonly problem: SyncProblem | null;
  readonly failures: number;
}

/**
 * Gives the connection back, with the reason if the sync did not finish. Returns false if the connection was deleted or
 * another server has it.
 */
export async function releaseConnection(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  { claim, dueAt, isDaily, problem, failures }: ReleaseOptions,
): Promise<boolean> {
  const rows = await sql`
    update connections set claim = null, claimed_until = null, failures = ${failures},
      due_at = case when ${isDaily} and not is_automatic then null else ${dueAt}::timestamptz end,
      problem = ${problem === null ? null : JSON.stringify(problem)}::text::jsonb
    where taxpayer_id = ${taxpayerId} and id = ${id} and claim = ${claim} returning 1`;
  return rows.length > 0;
}

interface RemainingImports {
  readonly claim: string;
  readonly importIds: readonly string[];
  readonly knownImportIds: readonly string[];
  readonly isAutomatic: boolean;
}

/** Forgets the cursor after an import of the connection was undone. */
export async function forgetCursor(
  sql: Sql,
  { taxpayerId, id }: ConnectionScope,
  { claim, importIds, knownImportIds, isAutomatic }: RemainingImports,
): Promise<void> {
  await deletePages(sql, { taxpayerId, id });
  await sql`
    update connections set cursor = null, reading = null, import_ids = ${importIds as string[]}::uuid[],
      known_import_ids = ${knownImportIds as string[]}::uuid[], is_automatic = ${isAutomatic}
    where taxpayer_id = ${taxpayerId} and id = ${id} and claim = ${claim}`;
}

/** Returns which of these imports are still in the books. */
export async function selectRemainingImports(sql: Sql, taxpayerId: string, ids: readonly string[]) {
  const rows = await sql<{ id: string; rejected: number }[]>`
    select id, rejected from imports
    where taxpayer_id = ${taxpayerId} and id = any(${ids as string[]}::uuid[]) and status = 'completed'`;
  return new Map(rows.map(({ id, rejected }) => [id, rejected] as const));
}

/** Returns whether the import of this sync has begun and not ended, here or on another server. */
export async function isBeingStored(sql: Sql, taxpayerId: string, run: string): Promise<boolean> {
  const rows = await sql`
    select 1 from imports
    where taxpayer_id = ${taxpayerId} and status = 'running' and store_order -> 'sync' ->> 'run' = ${run} limit 1`;
  return rows.length > 0;
}

/** Returns which of these ids rows of the account have, and the import of each row. */
export async function selectKnownIds(sql: Sql, taxpayerId: string, account: string, ids: readonly string[]) {
  const rows = await sql<{ id: string; importId: string | null }[]>`
    select external_id as id, import_id as "importId" from transactions
    where taxpayer_id = ${taxpayerId} and account = ${account} and external_id = any(${ids as string[]}::text[])`;
  return new Map(rows.map(({ id, importId }) => [id, importId] as const));
}

export interface SyncUser {
  readonly plan: Plan;
  readonly role: Role;
}

/**
 * Returns the plan and the role of the user who set up a connection. Undefined if the user has no access to the books or
 * deleted the account, which is erased later.
 */
export async function selectSyncUser(sql: Sql, userId: string, taxpayerId: string): Promise<SyncUser | undefined> {
  const [row] = await sql<SyncUser[]>`
    select u.plan, m.role from users u join memberships m on m.user_id = u.id
    where u.id = ${userId} and u.email is not null and m.taxpayer_id = ${taxpayerId}`;
  return row;
}
