import type { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import {
  insertNotification,
  type NewNotification,
  type NotificationKind,
  type NotifiedSubject,
  takeSubjects,
} from './notifications.queries.ts';

export const accessEnded = { kind: 'access_changed', title: 'Your access to a client ended', link: null } as const;

/** How to notify a taxpayer of items, each once. */
interface Notice<Item> {
  readonly kind: NotificationKind;
  readonly subjectOf: (item: Item) => NotifiedSubject;
  readonly write: (newItems: readonly Item[]) => Pick<NewNotification, 'title' | 'body' | 'link'>;
  readonly today: string;
  readonly at: Date;
}

/** Combines the items that were not notified before into one notification. */
export async function notifyOfNew<Item>(
  sql: Sql,
  taxpayerId: string,
  items: readonly Item[],
  { kind, subjectOf, write, today, at }: Notice<Item>,
): Promise<void> {
  const newSubjects = await takeSubjects(sql, taxpayerId, kind, items.map(subjectOf), today);
  const newItems = items.filter((item) => newSubjects.has(subjectOf(item).subject));
  if (newItems.length > 0) await notify(sql, taxpayerId, { kind, ...write(newItems), at });
}

/** Stores a notification in the caller's transaction. A rollback also removes the notification. */
export async function notify(sql: Sql, taxpayerId: string, notification: NewNotification): Promise<void> {
  await insertNotification(sql, taxpayerId, notification);
}

/** Adds the client to a link for a user who acts on that client's books. */
export function linkInto(client: string, link: string): string {
  return `${link}${link.includes('?') ? '&' : '?'}${new URLSearchParams({ client })}`;
}

const kind = 'year_conflict';
/** Days until the same conflict is notified again, because every retry fails with it. */
const silentDays = 90;

interface YearConflict {
  /** The subject of the notification title, such as “A new exchange rate”. */
  readonly cause: string;
  readonly refusal: Refusal;
  readonly at: Date;
}

/** Notifies the taxpayer that a background job could not change a locked year. No user sees the job's response. */
export async function notifyYearConflict(
  sql: Sql,
  taxpayerId: string,
  { cause, refusal, at }: YearConflict,
): Promise<void> {
  const year = Number(refusal.more.members?.year);
  const today = at.toISOString().slice(0, 10);
  const untilOn = new Date(at.getTime() + silentDays * 86_400_000).toISOString().slice(0, 10);
  await notifyOfNew(sql, taxpayerId, [refusal], {
    kind,
    subjectOf: () => ({ subject: `${year} ${cause}`, untilOn }),
    write: () => ({
      title: `${cause} would change ${year}, which is locked`,
      body: refusal.detail,
      link: `/v1/tax/summary?${new URLSearchParams({ year: String(year) })}`,
    }),
    today,
    at,
  });
}
