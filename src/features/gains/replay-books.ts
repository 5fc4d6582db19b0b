import { yearOf } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Rules, Transaction } from '../../engine/model.ts';
import { type Book, openLots, replay } from '../../engine/replay.ts';
import { valuedOf } from '../prices/valuations.ts';
import { selectAccepted } from '../transactions/resolutions/queries.ts';
import { type Restatements, readRestatements, withoutAccepted } from '../transactions/resolutions/restate.ts';
import { checkpointsOf, keepCheckpoints, resumeBefore } from './checkpoints.ts';
import { insertFacts } from './facts/insert.ts';
import { type BookScope, deleteFacts } from './facts/queries.ts';
import type { LotRow } from './facts/rows.ts';
import { replaceLots } from './open-lots.ts';
import {
  type CheckpointRow,
  deleteBook,
  deleteCheckpoints,
  insertBook,
  replaceBookYears,
  selectBookLots,
  selectHistory,
} from './queries.ts';
import { netBookYears } from './summaries.ts';

/** A book to bring up to date. `from`: the first day that changed; null replays all of it. */
export interface ReplayOrder {
  readonly scope: BookScope;
  readonly keys: readonly string[];
  readonly from: string | null;
}

/** What all books of a taxpayer are read with. */
interface Answers {
  readonly rules: Rules;
  readonly restatements: Restatements;
  readonly accepted: readonly string[];
}

/**
 * One book after the other, as in an assembly line: while the engine replays a book, the database writes the one before
 * and reads the one after. Never more than these three are in memory. Returns the years whose facts changed.
 */
export async function replayBooks(
  sql: Sql,
  taxpayerId: string,
  orders: readonly ReplayOrder[],
  rules: Rules,
  onBook: (done: number, of: number) => void | Promise<void>,
): Promise<number[]> {
  if (orders.length === 0) return [];
  const restatements = await readRestatements(sql, taxpayerId);
  const answers = { rules, restatements, accepted: await selectAccepted(sql, taxpayerId) };
  const years: number[] = [];
  const open = async (order: ReplayOrder | undefined): Promise<Opened | null> =>
    order === undefined ? null : openBook(sql, order, answers);
  let opening = underWay(open(orders[0]));
  let closing: Promise<number[]> = Promise.resolve([]);
  try {
    for (let at = 0; at < orders.length; at++) {
      const opened = await opening;
      if (opened === null) throw new Error('A book to replay that was not opened.');
      opening = underWay(open(orders[at + 1]));
      // Its question is on the way to the database before the engine takes the thread, and others have their turn.
      await nextTurn();
      const replayed = opened.history === null ? null : replayOpened(opened, opened.history, answers);
      years.push(...(await closing));
      await nextTurn();
      closing = underWay(closeBook(sql, opened, replayed, rules));
      await onBook(at + 1, orders.length);
    }
    years.push(...(await closing));
    return years;
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

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A book as it was before what changed, and what moves it since; a null history for one that is no more. */
interface Opened extends ReplayOrder {
  readonly book: Book;
  readonly after: string | null;
  readonly history: Transaction[] | null;
  readonly lots: readonly LotRow[];
  /** Years of the facts that left. */
  readonly lost: readonly number[];
}

async function openBook(sql: Sql, order: ReplayOrder, { rules, restatements }: Answers): Promise<Opened> {
  const { scope, keys, from } = order;
  const start = await resumeBefore(sql, scope, from, rules);
  const after = start.day;
  const [rows, lots, lost] = await Promise.all([
    selectHistory(sql, scope.taxpayerId, keys, after),
    selectBookLots(sql, scope),
    deleteFacts(sql, scope, after),
    deleteCheckpoints(sql, scope, after),
  ]);
  const gone = after === null && rows.length === 0;
  const history = gone ? null : await valuedOf(sql, scope.taxpayerId, rows, restatements);
  return { ...order, book: start.book, after, history, lots, lost };
}

type Replayed = ReturnType<typeof replayOpened>;

function replayOpened({ book, keys }: Opened, history: readonly Transaction[], { rules, accepted }: Answers) {
  const states: CheckpointRow[] = [];
  const replayed = replay(book, history, rules, new Set(keys), (_year, state) => {
    states.push(...checkpointsOf(state));
  });
  return { facts: withoutAccepted(replayed.facts, accepted), lots: openLots(replayed.book), states };
}

async function closeBook(sql: Sql, opened: Opened, replayed: Replayed | null, rules: Rules): Promise<number[]> {
  const { scope, keys, after, lost } = opened;
  if (replayed === null) return dissolve(sql, scope, lost);
  const { facts, lots, states } = replayed;
  await insertFacts(sql, scope, facts);
  await replaceLots(sql, scope, opened.lots, lots);
  await keepCheckpoints(sql, scope, rules, states);
  if (after === null) {
    await deleteBook(sql, scope);
    await insertBook(sql, scope, keys);
  }
  const years = [...new Set([...lost, ...facts.map((fact) => yearOf(fact.on))])];
  await netBookYears(sql, scope, years, after === null ? facts : null);
  return years;
}

/** Nothing of a book stays. Returns the years that had facts of it; `lost`: of those that left before. */
export async function dissolve(sql: Sql, scope: BookScope, lost: readonly number[] = []): Promise<number[]> {
  const years = [...new Set([...lost, ...(await deleteFacts(sql, scope, null))])];
  await deleteCheckpoints(sql, scope, null);
  await replaceBookYears(sql, scope, years, []);
  await replaceLots(sql, scope, await selectBookLots(sql, scope), []);
  await deleteBook(sql, scope);
  return years;
}
