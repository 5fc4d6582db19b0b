import { addDays, dayIn, formatDay, type Instant } from '../../../base/day.ts';
import type { Deps, Mail } from '../../../deps.ts';
import { postMail } from '../../people/mail/delivery.ts';
import { buildMail } from '../../people/mail/letter.ts';
import { digest } from '../../people/mail/templates.ts';
import { listNotifications } from '../../people/notifications.queries.ts';
import { keepServerSecret } from '../../people/seal.queries.ts';
import {
  countUnreadAfter,
  type DigestFrequency,
  type DigestRow,
  movePeriod,
  moveSequence,
  selectDigestsBefore,
} from './digest.queries.ts';

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

/** Emails are due at 7 AM in the taxpayer's time zone. */
const firstHour = 7;
const daysOfWeek = 7;
/** January 1, 1970 was a Thursday, three days after a Monday. */
const daysAfterMonday = 3;

/** Returns the first day of the period that contains `at`. Weeks begin on Monday. */
export function periodAt(at: Date, timeZone: string, frequency: DigestFrequency): string {
  const day = dayIn(((at.getTime() - firstHour * 3_600_000) * 1000) as Instant, timeZone);
  if (frequency === 'daily') return formatDay(day);
  return formatDay(addDays(day, -((((day + daysAfterMonday) % daysOfWeek) + daysOfWeek) % daysOfWeek)));
}

/** Runs hourly, because it is always 7 AM in some time zone, and because emails that no server accepted are retried. */
const cron = '5 * * * *';

/**
 * Sends digests on a schedule. Does nothing if no mail server is configured, because the digests would only be logged.
 */
export function keepDigests(deps: Deps, remind: (taxpayerId: string) => Promise<void>): void {
  if (deps.config.mail === null) return;
  const work = { tokens: new UnsubscribeTokens(deps), remind };
  deps.jobs.schedule('digests', { cron, perform: (signal) => sendDigests(deps, work, signal) });
}

type DigestKey = Pick<DigestRow, 'taxpayerId' | 'userId'>;

const idBytes = 16;
const secretBytes = 32;
const format = { alphabet: 'base64url', omitPadding: true } as const;

/**
 * Signs and verifies the tokens (HMAC) in unsubscribe links. A token names the user and the books of a digest. Tokens
 * are not stored, so links in old emails keep working. A token can only stop these emails.
 */
export class UnsubscribeTokens {
  readonly #deps: Pick<Deps, 'database'>;
  #key: Promise<CryptoKey> | undefined;

  constructor(deps: Pick<Deps, 'database'>) {
    this.#deps = deps;
  }

  async make({ taxpayerId, userId }: DigestKey): Promise<string> {
    const ids = new Uint8Array([...bytesOf(taxpayerId), ...bytesOf(userId)]);
    const signature = await crypto.subtle.sign('HMAC', await this.#keyOf(), ids);
    return new Uint8Array([...ids, ...new Uint8Array(signature)]).toBase64(format);
  }

  /** Returns undefined if the server did not issue the token. */
  async read(token: string): Promise<DigestKey | undefined> {
    if (!/^[\w-]{86}$/.test(token)) return undefined;
    const bytes = Uint8Array.fromBase64(token, { alphabet: 'base64url' });
    const ids = bytes.slice(0, 2 * idBytes);
    const isOurs = await crypto.subtle.verify('HMAC', await this.#keyOf(), bytes.slice(2 * idBytes), ids);
    if (!isOurs) return undefined;
    return { taxpayerId: uuidOfBytes(ids.slice(0, idBytes)), userId: uuidOfBytes(ids.slice(idBytes)) };
  }

  #keyOf(): Promise<CryptoKey> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  async #readKey(): Promise<CryptoKey> {
    const made = crypto.getRandomValues(new Uint8Array(secretBytes));
    const secret = await this.#deps.database.asService((sql) => keepServerSecret(sql, 'unsubscribe', made));
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    return crypto.subtle.importKey('raw', new Uint8Array(secret), algorithm, false, ['sign', 'verify']);
  }
}

function bytesOf(uuid: string): Uint8Array {
  return Uint8Array.fromHex(uuid.replaceAll('-', ''));
}

function uuidOfBytes(bytes: Uint8Array): string {
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
