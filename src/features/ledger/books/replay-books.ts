import { collectInWorker } from '../../../base/garbage.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Arrivals } from '../transactions/staged/arrivals.ts';
import { FactWriter } from './facts/writer.ts';
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
import { addChanges, type BookChanges, noChanges } from './summaries/summaries.ts';

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
  { rules, limits }: ReplayContext,
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
    const stored = await countMoving(sql, taxpayerId, spans, rowsPerBatch);
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
