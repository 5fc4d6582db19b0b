import { nextTurn } from '../../base/turn.ts';
import type { Sql } from '../../db/connection.ts';
import { selectAccepted } from '../transactions/resolutions/queries.ts';
import { readRestatements } from '../transactions/resolutions/restate.ts';
import { closeBook } from './state/close.ts';
import { type Answers, openBook, type ReplayOrder, replayOpened } from './state/open.ts';
import { addChanges, type BookChanges, noChanges } from './summaries.ts';

/**
 * One book after the other, as in an assembly line: while the engine replays a book, the database writes the one before
 * and reads the one after. Never more than these three are in memory.
 */
export async function replayBooks(
  sql: Sql,
  taxpayerId: string,
  orders: readonly ReplayOrder[],
  under: Pick<Answers, 'rules' | 'through' | 'reading'>,
  onBook: (done: number, of: number) => void | Promise<void>,
): Promise<BookChanges> {
  const all = noChanges();
  if (orders.length === 0) return all;
  const restatements = await readRestatements(sql, taxpayerId);
  const answers: Answers = { ...under, restatements, accepted: await selectAccepted(sql, taxpayerId) };
  const open = async (order: ReplayOrder | undefined) => (order === undefined ? null : openBook(sql, order, answers));
  let opening = underWay(open(orders[0]));
  let closing: Promise<BookChanges> = Promise.resolve(noChanges());
  try {
    for (let at = 0; at < orders.length; at++) {
      const opened = await opening;
      if (opened === null) throw new Error('A book to replay that was not opened.');
      opening = underWay(open(orders[at + 1]));
      // Its question is on the way to the database before the engine takes the thread, and others have their turn.
      await nextTurn();
      const replayed = await replayOpened(sql, opened, answers);
      addChanges(all, await closing);
      await nextTurn();
      closing = underWay(closeBook(sql, replayed, under.rules));
      await onBook(at + 1, orders.length);
    }
    addChanges(all, await closing);
    return all;
  } finally {
    // Nothing may go on in a transaction that is over.
    await Promise.allSettled([opening, closing]);
  }
}

/** Whoever waits for it hears of its failure; until then nobody else need. */
function underWay<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined);
  return work;
}
