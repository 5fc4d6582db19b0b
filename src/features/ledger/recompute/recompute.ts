import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { linksOfFormNames } from '../../../engine/events/form-names.ts';
import { assetOfKey } from '../../../engine/events/keys.ts';
import type { Rules } from '../../../engine/model.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { recheckBalances } from '../balances/recheck.ts';
import { recheckAccounts } from '../books/account-types.ts';
import {
  selectBooks,
  selectKeys,
  selectLedger,
  selectLinks,
  selectTaxpayer,
  type TaxpayerRow,
  updateLedger,
  updateRevision,
} from '../books/books.queries.ts';
import { recheckCarryover } from '../books/carryover-check.ts';
import { recheckForms } from '../books/form-questions.ts';
import { moveHorizon } from '../books/horizon.ts';
import { recheckClasses } from '../books/other-class.ts';
import { planBooks } from '../books/plan.ts';
import { type OnBookReplayed, replayBooks } from '../books/replay-books.ts';
import { computeRevision } from '../books/revision.ts';
import { recheckNames } from '../books/same-security.ts';
import { dissolve } from '../books/state/close.ts';
import { defaultReadLimits, type ReadLimits } from '../books/state/open.ts';
import { recheckStatedGains } from '../books/stated-gains.ts';
import { renewRejectedLines } from '../books/summaries/rejected-lines.ts';
import { addChanges, noChanges, refreshYears, renewYears } from '../books/summaries/summaries.ts';
import { readStoredIssues } from '../books/unbooked-issues.ts';
import { recheckZone } from '../books/zone-question.ts';
import { enforceLocks } from '../locks/enforcement.ts';
import { revalue } from '../prices/valuations.ts';
import { toElections } from '../transactions/elections.ts';
import { rejectedBook } from '../transactions/rejected/rejected-lines.ts';
import { noneAccepted, readAccepted } from '../transactions/resolutions/accepted.ts';
import { selectResolutionKinds } from '../transactions/resolutions/resolutions.queries.ts';
import { addPairs, noRestatements, readRestatements } from '../transactions/resolutions/restate.ts';
import { parseDayColumn } from '../transactions/rows/columns.ts';
import type { TouchedKeys } from '../transactions/rows/touched.ts';
import { type Arrivals, noArrivals } from '../transactions/staged/arrivals.ts';
import { type ChangedSources, settleEvidence } from './evidence.ts';
import { settleFormNames } from './form-names.ts';
import { settleTickers } from './tickers.ts';

export interface RecomputeResult {
  readonly revision: string;
  /** Tax years whose facts changed, in ascending order. */
  readonly years: number[];
  /** The current number of issues. */
  readonly issues: number;
}

interface RecomputeOptions {
  readonly onBook?: OnBookReplayed;
  readonly limits?: ReadLimits;
  /** Imported rows that are stored while their books are being computed. */
  readonly arrivals?: Arrivals;
  /** Assets whose balances according to the files have changed. */
  readonly stated?: ReadonlySet<string>;
  /** The current taxpayer row, if the caller has already read it. */
  readonly taxpayer?: TaxpayerRow;
  /** The sources of changed rows. By default, any row may have been added or removed. */
  readonly sources?: ChangedSources;
}

/**
 * Recomputes everything that depends on changed transactions. Each affected book deletes the facts after its last valid
 * checkpoint and replays its rows from there. Lots, summaries and the revision are updated incrementally. Runs in the
 * caller's transaction and under the taxpayer's lock, so a reader sees either the old or the new numbers.
 */
export async function recompute(
  sql: Sql,
  taxpayerId: string,
  changedRows: TouchedKeys | 'all',
  options: RecomputeOptions = {},
): Promise<RecomputeResult> {
  const { onBook = () => {}, limits = defaultReadLimits, arrivals = noArrivals, stated = new Set() } = options;
  const taxpayer = options.taxpayer ?? (await selectTaxpayer(sql, taxpayerId));
  const stored = await selectBooks(sql, taxpayerId);
  const keys = stored.map((row) => row.asset_key);
  const ledger = await selectLedger(sql, taxpayerId);
  // Books from two engine versions must not mix, so all are recomputed.
  const isStale = stored.length > 0 && ledger?.engine !== engineVersion;
  const sources = isStale ? 'any' : (options.sources ?? 'any');
  // Stores all staged rows, because all rows must be read.
  if (sources === 'any') await arrivals.bring();
  const before = { touched: changedRows, settings: taxpayer.settings };
  const shown = await settleEvidence(sql, taxpayerId, before, sources);
  const named = { asked: shown.touched, taxpayer: { ...taxpayer, settings: shown.settings }, keys };
  const classed = await settleTickers(sql, taxpayerId, named, arrivals);
  const { touched: read, settings } = await settleFormNames(sql, taxpayerId, classed, arrivals);
  const elections = toElections(settings, taxpayer.time_zone);
  const { rules } = elections;
  const changed = isStale ? 'all' : read;
  const resolutionKinds = await selectResolutionKinds(sql, taxpayerId);
  if (changed === 'all' || resolutionKinds.restate) await arrivals.bring();
  const days = {
    before: parseOptionalDay(ledger?.through),
    found: parseOptionalDay(ledger?.last),
    arriving: arrivals.lastDay,
  };
  const moved = await moveHorizon(sql, taxpayerId, changed === 'all' ? new Map() : changed, stored, days);
  const reached = resolutionKinds.restate ? await addPairs(sql, taxpayerId, moved.touched) : moved.touched;
  const touched = changed === 'all' ? changed : reached;
  await revalue(sql, taxpayerId, touched);
  const plan = planBooks(
    touched === 'all' ? await selectAllKeys(sql, taxpayerId, stored) : touched,
    [...(await selectLinks(sql, taxpayerId)), ...linksOfFormNames(settings.formNames)],
    stored,
  );
  const restatements = resolutionKinds.restate ? await readRestatements(sql, taxpayerId) : noRestatements;
  const accepted = resolutionKinds.accept ? await readAccepted(sql, taxpayerId) : noneAccepted;
  const all = noChanges();
  // Deletes facts before inserting others, because a fact may move from one book to another.
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
    await replayBooks(
      sql,
      taxpayerId,
      orders,
      { rules, restatements, accepted, through: moved.through, limits },
      { onBook, arrivals },
    ),
  );
  const moving = [...plan.replays.flatMap(({ keys }) => keys), ...(touched === 'all' ? [] : touched.keys())];
  const assets = touched === 'all' ? null : new Set([...moving.map(assetOfKey), ...stated]);
  const mayHaveChanged = yearsChangedBy(touched, all.years);
  const unbookedChanges = await askBeside(
    sql,
    taxpayerId,
    { rules, through: moved.through },
    { assets, mayHaveChanged },
  );
  addChanges(all, unbookedChanges.changes);
  const netted =
    touched === 'all'
      ? await renewYears(sql, taxpayerId, elections)
      : await refreshYears(sql, taxpayerId, all.changes, elections);
  // Carryovers depend on the years, so they are updated last.
  const carried = await recheckCarryover(sql, taxpayerId, elections, unbookedChanges.before);
  for (const year of carried.years) all.years.add(year);
  const issues = carried.changes.size === 0 ? netted : await refreshYears(sql, taxpayerId, carried.changes, elections);
  await enforceLocks(sql, taxpayerId, all.years);
  const through = moved.through === null ? null : formatDay(moved.through);
  const content = await updateLedger(sql, taxpayerId, { engine: engineVersion, through });
  const revision = computeRevision(content, settings, taxpayer.time_zone, unbookedChanges.questions);
  await updateRevision(sql, taxpayerId, revision);
  return { revision, years: [...all.years].sort((a, b) => a - b), issues };
}

interface Reach {
  /** The assets whose balances and reported gains are checked. Null means all. */
  readonly assets: ReadonlySet<string> | null;
  readonly mayHaveChanged: (year: number) => boolean;
}

/** Updates the issues that do not belong to a book. */
async function askBeside(
  sql: Sql,
  taxpayerId: string,
  { rules, through }: { readonly rules: Rules; readonly through: Day | null },
  { assets, mayHaveChanged }: Reach,
) {
  const before = await readStoredIssues(sql, taxpayerId);
  const changes = noChanges();
  addChanges(changes, await recheckBalances(sql, taxpayerId, assets, before.beside.balances));
  addChanges(changes, await recheckClasses(sql, taxpayerId, before));
  addChanges(changes, await recheckNames(sql, taxpayerId, rules, before));
  addChanges(changes, await recheckAccounts(sql, taxpayerId, rules, before));
  const gains = await recheckStatedGains(sql, taxpayerId, { rules, through }, assets, before.beside.gains);
  addChanges(changes, gains.changes);
  addChanges(changes, await recheckZone(sql, taxpayerId, rules, before));
  addChanges(changes, await recheckForms(sql, taxpayerId, { rules, mayHaveChanged }, before));
  const rejected = await renewRejectedLines(sql, taxpayerId, before.beside[rejectedBook]);
  addChanges(changes, rejected.changes);
  return { changes, before, questions: [...rejected.lines, ...gains.questions] };
}

/**
 * Returns a function that checks whether a year's rows or lines may have changed. True for years with changed lines and
 * for all years from the first changed row on.
 */
function yearsChangedBy(touched: TouchedKeys | 'all', years: ReadonlySet<number>): (year: number) => boolean {
  if (touched === 'all') return () => true;
  const first = Math.min(...[...touched.values()].map(yearOf));
  return (year) => year >= first || years.has(year);
}

async function selectAllKeys(
  sql: Sql,
  taxpayerId: string,
  stored: readonly { readonly asset_key: string }[],
): Promise<TouchedKeys> {
  const keys = new Set([...(await selectKeys(sql, taxpayerId)), ...stored.map((row) => row.asset_key)]);
  return new Map([...keys].map((key) => [key, firstDayOfAll]));
}

function parseOptionalDay(text: string | null | undefined): Day | null {
  return text === null || text === undefined ? null : parseDayColumn(text);
}

const firstDayOfAll = -1_000_000 as Parameters<typeof formatDay>[0];
