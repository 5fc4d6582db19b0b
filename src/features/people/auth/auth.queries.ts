import type { Sql } from '../../../db/connection.ts';
import { ownFailuresMax } from './devices.queries.ts';
import type { Role } from './permissions.ts';
import type { Plan } from './plan.ts';

export interface ClientBooksRow {
  readonly id: string;
  readonly timeZone: string;
  readonly role: Role;
  /** The number of the user's clients. */
  readonly clients: number;
}

/** Selects another person's books if the user has access to them. */
export async function readClientBooks(
  sql: Sql,
  userId: string,
  taxpayerId: string,
): Promise<ClientBooksRow | undefined> {
  const [row] = await sql<{ role: Role; clients: number }[]>`
    select role, (select count(*)::integer from memberships where user_id = ${userId} and role <> 'owner') as clients
    from memberships where user_id = ${userId} and taxpayer_id = ${taxpayerId} and role <> 'owner'`;
  const timeZone = row === undefined ? undefined : await readTimeZone(sql, taxpayerId);
  return row === undefined || timeZone === undefined ? undefined : { id: taxpayerId, timeZone, ...row };
}

/** Selects the time zone of the books. Returns undefined if the books were deleted. */
export async function readTimeZone(sql: Sql, taxpayerId: string): Promise<string | undefined> {
  const [row] = await sql<{ timeZone: string }[]>`
    select time_zone as "timeZone" from taxpayers where id = ${taxpayerId}`;
  return row?.timeZone;
}

/** Counts the taxpayers whose books the user can access, not including the user. */
export async function countClients(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from memberships where user_id = ${userId} and role <> 'owner'`;
  return row?.count ?? 0;
}

export interface UserRow {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly stamp: number;
}

interface SigningInRow extends UserRow {
  readonly email: string;
  /** True if the user has signed in from the browser, false if a link added it, null if the browser is unknown. */
  readonly deviceHasSignedIn: boolean | null;
  /** The time when a deleted account will be erased. Until then, its deletion can be canceled. */
  readonly erasedAt: Date | null;
}

/**
 * Selects the user with this address, or else the user of the latest deleted account that had it. Excludes the demo
 * account, which has no password. Uses a single statement, so known and unknown addresses take the same time.
 */
export async function readUserOnDevice(
  sql: Sql,
  email: string,
  deviceHash: Uint8Array,
): Promise<SigningInRow | undefined> {
  const [row] = await sql<SigningInRow[]>`
    select u.id, ${email} as email, u.password_hash as "passwordHash", u.stamp, d.has_signed_in as "deviceHasSignedIn",
      w.erase_at as "erasedAt"
    from users u
      left join devices d on d.user_id = u.id and d.secret_hash = ${deviceHash} and d.failures < ${ownFailuresMax}
      left join account_deletions w on w.user_id = u.id
    where not u.is_demo and u.id = coalesce(
      (select id from users where email = ${email}),
      (select user_id from account_deletions where email = ${email} and erase_at > now() order by requested_at desc limit 1))`;
  return row;
}

export async function readUser(sql: Sql, id: string): Promise<UserRow | undefined> {
  const [row] = await sql<UserRow[]>`
    select id, password_hash as "passwordHash", stamp from users where id = ${id}`;
  return row;
}

interface NewUser {
  readonly id: string;
  readonly taxpayerId: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly name: string;
  /** The time zone that determines the tax date of a timestamp. */
  readonly timeZone: string;
  /** True if a sign-in provider verified the address. */
  readonly isVerified: boolean;
  readonly now: Date;
}

/** Inserts a user with their own books. Returns false if the email address is taken. */
export async function insertUser(sql: Sql, user: NewUser): Promise<boolean> {
  const rows = await sql`
    insert into users (id, email, email_verified_at, password_hash, name, created_at)
    select ${user.id}::uuid, ${user.email}, ${user.isVerified ? user.now : null}::timestamptz, ${user.passwordHash},
      ${user.name}, ${user.now}::timestamptz
    where ${isFreeEmail(sql, user.email, null)}
    on conflict (email) do nothing returning 1`;
  if (rows.length === 0) return false;
  await insertOwnBooks(sql, user);
  return true;
}

/** Inserts empty books for the user. */
export async function insertOwnBooks(
  sql: Sql,
  user: Pick<NewUser, 'id' | 'taxpayerId' | 'name' | 'timeZone' | 'now'>,
): Promise<void> {
  await sql`
    insert into taxpayers (id, created_by, name, taxpayer_name, time_zone, created_at)
    values (${user.taxpayerId}, ${user.id}, '', ${user.name}, ${user.timeZone}, ${user.now})`;
  await sql`
    insert into memberships (taxpayer_id, user_id, role, created_at)
    values (${user.taxpayerId}, ${user.id}, 'owner', ${user.now})`;
}

/**
 * Returns an SQL condition that is true if no account uses the address, and no account except `userId` can get it back
 * with an undo link. Without the second condition, an intruder who changes an account's address could register the
 * previous address and block the owner's way back. A change that was requested but not confirmed (`requestedAt` is
 * null) does not reserve the address, because deleting the account frees it.
 */
export function isFreeEmail(sql: Sql, email: string, userId: string | null) {
  return sql`
    not exists (select 1 from users where email = ${email})
    and not exists (
      select 1 from one_time_tokens
      where kind = 'email_undo' and payload ->> 'email' = ${email} and expires_at > now()
        and payload ->> 'requestedAt' is not null and user_id is distinct from ${userId}::uuid)`;
}

/** Returns whether two concurrent requests took the same address (PostgreSQL's unique_violation). */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/**
 * Updates the password and the stamp, which disables earlier links, flows and challenges. Null means that only a link
 * can set the next password.
 */
export async function updatePassword(sql: Sql, userId: string, passwordHash: string | null): Promise<void> {
  await sql`update users set password_hash = ${passwordHash}, stamp = stamp + 1 where id = ${userId}`;
}

/** Replaces the hash of an unchanged password. Does nothing if the password was changed in the meantime. */
export async function replacePasswordHash(sql: Sql, userId: string, before: string, after: string): Promise<void> {
  await sql`update users set password_hash = ${after} where id = ${userId} and password_hash = ${before}`;
}

interface ProfileRow {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly name: string;
  readonly plan: Plan;
  readonly isDemo: boolean;
  readonly taxpayerName: string;
  readonly tin: string;
  readonly timeZone: string;
  readonly transactions: number;
  readonly aiMessagesToday: number;
  readonly clients: number;
}

/** Selects a user's profile. `today` is a UTC day. */
export async function readProfile(sql: Sql, userId: string, today: string): Promise<ProfileRow | undefined> {
  type UserColumns = Pick<ProfileRow, 'id' | 'email' | 'isVerified' | 'name' | 'plan' | 'isDemo' | 'clients'>;
  const [found] = await sql<(UserColumns & { readonly taxpayerId: string })[]>`
    select u.id, u.email, u.email_verified_at is not null as "isVerified", u.name, u.plan, u.is_demo as "isDemo",
      m.taxpayer_id as "taxpayerId",
      (select count(*)::integer from memberships c where c.user_id = u.id and c.role <> 'owner') as clients
    from users u join memberships m on m.user_id = u.id and m.role = 'owner'
    where u.id = ${userId} and u.email is not null`;
  if (found === undefined) return undefined;
  const { taxpayerId, ...user } = found;
  const [books] = await sql<Omit<ProfileRow, keyof UserColumns>[]>`
    select t.taxpayer_name as "taxpayerName", t.tin, t.time_zone as "timeZone", t.transactions_stored as transactions,
      coalesce(a.used, 0) as "aiMessagesToday"
    from taxpayers t left join ai_usage a on a.taxpayer_id = t.id and a.day = ${today}
    where t.id = ${taxpayerId}`;
  return books === undefined ? undefined : { ...user, ...books };
}

export interface TaxpayerChange {
  readonly taxpayerName?: string | undefined;
  readonly tin?: string | undefined;
  readonly timeZone?: string | undefined;
}

/** Updates a taxpayer, either a user or a client. Omitted fields stay unchanged. */
export async function updateTaxpayer(sql: Sql, taxpayerId: string, change: TaxpayerChange): Promise<void> {
  await sql`
    update taxpayers set
      taxpayer_name = coalesce(${change.taxpayerName ?? null}, taxpayer_name),
      tin = coalesce(${change.tin ?? null}, tin),
      time_zone = coalesce(${change.timeZone ?? null}, time_zone)
    where id = ${taxpayerId}`;
}

export async function updateUserName(sql: Sql, userId: string, name: string): Promise<void> {
  await sql`update users set name = ${name} where id = ${userId}`;
}

/** The user of a session or token, with the user's own books. */
export interface HolderRow {
  readonly userId: string;
  readonly email: string;
  /** True if the user opened a link sent to this address, or a sign-in provider verified it. */
  readonly isVerified: boolean;
  /**
   * The security stamp. Everything that the request creates is tied to this stamp, so a concurrent password change also
   * disables what was created.
   */
  readonly stamp: number;
  readonly plan: Plan;
  readonly isDemo: boolean;
  readonly taxpayerId: string;
  readonly timeZone: string;
}

/** Adds the time zone of the user's books to a session or token. */
export async function withTimeZone<Row extends Omit<HolderRow, 'timeZone'>>(
  sql: Sql,
  row: Row | undefined,
): Promise<(Row & { readonly timeZone: string }) | undefined> {
  const timeZone = row === undefined ? undefined : await readTimeZone(sql, row.taxpayerId);
  return row === undefined || timeZone === undefined ? undefined : { ...row, timeZone };
}

export function holderColumns(sql: Sql) {
  return sql`u.id as "userId", u.email, u.email_verified_at is not null as "isVerified", u.stamp, u.plan,
    u.is_demo as "isDemo", m.taxpayer_id as "taxpayerId"`;
}

/** Returns SQL that joins the user and the user's books to sessions or tokens, which must have the alias `held`. */
export function joinHolder(sql: Sql) {
  return sql`
    join users u on u.id = held.user_id
    join memberships m on m.user_id = u.id and m.role = 'owner'`;
}

export const providers = ['google', 'github'] as const;
export type Provider = (typeof providers)[number];

/** A user identified by something other than an email address and a password. */
interface KnownUser {
  readonly id: string;
  readonly stamp: number;
  /** Null if the account is deleted. */
  readonly email: string | null;
  readonly erasedAt: Date | null;
}

export async function readIdentity(sql: Sql, provider: Provider, subject: string): Promise<KnownUser | undefined> {
  const [row] = await sql<KnownUser[]>`
    select u.id, u.stamp, u.email, w.erase_at as "erasedAt"
    from identities i join users u on u.id = i.user_id left join account_deletions w on w.user_id = u.id
    where i.provider = ${provider} and i.subject = ${subject}`;
  return row;
}

/**
 * Links a provider account. Returns false if it is already linked, or if the user already has an account with this
 * provider.
 */
export async function insertIdentity(
  sql: Sql,
  identity: { readonly provider: Provider; readonly subject: string; readonly userId: string; readonly now: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into identities (provider, subject, user_id, created_at)
    values (${identity.provider}, ${identity.subject}, ${identity.userId}, ${identity.now})
    on conflict do nothing returning 1`;
  return rows.length === 1;
}

export async function deleteIdentity(sql: Sql, userId: string, provider: Provider): Promise<boolean> {
  await sql`select 1 from users where id = ${userId} for update`;
  const rows = await sql`delete from identities where user_id = ${userId} and provider = ${provider} returning 1`;
  return rows.length === 1;
}

export interface ListedUser {
  readonly email: string;
  /** The time when a deleted account will be erased. */
  readonly erasedAt: Date | null;
  readonly plan: Plan;
  readonly isVerified: boolean;
  readonly createdAt: Date;
  /** Null if there is no session. */
  readonly lastSeenAt: Date | null;
  readonly hasApp: boolean;
  readonly passkeys: number;
}

/** Selects all users except the demo account, ordered by email address. */
export function selectUsers(sql: Sql): Promise<ListedUser[]> {
  return sql<ListedUser[]>`
    select coalesce(u.email, w.email) as email, w.erase_at as "erasedAt", u.plan,
      u.email_verified_at is not null as "isVerified", u.created_at as "createdAt",
      (select max(last_used_at) from sessions s where s.user_id = u.id) as "lastSeenAt",
      exists (select from totp_keys k where k.user_id = u.id and k.confirmed_at is not null) as "hasApp",
      (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys
    from users u left join account_deletions w on w.user_id = u.id where not u.is_demo order by 1, w.requested_at`;
}
