import { hash } from 'node:crypto';
import { addDays, type Day, formatDay } from '../../../base/day.ts';
import { collectInWorker } from '../../../base/garbage.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { Sql } from '../../../db/connection.ts';
import { lapsesBetween } from '../../../engine/book/expiry.ts';
import { inclusionEndOf, mayEndDeferral } from '../../../engine/rules/opportunity-funds/include.ts';
import { yearEndsBetween } from '../../../engine/rules/year/year-end.ts';
import type { StoredSettings } from '../transactions/elections.ts';
import { parseDayColumn, type TouchedKeys, touch } from '../transactions/rows.ts';
import type { Arrivals } from '../transactions/store.ts';
import { selectInvestments, selectWindowKeys } from './books.queries.ts';
import { FactWriter } from './fact-writer.ts';
import { closeBooks } from './state/close.ts';
import {
  type BookStart,
  type EmptiedBook,
  estimateSize,
  findStarts,
  type OpenedBook,
  openBooks,
  type ReplayContext,
  type ReplayRequest,
} from './state/open.ts';
import { type ReplayedBook, replayOpened } from './state/replayed.ts';
import { countMoving } from './state/state.queries.ts';
import { addChanges, type BookChanges, noChanges } from './summaries.ts';

export type OnBookReplayed = (done: number, of: number) => void | Promise<void>;

/**
 * Replays books in a pipeline. While the engine replays one batch, the database writes the previous batch and reads the
 * next. A batch contains many small books, which need only a few statements together, or one large book. At most three
 * batches are in memory.
 */
export async function replayBooks(
  sql: Sql,
  taxpayerId: string,
  requests: readonly ReplayRequest[],
  context: ReplayContext,
  { onBook, arrivals }: { readonly onBook: OnBookReplayed; readonly arrivals: Arrivals },
): Promise<BookChanges> {
  const all = noChanges();
  if (requests.length === 0) return all;
  const batches = inBatches(sql, taxpayerId, requests, context, arrivals);
  const open = async (): Promise<(OpenedBook | EmptiedBook)[] | null> => {
    const batch = await batches.next();
    if (batch.done) return null;
    await arrivals.bring(batch.value.flatMap(({ request }) => request.keys));
    const opened = await openBooks(sql, taxpayerId, batch.value, context);
    collectInWorker();
    return opened;
  };
  let done = 0;
  const close = async (books: readonly (ReplayedBook | EmptiedBook)[]): Promise<void> => {
    addChanges(all, await closeBooks(sql, taxpayerId, books, context.rules));
    done += books.length;
    await onBook(done, requests.length);
  };
  const writer = new FactWriter(sql, taxpayerId);
  let opening = ignoreRejection(open());
  let closing = Promise.resolve();
  try {
    for (let opened = await opening; opened !== null; opened = await opening) {
      // Sends the next query to the database before the engine occupies the thread. Also lets other requests run.
      opening = ignoreRejection(open());
      let replayed: (ReplayedBook | EmptiedBook)[] = [];
      for await (const book of replayOpened(sql, taxpayerId, opened, context, writer)) {
        replayed.push(book);
        const facts = replayed.reduce((sum, one) => sum + (one.kind === 'emptied' ? 0 : one.facts.size), 0);
        if (facts < factsMax && opened.length > 0) continue;
        // Waits for the previous write, because the facts of more books would fill the memory.
        await closing;
        collectInWorker();
        closing = ignoreRejection(close(replayed));
        replayed = [];
      }
    }
    await closing;
    await writer.end();
    return all;
  } finally {
    // Waits for all queries, because no query may be running when the transaction ends.
    await Promise.allSettled([opening, closing, writer.waitForWrites()]);
  }
}

/** The number of facts per write. */
const factsMax = 5_000;
/** The number of books whose checkpoints are looked up at a time. */
const booksMax = 500;

/**
 * Yields batches of books to read together: either small books with a limited total number of rows, or one large book.
 * New rows of a batch are stored together as well.
 */
async function* inBatches(
  sql: Sql,
  taxpayerId: string,
  requests: readonly ReplayRequest[],
  { rules, limits, accountRows = Number.POSITIVE_INFINITY }: ReplayContext,
  arrivals: Arrivals,
): AsyncGenerator<readonly BookStart[], void, undefined> {
  const { rowsPerBatch } = limits;
  let [batch, size]: [BookStart[], number] = [[], 0];
  for (let at = 0; at < requests.length; at += booksMax) {
    const starts = await findStarts(sql, taxpayerId, requests.slice(at, at + booksMax), rules);
    const spans = starts.map(({ request: { book, keys }, before }) => ({
      book,
      keys,
      after: before.at(-1)?.day ?? null,
    }));
    const stored = accountRows <= rowsPerBatch ? new Map() : await countMoving(sql, taxpayerId, spans, rowsPerBatch);
    for (const start of starts) {
      const waiting = start.request.keys.reduce((sum, key) => sum + arrivals.waiting(key), 0);
      const sizeWithBook = waiting + estimateSize(start, stored.get(start.request.book) ?? 0, limits);
      if (batch.length > 0 && size + sizeWithBook > rowsPerBatch) {
        yield batch;
        [batch, size] = [[], 0];
      }
      batch.push(start);
      size += sizeWithBook;
    }
  }
  if (batch.length > 0) yield batch;
}

/** Prevents an unhandled rejection before other code awaits the promise and gets the error. */
function ignoreRejection<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}

interface Horizon {
  /** The day of the last row. Null if there are no rows. */
  readonly through: Day | null;
  readonly touched: TouchedKeys;
}

/** Three last days: of the rows used for the current books, of all stored rows, and of rows still to be stored. */
export interface KnownDays {
  readonly before: Day | null;
  readonly found: Day | null;
  readonly arriving: Day | null;
}

/**
 * Updates the last known day of the books and everything that depends on it. If the day of the last row moved, results
 * for the days in between can change even in books without changed rows. Options expire or not
 * (`rules/options/lapse.ts`), contracts get a year-end issue (`rules/year/year-end.ts`), deferred gains are included
 * (`rules/opportunity-funds/include.ts`), and the wash sale windows of losses close or reopen
 * (`rules/wash-sales/open-windows.ts`).
 */
export async function moveHorizon(
  sql: Sql,
  taxpayerId: string,
  changed: TouchedKeys,
  stored: readonly Membership[],
  { before, found, arriving }: KnownDays,
): Promise<Horizon> {
  const lastDay = arriving !== null && (found === null || arriving > found) ? arriving : found;
  if (lastDay === before) return { through: lastDay, touched: changed };
  const [from, until] = [before, lastDay].sort((a, b) => (a ?? noDay) - (b ?? noDay));
  const touched = new Map(changed);
  const keys = stored.map((row) => row.asset_key);
  const [after, to] = [from ?? noDay, until ?? noDay];
  const ends = [...lapsesBetween(keys, after, to), ...yearEndsBetween(keys, after, to)];
  for (const { key, on } of ends) touch(touched, key, on);
  if (mayEndDeferral(after, to)) {
    for (const { key, invested } of await selectInvestments(sql, taxpayerId)) {
      const end = inclusionEndOf(parseDayColumn(invested));
      if (after < end && to >= end) touch(touched, key, end);
    }
  }
  const windows = { through: formatDay(lastDay ?? noDay), reopened: lastDay === after ? formatDay(to) : null };
  for (const key of await selectWindowKeys(sql, taxpayerId, windows)) touch(touched, key, addDays(after, 1));
  return { through: lastDay, touched };
}

const noDay = -25_567 as Day; // 1900-01-01

/** The books that a change requires to be replayed or removed. */
export interface BookPlan {
  /** Current books with their keys. `from` is the first affected day. Null replays the whole book. */
  readonly replays: readonly { readonly book: string; readonly keys: readonly string[]; readonly from: Day | null }[];
  /** Previous books that no longer exist, because their keys were joined with others or separated. */
  readonly dissolved: readonly string[];
}

export interface Membership {
  readonly asset_key: string;
  readonly book: string;
}

/**
 * Returns the books to replay. A book with unchanged keys resumes before the first affected day. A book that was joined
 * or split is replayed from the beginning, together with all other books that contain keys of its previous books.
 */
export function planBooks(
  touched: TouchedKeys,
  links: Iterable<readonly [string, string]>,
  stored: readonly Membership[],
): BookPlan {
  const now = new Components(links);
  const linked = now.linkedKeys();
  const bookBefore = new Map(stored.map((row) => [row.asset_key, row.book]));
  const before = Map.groupBy(stored, (row) => row.book);
  const books = new Map<string, readonly string[]>();
  const dissolved = new Set<string>();
  const open = [...touched.keys()];
  const seen = new Set(open);
  const visit = (key: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    open.push(key);
  };
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const book = now.resolveBook(key);
    const keys = linked.get(book) ?? [key];
    books.set(book, keys);
    for (const mate of keys) visit(mate);
    const old = bookBefore.get(key);
    if (old === undefined) continue;
    const members = before.get(old) ?? [];
    for (const mate of members) visit(mate.asset_key);
    if (old !== book || members.length !== keys.length) dissolved.add(old);
  }
  const replays = [...books].sort(byName).map(([book, keys]) => {
    const members = before.get(book) ?? [];
    const same = members.length === keys.length && keys.every((key) => bookBefore.get(key) === book);
    return { book, keys, from: same ? firstDay(touched, keys) : null };
  });
  return { replays, dissolved: [...dissolved].sort() };
}

function firstDay(touched: TouchedKeys, keys: readonly string[]): Day | null {
  const days = keys.flatMap((key) => touched.get(key) ?? []);
  return days.length === 0 ? null : (Math.min(...days) as Day);
}

function byName(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : 1;
}

/** Groups linked asset keys into books. The smallest key names the book. */
export class Components {
  private readonly parents = new Map<string, string>();

  constructor(links: Iterable<readonly [string, string]>) {
    for (const [a, b] of links) this.join(a, b);
  }

  /** Returns the name of the book that contains the key. */
  resolveBook(key: string): string {
    let root = key;
    for (
      let parent = this.parents.get(root);
      parent !== undefined && parent !== root;
      parent = this.parents.get(root)
    ) {
      root = parent;
    }
    // Path compression: makes all visited keys point directly at the root.
    for (let node = key; node !== root; ) {
      const next = this.parents.get(node) ?? root;
      this.parents.set(node, root);
      node = next;
    }
    return root;
  }

  /** Returns all linked keys, grouped by book. */
  linkedKeys(): Map<string, string[]> {
    const members = new Map<string, string[]>();
    for (const key of [...this.parents.keys()].sort()) {
      const book = this.resolveBook(key);
      const keys = members.get(book);
      if (keys === undefined) members.set(book, [key]);
      else keys.push(key);
    }
    return members;
  }

  private join(a: string, b: string): void {
    for (const key of [a, b]) if (!this.parents.has(key)) this.parents.set(key, key);
    const [first, second] = [this.resolveBook(a), this.resolveBook(b)];
    if (first < second) this.parents.set(second, first);
    else this.parents.set(first, second);
  }
}

/**
 * Returns a name for the state of the books: the stored rows, open issues about lines and stated gains, and elections.
 * It depends only on this content. Undoing an import therefore restores the previous revision, and every figure and
 * report created under it is current again.
 */
export function computeRevision(
  content: string,
  settings: StoredSettings,
  timeZone: string,
  questions: readonly string[] = [],
): string {
  const elected = settingsNumber(settings) + zoneNumber(content, timeZone);
  const asked = questions.length === 0 ? 0n : hashToNumber(questions.toSorted().join('\n'));
  return BigInt.asUintN(revisionBits, BigInt(content) + elected + asked).toString();
}

/** A revision with 63 bits fits into a bigint column. */
const revisionBits = 63;

/** Returns 0 without elections, so that empty books have revision 0. */
function settingsNumber(settings: StoredSettings): bigint {
  const text = canonicalJson(settings);
  return text === '{}' ? 0n : hashToNumber(text);
}

/**
 * Returns a number for the time zone, which determines the day when lots were identified. Returns 0 for empty books.
 */
function zoneNumber(content: string, timeZone: string): bigint {
  return content === '0' || timeZone === 'UTC' ? 0n : hashToNumber(timeZone);
}

function hashToNumber(text: string): bigint {
  return BigInt(`0x${hash('sha256', text, 'hex').slice(0, 16)}`);
}
