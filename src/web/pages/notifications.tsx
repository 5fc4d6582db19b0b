import { useLocation } from 'preact-iso';
import { api, type DataOf, type ItemOf, refresh, unwrapResponse, useApi, useList, write } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { useServerConfig, useStatus } from '../api/status.ts';
import { say, sayProblem } from '../api/toasts.ts';
import { formatCount } from '../format/amounts.ts';
import { localDay, localTime } from '../format/dates.ts';
import { findPage } from '../format/page-links.ts';
import { ActionButton, Button } from '../parts/button.tsx';
import { Choice, toOptions } from '../parts/field.tsx';
import { FilterChoice } from '../parts/filters.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Card, Empty, ListView, Page, ResourceView } from '../parts/page.tsx';

type FeedItem = ItemOf<typeof api.notifications.get>;

/** Notifications, newest first. New ones appear while the page is open. */
export default function Notifications() {
  const { query } = useLocation();
  const isUnread = query.show === 'unread';
  const feed = useList(`notifications ${isUnread}`, (cursor) =>
    api.notifications.get({ query: { ...(isUnread ? { unread: true } : {}), ...cursor, limit: 30 } }),
  );
  const unread = useStatus().data?.unreadNotifications;
  return (
    <Page
      title="Notifications"
      lead={
        unread === undefined
          ? undefined
          : unread === 0
            ? 'No unread notifications.'
            : `${formatCount(unread, 'unread notification')}`
      }
      actions={
        <OwnBooks>
          <ActionButton
            label="Mark all as read"
            disabled={unread === 0}
            act={() => write(api.notifications.read.post())}
            said={({ read }) => `${formatCount(read, 'notification')} marked as read.`}
          />
        </OwnBooks>
      }
    >
      <div class="filters">
        <FilterChoice name="show" label="Show" options={toOptions({ all: 'All', unread: 'Unread' })} />
      </div>
      <ListView list={feed} more="Show older">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={isUnread ? 'No unread notifications' : 'No notifications yet'}>
              You'll see finished imports, new items to review, and anything else that needs your attention.
            </Empty>
          ) : (
            [...Map.groupBy(data, ({ createdAt }) => localDay(createdAt))].map(([date, items]) => (
              <Card key={date} class="flush" title={date}>
                <ul class="feed">
                  {items.map((item) => (
                    <FeedEntry key={item.id} item={item} />
                  ))}
                </ul>
              </Card>
            ))
          )
        }
      </ListView>
      <OwnBooks>
        <KindsForm />
      </OwnBooks>
    </Page>
  );
}

function FeedEntry({ item: { id, title, body, link, createdAt, readAt } }: { readonly item: FeedItem }) {
  const pageLocation = link === null ? null : findPage(link);
  const read = () => write(api.notifications({ id }).read.post()).catch(sayProblem);
  return (
    <li class={readAt === null ? 'unread' : ''}>
      <div>
        <h3>
          {pageLocation === null ? (
            title
          ) : (
            <a href={to(pageLocation.path, pageLocation.query)} onClick={() => void (readAt === null && read())}>
              {title}
            </a>
          )}
        </h3>
        <p class="feed-text">{body}</p>
        <p class="fine">
          <time dateTime={createdAt}>{localTime(createdAt)}</time>
          {readAt === null && ' · not read yet'}
        </p>
      </div>
      {readAt === null && (
        <OwnBooks>
          <Button label="Mark as read" aria-label={`Mark as read: ${title}`} onClick={() => void read()} />
        </OwnBooks>
      )}
    </li>
  );
}

type NotificationChoices = DataOf<typeof api.notifications.settings.get>;
type KindSwitches = NotificationChoices['kinds'];
type DigestPick = NotificationChoices['digest'];
type SwitchedKind = keyof KindSwitches;

/** Selects which notifications are created. Notifications that are turned off are not stored. */
function KindsForm() {
  const reading = useApi('notification settings', () => api.notifications.settings.get());
  return (
    <details class="card">
      <summary>Choose notifications and emails</summary>
      <ResourceView reading={reading}>
        {({ kinds, digest }) => (
          <>
            <DigestChoice digest={digest} />
            <ul class="switches">
              {(Object.keys(kindWords) as SwitchedKind[]).map((kind) => (
                <li key={kind}>
                  <label>
                    <input
                      type="checkbox"
                      checked={kinds[kind]}
                      onChange={() => toggle(kind, !kinds[kind]).catch(sayProblem)}
                    />
                    <span>{kindWords[kind]}</span>
                  </label>
                </li>
              ))}
            </ul>
          </>
        )}
      </ResourceView>
      <p class="fine">Turned-off notifications aren't saved.</p>
    </details>
  );
}

/** There is no choice if this server cannot send email. */
function DigestChoice({ digest }: { readonly digest: DigestPick }) {
  const config = useServerConfig();
  if (config.data?.mail !== true) return null;
  return (
    <div class="filters">
      <Choice
        label="Email digest"
        value={digest}
        options={toOptions({ off: 'Never', daily: 'Every morning', weekly: 'On Mondays' })}
        hint="One email with your unread notifications. Sent only if there is something new."
        onChange={(chosen) => chooseDigest(chosen, digest).catch(sayProblem)}
      />
    </div>
  );
}

async function chooseDigest(digest: DigestPick, before: DigestPick): Promise<void> {
  await save({ digest });
  say(digest === 'off' ? 'Emails turned off.' : 'Emails turned on.', () => save({ digest: before }));
}

async function toggle(kind: SwitchedKind, isOn: boolean): Promise<void> {
  await save({ kinds: { [kind]: isOn } });
  say(isOn ? 'Notification turned on.' : 'Notification turned off.', () => save({ kinds: { [kind]: !isOn } }));
}

async function save(change: NonNullable<Parameters<typeof api.notifications.settings.patch>[0]>): Promise<void> {
  await unwrapResponse(api.notifications.settings.patch(change));
  refresh();
}

const kindWords: Readonly<Record<SwitchedKind, string>> = {
  import_completed: 'Import finished, nothing to review',
  import_failed: 'Import failed',
  review_needed: 'Import finished, with items to review',
  calculation_completed: 'Full calculation finished',
  confirm_form: 'Tax form of an account to confirm',
  tell_broker: 'Lots to report to your broker',
  fund_value: 'Year-end value of an opportunity fund needed',
  year_end: 'Last trading day of the year',
  wash_window: "Wash sale warning: don't rebuy yet",
  long_term_soon: 'Holding turning long-term soon',
  limit_near: 'Close to a plan limit',
  limit_reached: 'Plan limit reached',
  plan_changed: 'Plan started or ended, or a payment failed',
  year_conflict: 'Attempted change to a locked year',
  new_sign_in: 'Sign-in from a new browser',
  sign_in_guesses: 'Many failed sign-ins to your account',
  access_changed: 'Access given or removed',
  review_changed: 'A year was prepared, reviewed, signed off or reopened',
  note_changed: 'A note was added or resolved',
};
