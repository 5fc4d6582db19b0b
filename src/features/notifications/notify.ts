import type { Sql } from '../../db/connection.ts';
import { insertNotification, type NewNotification } from './queries.ts';

/** Notifies the taxpayer in the caller's transaction. If it is rolled back, no notification remains. */
export async function notify(sql: Sql, taxpayerId: string, notification: NewNotification): Promise<void> {
  await insertNotification(sql, taxpayerId, notification);
}
