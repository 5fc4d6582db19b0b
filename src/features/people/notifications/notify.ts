import type { Sql } from '../../../db/connection.ts';
import { insertNotification, type NewNotification } from './notifications.queries.ts';

export const accessEnded = { kind: 'access_changed', title: 'Your access to a client ended', link: null } as const;

/** Stores a notification in the caller's transaction. A rollback also removes the notification. */
export async function notify(sql: Sql, taxpayerId: string, notification: NewNotification): Promise<void> {
  await insertNotification(sql, taxpayerId, notification);
}
