import type { Sql } from '../../db/connection.ts';

export const notificationKinds = [
  'import_completed',
  'import_failed',
  'review_needed',
  'wash_window',
  'long_term_soon',
  'limit_near',
  'limit_reached',
  'year_conflict',
  'new_sign_in',
  'sign_in_guesses',
  'calculation_completed',
  'tell_broker',
  'fund_value',
  'year_end',
  'confirm_form',
  'access_changed',
  'review_changed',
  'note_changed',
  'plan_changed',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

export interface NewNotification {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  /** An API path, such as `/v1/plans`, or null. */
  readonly link: string | null;
  readonly at: Date;
}

/**
 * A subject, such as a sale or a lot, that is notified only once. The row is kept until `untilOn`, while the subject
 * could come up again.
 */
export interface NotifiedSubject {
  readonly subject: string;
  readonly untilOn: string;
}

export interface NotificationRow {
  readonly sequence: string;
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  readonly link: string | null;
  readonly createdAt: Date;
  readonly readAt: Date | null;
}

export const notificationChannel = 'lotbook_notifications';

/**
 * Stores a notification and sends a NOTIFY at the commit, unless the taxpayer switched off its kind. The advisory lock
 * lasts until the commit, so sequence numbers become visible in order.
 */
export async function insertNotification(sql: Sql, taxpayerId: string, notification: NewNotification): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('notifications ' || ${taxpayerId}::text, 0))`;
  const stored = await sql`
    insert into notifications (taxpayer_id, sequence, kind, title, body, link, created_at)
    select me.id, coalesce((select max(sequence) from notifications where taxpayer_id = ${taxpayerId}), 0) + 1, ${notification.kind},
      ${notification.title}, ${notification.body}, ${notification.link}, ${notification.at}
    from taxpayers me
    where me.id = ${taxpayerId} and not exists (
      select from muted_notifications m where m.taxpayer_id = me.id and m.kind = ${notification.kind})
    returning 1`;
  if (stored.length > 0) await sql`select pg_notify(${notificationChannel}, ${taxpayerId}::text)`;
}

/**
 * Returns the subjects that have no notification of this kind yet, and records them. Records them even if the kind is
 * switched off, so that old subjects do not appear when the kind is switched on. If several requests run concurrently,
 * only one gets each subject.
 */
export async function takeSubjects(
  sql: Sql,
  taxpayerId: string,
  kind: NotificationKind,
  subjects: readonly NotifiedSubject[],
  today: string,
): Promise<Set<string>> {
  await sql`
    delete from notified_subjects where taxpayer_id = ${taxpayerId} and kind = ${kind} and until_on < ${today}`;
  const rows = await sql<{ subject: string }[]>`
    insert into notified_subjects (taxpayer_id, kind, subject, until_on)
    select distinct on (me.id, given.subject) me.id, ${kind}, given.subject, given.until_on
    from taxpayers me, unnest(${subjects.map(({ subject }) => subject)}::text[], ${subjects.map(({ untilOn }) => untilOn)}::date[])
      as given (subject, until_on)
    where me.id = ${taxpayerId}
    order by me.id, given.subject
    on conflict do nothing
    returning subject`;
  return new Set(rows.map(({ subject }) => subject));
}

/**
 * Selects notifications, newest first, optionally only unread ones. Starts before a sequence number, or at the newest
 * if it is null.
 */
export function listNotifications(
  sql: Sql,
  taxpayerId: string,
  { before, unread }: { readonly before: string | null; readonly unread: boolean },
  limit: number,
): Promise<NotificationRow[]> {
  return sql<NotificationRow[]>`
    select sequence, kind, title, body, link, created_at as "createdAt", read_at as "readAt"
    from notifications
    where taxpayer_id = ${taxpayerId} and (${before}::bigint is null or sequence < ${before}::bigint)
      ${unread ? sql`and read_at is null` : sql``}
    order by sequence desc
    limit ${limit + 1}`;
}

/** Selects the notifications after a sequence number, oldest first. */
export function notificationsAfter(
  sql: Sql,
  taxpayerId: string,
  after: string,
  limit: number,
): Promise<NotificationRow[]> {
  return sql<NotificationRow[]>`
    select sequence, kind, title, body, link, created_at as "createdAt", read_at as "readAt"
    from notifications
    where taxpayer_id = ${taxpayerId} and sequence > ${after}::bigint
    order by sequence
    limit ${limit}`;
}

export async function lastSequence(sql: Sql, taxpayerId: string): Promise<string> {
  const [row] = await sql<{ last: string }[]>`
    select coalesce(max(sequence), 0)::bigint as last from notifications where taxpayer_id = ${taxpayerId}`;
  return row?.last ?? '0';
}

export async function markRead(
  sql: Sql,
  taxpayerId: string,
  sequence: string,
  now: Date,
): Promise<NotificationRow | undefined> {
  const [row] = await sql<NotificationRow[]>`
    update notifications set read_at = coalesce(read_at, ${now})
    where taxpayer_id = ${taxpayerId} and sequence = ${sequence}::bigint
    returning sequence, kind, title, body, link, created_at as "createdAt", read_at as "readAt"`;
  return row;
}

export async function markAllRead(sql: Sql, taxpayerId: string, now: Date): Promise<number> {
  const rows = await sql`
    update notifications set read_at = ${now} where taxpayer_id = ${taxpayerId} and read_at is null returning 1`;
  return rows.length;
}

/** Selects the kinds that the taxpayer switched off. */
export async function selectMuted(sql: Sql, taxpayerId: string): Promise<string[]> {
  const rows = await sql<{ kind: string }[]>`select kind from muted_notifications where taxpayer_id = ${taxpayerId}`;
  return rows.map(({ kind }) => kind);
}

export async function muteKinds(sql: Sql, taxpayerId: string, kinds: readonly string[]): Promise<void> {
  await sql`
    insert into muted_notifications (taxpayer_id, kind)
    select me.id, given.kind from taxpayers me, unnest(${kinds as string[]}::text[]) as given (kind)
    where me.id = ${taxpayerId}
    on conflict do nothing`;
}

export async function unmuteKinds(sql: Sql, taxpayerId: string, kinds: readonly string[]): Promise<void> {
  await sql`
    delete from muted_notifications where taxpayer_id = ${taxpayerId} and kind = any(${kinds as string[]}::text[])`;
}

/** Returns the id of the books that the user owns. Notifications for the user are stored in these books. */
export async function readOwnBooks(sql: Sql, userId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select taxpayer_id as id from memberships where user_id = ${userId} and role = 'owner'`;
  return row?.id;
}
