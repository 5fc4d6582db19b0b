import type { Deps } from '../../deps.ts';
import { linkInto } from '../notifications/links.ts';
import { notify } from '../notifications/notify.ts';
import { type NewNotification, readOwnBooks } from '../notifications/queries.ts';
import { readFeedsOf } from './grants/queries.ts';

/**
 * Tells everybody who reaches the books, each in the feed of their own, except who did it. The feeds are of several
 * taxpayers, so that it is done after the commit: a failure is logged and takes nothing back.
 */
export async function notifyOthers(
  deps: Deps,
  taxpayerId: string,
  actorId: string,
  notification: NewNotification,
): Promise<void> {
  await quietly(deps, () =>
    deps.database.asService(async (sql) => {
      for (const { userId, feed } of await readFeedsOf(sql, taxpayerId)) {
        if (userId === actorId) continue;
        const { link: own } = notification;
        const link = feed === taxpayerId || own === null ? own : linkInto(taxpayerId, own);
        await notify(sql, feed, { ...notification, link });
      }
    }),
  );
}

/** Tells one user, in the feed of their own. */
export async function notifyUser(deps: Deps, userId: string, notification: NewNotification): Promise<void> {
  await quietly(deps, () =>
    deps.database.asService(async (sql) => {
      const feed = await readOwnBooks(sql, userId);
      if (feed !== undefined) await notify(sql, feed, notification);
    }),
  );
}

async function quietly(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.error('notification not stored', error);
  }
}
