import type { Deps } from '../../../deps.ts';
import type { ServerEvent } from '../../../http/sse.ts';
import {
  lastSequence,
  type NotificationRow,
  notificationsAfter,
} from '../../people/notifications/notifications.queries.ts';
import type { Subscribers } from './subscribers.ts';

/** How often the feed polls. Polling covers a NOTIFY that is lost while the listening connection is down. */
const pollSeconds = 15;
const batchMax = 100;

/** Yields a taxpayer's notifications as they arrive. Starts after `lastEventId`, or now if it is undefined. */
export async function* feed(
  deps: Deps,
  subscribers: Subscribers,
  taxpayerId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
  itemOf: (row: NotificationRow) => unknown,
): AsyncGenerator<ServerEvent> {
  const subscription = await subscribers.subscribe(taxpayerId);
  try {
    let after = lastEventId !== undefined && /^\d{1,18}$/.test(lastEventId) ? lastEventId : undefined;
    after ??= await deps.database.asTaxpayer(taxpayerId, (sql) => lastSequence(sql, taxpayerId), { readOnly: true });
    while (!signal.aborted) {
      const notified = subscription.next();
      const from: string = after;
      const rows = await deps.database.asTaxpayer(
        taxpayerId,
        (sql) => notificationsAfter(sql, taxpayerId, from, batchMax),
        { readOnly: true },
      );
      for (const row of rows) {
        yield { id: row.sequence, event: 'notification', data: itemOf(row) };
        after = row.sequence;
      }
      if (rows.length < batchMax) await waitForFirst(notified, signal);
    }
  } finally {
    subscription.close();
  }
}

/** Resolves at the next notification, the next poll or the end of the stream, whichever comes first. */
function waitForFirst(notified: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, pollSeconds * 1000);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
    void notified.then(done);
  });
}
