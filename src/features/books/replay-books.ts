import { collectInWorker } from '../../base/garbage.ts';
import { nextTurn } from '../../base/turn.ts';
import type { Sql } from '../../db/connection.ts';
import { readAccepted } from '../transactions/resolutions/accepted.ts';
import { readRestatements } from '../transactions/resolutions/restate.ts';
import type { Arrivals } from '../transactions/staged/arrivals.ts';
import { closeBook } from './state/close.ts';
import { type EmptiedBook, type OpenedBook, openBook, type ReplayContext, type ReplayOrder } from './state/open.ts';
import { type ReplayedBook, replayOpened } from './state/replayed.ts';
import { addChanges, type BookChanges, noChanges } from './summaries/summaries.ts';

export type OnBook = (done: number, of: number) => void | Promise<void>;

/**
 * One book after the other, as in an assembly line: while the engine replays a book, the database writes the one before
 * and reads the one after; where rows of books are still to be stored, it does the same with some books at once. Never
 * more than these three are in memory.
 */
export async function replayBooks(
  sql: Sql,
  taxpayerId: string,
  orders: readonly ReplayOrder[],
  under: Pick<ReplayContext, 'rules' | 'through' | 'limits'>,
  { onBook, arrivals }: { readonly onBook: OnBook; readonly arrivals: Arrivals },
): Promise<BookChanges> {
  const all = noChanges();
  if (orders.length === 0) return all;
  const restatements = await readRestatements(sql, taxpayerId);
  const context: ReplayContext = { ...under, restatements, accepted: await readAccepted(sql, taxpayerId) };
  const open = async (batch: readonly ReplayOrder[] = []): Promise<(OpenedBook | EmptiedBook)[]> => {
    await arrivals.bring(batch.flatMap((order) => order.keys));
    const opened: (OpenedBook | EmptiedBook)[] = [];
    for (const order of batch) {
      opened.push(await openBook(sql, order, context));
      collectInWorker();
    }
    return opened;
  };
  const close = async (book: ReplayedBook | EmptiedBook): Promise<void> => {
    addChanges(all, await closeBook(sql, book, under.rules));
  };
  const batches = [...inBatches(orders, arrivals, under.limits.rowsPerBatch)];
  let opening = underWay(open(batches[0]));
  let closing = Promise.resolve();
  let done = 0;
  try {
    for (const [at, batch] of batches.entries()) {
      const opened = await opening;
      // The next question is on the way to the database before the engine takes the thread, and others have their turn.
      opening = underWay(open(batches[at + 1]));
      const before = closing;
      // Out of the list: of one that is replayed its rows are not needed any more.
      for (let book = opened.shift(); book !== undefined; book = opened.shift()) {
        await nextTurn();
        // One book at a time: the facts of more would fill the memory.
        await closing;
        const replayed = await replayOpened(sql, book, context);
        collectInWorker();
        closing = underWay(close(replayed));
      }
      await before;
      done += batch.length;
      await onBook(done, orders.length);
    }
    await closing;
    return all;
  } finally {
    // Nothing may go on in a transaction that is over.
    await Promise.allSettled([opening, closing]);
  }
}

/** Books whose rows are stored together; one by one those that are stored already. */
function* inBatches(
  orders: readonly ReplayOrder[],
  arrivals: Arrivals,
  rowsPerBatch: number,
): Generator<readonly ReplayOrder[]> {
  let [batch, rows]: [ReplayOrder[], number] = [[], 0];
  for (const order of orders) {
    const own = order.keys.reduce((sum, key) => sum + arrivals.waiting(key), 0);
    if (batch.length > 0 && (own === 0 || rows + own > rowsPerBatch)) {
      yield batch;
      [batch, rows] = [[], 0];
    }
    batch.push(order);
    rows += own;
    if (own > 0) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Whoever waits for it hears of its failure; until then nobody else need. */
function underWay<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}
