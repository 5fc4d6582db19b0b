import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../api/api.ts';
import { write } from '../api/changes.ts';
import { useList } from '../api/list.ts';
import { to } from '../api/page-url.ts';
import { useStatus } from '../api/status.ts';
import { formatCount } from '../format/amounts.ts';
import { localDay, localTime } from '../format/dates.ts';
import { findPage } from '../format/page-links.ts';
import { Empty } from '../parts/empty.tsx';
import { Choice } from '../parts/field.tsx';
import { ListView } from '../parts/list-view.tsx';
import { OwnBooks } from '../parts/own-books.tsx';
import { Page } from '../parts/page.tsx';
import { say, sayProblem } from '../parts/toasts.tsx';
import { KindsForm } from './notifications/kinds.tsx';

type FeedItem = Awaited<ReturnType<typeof readFeed>>['data'][number];

function readFeed(query: { readonly unread?: true; readonly cursor?: string }) {
  return unwrapResponse(api.notifications.get({ query: { ...query, limit: 30 } }));
}

/** Notifications, newest first. New ones appear while the page is open. */
export default function Notifications() {
  const { query, route } = useLocation();
  const isUnread = query.show === 'unread';
  const feed = useList(`notifications ${isUnread}`, (cursor) =>
    readFeed({ ...(isUnread ? { unread: true } : {}), ...cursor }),
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
          <button type="button" disabled={unread === 0} onClick={() => readAll().catch(sayProblem)}>
            Mark all as read
          </button>
        </OwnBooks>
      }
    >
      <div class="filters">
        <Choice
          label="Show"
          value={isUnread ? 'unread' : 'all'}
          options={[
            { value: 'all', label: 'All' },
            { value: 'unread', label: 'Unread' },
          ]}
          onChange={(show) => route(to('/notifications', { ...query, show: show === 'all' ? '' : show }), true)}
        />
      </div>
      <ListView list={feed} more="Show older">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={isUnread ? 'No unread notifications' : 'No notifications yet'}>
              You'll see finished imports, new items to review, and anything else that needs your attention.
            </Empty>
          ) : (
            [...Map.groupBy(data, ({ createdAt }) => localDay(createdAt))].map(([date, items]) => (
              <section key={date} class="card flush">
                <h2>{date}</h2>
                <ul class="feed">
                  {items.map((item) => (
                    <FeedEntry key={item.id} item={item} />
                  ))}
                </ul>
              </section>
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
  const read = () => markRead(id).catch(sayProblem);
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
          <button type="button" aria-label={`Mark as read: ${title}`} onClick={() => void read()}>
            Mark as read
          </button>
        </OwnBooks>
      )}
    </li>
  );
}

async function markRead(id: string): Promise<void> {
  await write(api.notifications({ id }).read.post());
}

async function readAll(): Promise<void> {
  const { read } = await write(api.notifications.read.post());
  say(`${formatCount(read, 'notification')} marked as read.`);
}
