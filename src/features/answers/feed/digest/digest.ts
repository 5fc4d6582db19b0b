import type { Deps, Mail } from '../../../../deps.ts';
import { buildMail } from '../../../people/mail/letter.ts';
import { postMail } from '../../../people/mail/post.ts';
import { digest } from '../../../people/mail/templates/digest.ts';
import { listNotifications } from '../../../people/notifications/notifications.queries.ts';
import { countUnreadAfter, type DigestRow, movePeriod, moveSequence, selectDigestsBefore } from './digest.queries.ts';
import { periodAt } from './period.ts';
import type { UnsubscribeTokens } from './unsubscribe.ts';

/** The maximum number of items in an email. The notifications page lists all. */
const itemsMax = 20;
const rowsAtOnce = 200;
const firstKey = '00000000-0000-0000-0000-000000000000';

export interface DigestWork {
  readonly tokens: UnsubscribeTokens;
  /** Creates the due reminders, as every use of the books does. */
  remind(taxpayerId: string): Promise<void>;
}

/**
 * Emails new unread notifications to users whose next period has begun. The period moves in the transaction that posts
 * the email, so each user gets exactly one email per period, even if a server crashes or several servers run this at
 * the same time.
 */
export async function sendDigests(deps: Deps, work: DigestWork, signal: AbortSignal): Promise<void> {
  const now = deps.clock.now();
  // Local time is at most 14 hours ahead of UTC, so this covers every time zone.
  const latest = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
  for (let after = { taxpayerId: firstKey, userId: firstKey }; ; ) {
    const rows = await deps.database.asService((sql) => selectDigestsBefore(sql, latest, after, rowsAtOnce));
    for (const row of rows) {
      signal.throwIfAborted();
      await sendWhereDue(deps, work, row, now);
      after = row;
    }
    if (rows.length < rowsAtOnce) return;
  }
}

async function sendWhereDue(deps: Deps, work: DigestWork, row: DigestRow, now: Date): Promise<void> {
  const period = { from: row.periodOn, to: periodAt(now, row.timeZone, row.frequency) };
  if (period.to <= period.from) return;
  try {
    await work.remind(row.taxpayerId);
    const digestMail = await write(deps, work, row);
    await deps.database.asService(async (sql) => {
      if (!(await movePeriod(sql, row, period)) || digestMail === null) return;
      await moveSequence(sql, row, digestMail.last);
      await postMail(deps, sql, digestMail.mail);
    });
  } catch (error) {
    // One failure does not stop the other digests. The next run retries it.
    deps.log.error('digest not sent', error);
  }
}

/** Returns null if there is nothing new. */
async function write(
  deps: Deps,
  { tokens }: DigestWork,
  row: DigestRow,
): Promise<{ readonly mail: Mail; readonly last: string } | null> {
  const { taxpayerId, sequence, email, client, frequency } = row;
  const { fresh, last, items } = await deps.database.asTaxpayer(
    taxpayerId,
    async (sql) => ({
      ...(await countUnreadAfter(sql, taxpayerId, sequence)),
      items: await listNotifications(sql, taxpayerId, { before: null, unread: true }, itemsMax),
    }),
    { readOnly: true, snapshot: true },
  );
  if (fresh === 0) return null;
  const token = await tokens.make(row);
  const { baseUrl } = deps.config;
  const letter = digest({
    client,
    frequency,
    fresh,
    items: items.slice(0, Math.min(fresh, itemsMax)),
    link: `${baseUrl}/notifications${client === null ? '' : `?${new URLSearchParams({ client: taxpayerId })}`}`,
    stopLink: `${baseUrl}/unsubscribe#${token}`,
  });
  const unsubscribeUrl = `${baseUrl}/v1/notifications/unsubscribe?${new URLSearchParams({ token })}`;
  return { mail: { ...buildMail(email, letter), unsubscribeUrl }, last };
}
