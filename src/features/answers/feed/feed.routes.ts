import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound, requireFound } from '../../../http/errors.ts';
import { limitDefault, page, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import { group, read, write } from '../../../http/operations/operations.ts';
import { closed, id, instant, listOf, listQuery, nullable, oneOf, whole } from '../../../http/schemas.ts';
import { eventStream } from '../../../http/sse.ts';
import { type Access, reaches } from '../../people/auth/access.ts';
import {
  listNotifications,
  markAllRead,
  markRead,
  type NotificationRow,
  notificationKinds,
} from '../../people/notifications/notifications.queries.ts';
import { linkInto } from '../../people/notifications/notify.ts';
import { unsubscribeRoutes } from './digest/digest.routes.ts';
import { feed, Subscribers } from './feed.ts';
import { notificationSettings } from './settings.ts';

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

const { onBooks } = group('Notifications');

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
