import { Elysia, t } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { group, read, write } from '../../../http/operations.ts';
import { closed, oneOf, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { confirmFirst } from '../../people/auth/email/verified-rule.ts';
import { loadAccount } from '../../people/auth/profile.ts';
import {
  muteKinds,
  type NotificationKind,
  notificationKinds,
  selectMuted,
  unmuteKinds,
} from '../../people/notifications.queries.ts';
import { chooseDigest, type DigestFrequency, deleteDigest, digestFrequencies, selectDigest } from './digest.queries.ts';
import { periodAt } from './digest.ts';

const switches = <Schema>(schema: Schema) =>
  Object.fromEntries(notificationKinds.map((kind) => [kind, schema])) as Record<NotificationKind, Schema>;

const digestChoices = ['off', ...digestFrequencies] as const;

const NotificationSettings = closed(
  {
    kinds: closed(switches(t.Boolean()), { description: 'Whether notifications of a kind are created.' }),
    digest: oneOf(
      digestChoices,
      'How often new unread notifications of these books are emailed to you: every day at 7 AM, or on Mondays.',
    ),
  },
  { title: 'NotificationSettings' },
);

const { onBooks } = group('Notifications');

/** Reads and updates which kinds of notifications are created and how often they are emailed. */
export const notificationSettings = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/settings',
      ({ books, taxpayer, caller }) => books.read((sql) => readSettings(sql, taxpayer.id, caller.userId)),
      onBooks('getNotificationSettings', read, {
        summary: 'Get notification settings',
        response: { 200: NotificationSettings },
      }),
    )
    .patch(
      '/settings',
      async ({ books, taxpayer, caller, body }) => {
        const { kinds = {}, digest } = body;
        const listKinds = (isOn: boolean) => notificationKinds.filter((kind) => kinds[kind] === isOn);
        if (digest !== undefined && digest !== 'off') await requireConfirmedAddress(deps, caller.userId);
        const periodOn = (frequency: DigestFrequency) => periodAt(deps.clock.now(), taxpayer.timeZone, frequency);
        return books.change(async (sql) => {
          await muteKinds(sql, taxpayer.id, listKinds(false));
          await unmuteKinds(sql, taxpayer.id, listKinds(true));
          if (digest === 'off') await deleteDigest(sql, taxpayer.id, caller.userId);
          else if (digest !== undefined) {
            const chosen = { frequency: digest, periodOn: periodOn(digest) };
            await chooseDigest(sql, taxpayer.id, caller.userId, chosen);
          }
          return readSettings(sql, taxpayer.id, caller.userId);
        });
      },
      onBooks(
        'updateNotificationSettings',
        { ...write('notification_settings_changed'), permission: 'own' },
        {
          summary: 'Update notification settings',
          description:
            'Notifications of a kind that is off are not saved. They do not appear when the kind is turned on again.',
          body: closed(
            {
              kinds: t.Optional(closed(switches(t.Optional(t.Boolean())))),
              digest: t.Optional(
                oneOf(digestChoices, 'Any choice other than `off` requires a confirmed email address.'),
              ),
            },
            { examples: [{ kinds: { import_completed: false } }] },
          ),
          response: { 200: NotificationSettings, ...problems('conflict') },
        },
      ),
    );

/** Requires a confirmed email address, because a digest contains private data. */
async function requireConfirmedAddress(deps: Deps, userId: string): Promise<void> {
  const { email, emailVerified } = await loadAccount(deps, userId);
  if (!emailVerified) throw new Refusal('conflict', confirmFirst(deps.config, email));
}

async function readSettings(sql: Sql, taxpayerId: string, userId: string) {
  const muted = await selectMuted(sql, taxpayerId);
  const kinds = notificationKinds.map((kind) => [kind, !muted.includes(kind)] as const);
  return {
    kinds: Object.fromEntries(kinds) as Record<NotificationKind, boolean>,
    digest: (await selectDigest(sql, taxpayerId, userId)) ?? ('off' as const),
  };
}
