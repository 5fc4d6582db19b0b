import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readSequence } from '../../../http/list.ts';
import { eventStreamResponse } from '../../../http/openapi/event-streams.ts';
import {
  booksQuery,
  closed,
  id,
  idParams,
  instant,
  listOf,
  listQuery,
  nullable,
  oneOf,
  problems,
  whole,
} from '../../../http/schemas.ts';
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

const tags = ['Notifications'];

/** Lists notifications, marks them as read and streams new ones. */
export const notifications = (deps: Deps, access: Access) => {
  const subscribers = new Subscribers(deps);
  return new Elysia({ prefix: '/notifications' })
    .use(access)
    .use(notificationSettings(deps, access))
    .use(unsubscribeRoutes(deps))
    .get(
      '',
      async ({ query, taxpayer }) => {
        const limit = query.limit ?? limitDefault;
        const filter = { before: readSequence(query.cursor), unread: query.unread === true };
        const rows = await deps.database.asTaxpayer(
          taxpayer.id,
          (sql) => listNotifications(sql, taxpayer.id, filter, limit),
          { readOnly: true },
        );
        return mapPage(
          page(rows, limit, (row) => [row.sequence]),
          itemFor(query.client),
        );
      },
      {
        books: true,
        query: booksQuery({
          ...listQuery,
          unread: t.Optional(t.Boolean({ description: 'Only unread notifications.' })),
        }),
        response: { 200: listOf(Notification), ...problems('invalid') },
        detail: { summary: 'List notifications, newest first', operationId: 'listNotifications', tags },
      },
    )
    .get(
      '/stream',
      ({ request, server, caller, taxpayer, query }) => {
        deps.rateLimits.take('stream', caller.userId);
        const events = (lastEventId: string | undefined, signal: AbortSignal) =>
          feed(deps, subscribers, taxpayer.id, lastEventId, signal, itemFor(query.client));
        return eventStream(deps, { request, server }, { caller, events, isAllowed: reaches(deps, caller, taxpayer) });
      },
      {
        books: true,
        query: booksQuery({}),
        detail: {
          summary: 'Stream notifications as server-sent events',
          description: 'The stream starts now, or after `Last-Event-ID` if sent. Browsers send it when they reconnect.',
          operationId: 'listNotificationEvents',
          tags,
          responses: {
            200: eventStreamResponse('Stays open until the client disconnects, for up to an hour.', streamEvents),
          },
        },
      },
    )
    .post(
      '/:id/read',
      async ({ params, taxpayer, query }) => {
        if (!/^\d{1,18}$/.test(params.id)) throw notFound();
        const now = deps.clock.now();
        const row = await deps.database.asTaxpayer(taxpayer.id, (sql) => markRead(sql, taxpayer.id, params.id, now));
        if (row === undefined) throw notFound();
        return itemFor(query.client)(row);
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 200: Notification, ...problems('not_found') },
        detail: { summary: 'Mark a notification as read', operationId: 'updateNotification', tags },
      },
    )
    .post(
      '/read',
      async ({ taxpayer }) => {
        const now = deps.clock.now();
        return { read: await deps.database.asTaxpayer(taxpayer.id, (sql) => markAllRead(sql, taxpayer.id, now)) };
      },
      {
        books: true,
        query: booksQuery({}),
        response: { 200: closed({ read: whole({ description: 'The number of notifications that were unread.' }) }) },
        detail: { summary: 'Mark all notifications as read', operationId: 'updateNotifications', tags },
      },
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
