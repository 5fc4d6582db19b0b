import type { Deps } from '../../../deps.ts';
import type { ServerEvent } from '../../../http/sse.ts';
import {
  lastSequence,
  type NotificationRow,
  notificationChannel,
  notificationsAfter,
} from '../../people/notifications/notifications.queries.ts';

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

interface Subscription {
  /** Resolves when a notification may have arrived since the call. */
  next(): Promise<void>;
  close(): void;
}

/** Wakes up a server's open streams when a notification arrives. All streams share one listening connection. */
export class Subscribers {
  readonly #deps: Pick<Deps, 'database' | 'log'>;
  readonly #wakeUps = new Map<string, Set<() => void>>();
  #listening: Promise<unknown> | null = null;

  constructor(deps: Pick<Deps, 'database' | 'log'>) {
    this.#deps = deps;
  }

  async subscribe(taxpayerId: string): Promise<Subscription> {
    this.#listening ??= this.#listen();
    await this.#listening;
    let resolveNext = (): void => {};
    const wakeUp = (): void => resolveNext();
    const wakeUps = this.#wakeUps.get(taxpayerId) ?? new Set();
    this.#wakeUps.set(taxpayerId, wakeUps.add(wakeUp));
    return {
      next: () =>
        new Promise((resolve) => {
          resolveNext = resolve;
        }),
      close: () => {
        wakeUps.delete(wakeUp);
        if (wakeUps.size === 0) this.#wakeUps.delete(taxpayerId);
      },
    };
  }

  async #listen(): Promise<void> {
    const { database, log } = this.#deps;
    try {
      await database.listen(notificationChannel, (taxpayerId) => {
        for (const wakeUp of this.#wakeUps.get(taxpayerId) ?? []) wakeUp();
      });
    } catch (error) {
      // The feed polls until then. The next stream tries to listen again.
      this.#listening = null;
      log.error('notifications are polled only', error);
    }
  }
}
