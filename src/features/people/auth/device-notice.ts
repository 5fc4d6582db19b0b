import { deviceName } from '../../../base/device-name.ts';
import type { Sql } from '../../../db/connection.ts';
import { readOwnBooks } from '../notifications/notifications.queries.ts';
import { notify } from '../notifications/notify.ts';

/** Adds a notification to the user's feed. */
export async function notifyNewDevice(
  sql: Sql,
  userId: string,
  { at, device, address }: { readonly at: Date; readonly device: string; readonly address: string },
): Promise<void> {
  const books = await readOwnBooks(sql, userId);
  if (books === undefined) return;
  const name = device === '' ? 'An unidentified program' : deviceName(device);
  await notify(sql, books, {
    kind: 'new_sign_in',
    title: 'New sign-in from an unknown browser',
    body: `${name} signed in from the address ${address}. If this wasn't you, change your password now. Changing it also ends all other sessions.`,
    link: '/v1/auth/sessions',
    at,
  });
}
