import { addDays, formatDay } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { canRest, isQuiet } from '../../../engine/rest.ts';
import { unsettledDays } from '../../../engine/resume/resuming.ts';
import { type WorkingSet, workingSetOf } from '../../../engine/resume/working-set.ts';
import { washDays } from '../../../engine/rules/wash-sales/window.ts';
import { dayOf } from '../../transactions/rows/columns.ts';
import { yearIn } from './choice.ts';
import { readHistory } from './history.ts';
import { bookOf, type KeptState, keptStateOf, type Loaded, unpacked } from './load.ts';
import { pastLotsIn, storedLotsIn } from './lots/packed-lots.ts';
import { type StoredLot, selectLotsWithin } from './lots/queries.ts';
import { type PastLot, selectPastLotsWithin } from './lots/versions/queries.ts';
import { lastYearOf, movesOf } from './moves.ts';
import type { Answers, History, Opened, ReplayOrder } from './open.ts';
import { type CheckpointHead, type CheckpointRow, selectCheckpointHeads, selectCheckpoints } from './queries.ts';
import { stampOf } from './store.ts';

/**
 * A book of which only amounts of one day changed, as far as the state in which it may be again what it was
 * (`engine/rest.ts`): all that is stored of later days then stays.
 */
export interface Resting {
  readonly order: ReplayOrder;
  readonly opened: Opened & { readonly kept: KeptState };
  readonly history: History;
  readonly loaded: Loaded;
  readonly reach: WorkingSet;
  /** The states between, the one to rest in at last, as they are stored. */
  readonly stored: readonly CheckpointRow[];
  readonly end: KeptState;
  /** The lots that were read of that state, as they lie in the database. */
  readonly lotsThen: ReadonlyMap<string, StoredLot | PastLot>;
  /** Past lots of the state to begin with and those between. */
  readonly past: readonly PastLot[];
}

/** Null where the book cannot come to rest, or does so in its last state only. */
export async function openResting(sql: Sql, order: ReplayOrder, answers: Answers): Promise<Resting | null> {
  const { scope, keys, from } = order;
  const { rules, restatements, reading } = answers;
  if (!order.amountsOnly || from === null || !canRest(rules)) return null;
  const heads = await selectCheckpointHeads(sql, scope, stampOf(rules));
  const between = betweenOf(heads, from);
  if (between === null) return null;
  const { first, later } = between;
  const until = later.at(-1)?.day ?? first.day;
  const isSmall = first.lots <= reading.wholeLotsMax;
  // What a first loss of the stretch looks back to.
  const purchasedFrom = isSmall ? null : formatDay(addDays(dayOf(first.day), 1 - washDays));
  const stretch = { from: first.day, until, purchasedFrom };
  const [checkpoints, pastTexts, lotTexts, ledger] = [
    selectCheckpoints(
      sql,
      scope,
      [first, ...later].map(({ day }) => day),
    ),
    selectPastLotsWithin(sql, scope, stretch),
    selectLotsWithin(sql, scope, stretch),
    readHistory(sql, scope.taxpayerId, keys, first.day, restatements, until),
  ];
  const [row, ...stored] = await checkpoints;
  const last = stored.at(-1);
  if (row === undefined || last === undefined) throw new Error('States that are no more.');
  const [kept, end] = [keptStateOf(row, false), keptStateOf(last, false)];
  const past = (await pastTexts).flatMap(pastLotsIn);
  const lots = (await lotTexts).flatMap(storedLotsIn);
  const isThen = ({ after }: StoredLot | PastLot): boolean => after === null || after < first.day;
  const base = await unpacked([...past.filter(isThen), ...lots.filter(isThen)]);
  const loaded: Loaded = { book: bookOf(kept, base), base, stored: [], past: [], since: null, firsts: [] };
  const rows = await ledger;
  const moves = movesOf(rows, new Set(keys));
  const lastYear = lastYearOf(keys, moves, first.day);
  const reach = rows.others.every(isQuiet) ? workingSetOf(kept.rest, rows, rules, new Set(keys)) : null;
  if (reach === null || lastYear === null) return null;
  const choice = { lastYear: yearIn(heads.at(-1)?.day ?? first.day), rowsMin: reading.rowsPerState };
  return {
    order,
    opened: { ...order, heads, kept, keptDays: row.days, earlier: null, history: null, choice },
    history: { ledger: rows, isUnsettled: unsettledDays([]), others: moves.others },
    loaded,
    reach,
    stored,
    end,
    lotsThen: new Map([...lots, ...past.filter((lot) => lot.until >= until)].map((lot) => [lot.id, lot])),
    past: past.filter((lot) => lot.until < until),
  };
}

/** The state to begin with, and those until the one to rest in: losses of the day wait no more for replacements then. */
function betweenOf(
  heads: readonly CheckpointHead[],
  from: string,
): { readonly first: CheckpointHead; readonly later: readonly CheckpointHead[] } | null {
  const at = heads.findLastIndex((head) => head.day < from);
  const first = heads[at];
  const later = heads.slice(at + 1);
  if (first === undefined || !first.valid || later.some((head) => !head.valid || !head.plain)) return null;
  const over = formatDay(addDays(dayOf(from), washDays + 1));
  const end = later.findIndex((head) => head.day >= over);
  if (end === -1 || end === later.length - 1) return null;
  return { first, later: later.slice(0, end + 1) };
}
