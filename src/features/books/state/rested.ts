import type { Day } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import type { OpenLot } from '../../../engine/book/book.ts';
import type { Rules } from '../../../engine/model.ts';
import type { Book } from '../../../engine/replay.ts';
import { isSameAtRest, isSameRest } from '../../../engine/rest.ts';
import { poolName, unpackLot } from '../../../engine/resume/packed.ts';
import { dayOf } from '../../transactions/rows/columns.ts';
import { compareDays, daysFromText } from '../facts/days.ts';
import { rewriteFacts } from '../facts/rewrite.ts';
import { type BookChanges, netBookChanges } from '../summaries/summaries.ts';
import type { Loaded } from './load.ts';
import type { PastLotToStore } from './lots/versions/queries.ts';
import type { Answers } from './open.ts';
import { deleteCheckpoints, insertCheckpoints } from './queries.ts';
import { type Replayed, replayLoaded } from './replayed.ts';
import type { Resting } from './resting.ts';
import { stampOf, storeChanges } from './store.ts';
import { changesOf, type LotChanges } from './timeline.ts';
import { withDays } from './write-states.ts';

/** A book that is again what it was, but for lots that nothing has touched since. */
export interface Rested {
  readonly resting: Resting;
  readonly replayed: Replayed;
  readonly changes: LotChanges;
}

/** Null where it is not, or where that cannot be told. */
export async function comeToRest(resting: Resting, answers: Answers): Promise<Rested | null> {
  const { opened, loaded, history, end, stored } = resting;
  const replayed = await replayLoaded(opened, loaded, history, { ...answers, through: null });
  const { book, states, facts } = replayed;
  const until = dayOf(end.day);
  const isAsFar = book.asOf === until && [...facts.byDay.keys()].every((day) => day <= until);
  const haveSameDays = states.length === stored.length && states.every(({ day }, at) => day === stored[at]?.day);
  if (!isAsFar || !haveSameDays || !isSameRest(book, end.rest)) return null;
  if (!hadAllToTake(resting, book)) return null;
  const changes = lotChangesOf(resting, replayed, until);
  return changes === null ? null : { resting, replayed, changes };
}

/**
 * Lots that were not read stand untouched throughout what is stored. By one method, in whose order they lie fast, a sale
 * comes to one of them only where in what is stored it took one before it, or where all that was read was gone.
 */
function hadAllToTake({ opened, loaded, reach }: Resting, book: Book): boolean {
  if (new Set(reach.pools.map(poolName)).size < reach.pools.length) return false;
  if (loaded.base.length === opened.kept.lots) return true;
  const left = new Map(book.pools.map((pool) => [poolName(pool), pool.lots]));
  const before = unitsBefore(loaded);
  return reach.pools.every((pool) => {
    return (left.get(poolName(pool)) ?? []).some((lot) => before.get(lot.id) === lot.quantity);
  });
}

function unitsBefore({ base }: Loaded): ReadonlyMap<string, bigint> {
  return new Map(base.map(({ id, lot }) => [id, lot.quantity]));
}

/** What of the lots is to be written; null where one of them became another that something touched later. */
function lotChangesOf({ lotsThen, past }: Resting, { timeline }: Replayed, until: Day): LotChanges | null {
  if (timeline.open.size !== lotsThen.size) return null;
  const places = new Map<string, number>();
  for (const { lot } of timeline.open.values()) places.set(placeOf(lot), (places.get(placeOf(lot)) ?? 0) + 1);
  const written: string[] = [];
  const moved: { readonly before: { readonly id: string; readonly until: string }; readonly now: PastLotToStore }[] =
    [];
  for (const [id, { lot, state, after, row }] of timeline.open) {
    const there = lotsThen.get(id);
    if (there === undefined) return null;
    if (there === row || (there.state === state && there.after === after)) continue;
    const isSame = there.state === state;
    if ('until' in there) {
      // Something touched it later.
      if (!isSame) return null;
      moved.push({ before: there, now: { ...there, after, purchasedOn: lot.purchasedOn } });
      continue;
    }
    if (!isSame && !isSameAtRest(lot, unpackLot(there.state), until, places.get(placeOf(lot)) === 1)) return null;
    written.push(id);
  }
  const between = changesOf({ open: new Map(), past: timeline.past }, [], past, { basisOf: null, costed: false });
  return {
    deleted: [],
    written,
    pastDeleted: [...between.pastDeleted, ...moved.map(({ before }) => before)],
    pastInserted: [...between.pastInserted, ...moved.map(({ now }) => now)],
  };
}

/** Where lots of one purchase lie. */
function placeOf(lot: OpenLot): string {
  return `${lot.sequence} ${poolName(lot)}`;
}

/** What is stored until the state in which the book rests becomes what was replayed; all later stays. */
export async function closeRested(
  sql: Sql,
  { resting, replayed, changes }: Rested,
  rules: Rules,
): Promise<BookChanges> {
  const { scope } = resting.order;
  const { facts, book, states, timeline } = replayed;
  const days = facts.digestsUntil(book.asOf);
  const before = new Map(resting.stored.flatMap((state) => daysFromText(state.days)));
  const rewriting = { days: facts.byDay, changed: compareDays(before, days), asOf: book.asOf, waitedAfter: null };
  const written = await rewriteFacts(sql, scope, rewriting, facts.all);
  const years = await netBookChanges(sql, scope, written);
  await storeChanges(sql, scope, timeline, changes, { book, costed: false, all: null });
  const rows = withDays(states, days).filter((state, at) => {
    const there = resting.stored[at];
    return there?.days !== state.days || !Buffer.from(there.state).equals(Buffer.from(state.state));
  });
  if (rows.length > 0) {
    await deleteCheckpoints(
      sql,
      scope,
      rows.map(({ day }) => day),
    );
    await insertCheckpoints(sql, scope, stampOf(rules), rows);
  }
  return { years: new Set(years.keys()), changes: years };
}
