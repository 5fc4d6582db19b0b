import { type Day, formatDay, lastDayOf, yearOf } from '../../../../base/day.ts';
import { nextTurn } from '../../../../base/deadline.ts';
import { collectGarbage, collectInWorker } from '../../../../base/garbage.ts';
import type { Sql } from '../../../../db/connection.ts';
import { lapsesBetween } from '../../../../engine/book/expiry.ts';
import { isSummed } from '../../../../engine/facts.ts';
import type { Fact, TaxYearSummary } from '../../../../engine/model.ts';
import { type Book, emptyBook, replayDays } from '../../../../engine/replay.ts';
import { findWorkingSet, isEnough, type WorkingSet } from '../../../../engine/resume/working-set.ts';
import { isDeniable, type LineTotals, YearTotals } from '../../../../engine/rules/year/year-totals.ts';
import { withoutAccepted } from '../../transactions/resolutions.ts';
import { computeDigest, type Days, type FactWriter } from '../fact-writer.ts';
import { summarizeFacts } from '../summaries.ts';
import {
  type Checkpoint,
  type EmptiedBook,
  isReplacedBy,
  type LoadedState,
  loadCheckpoints,
  loadPacked,
  loadWorkingSets,
  nothingLoaded,
  type OpenedBook,
  type PartialLoadRequest,
  packCheckpoint,
  type ReadLimits,
  type ReplayContext,
  type ReplayRequest,
  type StoredCheckpoints,
  timesMore,
} from './open.ts';
import type { NewCheckpoint } from './state.queries.ts';
import { VersionedLots } from './stored-lots.ts';

/** The result of a replay, and the stored state that it began with. */
export interface ReplayedBook {
  readonly kind: 'replayed';
  readonly request: ReplayRequest;
  readonly stored: StoredCheckpoints;
  readonly loaded: LoadedState;
  readonly facts: ComparedFacts | WrittenFacts;
  readonly book: Book;
  /** The checkpoints, still without the digests of days. */
  readonly checkpoints: readonly NewCheckpoint[];
  readonly lots: VersionedLots;
}

/**
 * Replays books from their checkpoints. Reads only the lots that the rows can affect. If a replay used up all lots that
 * were read, reads more lots and repeats the replay. Removes books from the list one by one, because the rows of a
 * replayed book are no longer needed. If a book has no stored facts, its facts go to the writer.
 */
export async function* replayOpened(
  sql: Sql,
  taxpayerId: string,
  opened: (OpenedBook | EmptiedBook)[],
  context: ReplayContext,
  writer: FactWriter,
): AsyncGenerator<ReplayedBook | EmptiedBook, void, undefined> {
  for (let times = 1; opened.length > 0; times *= timesMore) {
    const states = await loadStates(sql, taxpayerId, opened, context, times);
    const again: OpenedBook[] = [];
    for (let one = opened.shift(); one !== undefined; one = opened.shift()) {
      await nextTurn();
      if (one.kind === 'emptied') yield one;
      else {
        const loaded = await resolveState(one, states);
        states.delete(one.request.book);
        const replayed = await replayLoaded(one, loaded, context, writer);
        if (isEnough(loaded.firsts, replayed.book)) yield replayed;
        else again.push(one);
      }
    }
    opened.push(...again);
  }
}

/** Loads the states of books whose lots have not been read yet. */
async function loadStates(
  sql: Sql,
  taxpayerId: string,
  opened: readonly (OpenedBook | EmptiedBook)[],
  context: ReplayContext,
  times: number,
): Promise<Map<string, LoadedState>> {
  const [parts, whole] = [new Map<string, PartialLoadRequest>(), new Map<string, Checkpoint>()];
  for (const one of opened) {
    if (one.kind === 'emptied' || one.stored.kept === null || one.lots !== null) continue;
    const part = findPartialLoad(one, one.stored.kept, context, times);
    if (part === null) whole.set(one.request.book, one.stored.kept);
    else parts.set(one.request.book, part);
  }
  const states = await loadWorkingSets(sql, taxpayerId, parts);
  for (const [book, state] of await loadCheckpoints(sql, taxpayerId, whole)) states.set(book, state);
  return states;
}

/** Returns the part of a book to load. Null if all lots must be read. */
function findPartialLoad(
  { request, ledger }: OpenedBook,
  kept: Checkpoint,
  { rules, limits, through }: ReplayContext,
  times: number,
): PartialLoadRequest | null {
  if (kept.lots <= limits.wholeLotsMax) return null;
  // Options and contracts that end without a row can use any of the lots.
  const from = kept.withoutLots.asOf ?? (0 as Day);
  if (through !== null && lapsesBetween(request.keys, from, lastDayOf(yearOf(through))).length > 0) return null;
  const workingSet = findWorkingSet(kept.withoutLots, ledger, rules, new Set(request.keys));
  if (workingSet === null) return null;
  const lotsAtLeast = computeFirstLots(workingSet, limits) * times;
  return lotsAtLeast < kept.lots ? { checkpoint: kept, workingSet, lotsAtLeast } : null;
}

function computeFirstLots({ pools }: WorkingSet, { firstLotsMin, lotsPerTaking }: ReadLimits): number {
  return Math.max(firstLotsMin, ...pools.map((pool) => lotsPerTaking * pool.takes));
}

async function resolveState(
  { request, stored: { kept }, lots }: OpenedBook,
  states: ReadonlyMap<string, LoadedState>,
): Promise<LoadedState> {
  if (kept === null) return nothingLoaded(emptyBook());
  return lots === null ? (states.get(request.book) as LoadedState) : loadPacked(kept, lots);
}

async function replayLoaded(
  { request, stored, ledger, isUnsettled }: OpenedBook,
  loaded: LoadedState,
  { rules, accepted, through }: ReplayContext,
  writer: FactWriter,
): Promise<ReplayedBook> {
  const { kept } = stored;
  const notLoaded = kept === null ? 0 : kept.lots - countLots(loaded.book);
  const checkpoints: NewCheckpoint[] = [];
  let lots = new VersionedLots(loaded.base, kept?.day ?? null);
  const onState = (_year: number, book: Book): void => {
    const on = book.asOf ?? (0 as Day);
    const day = formatDay(on);
    if (checkpoints.length === 0 && kept !== null && isReplacedBy(kept, day))
      lots = new VersionedLots(loaded.base, dayBefore(stored, kept));
    lots.add(day, book);
    const row = packCheckpoint(day, book);
    checkpoints.push({ ...row, lots: row.lots + notLoaded, days: '', settled: !isUnsettled(on) });
  };
  const facts = request.fresh ? new WrittenFacts(request.book, writer) : new ComparedFacts();
  const onDay = (dayFacts: readonly Fact[]): void => facts.take(withoutAccepted(dayFacts, accepted));
  const days = replayDays(loaded.book, ledger, rules, new Set(request.keys), { onState, onDay, through });
  const { book } = await finishReplay(days, writer);
  // Omits the rows and the packed lots, which can be large.
  return { kind: 'replayed', request, stored, loaded, facts, book, checkpoints, lots };
}

/** Runs the replay to completion. Lets other requests run in between, because a book may have a million rows. */
async function finishReplay<Result>(days: Generator<number, Result, undefined>, writer: FactWriter): Promise<Result> {
  let [rowsBefore, rowsLeft] = [0, 0];
  for (;;) {
    const day = days.next();
    if (day.done) return day.value;
    const rows = day.value - rowsBefore;
    if (rows < rowsPerTurn) continue;
    rowsBefore = day.value;
    await nextTurn();
    await writer.waitForCapacity();
    rowsLeft += rows;
    if (rowsLeft < rowsPerCollection) continue;
    rowsLeft = 0;
    if (Bun.isMainThread) collectGarbage(heapBytesMax);
    else collectInWorker();
  }
}

/**
 * The number of rows between two garbage collections. They are frequent, because the server also handles other
 * requests.
 */
const rowsPerCollection = Bun.isMainThread ? 15_000 : 6_000;
const heapBytesMax = 80_000_000;

/** Replaying this number of rows takes a few milliseconds. */
const rowsPerTurn = 200;

/** Returns the day of the previous checkpoint. Null if there is none. */
function dayBefore({ heads }: StoredCheckpoints, kept: Checkpoint): string | null {
  return heads.findLast(({ day }) => day < kept.day)?.day ?? null;
}

function countLots(book: Book): number {
  return book.pools.reduce((sum, pool) => sum + pool.lots.length, 0);
}

/**
 * Collects the facts of a replay by the day that caused them. Computes a digest for each day, to compare it with the
 * digest of the stored facts.
 */
export class ComparedFacts {
  readonly kind = 'compared';
  readonly byDay = new Map<Day, Fact[]>();
  private readonly digests = new DayDigests();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  take(facts: readonly Fact[]): void {
    this.#size += facts.length;
    for (const [day, own] of this.digests.add(facts)) {
      const known = this.byDay.get(day);
      if (known === undefined) this.byDay.set(day, [...own]);
      else known.push(...own);
    }
  }

  digestsUntil(asOf: Day | null): Days {
    return this.digests.digestsThrough(asOf);
  }

  /** Returns the totals of the facts by year. */
  async sum(): Promise<TaxYearSummary[]> {
    const summaries: TaxYearSummary[] = [];
    for (const [year, facts] of Map.groupBy([...this.byDay.values()].flat().filter(isSummed), (fact) =>
      yearOf(fact.on),
    )) {
      await nextTurn();
      summaries.push(summarizeFacts(year, facts));
    }
    return summaries;
  }
}

/**
 * Handles the facts of a book without stored facts. Writes and sums the facts as they arrive and does not keep them in
 * memory, because the facts from a million rows would take hundreds of megabytes.
 */
export class WrittenFacts {
  readonly kind = 'written';
  private readonly digests = new DayDigests();
  private readonly years = new Map<number, YearTotals>();
  /** The lines whose loss a wash sale may still disallow, by disposal id. */
  private readonly deniable = new Map<string, LineTotals>();
  /** The disallowed amounts of wash sales that arrived before their disposal, by disposal id. */
  private readonly ahead = new Map<string, bigint>();
  #size = 0;

  constructor(
    private readonly book: string,
    private readonly writer: FactWriter,
  ) {}

  get size(): number {
    return this.#size;
  }

  take(facts: readonly Fact[]): void {
    this.#size += facts.length;
    this.digests.add(facts);
    for (const fact of facts) {
      this.writer.add(this.book, fact);
      this.count(fact);
    }
  }

  digestsUntil(asOf: Day | null): Days {
    return this.digests.digestsThrough(asOf);
  }

  /** Returns the totals of the facts by year. */
  async sum(): Promise<TaxYearSummary[]> {
    return [...this.years.values()].map((totals) => totals.summary());
  }

  private count(fact: Fact): void {
    if (!isSummed(fact)) return;
    const year = this.getYearTotals(fact);
    switch (fact.kind) {
      case 'disposal': {
        const isLoss = isDeniable(fact);
        const line = year.addDisposal(fact, isLoss ? (this.ahead.get(fact.id) ?? 0n) : 0n);
        if (isLoss) this.deniable.set(fact.id, line);
        break;
      }
      case 'wash': {
        year.addWash(fact);
        const line = this.deniable.get(fact.disposalId);
        if (line !== undefined) line.addDeniedLoss(fact.disallowed);
        else this.ahead.set(fact.disposalId, (this.ahead.get(fact.disposalId) ?? 0n) + fact.disallowed);
        break;
      }
      case 'income':
        year.addIncome(fact);
        break;
      case 'contract_1256':
        year.addContract(fact);
        break;
      case 'issue':
        year.addIssues(1);
        break;
      default:
        fact satisfies never;
    }
  }

  private getYearTotals({ on }: Fact): YearTotals {
    const year = yearOf(on);
    let totals = this.years.get(year);
    if (totals === undefined) {
      totals = new YearTotals(year);
      this.years.set(year, totals);
    }
    return totals;
  }
}

class DayDigests {
  private readonly digests = new Map<Day, string>();

  /** Adds the facts to the digests of their days. Returns the facts by day. */
  add(facts: readonly Fact[]): Map<Day, readonly Fact[]> {
    const days = byCause(facts);
    for (const [day, own] of days) this.digests.set(day, computeDigest(own, this.digests.get(day)));
    return days;
  }

  /** Returns the digests of the days through `asOf`, or none if it is null. Later days have no digest yet. */
  digestsThrough(asOf: Day | null): Days {
    return new Map([...this.digests].filter(([day]) => asOf !== null && day <= asOf));
  }
}

/** Groups the facts by the day that caused them. Usually, all of them have the same day. */
function byCause(facts: readonly Fact[]): Map<Day, readonly Fact[]> {
  const day = facts[0]?.causedOn;
  if (day !== undefined && facts.every(({ causedOn }) => causedOn === day)) return new Map([[day, facts]]);
  return Map.groupBy(facts, ({ causedOn }) => causedOn);
}
