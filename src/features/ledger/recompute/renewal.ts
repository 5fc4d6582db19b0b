import { retryUntilDone, sleepUnless } from '../../../base/deadline.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import { isTemporary } from '../../../db/job-queue.ts';
import type { Deps } from '../../../deps.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { notifyYearConflict } from '../../people/notifications.ts';
import { countStaleTaxpayers, selectEngine, selectStaleTaxpayer } from '../books/books.queries.ts';
import { inTurn } from '../transactions/store.ts';
import { recompute } from './recompute.ts';

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The number of taxpayers between two log entries about progress. */
const reportedEach = 500;
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
   * Renews all stale books after a start, one taxpayer at a time, while requests are served. Stores its progress, so
   * that a restarted server continues from there. Each server begins at a different taxpayer, so several servers share
   * the work.
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
    for (let last = first; !lifecycle.drained.aborted; ) {
      const next = await database.asService((sql) => selectStaleTaxpayer(sql, engineVersion, last));
      if (next === undefined || next > end) break;
      const begun = performance.now();
      // If a locked year forbids the change, the books keep their current results. Their next change is refused with
      // the reason.
      await this.#renew(next).catch((error: unknown) => {
        if (isTemporary(error)) throw error;
        log.warn('books not renewed', { reason: String(error) });
      });
      last = next;
      renewed += 1;
      renewalState.left = Math.max(0, renewalState.left - 1);
      if (renewed % reportedEach === 0) log.info('renewing books', { renewed, left: renewalState.left });
      await this.#giveWay(performance.now() - begun);
    }
    return renewed;
  }

  /** Pauses for as long as the last renewal took if requests are running, so that half of the time is left to them. */
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
      await inTurn(this.#deps, taxpayerId, (sql) => renew(sql, taxpayerId));
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
  const engine = await selectEngine(sql, taxpayerId);
  // Another server or an import may already have renewed the books.
  if (engine === undefined || engine === engineVersion) return;
  await recompute(sql, taxpayerId, 'all');
}
