import { toArrayText } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import type { AuditAction } from '../../../http/audit-actions.ts';

/** A bucket and how fast its level drains. */
export interface CountedBucket {
  readonly bucket: string;
  readonly perSecond: number;
}

/**
 * Returns the current levels in the requested order. Uses the database's clock, because several servers share the
 * counts.
 */
export async function readLevels(sql: Sql, buckets: readonly CountedBucket[]): Promise<number[]> {
  const rows = await sql<{ level: number }[]>`
    select coalesce(greatest(0, w.level - extract(epoch from now() - w.counted_at) * b.per_second), 0)::double precision as level
    from unnest(${namesOf(buckets)}::text[], ${ratesOf(buckets)}::double precision[]) with ordinality b (bucket, per_second, place)
    left join wrong_guesses w on w.bucket = b.bucket
    order by b.place`;
  return rows.map(({ level }) => level);
}

/**
 * Adds a guess to each bucket. Locks the buckets in the order of their names, so concurrent requests cannot deadlock.
 */
export async function addGuess(sql: Sql, buckets: readonly CountedBucket[], keptHours: number): Promise<void> {
  await sql`
    insert into wrong_guesses as w (bucket, level, counted_at)
    select b.bucket, 1, now()
    from unnest(${namesOf(buckets)}::text[]) b (bucket)
    order by b.bucket
    on conflict (bucket) do update set counted_at = now(), level = 1 + greatest(0, w.level
      - extract(epoch from now() - w.counted_at) * (
        select r.per_second
        from unnest(${namesOf(buckets)}::text[], ${ratesOf(buckets)}::double precision[]) r (bucket, per_second)
        where r.bucket = w.bucket))`;
  await sql`
    delete from wrong_guesses where bucket in (
      select bucket from wrong_guesses where counted_at < now() - make_interval(hours => ${keptHours})
      for update skip locked)`;
}

export async function deleteGuesses(sql: Sql, buckets: readonly CountedBucket[]): Promise<void> {
  await sql`delete from wrong_guesses where bucket = any(${namesOf(buckets)}::text[])`;
}

function namesOf(buckets: readonly CountedBucket[]): string {
  return toArrayText(buckets, ({ bucket }) => bucket);
}

function ratesOf(buckets: readonly CountedBucket[]): string {
  return toArrayText(buckets, ({ perSecond }) => perSecond);
}

/** The kind of secret that is being guessed. Also the name of the column that counts the failures. */
export type SecretKind = 'passwords' | 'codes';

/** The account's consecutive failures by kind of secret. */
export interface FailureCounts {
  readonly passwords: number;
  readonly codes: number;
}

interface AccountKey {
  readonly account: string;
  readonly userId: string | null;
}

/**
 * Counts an attempt and returns the new counts. The row stays locked until the commit, so no two attempts get the same
 * number.
 */
export async function insertTry(
  sql: Sql,
  { account, userId }: AccountKey,
  secret: SecretKind,
): Promise<FailureCounts | undefined> {
  const [passwords, codes] = secret === 'passwords' ? [1, 0] : [0, 1];
  const [row] = await sql<FailureCounts[]>`
    insert into account_guesses as g (account, user_id, passwords, codes, started_at, tried_at)
    values (${account}, ${userId}, ${passwords}, ${codes}, now(), now())
    on conflict (account) do update
      set passwords = g.passwords + excluded.passwords, codes = g.codes + excluded.codes, tried_at = now()
    returning passwords, codes`;
  return row;
}

/** Removes a successful attempt from the count. */
export async function deleteTry(sql: Sql, account: string, secret: SecretKind): Promise<void> {
  const [passwords, codes] = secret === 'passwords' ? [1, 0] : [0, 1];
  const isOnly = await sql`
    delete from account_guesses where account = ${account} and passwords <= ${passwords} and codes <= ${codes} returning 1`;
  if (isOnly.length > 0) return;
  await sql`
    update account_guesses set passwords = greatest(0, passwords - ${passwords}), codes = greatest(0, codes - ${codes})
    where account = ${account}`;
}

/** Resets the failures after a sign-in with all factors. */
export async function deleteFailures(sql: Sql, userId: string): Promise<void> {
  await sql`delete from account_guesses where user_id = ${userId}`;
}

/**
 * Takes the account's turn, which is available once every `minutes`. Returns null on success, or the seconds until the
 * next turn.
 */
export async function takeTurn(sql: Sql, account: string, minutes: number): Promise<number | null> {
  const rows = await sql`
    update account_guesses set paced_at = now()
    where account = ${account} and (paced_at is null or paced_at <= now() - make_interval(mins => ${minutes}))
    returning 1`;
  if (rows.length > 0) return null;
  const [row] = await sql<{ seconds: number }[]>`
    select ceil(extract(epoch from paced_at + make_interval(mins => ${minutes}) - now()))::integer as seconds
    from account_guesses where account = ${account}`;
  return Math.max(1, row?.seconds ?? 1);
}

export async function returnTurn(sql: Sql, account: string): Promise<void> {
  await sql`update account_guesses set paced_at = null where account = ${account}`;
}

/** Counts an attempt from a known browser. Returns false if the browser is unknown or had too many failures. */
export async function insertDeviceTry(
  sql: Sql,
  userId: string,
  secretHash: Uint8Array,
  failuresMax: number,
): Promise<boolean> {
  const rows = await sql`
    update devices set failures = failures + 1
    where user_id = ${userId} and secret_hash = ${secretHash} and failures < ${failuresMax} returning 1`;
  return rows.length === 1;
}

export async function deleteDeviceTry(sql: Sql, userId: string, secretHash: Uint8Array): Promise<void> {
  await sql`
    update devices set failures = greatest(0, failures - 1) where user_id = ${userId} and secret_hash = ${secretHash}`;
}

/** Counts an attempt in a session. Returns false if the session had too many failures. */
export async function insertSessionTry(sql: Sql, id: string, failuresMax: number): Promise<boolean> {
  const rows = await sql`
    update sessions set failures = failures + 1 where id = ${id} and failures < ${failuresMax} returning 1`;
  return rows.length === 1;
}

export async function deleteSessionTry(sql: Sql, id: string): Promise<void> {
  await sql`update sessions set failures = greatest(0, failures - 1) where id = ${id}`;
}

/** A series of consecutive failures that has reached the limit. */
interface Episode extends FailureCounts {
  readonly startedAt: Date;
}

/**
 * Returns the series if it has not been handled yet. Only one of several concurrent requests gets it, so the owner is
 * notified once.
 */
export async function takeEpisode(sql: Sql, userId: string, guessesMax: number): Promise<Episode | undefined> {
  const [row] = await sql<Episode[]>`
    update account_guesses set notified_at = now()
    where user_id = ${userId} and notified_at is null and passwords + codes >= ${guessesMax}
    returning passwords, codes, started_at as "startedAt"`;
  return row;
}

/**
 * Deletes old failures, including those of existing accounts. If only addresses without an account expired, different
 * responses after that time would reveal which addresses have an account.
 */
export async function sweepFailures(sql: Sql, days: number): Promise<void> {
  await sql`delete from account_guesses where tried_at < now() - make_interval(days => ${days})`;
}

interface OwnAccount {
  readonly taxpayerId: string;
  /** Null if the account is deleted. */
  readonly email: string | null;
}

/** Selects the account with its own books. Returns undefined for the demo account, which has no owner. */
export async function readOwnAccount(sql: Sql, userId: string): Promise<OwnAccount | undefined> {
  const [row] = await sql<OwnAccount[]>`
    select m.taxpayer_id as "taxpayerId", u.email
    from users u join memberships m on m.user_id = u.id and m.role = 'owner'
    where u.id = ${userId} and not u.is_demo`;
  return row;
}

interface CountedFailure {
  readonly action: AuditAction;
  readonly way: string;
  readonly network: string;
  readonly networksMax: number;
  readonly address: string;
  readonly requestId: string;
  /** Null if the caller was not signed in. */
  readonly by: { readonly userId: string; readonly email: string | null } | null;
}

/** An empty string instead of the address. The addresses of further networks are not stored. */
const furtherNetworks = '';

/**
 * Counts a failure. The first failure of its kind from a network within an hour creates an audit entry. Later ones
 * increase the entry's count.
 */
export async function addFailure(sql: Sql, taxpayerId: string, failure: CountedFailure): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('failures ' || ${taxpayerId}::text, 0))`;
  const network = (await hasCapacity(sql, taxpayerId, failure)) ? failure.network : furtherNetworks;
  const counted = await sql`
    update sign_in_failures set tries = tries + 1, last_at = now()
    where taxpayer_id = ${taxpayerId} and hour = date_trunc('hour', now(), 'UTC') and network = ${network}
      and action = ${failure.action} and way = ${failure.way}
    returning 1`;
  if (counted.length > 0) return;
  const { action, way, address, requestId, by } = failure;
  const [entry] = await sql<{ sequence: string }[]>`
    insert into audit_entries (taxpayer_id, at, action, subject, actor, user_id, email, address, request_id)
    values (${taxpayerId}, now(), ${action}, ${way}, ${by === null ? 'anyone' : 'user'}, ${by?.userId ?? null},
      ${by?.email ?? null}, ${network === furtherNetworks ? null : address}, ${requestId})
    returning sequence`;
  await sql`
    insert into sign_in_failures (taxpayer_id, hour, network, action, way, sequence, tries, last_at)
    values (${taxpayerId}, date_trunc('hour', now(), 'UTC'), ${network}, ${action}, ${way}, ${entry?.sequence ?? null}::bigint, 1,
      now())`;
}

/** Returns whether the network gets an entry of its own in this hour. */
async function hasCapacity(sql: Sql, taxpayerId: string, { network, networksMax }: CountedFailure): Promise<boolean> {
  const [row] = await sql<{ hasRoom: boolean }[]>`
    select coalesce(bool_or(network = ${network}), false) or count(distinct network) < ${networksMax} as "hasRoom"
    from sign_in_failures
    where taxpayer_id = ${taxpayerId} and hour = date_trunc('hour', now(), 'UTC') and network <> ${furtherNetworks}`;
  return row?.hasRoom === true;
}
