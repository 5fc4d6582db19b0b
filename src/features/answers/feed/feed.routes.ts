import { Elysia, t } from 'elysia';
import { invalidMember } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { notFound, requireFound } from '../../../http/errors.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import { group, read, write } from '../../../http/operations.ts';
import { closed, id, instant, listOf, listQuery, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { eventStream, type ServerEvent } from '../../../http/sse.ts';
import { type Access, reaches } from '../../people/auth/access.ts';
import {
  lastSequence,
  listNotifications,
  markAllRead,
  markRead,
  type NotificationRow,
  notificationChannel,
  notificationKinds,
  notificationsAfter,
} from '../../people/notifications.queries.ts';
import { linkInto } from '../../people/notifications.ts';
import { deleteDigest, selectDigest } from './digest.queries.ts';
import { UnsubscribeTokens } from './digest.ts';
import { notificationSettings } from './settings.ts';

const { onBooks, open } = group('Notifications');

const Notification = closed(
  {
    id,
    kind: oneOf(notificationKinds, 'The kind of notification, for programs.'),
    title: t.String(),
    body: t.String(),
    link: nullable(
      t.String({
        description: 'The related page, such as `/v1/imports/ID`. Includes `client` if the caller acts for a client.',
      }),
    ),
    createdAt: instant,
    readAt: nullable(instant),
  },
  { title: 'Notification' },
);

const streamEvents = [
  {
    name: 'notification',
    when: 'A notification, as in the list.',
    schema: Notification,
    example: {
      id: '1',
      kind: 'import_completed',
      title: 'trades.csv imported',
      body: '11 rows. The gains are up to date.',
      link: '/v1/imports/53c3ec83-a853-47ac-8706-22be23f30a70',
      createdAt: '2026-02-01T09:30:00.000Z',
      readAt: null,
    },
  },
];

/** Lists notifications, marks them as read and streams new ones. */
export const notifications = (deps: Deps, access: Access) => {
  const subscribers = new Subscribers(deps);
  return new Elysia({ prefix: '/notifications' })
    .use(access)
    .use(notificationSettings(deps, access))
    .use(unsubscribeRoutes(deps))
    .get(
      '',
      async ({ books, query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const filter = { before: readSequence(query.cursor), unread: query.unread === true };
        const rows = await books.read((sql) => listNotifications(sql, taxpayer.id, filter, limit));
        return page(rows, limit, (row) => [row.sequence], itemFor(query.client));
      },
      onBooks('listNotifications', read, {
        summary: 'List notifications, newest first',
        query: { ...listQuery, unread: t.Optional(t.Boolean({ description: 'Only unread notifications.' })) },
        response: { 200: listOf(Notification) },
      }),
    )
    .get(
      '/stream',
      ({ request, server, caller, taxpayer, query }) => {
        deps.rateLimits.take('stream', caller.userId);
        const events = (lastEventId: string | undefined, signal: AbortSignal) =>
          feed(deps, subscribers, taxpayer.id, lastEventId, signal, itemFor(query.client));
        return eventStream(deps, { request, server }, { caller, events, isAllowed: reaches(deps, caller, taxpayer) });
      },
      onBooks('listNotificationEvents', read, {
        summary: 'Stream notifications as server-sent events',
        description: 'The stream starts now, or after `Last-Event-ID` if sent. Browsers send it when they reconnect.',
        detail: {
          responses: {
            200: eventStreamResponse('Stays open until the client disconnects, for up to an hour.', streamEvents),
          },
        },
      }),
    )
    .post(
      '/:id/read',
      async ({ books, params, taxpayer, query }) => {
        if (!/^\d{1,18}$/.test(params.id)) throw notFound();
        const now = deps.clock.now();
        const row = requireFound(await books.change((sql) => markRead(sql, taxpayer.id, params.id, now)));
        return itemFor(query.client)(row);
      },
      onBooks('updateNotification', write('notifications_read'), {
        summary: 'Mark a notification as read',
        response: { 200: Notification },
      }),
    )
    .post(
      '/read',
      async ({ books, taxpayer }) => {
        const now = deps.clock.now();
        return { read: await books.change((sql) => markAllRead(sql, taxpayer.id, now)) };
      },
      onBooks('updateNotifications', write('notifications_read'), {
        summary: 'Mark all notifications as read',
        response: { 200: closed({ read: whole({ description: 'The number of notifications that were unread.' }) }) },
      }),
    );
};

/** Formats notifications. If the caller acts for a client, links lead to the client's books. */
function itemFor(client: string | undefined) {
  return ({ sequence, createdAt, readAt, kind, title, body, link }: NotificationRow) => ({
    id: sequence,
    kind,
    title,
    body,
    link: client === undefined || link === null ? link : linkFor(client, link),
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  });
}

/** Links to pages of an account. They do not depend on whose books are open. */
const ofAccount: ReadonlySet<string> = new Set(['/v1/plans', '/v1/billing', '/v1/auth/sessions']);

function linkFor(client: string, link: string): string {
  return ofAccount.has(link) ? link : linkInto(client, link);
}

/** How often the feed polls. Polling covers a NOTIFY that is lost while the listening connection is down. */
const pollSeconds = 15;
const batchMax = 100;

/** Yields a taxpayer's notifications as they arrive. Starts after `lastEventId`, or now if it is undefined. */
async function* feed(
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
class Subscribers {
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

/** Unsubscribes from a digest without signing in. Email programs send a POST (RFC 8058). A GET does nothing. */
const unsubscribeRoutes = (deps: Deps) => {
  const tokens = new UnsubscribeTokens(deps);
  return new Elysia().post(
    '/unsubscribe',
    async ({ query }) => {
      const key = await tokens.read(query.token);
      if (key === undefined) {
        throw invalidMember(
          '/token',
          'This unsubscribe link is incomplete. Copy the whole link from the email, or turn off the emails on the notifications page.',
        );
      }
      const { taxpayerId, userId } = key;
      await deps.database.asService(async (sql) => {
        if ((await selectDigest(sql, taxpayerId, userId)) === undefined) return;
        nameActor({ kind: 'found', userId, isProven: false });
        await deleteDigest(sql, taxpayerId, userId);
      });
    },
    open('deleteDigestSubscription', 'notification_settings_changed', {
      summary: 'Unsubscribe from digests with the link in an email',
      description: 'Needs no session. To subscribe again, choose a `digest` in the notification settings.',
      // The request body is a form without any information of its own.
      parse: 'none',
      query: {
        token: t.String({
          maxLength: 200,
          description: 'The token from the email.',
          examples: ['byscNBERQRGBEREREREREY0OWnciIkIigiIiIiIiIiIdJq71sX7BHTzJHrvHxQOcLa6t6rT6N8NPEDx_wUhWCQ'],
        }),
      },
      response: { 204: t.Void() },
    }),
  );
};
