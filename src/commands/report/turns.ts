import { reuseGarbage } from '../../base/garbage.ts';
import type { History } from './history.ts';
import { type BookPart, type PartsOrder, partOf } from './parts.ts';
import { booksIn } from './replay.ts';

/** Where several threads read how far they are: the turns taken and the rows done. */
export type Turns = Int32Array<SharedArrayBuffer>;

const [taken, rowsDone] = [0, 1];

export function newTurns(): Turns {
  return new Int32Array(new SharedArrayBuffer(8));
}

/**
 * Replays book after book until none is left, so that each thread has only one in memory at a time. Books stand alone:
 * whichever thread is free takes the next, the largest first, so that all end at about the same time. By the place of
 * the book among all.
 */
export function partsInTurn(
  history: History,
  rows: Uint32Array,
  order: PartsOrder,
  turns: Turns,
  onRows: (done: number) => void = () => {},
): Map<number, BookPart> {
  const books = [...booksIn(history, rows).entries()].sort(([, a], [, b]) => b.ranks.length - a.ranks.length);
  const parts = new Map<number, BookPart>();
  let [uncollected, collections] = [0, 0];
  for (let turn = Atomics.add(turns, taken, 1); turn < books.length; turn = Atomics.add(turns, taken, 1)) {
    const [place, book] = books[turn] as (typeof books)[number];
    parts.set(place, partOf(book, history, rows, order));
    uncollected += book.ranks.length;
    if (uncollected >= rowsCollected) {
      reuseGarbage(++collections % youngOnes === 0 ? 'all' : 'young');
      uncollected = 0;
    }
    onRows(Atomics.add(turns, rowsDone, book.ranks.length) + book.ranks.length);
  }
  return parts;
}

/** What so many rows leave behind is some tens of megabytes in each thread. */
const rowsCollected = 40_000;
/** One of so many times also what grew old while its book was replayed. */
const youngOnes = 4;
