import type { Deps } from '../../../deps.ts';
import { withoutAudit } from '../../../http/audit/audited-request.ts';
import { type NewNotification, readOwnBooks } from '../notifications.queries.ts';
import { linkInto, notify } from '../notifications.ts';
import { notifyClientsNear } from '../plans.ts';
import { readHolder, selectFeeds } from './clients.queries.ts';

/**
 * Notifies all users with access to the books, except the actor. Each user gets the notification in the feed of their
 * own books. The feeds belong to several taxpayers, so this runs after the commit. If it fails, it logs the error and
 * reverts nothing.
 */
export async function notifyOthers(
  deps: Deps,
  taxpayerId: string,
  actorId: string,
  notification: NewNotification,
): Promise<void> {
  await quietly(deps, () =>
    deps.database.asService(async (sql) => {
      for (const { userId, feed } of await selectFeeds(sql, taxpayerId)) {
        if (userId === actorId) continue;
        const { link: ownLink } = notification;
        const link = feed === taxpayerId || ownLink === null ? ownLink : linkInto(taxpayerId, ownLink);
        await notify(sql, feed, { ...notification, link });
      }
    }),
  );
}

/** Notifies one user through the feed of the user's own books. */
export async function notifyUser(deps: Deps, userId: string, notification: NewNotification): Promise<void> {
  await quietly(deps, () =>
    deps.database.asService(async (sql) => {
      const feed = await readOwnBooks(sql, userId);
      if (feed !== undefined) await notify(sql, feed, notification);
    }),
  );
}

/** Notifies the CPA if the plan is close to its client limit. */
export async function notifyClientLimitNear(deps: Deps, userId: string): Promise<void> {
  await quietly(deps, () =>
    withoutAudit(async () => {
      const holder = await deps.database.asService((sql) => readHolder(sql, userId), { readOnly: true });
      if (holder === undefined) return;
      await deps.database.asTaxpayer(holder.id, (sql) =>
        notifyClientsNear(sql, holder, holder.clients, deps.clock.now()),
      );
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
