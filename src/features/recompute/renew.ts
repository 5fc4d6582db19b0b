import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { engineVersion } from '../../engine/replay.ts';
import { selectEngine, selectStaleTaxpayer } from '../books/queries.ts';
import { inTurn } from '../transactions/turn.ts';
import { recompute } from './recompute.ts';

/**
 * Books that another version of the engine made are computed again after a start, one taxpayer after the other and
 * beside what is asked meanwhile. Who asks for such books first has them computed before the answer.
 */
export async function renewStaleBooks(deps: Deps): Promise<void> {
  const { drained } = deps.lifecycle;
  let last = firstId;
  while (!drained.aborted) {
    const next = await deps.database.asService((sql) => selectStaleTaxpayer(sql, engineVersion, last));
    if (next === undefined) return;
    // A locked year may forbid it: those books stay as they are, and their owner is told with the next change.
    await renewed(deps, next).catch((error: unknown) => deps.log.warn('books not renewed', { reason: String(error) }));
    last = next;
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';
/** Longer than nearly all books take; for others an answer comes after the work is done. */
const waitSecondsMax = 20;

/** Before books are read: those of another engine are computed again. */
export async function currentBooks(deps: Deps, taxpayerId: string): Promise<void> {
  const current = known.get(deps) ?? new Set<string>();
  known.set(deps, current);
  if (current.has(taxpayerId)) return;
  const engine = await deps.database.asTaxpayer(taxpayerId, (sql) => selectEngine(sql, taxpayerId), { readOnly: true });
  if (engine !== undefined && engine !== engineVersion) await waitFor(renewed(deps, taxpayerId));
  if (current.size >= knownMax) current.clear();
  current.add(taxpayerId);
}

const known = new WeakMap<Deps, Set<string>>();
const knownMax = 100_000;

async function waitFor(work: Promise<void>): Promise<void> {
  // What a lock forbids is read as it was; anything else is for the next one to try.
  const over = work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  over.catch(() => undefined);
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), waitSecondsMax * 1000);
  const first = await Promise.race([over, late]).finally(() => clearTimeout(timer));
  if (first !== 'late') return;
  const detail = 'These books are being computed again by a new version. Try again soon.';
  throw new Refusal('overloaded', detail, { retryAfterSeconds: waitSecondsMax });
}

const underWay = new WeakMap<Deps, Map<string, Promise<void>>>();

/** One at a time for each taxpayer, however many ask. */
function renewed(deps: Deps, taxpayerId: string): Promise<void> {
  const all = underWay.get(deps) ?? new Map<string, Promise<void>>();
  underWay.set(deps, all);
  const begun = all.get(taxpayerId);
  if (begun !== undefined) return begun;
  const work = inTurn(deps, taxpayerId, (sql) => renew(sql, taxpayerId)).finally(() => all.delete(taxpayerId));
  all.set(taxpayerId, work);
  return work;
}

async function renew(sql: Sql, taxpayerId: string): Promise<void> {
  const engine = await selectEngine(sql, taxpayerId);
  // Another server, or an import, may have been first.
  if (engine === undefined || engine === engineVersion) return;
  await recompute(sql, taxpayerId, 'all');
}
