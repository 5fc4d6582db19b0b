import { formatDay } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import { assetOfKey } from '../../engine/events/keys.ts';
import { engineVersion } from '../../engine/replay.ts';
import { recheckBalances } from '../balances/recheck.ts';
import { recheckAccounts } from '../books/account-types.ts';
import { recheckCarryover } from '../books/carryover-check.ts';
import { moveHorizon } from '../books/horizon.ts';
import { recheckClasses } from '../books/other-class.ts';
import { planBooks } from '../books/plan.ts';
import {
  selectBooks,
  selectContent,
  selectEngine,
  selectKeys,
  selectLinks,
  selectTaxpayer,
  updateEngine,
  updateRevision,
} from '../books/queries.ts';
import { type OnBook, replayBooks } from '../books/replay-books.ts';
import { revisionOf } from '../books/revision.ts';
import { dissolve } from '../books/state/close.ts';
import { defaultReadLimits, type ReadLimits } from '../books/state/open.ts';
import { renewRejectedLines } from '../books/summaries/rejected-lines.ts';
import { addChanges, noChanges, refreshYears, renewYears } from '../books/summaries/summaries.ts';
import { enforceLocks } from '../locks/enforcement.ts';
import { revalue } from '../prices/valuations.ts';
import { electionsOf } from '../transactions/elections.ts';
import { hasRestatements } from '../transactions/resolutions/queries.ts';
import { reachPairs } from '../transactions/resolutions/restate.ts';
import type { Touched } from '../transactions/rows/touched.ts';
import { type Arrivals, noArrivals } from '../transactions/staged/arrivals.ts';
import { type ChangedSources, settleEvidence } from './evidence.ts';
import { settleTickers } from './tickers.ts';

export interface Recomputed {
  readonly revision: string;
  /** Tax years whose facts changed, ascending. */
  readonly years: number[];
  /** Number of issues in the books now. */
  readonly issues: number;
}

interface RecomputeOptions {
  readonly onBook?: OnBook;
  readonly limits?: ReadLimits;
  /** Imported rows that are stored while their books are computed. */
  readonly arrivals?: Arrivals;
  /** Assets of which other balances are stated than before. */
  readonly stated?: ReadonlySet<string>;
  /** The default is that any row may have come or gone. */
  readonly sources?: ChangedSources;
}

/**
 * Recomputes everything that depends on changed transactions. Each touched book drops the facts after its last valid
 * checkpoint and replays them. Lots, summaries and the revision are updated by the difference. It runs in the caller's
 * transaction, under the taxpayer's lock, so a reader sees either the old numbers or the new ones.
 */
export async function recompute(
  sql: Sql,
  taxpayerId: string,
  asked: Touched | 'all',
  options: RecomputeOptions = {},
): Promise<Recomputed> {
  const { onBook = () => {}, limits = defaultReadLimits, arrivals = noArrivals, stated = new Set() } = options;
  const named = await settleTickers(sql, taxpayerId, asked, arrivals);
  const stored = await selectBooks(sql, taxpayerId);
  // Books of two engine versions must not mix: recompute all of them.
  const isStale = stored.length > 0 && (await selectEngine(sql, taxpayerId)) !== engineVersion;
  const sources = isStale ? 'any' : (options.sources ?? 'any');
  // All rows are asked, also those that wait.
  if (sources === 'any') await arrivals.bring();
  const read = await settleEvidence(sql, taxpayerId, named, sources);
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = electionsOf(taxpayer.settings, taxpayer.time_zone);
  const { rules } = elections;
  const changed = isStale ? 'all' : read;
  if (changed === 'all' || (await hasRestatements(sql, taxpayerId))) await arrivals.bring();
  const moved = await moveHorizon(sql, taxpayerId, changed === 'all' ? new Map() : changed, stored, arrivals.lastDay);
  const touched = changed === 'all' ? changed : await reachPairs(sql, taxpayerId, moved.touched);
  await revalue(sql, taxpayerId, touched);
  const plan = planBooks(
    touched === 'all' ? await selectAllKeys(sql, taxpayerId, stored) : touched,
    await selectLinks(sql, taxpayerId),
    stored,
  );
  const all = noChanges();
  // Delete facts before inserting others: a fact may move from one book to another.
  addChanges(all, await dissolve(sql, taxpayerId, plan.dissolved));
  const known = new Set(stored.map((row) => row.book));
  for (const book of plan.dissolved) known.delete(book);
  const orders = plan.replays.map(({ book, keys, from }) => ({
    book,
    keys,
    from: touched === 'all' || from === null ? null : formatDay(from),
    fresh: !known.has(book),
  }));
  addChanges(
    all,
    await replayBooks(sql, taxpayerId, orders, { rules, through: moved.through, limits }, { onBook, arrivals }),
  );
  const moving = [...plan.replays.flatMap(({ keys }) => keys), ...(touched === 'all' ? [] : touched.keys())];
  const assets = touched === 'all' ? null : new Set([...moving.map(assetOfKey), ...stated]);
  addChanges(all, await recheckBalances(sql, taxpayerId, assets));
  addChanges(all, await recheckClasses(sql, taxpayerId));
  addChanges(all, await recheckAccounts(sql, taxpayerId, rules));
  const rejected = await renewRejectedLines(sql, taxpayerId);
  addChanges(all, rejected.changes);
  const netted =
    touched === 'all'
      ? await renewYears(sql, taxpayerId, elections)
      : await refreshYears(sql, taxpayerId, all.changes, elections);
  // What is carried is known once the years are.
  const carried = await recheckCarryover(sql, taxpayerId, elections);
  for (const year of carried.years) all.years.add(year);
  const issues = carried.changes.size === 0 ? netted : await refreshYears(sql, taxpayerId, carried.changes, elections);
  await enforceLocks(sql, taxpayerId, all.years);
  const revision = revisionOf(
    await selectContent(sql, taxpayerId),
    taxpayer.settings,
    taxpayer.time_zone,
    rejected.lines,
  );
  await updateRevision(sql, taxpayerId, revision);
  await updateEngine(sql, taxpayerId, engineVersion);
  return { revision, years: [...all.years].sort((a, b) => a - b), issues };
}

async function selectAllKeys(
  sql: Sql,
  taxpayerId: string,
  stored: readonly { readonly asset_key: string }[],
): Promise<Touched> {
  const keys = new Set([...(await selectKeys(sql, taxpayerId)), ...stored.map((row) => row.asset_key)]);
  return new Map([...keys].map((key) => [key, firstDayOfAll]));
}

const firstDayOfAll = -1_000_000 as Parameters<typeof formatDay>[0];
