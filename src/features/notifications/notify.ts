import type { Sql } from '../../db/connection.ts';
import { insertNotification, type NewNotification } from './queries.ts';

/** Tells the taxpayer, in the caller's transaction: what is rolled back was never told. */
export async function notify(sql: Sql, taxpayerId: string, notification: NewNotification): Promise<void> {
  await insertNotification(sql, taxpayerId, notification);
}
