import { allEnded, retryUntilDone, sleepUnless } from '../../../base/deadline.ts';
import { Refusal } from '../../../base/refusal.ts';
import { type Sql, withTaxpayerLock } from '../../../db/connection.ts';
import { isTemporary } from '../../../db/job-queue.ts';
import type { Deps } from '../../../deps.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { notifyYearConflict } from '../../people/notifications.ts';
import { countStaleTaxpayers, type StaleTaxpayer, selectEngine, selectStaleTaxpayers } from '../books/books.queries.ts';
import { statementSecondsMax } from '../transactions/store.ts';
import { selectAccountState, selectRowKinds } from './recompute.queries.ts';
import { recompute } from './recompute.ts';

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The number of taxpayers between two log entries about progress. */
const reportedEach = 500;
/** The number of stale taxpayers to look up at a time. */
const taxpayersPerPage = 200;
/**
 * The number of small accounts to renew at once, each in its own transaction. While the engine replays one of them, the
 * database works for the others. Row-level security shows a transaction only one taxpayer's rows, so they do not share
 * statements.
 */
const smallAtOnce = 4;
/** Larger accounts are renewed one by one, because each needs much memory. */
const smallRowsMax = 5_000;
const giveWayMillisecondsMax = 1_000;
/**
 * How long a request waits, which is enough for nearly all books. For larger books, the request is refused until the
 * recomputation is complete.
 */
const waitSecondsMax = 20;
const currentMax = 100_000;

/** Recomputes books that were computed by a different engine version. */
export class BooksRenewal {
  readonly #deps: Deps;
  /** Taxpayers whose books are known to be from this engine version. */
  readonly #current = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Renews all stale books. Retries if the database is unavailable. */
  async keepRenewing(): Promise<void> {
    const { lifecycle, log } = this.#deps;
    await retryUntilDone(
      lifecycle.drained,
      () => this.renewAll(),
      (error, nextTrySeconds) => log.error('books not renewed', error, { nextTrySeconds }),
    );
  }

  /**
   * Renews all stale books after a start, a few taxpayers at a time, while requests are served. Each taxpayer is renewed
   * completely or not at all, so a restarted server continues from there. Each server begins at a different taxpayer, so
   * several servers share the work.
   */
  async renewAll(): Promise<void> {
    const { database, renewalState, log, clock } = this.#deps;
    const left = await database.asService((sql) => countStaleTaxpayers(sql, engineVersion));
    renewalState.left = left;
    if (left === 0) return;
    log.info('books to renew', { taxpayers: left, engine: engineVersion });
    const begun = clock.now().getTime();
    const start = crypto.randomUUID();
    const renewed = (await this.#renewAfter(start, lastId)) + (await this.#renewAfter(firstId, start));
    renewalState.left = await database.asService((sql) => countStaleTaxpayers(sql, engineVersion));
    const seconds = Math.round((clock.now().getTime() - begun) / 1000);
    log.info('books renewed', { taxpayers: renewed, left: renewalState.left, seconds });
  }

  /** Renews the taxpayers whose ids are between two ids, and returns their number. */
  async #renewAfter(first: string, end: string): Promise<number> {
    const { database, lifecycle, log, renewalState } = this.#deps;
    let renewed = 0;
    for (let last = first; ; ) {
      const page = await database.asService((sql) => selectStaleTaxpayers(sql, engineVersion, last, taxpayersPerPage));
      const within = page.filter(({ id }) => id <= end);
      for (const group of inGroups(within)) {
        if (lifecycle.drained.aborted) return renewed;
        const begun = performance.now();
        await this.#renewGroup(group);
        const before = renewed;
        renewed += group.length;
        renewalState.left = Math.max(0, renewalState.left - group.length);
        if (Math.floor(renewed / reportedEach) > Math.floor(before / reportedEach))
          log.info('renewing books', { renewed, left: renewalState.left });
        await this.#giveWay(performance.now() - begun);
      }
      const next = within.at(-1);
      if (next === undefined || within.length < taxpayersPerPage) return renewed;
      last = next.id;
    }
  }

  /**
   * Renews the books of some taxpayers at once. If one of them cannot be renewed, the others are. If a locked year
   * forbids the change, the books keep their current results, and their next change is refused with the reason.
   */
  async #renewGroup(group: readonly StaleTaxpayer[]): Promise<void> {
    const results = await Promise.allSettled(group.map(({ id }) => this.#renew(id)));
    for (const { reason } of results.filter((result) => result.status === 'rejected')) {
      if (isTemporary(reason)) throw reason;
      this.#deps.log.warn('books not renewed', { reason: String(reason) });
    }
  }

  /** Pauses for as long as the last renewals took if requests are running, so that half of the time is left to them. */
  async #giveWay(milliseconds: number): Promise<void> {
    const { lifecycle } = this.#deps;
    if (lifecycle.inFlight > 0) await sleepUnless(lifecycle.drained, Math.min(milliseconds, giveWayMillisecondsMax));
  }

  /** Renews a taxpayer's books before a request uses them. */
  async renewBeforeUse(taxpayerId: string): Promise<void> {
    if (this.#current.has(taxpayerId)) return;
    const engine = await this.#deps.database.asTaxpayer(taxpayerId, (sql) => selectEngine(sql, taxpayerId), {
      readOnly: true,
    });
    if (engine !== undefined && engine !== engineVersion) await waitFor(this.#renew(taxpayerId));
    if (this.#current.size >= currentMax) this.#current.clear();
    this.#current.add(taxpayerId);
  }

  /** Renews a taxpayer's books. Concurrent requests for the same taxpayer share one run. */
  #renew(taxpayerId: string): Promise<void> {
    const begun = this.#underWay.get(taxpayerId);
    if (begun !== undefined) return begun;
    const work = this.#renewOrSay(taxpayerId).finally(() => this.#underWay.delete(taxpayerId));
    this.#underWay.set(taxpayerId, work);
    return work;
  }

  /** Renews a taxpayer's books, and notifies the taxpayer if a locked year forbids it. */
  async #renewOrSay(taxpayerId: string): Promise<void> {
    try {
      const { database, taxpayerQueue } = this.#deps;
      await taxpayerQueue(taxpayerId, () =>
        database.asTaxpayer(taxpayerId, (sql) => renew(sql, taxpayerId), { statementSecondsMax }),
      );
    } catch (error) {
      if (error instanceof Refusal && error.code === 'year_locked') {
        const conflict = { cause: "An update of Lotbook's tax rules", refusal: error, at: this.#deps.clock.now() };
        await this.#deps.database.asTaxpayer(taxpayerId, (sql) => notifyYearConflict(sql, taxpayerId, conflict));
      }
      throw error;
    }
  }
}

async function waitFor(work: Promise<void>): Promise<void> {
  // If a lock forbids the renewal, the request reads the stored results. After any other failure, the next request
  // retries.
  const over = work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  over.catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), waitSecondsMax * 1000);
  const first = await Promise.race([over, late]).finally(() => clearTimeout(timer));
  if (first !== 'late') return;
  const detail = 'Your books are being recalculated under updated rules. Try again in a minute.';
  throw new Refusal('overloaded', detail, { retryAfterSeconds: waitSecondsMax });
}

async function renew(sql: Sql, taxpayerId: string): Promise<void> {
  // Sent together. The reading statements run when the first one has the lock.
  const [, account, rowKinds] = await allEnded([
    withTaxpayerLock(sql, taxpayerId),
    selectAccountState(sql, taxpayerId),
    selectRowKinds(sql, taxpayerId),
  ]);
  // Another server or an import may already have renewed the books.
  if (!account.begun || account.engine === engineVersion) return;
  await recompute(sql, taxpayerId, 'all', { read: { account, rowKinds } });
}

/** Groups up to `smallAtOnce` small accounts. Each larger account is a group of its own. */
function inGroups(taxpayers: readonly StaleTaxpayer[]): (readonly StaleTaxpayer[])[] {
  const small = taxpayers.filter(({ rows }) => rows <= smallRowsMax);
  const large = taxpayers.filter(({ rows }) => rows > smallRowsMax);
  const groups = Array.from({ length: Math.ceil(small.length / smallAtOnce) }, (_, at) =>
    small.slice(at * smallAtOnce, (at + 1) * smallAtOnce),
  );
  return [...groups, ...large.map((one) => [one])];
}
