import { addDays, type Day, formatDay } from '../../../base/day.ts';
import { nextTurn } from '../../../base/deadline.ts';
import type { Sql } from '../../../db/connection.ts';
import { lapseDays } from '../../../engine/events/expiration.ts';
import { withBookNames } from '../../../engine/events/form-names.ts';
import type { Lot, Rules, Transaction } from '../../../engine/model.ts';
import { type Book, emptyBook, openLots, replayDays } from '../../../engine/replay.ts';
import { canResume } from '../../../engine/resume/resuming.ts';
import { checkpointBefore } from '../../ledger/books/checkpoints.ts';
import type { BookScope } from '../../ledger/books/facts/facts.queries.ts';
import { readHistory } from '../../ledger/books/state/history.ts';
import { loadWhole } from '../../ledger/books/state/load.ts';
import { readRestatements } from '../../ledger/transactions/resolutions.ts';
import { openPositionsFor, type PositionAmounts } from './consumed-positions.ts';

/** The state of a lot at the end of a day, and the positions that its purchase and sale may consume. */
interface DayEndState {
  readonly on: Day;
  readonly lot: Lot | null;
  readonly positions: PositionAmounts;
  readonly pool: AveragedPool | null;
}

/** The total quantity and basis of all lots of an asset in an account. */
export interface AveragedPool {
  readonly quantity: bigint;
  readonly basis: bigint;
}

export interface DayEndStates {
  readonly states: readonly DayEndState[];
  /** All rows of the book except plain trades. */
  readonly rows: readonly Transaction[];
}

interface DayEndRequest {
  readonly keys: readonly string[];
  readonly rules: Rules;
  readonly from: Day;
  readonly until: Day;
  readonly days: ReadonlySet<Day>;
  /** The lot's own id, then the ids of the lots that it was split from. */
  readonly ids: readonly string[];
  /** The rows that opened and sold the lot. */
  readonly ends: readonly Transaction[];
  readonly averaged: boolean;
}

/**
 * Returns the lot at the end of each of these days and of the day before it. Returns null if copying the book that
 * often would exceed `lotsMax`.
 */
export async function readDayEndStates(
  sql: Sql,
  scope: BookScope,
  dayEndRequest: DayEndRequest,
): Promise<DayEndStates | null> {
  const { keys, rules, from, until, days, ids, ends, averaged } = dayEndRequest;
  const restatements = await readRestatements(sql, scope.taxpayerId);
  // The row that ends an option may be dated up to a week late.
  const lastRow = formatDay(addDays(until, lapseDays));
  const read = (after: string | null) =>
    readHistory(sql, scope.taxpayerId, { keys, after, until: lastRow }, restatements);
  const kept = await checkpointBefore(sql, scope, formatDay(from), rules);
  let start = emptyBook();
  let ledger = await read(kept?.day ?? null);
  if (kept !== null) {
    if (canResume(kept.withoutLots, withBookNames(ledger.others, rules)))
      start = (await loadWhole(sql, scope, kept)).book;
    else ledger = await read(null);
  }
  const states: DayEndState[] = [];
  let copied = 0;
  const onState = (_year: number, book: Book): void => {
    const lots = openLots(book);
    copied += lots.length;
    const lot = ids.flatMap((id) => lots.find((one) => one.id === id) ?? [])[0] ?? null;
    const pool = averaged && lot !== null ? poolTotals(lots, lot) : null;
    states.push({ on: book.asOf ?? (0 as Day), lot, positions: openPositionsFor(ends, book), pool });
  };
  const endsState = (day: Day, next: Day): boolean => copied < lotsMax && (days.has(day) || days.has(next));
  const replaying = replayDays(start, ledger, rules, new Set(keys), { onState, endsState, through: until });
  let rows = 0;
  for (let day = replaying.next(); !day.done; day = replaying.next()) {
    if (day.value - rows < rowsPerTurn) continue;
    rows = day.value;
    await nextTurn();
  }
  return copied < lotsMax ? { states, rows: ledger.others } : null;
}

function poolTotals(lots: readonly Lot[], { asset, account }: Lot): AveragedPool {
  const poolLots = lots.filter((lot) => lot.asset === asset && lot.account === account);
  return poolLots.reduce((sum, lot) => ({ quantity: sum.quantity + lot.quantity, basis: sum.basis + lot.basis }), {
    quantity: 0n,
    basis: 0n,
  });
}

/** Limits the copied lots. Copying 2,000,000 lots takes 1 to 2 seconds. */
const lotsMax = 2_000_000;
const rowsPerTurn = 200;
