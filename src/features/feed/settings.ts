import { Elysia, t } from 'elysia';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { booksQuery, closed, problems } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import {
  muteKinds,
  type NotificationKind,
  notificationKinds,
  selectMuted,
  unmuteKinds,
} from '../notifications/queries.ts';

const switches = <Schema>(schema: Schema) =>
  Object.fromEntries(notificationKinds.map((kind) => [kind, schema])) as Record<NotificationKind, Schema>;

const NotificationSettings = closed(
  { kinds: closed(switches(t.Boolean()), { description: 'Whether notifications of a kind come.' }) },
  { title: 'NotificationSettings' },
);

const tags = ['Notifications'];

/** Which kinds of notifications come. */
export const notificationSettings = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/settings',
      ({ taxpayer }) =>
        deps.database.asTaxpayer(taxpayer.id, (sql) => readSettings(sql, taxpayer.id), { readOnly: true }),
      {
        books: true,
        query: booksQuery({}),
        response: { 200: NotificationSettings },
        detail: { summary: 'Which kinds come', operationId: 'readNotificationSettings', tags },
      },
    )
    .patch(
      '/settings',
      ({ taxpayer, body }) => {
        const kinds = notificationKinds.filter((kind) => body.kinds[kind] !== undefined);
        return deps.database.asTaxpayer(taxpayer.id, async (sql) => {
          await muteKinds(
            sql,
            taxpayer.id,
            kinds.filter((kind) => body.kinds[kind] === false),
          );
          await unmuteKinds(
            sql,
            taxpayer.id,
            kinds.filter((kind) => body.kinds[kind] === true),
          );
          return readSettings(sql, taxpayer.id);
        });
      },
      {
        books: true,
        query: booksQuery({}),
        body: closed(
          { kinds: closed(switches(t.Optional(t.Boolean()))) },
          { examples: [{ kinds: { import_completed: false } }] },
        ),
        response: { 200: NotificationSettings, ...problems(422) },
        detail: {
          summary: 'Switch kinds on or off',
          description: 'A kind that is off is not kept: it does not come later when it is switched on again.',
          operationId: 'changeNotificationSettings',
          tags,
        },
      },
    );

async function readSettings(sql: Sql, taxpayerId: string) {
  const muted = await selectMuted(sql, taxpayerId);
  const kinds = notificationKinds.map((kind) => [kind, !muted.includes(kind)] as const);
  return { kinds: Object.fromEntries(kinds) as Record<NotificationKind, boolean> };
}
