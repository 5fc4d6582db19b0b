import { deflateRawSync } from 'node:zlib';
import { formatDay } from '../../../base/day.ts';
import { formatCents, formatQuantity } from '../../../base/decimal.ts';
import { arrayOf } from '../../../db/array.ts';
import type { Sql } from '../../../db/connection.ts';
import type { OpenLot } from '../../../engine/book/book.ts';
import { isByCost, type LotMethod, lotMethods, lotMethodTable } from '../../../engine/lot-methods.ts';
import type { Lot, Rules } from '../../../engine/model.ts';
import { type Book, engineVersion, openLots, rulesHash } from '../../../engine/replay.ts';
import { packWithoutLots, unitCostOf } from '../../../engine/resume/packed.ts';
import type { BookScope } from '../facts/queries.ts';
import type { Loaded } from './load.ts';
import { pastLotsIn, storedLotsIn } from './lots/packed-lots.ts';
import { deleteLots, type LotColumns, type StoredLot, selectLotsSince, upsertLots } from './lots/queries.ts';
import { deletePastLots, insertPastLots, type PastLot, selectPastLots } from './lots/versions/queries.ts';
import type { CheckpointRow, Stamp } from './queries.ts';
import { changesOf, type Timeline } from './timeline.ts';

export function stampOf(rules: Rules): Stamp {
  return { engine: engineVersion, rules: rulesHash(rules) };
}

/** A state as a row: all but its lots. */
export function checkpointOf(day: string, book: Book): Pick<CheckpointRow, 'day' | 'state' | 'lots'> {
  // The fastest level: it is written at each import and read at the next.
  const state = deflateRawSync(packWithoutLots(book), { level: 1 });
  return { day, state, lots: book.pools.reduce((sum, pool) => sum + pool.lots.length, 0) };
}

/** What lies in the database of the lots that a timeline is about. */
export interface LotsThere {
  readonly stored: readonly StoredLot[];
  readonly past: readonly PastLot[];
}

/** What was read of a state, and all that has changed since: it is about to become something else. */
export async function lotsThere(sql: Sql, scope: BookScope, read: Loaded, day: string | null): Promise<LotsThere> {
  const since = read.since ?? (await selectLotsSince(sql, scope, day)).flatMap(storedLotsIn);
  const past = day === null ? (await selectPastLots(sql, scope, null)).flatMap(pastLotsIn) : read.past;
  return { stored: [...read.stored, ...since], past };
}

/** The rows of lots become what the timeline says; `book` is its last state. Rows that are right stay as they are. */
export async function storeLots(
  sql: Sql,
  scope: BookScope,
  timeline: Timeline,
  there: LotsThere,
  book: Book,
  rules: Rules,
): Promise<void> {
  const costed = lotMethods.some(
    (method) => isByCost(lotMethodTable[method].storedOrder) && namesMethod(rules, method),
  );
  const averages = lotMethods.some((method) => lotMethodTable[method].isAveraged && namesMethod(rules, method));
  const all = averages ? new Map(openLots(book).map((lot) => [lot.id, lot])) : null;
  const basisOf = all === null ? null : (id: string): string => formatCents(lotIn(all, id).basis);
  const changes = changesOf(timeline, there.stored, there.past, { basisOf, costed });
  if (changes.pastDeleted.length > 0) await deletePastLots(sql, scope, changes.pastDeleted);
  for (const part of partsOf(changes.pastInserted)) await insertPastLots(sql, scope, pastColumns(part));
  if (changes.deleted.length > 0) await deleteLots(sql, scope, changes.deleted);
  if (changes.written.length === 0) return;
  const shown = all ?? new Map(openLots(onlyLots(book, new Set(changes.written))).map((lot) => [lot.id, lot]));
  for (const part of partsOf(changes.written)) {
    const rows = part.map((id) => {
      const { lot, after, state } = lotIn(timeline.open, id);
      return { lot, shown: lotIn(shown, id), after, state };
    });
    await upsertLots(sql, scope, lotColumns(rows, costed));
  }
}

/** Whether any lots may leave by a method. */
function namesMethod(rules: Rules, method: LotMethod): boolean {
  return JSON.stringify(rules).includes(`"${method}"`);
}

/** Of thousands few are written, mostly. */
function onlyLots(book: Book, ids: ReadonlySet<string>): Book {
  return { ...book, pools: book.pools.map((pool) => ({ ...pool, lots: pool.lots.filter((lot) => ids.has(lot.id)) })) };
}

/** Few enough that writing them down for the database does not hold up other requests. */
const lotsPerStatement = 1_000;

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += lotsPerStatement) yield items.slice(at, at + lotsPerStatement);
}

function lotIn<T>(lots: ReadonlyMap<string, T>, id: string): T {
  const lot = lots.get(id);
  if (lot === undefined) throw new Error('A lot to be stored that the book does not have.');
  return lot;
}

interface LotToStore {
  readonly lot: OpenLot;
  readonly shown: Lot;
  readonly after: string | null;
  readonly state: string;
}

function lotColumns(rows: readonly LotToStore[], costed: boolean): LotColumns {
  return {
    id: arrayOf(rows, ({ lot }) => lot.id),
    asset: arrayOf(rows, ({ shown }) => shown.asset),
    assetClass: arrayOf(rows, ({ shown }) => shown.assetClass),
    account: arrayOf(rows, ({ shown }) => shown.account),
    quantity: arrayOf(rows, ({ shown }) => formatQuantity(shown.quantity)),
    basis: arrayOf(rows, ({ shown }) => formatCents(shown.basis)),
    acquired: arrayOf(rows, ({ shown }) => formatDay(shown.acquired)),
    heldSince: arrayOf(rows, ({ shown }) => formatDay(shown.heldSince)),
    inherited: arrayOf(rows, ({ shown }) => String(shown.inherited)),
    key: arrayOf(rows, ({ lot }) => lot.key),
    sequence: arrayOf(rows, ({ lot }) => lot.sequence),
    label: arrayOf(rows, ({ lot }) => lot.label),
    purchasedOn: arrayOf(rows, ({ lot }) => (lot.purchasedOn === null ? null : formatDay(lot.purchasedOn))),
    unitCost: arrayOf(rows, ({ lot }) => (costed ? unitCostOf(lot).toString() : null)),
    after: arrayOf(rows, ({ after }) => after),
    state: arrayOf(rows, ({ state }) => state),
  };
}

function pastColumns(rows: readonly PastLot[]): Parameters<typeof insertPastLots>[2] {
  return {
    id: arrayOf(rows, (lot) => lot.id),
    after: arrayOf(rows, (lot) => lot.after),
    until: arrayOf(rows, (lot) => lot.until),
    state: arrayOf(rows, (lot) => lot.state),
  };
}
