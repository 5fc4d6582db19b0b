import { type Day, formatDay } from '../../base/day.ts';
import { nextTurn } from '../../base/turn.ts';
import type { Sql } from '../../db/connection.ts';
import { methodOf } from '../../engine/book/method-in-force.ts';
import { assetKeyOf } from '../../engine/events/keys.ts';
import { lotMethodTable } from '../../engine/lot-methods.ts';
import type { Disposal, Lot, Rules, Transaction, WashSale } from '../../engine/model.ts';
import { type Book, emptyBook, openLots, replayDays } from '../../engine/replay.ts';
import { canGoOn } from '../../engine/resume/resuming.ts';
import { typesWhere } from '../../engine/transaction-types.ts';
import type { BookScope } from '../books/facts/queries.ts';
import { selectBooks } from '../books/queries.ts';
import { stampOf, unpackCheckpoint } from '../books/state/checkpoints.ts';
import { readHistory } from '../books/state/history.ts';
import { loadWhole } from '../books/state/load.ts';
import { selectCheckpoint, selectCheckpointHeads } from '../books/state/queries.ts';
import { readRestatements } from '../transactions/resolutions/restate.ts';
import { dayOf } from '../transactions/rows/columns.ts';
import { leftFor, type UsedUp, usedBetween } from './explain-given.ts';
import { selectMovers, selectWashSalesOnto } from './queries.ts';

/** A day that made another lot of a lot: what it was the evening before, what it was that evening, and the rows that did it. */
export interface Station {
  readonly on: Day;
  readonly before: Lot | null;
  readonly after: Lot;
  readonly rows: readonly Transaction[];
  /** Losses that went into it that day. */
  readonly losses: readonly WashSale[];
}

export interface Course {
  /** None where there are too many to be followed. */
  readonly stations: readonly Station[];
  /** All losses that went into it. */
  readonly losses: readonly WashSale[];
  /** The lot on the evening before the sale; null where it was not there yet. */
  readonly last: Lot | null;
  /** Rows of the day of the sale that can have changed it before. */
  readonly today: readonly Transaction[];
  /** What the purchase and the sale used up beside lots, by their days. */
  readonly usedUp: ReadonlyMap<Day, UsedUp>;
  /** All shares of its account together on that evening, where they are averaged. */
  readonly pool: { readonly quantity: bigint; readonly basis: bigint } | null;
}

/** The rows by which a lot came to be what was sold; null where there is nothing but its purchase. */
export async function followLot(
  sql: Sql,
  taxpayerId: string,
  disposal: Disposal,
  rules: Rules,
  ends: readonly Transaction[],
): Promise<Course | null> {
  const names = namesOf(disposal.lotId);
  const [from, until] = [Math.min(...ends.map(({ on }) => on)) as Day, Math.max(disposal.on, disposal.sold) as Day];
  const books = await selectBooks(sql, taxpayerId);
  const own = books.find(({ asset_key }) => asset_key === assetKeyOf(disposal.asset, disposal.assetClass))?.book;
  if (own === undefined) return null;
  const scope = { taxpayerId, book: own };
  const keys = books.filter(({ book }) => book === own).map(({ asset_key }) => asset_key);
  const within = { from: formatDay(from), until: formatDay(until) };
  const movers = await selectMovers(sql, taxpayerId, keys, movingTypes, { ...within, limit: moversMax + 1 });
  const openers = ends.map(({ id }) => id).filter((id) => disposal.lotId.includes(id));
  const losses = (await selectWashSalesOnto(sql, scope, openers, within)).filter((wash) =>
    names.includes(wash.replacementLotId),
  );
  const method = methodOf(rules, disposal.account, disposal.assetClass, disposal.on);
  const averaged = lotMethodTable[method].isAveraged;
  const isPlain = movers.length + losses.length === 0 && !averaged && !ends.some(usesUp);
  if (isPlain) return null;
  const untold = { stations: [], losses, last: null, today: [], usedUp: new Map(), pool: null };
  if (movers.length > moversMax) return untold;
  const days = new Set([...movers.map((row) => dayOf(row.day)), ...losses.map(({ causedOn }) => causedOn)]);
  for (const { on } of ends) days.add(on);
  days.add(disposal.on);
  const evenings = await eveningsOf(sql, scope, { keys, rules, from, until, days, names, ends, averaged });
  return evenings === null ? untold : courseOf(evenings, { days, losses, sold: disposal.on });
}

/** What may make another lot of a lot, beside a sale. */
const movingTypes = [...typesWhere(({ lots }) => lots === 'moves' || lots === 'changes')];
const moversMax = 500;

function usesUp({ type }: Transaction): boolean {
  return type === 'exercise' || type === 'assign' || type === 'cover';
}

/**
 * The lot's own name, and before it those of the lots that it was cut off: a letter or a number more for each cut. What a
 * spin-off brought has the name of the lot that it came of behind its own.
 */
function namesOf(lotId: string): string[] {
  const names = [lotId];
  for (let name = lotId; ; names.push(name)) {
    const shorter = name.replace(/(?:~\d+|[a-z])$/, '');
    if (shorter === name) break;
    name = shorter;
  }
  const parent = lotId.indexOf(':') + 1;
  return parent === 0 ? names : [...names, ...namesOf(lotId.slice(parent))];
}

interface Asked {
  readonly keys: readonly string[];
  readonly rules: Rules;
  readonly from: Day;
  readonly until: Day;
  readonly days: ReadonlySet<Day>;
  readonly names: readonly string[];
  readonly ends: readonly Transaction[];
  readonly averaged: boolean;
}

interface Evening {
  readonly on: Day;
  readonly lot: Lot | null;
  readonly left: UsedUp;
  readonly pool: Course['pool'];
}

interface Evenings {
  readonly all: readonly Evening[];
  /** What moved the book, but for plain trades. */
  readonly rows: readonly Transaction[];
}

/** The lot in the evening of these days and of those before them; null where the book is too large to look that often. */
async function eveningsOf(sql: Sql, scope: BookScope, asked: Asked): Promise<Evenings | null> {
  const { keys, rules, from, until, days, names, ends, averaged } = asked;
  const restatements = await readRestatements(sql, scope.taxpayerId);
  const read = (after: string | null) =>
    readHistory(sql, scope.taxpayerId, keys, after, restatements, formatDay(until));
  const heads = await selectCheckpointHeads(sql, scope, stampOf(rules));
  const head = heads.findLast(({ valid, day }) => valid && dayOf(day) < from);
  let start = emptyBook();
  let ledger = await read(head?.day ?? null);
  if (head !== undefined) {
    const kept = unpackCheckpoint(await selectCheckpoint(sql, scope, head.day), head === heads.at(-1));
    if (canGoOn(kept.withoutLots, ledger.others)) start = (await loadWhole(sql, scope, kept)).book;
    else ledger = await read(null);
  }
  const all: Evening[] = [];
  let copied = 0;
  const onState = (_year: number, book: Book): void => {
    const lots = openLots(book);
    copied += lots.length;
    const lot = names.flatMap((name) => lots.find(({ id }) => id === name) ?? [])[0] ?? null;
    const pool = averaged && lot !== null ? poolOf(lots, lot) : null;
    all.push({ on: book.asOf ?? (0 as Day), lot, left: leftFor(ends, book), pool });
  };
  const endsState = (day: Day, next: Day): boolean => copied < lotsMax && (days.has(day) || days.has(next));
  const replaying = replayDays(start, ledger, rules, new Set(keys), { onState, endsState, through: until });
  let rows = 0;
  for (let day = replaying.next(); !day.done; day = replaying.next()) {
    if (day.value - rows < rowsPerTurn) continue;
    rows = day.value;
    await nextTurn();
  }
  return copied < lotsMax ? { all, rows: ledger.others } : null;
}

function poolOf(lots: readonly Lot[], { asset, account }: Lot): NonNullable<Course['pool']> {
  const own = lots.filter((lot) => lot.asset === asset && lot.account === account);
  return own.reduce((sum, lot) => ({ quantity: sum.quantity + lot.quantity, basis: sum.basis + lot.basis }), {
    quantity: 0n,
    basis: 0n,
  });
}

/** To copy so many takes a second or two. */
const lotsMax = 2_000_000;
const rowsPerTurn = 200;

function courseOf(
  { all, rows: others }: Evenings,
  told: { readonly days: ReadonlySet<Day>; readonly losses: readonly WashSale[]; readonly sold: Day },
): Course {
  const stations: Station[] = [];
  const usedUp = new Map<Day, UsedUp>();
  for (const [at, { on, lot: after, left }] of all.entries()) {
    if (!told.days.has(on)) continue;
    const before = all[at - 1]?.lot ?? null;
    usedUp.set(on, usedBetween(all[at - 1]?.left ?? new Map(), left));
    if (after === null || on >= told.sold) continue;
    const losses = told.losses.filter(({ causedOn }) => causedOn === on);
    const rows = others.filter((row) => row.on === on && reaches(row, before, after));
    if (before !== null && isSame(before, after) && losses.length === 0) continue;
    stations.push({ on, before, after, rows, losses });
  }
  const { lot: last = null, pool = null } = all.findLast(({ on }) => on < told.sold) ?? {};
  const today = last === null ? [] : others.filter((row) => row.on === told.sold && reaches(row, last, last));
  return { stations, losses: told.losses, last, today, usedUp, pool };
}

function isSame(a: Lot, b: Lot): boolean {
  const members = ['id', 'asset', 'account', 'quantity', 'basis', 'heldSince'] as const;
  return members.every((member) => a[member] === b[member]);
}

/** Whether a row is one of those that can have made this of that. */
function reaches(row: Transaction, before: Lot | null, after: Lot): boolean {
  if (!movingTypes.includes(row.type)) return false;
  const [assets, accounts] = [
    [before?.asset, after.asset],
    ['', before?.account, after.account],
  ];
  return (
    assets.includes(row.asset) && (accounts.includes(row.account) || accounts.includes(row.toAccount || undefined))
  );
}
