import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { engineVersion } from '../../engine/replay.ts';
import { selectEngine, selectStaleTaxpayer } from '../books/queries.ts';
import { inTurn } from '../transactions/turn.ts';
import { recompute } from './recompute.ts';

const firstId = '00000000-0000-0000-0000-000000000000';
/** Nearly all books take less. For larger books the request is refused until the work is done. */
const waitSecondsMax = 20;
const currentMax = 100_000;

/** Recomputes books that another version of the engine computed. */
export class BooksRenewal {
  readonly #deps: Deps;
  /** Taxpayers whose books are known to be of this engine version. */
  readonly #current = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Renews all such books after a start, one taxpayer after the other, while requests are served. */
  async renewAll(): Promise<void> {
    const { database, lifecycle, log } = this.#deps;
    let last = firstId;
    while (!lifecycle.drained.aborted) {
      const next = await database.asService((sql) => selectStaleTaxpayer(sql, engineVersion, last));
      if (next === undefined) return;
      // A locked year may forbid it. Those books stay as they are; their next change is refused and says why.
      await this.#renew(next).catch((error: unknown) => log.warn('books not renewed', { reason: String(error) }));
      last = next;
    }
  }

  /** Renews the books of a taxpayer before a request uses them. */
  async renewBeforeUse(taxpayerId: string): Promise<void> {
    if (this.#current.has(taxpayerId)) return;
    const engine = await this.#deps.database.asTaxpayer(taxpayerId, (sql) => selectEngine(sql, taxpayerId), {
      readOnly: true,
    });
    if (engine !== undefined && engine !== engineVersion) await waitFor(this.#renew(taxpayerId));
    if (this.#current.size >= currentMax) this.#current.clear();
    this.#current.add(taxpayerId);
  }

  /** Runs once per taxpayer at a time, however many requests wait for it. */
  #renew(taxpayerId: string): Promise<void> {
    const begun = this.#underWay.get(taxpayerId);
    if (begun !== undefined) return begun;
    const work = inTurn(this.#deps, taxpayerId, (sql) => renew(sql, taxpayerId)).finally(() =>
      this.#underWay.delete(taxpayerId),
    );
    this.#underWay.set(taxpayerId, work);
    return work;
  }
}

async function waitFor(work: Promise<void>): Promise<void> {
  // If a lock forbids the work, the request reads the books as they are. After another failure the next request retries.
  const over = work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  over.catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), waitSecondsMax * 1000);
  const first = await Promise.race([over, late]).finally(() => clearTimeout(timer));
  if (first !== 'late') return;
  const detail = 'A new version is recomputing these books. Try again soon.';
  throw new Refusal('overloaded', detail, { retryAfterSeconds: waitSecondsMax });
}

async function renew(sql: Sql, taxpayerId: string): Promise<void> {
  const engine = await selectEngine(sql, taxpayerId);
  // Another server or an import may have renewed the books already.
  if (engine === undefined || engine === engineVersion) return;
  await recompute(sql, taxpayerId, 'all');
}
