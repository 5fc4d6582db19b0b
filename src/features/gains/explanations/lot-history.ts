import { addDays, type Day, formatDay } from '../../../base/day.ts';
import { nextTurn } from '../../../base/deadline.ts';
import type { Sql } from '../../../db/connection.ts';
import { resolveLotMethod } from '../../../engine/book/method-in-force.ts';
import { lapseDays } from '../../../engine/events/expiration.ts';
import { withBookNames } from '../../../engine/events/form-names.ts';
import { toAssetKey } from '../../../engine/events/keys.ts';
import { lotMethodTable } from '../../../engine/lot-methods.ts';
import type { Disposal, Lot, Rules, Transaction, WashSale } from '../../../engine/model.ts';
import { type Book, emptyBook, openLots, replayDays } from '../../../engine/replay.ts';
import { canResume } from '../../../engine/resume/resuming.ts';
import { typesWhere } from '../../../engine/transaction-types.ts';
import { selectBooks } from '../../ledger/books/books.queries.ts';
import type { BookScope } from '../../ledger/books/facts.queries.ts';
import { readHistory } from '../../ledger/books/state/history.ts';
import { checkpointBefore, loadWhole } from '../../ledger/books/state/open.ts';
import { readRestatements } from '../../ledger/transactions/resolutions.ts';
import { parseDayColumn } from '../../ledger/transactions/rows.ts';
import { selectMovingDays, selectWashSalesReplacedBy } from './explanations.queries.ts';
import { consumedBetween, openPositionsFor, type PositionAmounts } from './sources.ts';

/** The lot before and after a day that changed it, and the rows that changed it. */
export interface LotChangeDay {
  readonly on: Day;
  readonly before: Lot | null;
  readonly after: Lot;
  readonly rows: readonly Transaction[];
  /** Disallowed losses that were added to the lot's basis on that day. */
  readonly losses: readonly WashSale[];
}

/** How a lot changed between its purchase and its sale. */
export interface LotHistory {
  /** Empty if the book has too many changes to replay. */
  readonly changes: readonly LotChangeDay[];
  /** All disallowed losses that were added to the lot's basis. */
  readonly losses: readonly WashSale[];
  /** The lot at the end of the day before the sale; null if it was opened on the day of the sale. */
  readonly beforeSale: Lot | null;
  /** Rows on the day of the sale that may have changed the lot before the sale. */
  readonly saleDayRows: readonly Transaction[];
  /** Options and short sales that the purchase or the sale consumed, by day. */
  readonly consumed: ReadonlyMap<Day, PositionAmounts>;
  /** The total of all shares in the account at the end of the day before the sale, if the method averages them. */
  readonly pool: AveragedPool | null;
}

/**
 * Replays how a lot changed between its purchase and its sale. Returns null if nothing changed it. `ends` are the rows
 * of the purchase and the sale.
 */
export async function readLotHistory(
  sql: Sql,
  taxpayerId: string,
  disposal: Disposal,
  rules: Rules,
  ends: readonly Transaction[],
): Promise<LotHistory | null> {
  const ids = listAncestorIds(disposal.lotId);
  const [from, until] = [Math.min(...ends.map(({ on }) => on)) as Day, Math.max(disposal.on, disposal.sold) as Day];
  const books = await selectBooks(sql, taxpayerId);
  const disposalBook = books.find(
    ({ asset_key }) => asset_key === toAssetKey(disposal.asset, disposal.assetClass),
  )?.book;
  if (disposalBook === undefined) return null;
  const scope = { taxpayerId, book: disposalBook };
  const keys = books.filter(({ book }) => book === disposalBook).map(({ asset_key }) => asset_key);
  const within = { from: formatDay(from), until: formatDay(until) };
  const movingDays = await selectMovingDays(sql, taxpayerId, keys, movingTypes, {
    ...within,
    limit: movingDaysMax + 1,
  });
  const openers = ends.map(({ id }) => id).filter((id) => disposal.lotId.includes(id));
  const losses = (await selectWashSalesReplacedBy(sql, scope, openers, within)).filter((wash) =>
    ids.includes(wash.replacementLotId),
  );
  const method = resolveLotMethod(rules, disposal.account, disposal.assetClass, disposal.on);
  const averaged = lotMethodTable[method].isAveraged;
  const isPlain = movingDays.length + losses.length === 0 && !averaged && !ends.some(consumesPositions);
  if (isPlain) return null;
  const unknown = { changes: [], losses, beforeSale: null, saleDayRows: [], consumed: new Map(), pool: null };
  if (movingDays.length > movingDaysMax) return unknown;
  const days = new Set([
    ...movingDays.map((row) => parseDayColumn(row.day)),
    ...losses.map(({ causedOn }) => causedOn),
  ]);
  for (const { on } of ends) days.add(on);
  days.add(disposal.on);
  const states = await readDayEndStates(sql, scope, { keys, rules, from, until, days, ids, ends, averaged });
  return states === null ? unknown : buildLotHistory(states, { days, losses, sold: disposal.on });
}

/** Rows other than sales that may change a lot. */
const movingTypes = [...typesWhere(({ lots }) => lots === 'moves' || lots === 'changes')];
const movingDaysMax = 500;

function consumesPositions({ type }: Transaction): boolean {
  return type === 'exercise' || type === 'assign' || type === 'cover';
}

/**
 * Returns the lot's id, followed by the ids of the lots that it was split from. Each split appends a letter or a
 * number. The id of a spun-off lot ends with its parent's id.
 */
function listAncestorIds(lotId: string): string[] {
  const ids = [lotId];
  for (let id = lotId; ; ids.push(id)) {
    const shorter = id.replace(/(?:~\d+|[a-z])$/, '');
    if (shorter === id) break;
    id = shorter;
  }
  const parent = lotId.indexOf(':') + 1;
  return parent === 0 ? ids : [...ids, ...listAncestorIds(lotId.slice(parent))];
}

function buildLotHistory(
  { states, rows: moving }: DayEndStates,
  historyRequest: { readonly days: ReadonlySet<Day>; readonly losses: readonly WashSale[]; readonly sold: Day },
): LotHistory {
  const changes: LotChangeDay[] = [];
  const consumed = new Map<Day, PositionAmounts>();
  for (const [at, { on, lot: after, positions }] of states.entries()) {
    if (!historyRequest.days.has(on)) continue;
    const before = states[at - 1]?.lot ?? null;
    consumed.set(on, consumedBetween(states[at - 1]?.positions ?? new Map(), positions));
    if (after === null || on >= historyRequest.sold) continue;
    const losses = historyRequest.losses.filter(({ causedOn }) => causedOn === on);
    const rows = moving.filter((row) => row.on === on && canChange(row, before, after));
    if (before !== null && isSame(before, after) && losses.length === 0) continue;
    changes.push({ on, before, after, rows, losses });
  }
  const { lot: beforeSale = null, pool = null } = states.findLast(({ on }) => on < historyRequest.sold) ?? {};
  const saleDayRows =
    beforeSale === null
      ? []
      : moving.filter((row) => row.on === historyRequest.sold && canChange(row, beforeSale, beforeSale));
  return { changes, losses: historyRequest.losses, beforeSale, saleDayRows, consumed, pool };
}

function isSame(a: Lot, b: Lot): boolean {
  const members = ['id', 'asset', 'account', 'quantity', 'basis', 'heldSince'] as const;
  return members.every((member) => a[member] === b[member]);
}

/** Returns whether a row may have changed the lot from `before` to `after`. */
function canChange(row: Transaction, before: Lot | null, after: Lot): boolean {
  if (!movingTypes.includes(row.type)) return false;
  const [assets, accounts] = [
    [before?.asset, after.asset],
    ['', before?.account, after.account],
  ];
  return (
    assets.includes(row.asset) && (accounts.includes(row.account) || accounts.includes(row.toAccount || undefined))
  );
}

/** The state of a lot at the end of a day, and the positions that its purchase and sale may consume. */
interface DayEndState {
  readonly on: Day;
  readonly lot: Lot | null;
  readonly positions: PositionAmounts;
  readonly pool: AveragedPool | null;
}

/** The total quantity and basis of all lots of an asset in an account. */
interface AveragedPool {
  readonly quantity: bigint;
  readonly basis: bigint;
}

interface DayEndStates {
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
async function readDayEndStates(
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
