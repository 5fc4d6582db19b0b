import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { linksOfFormNames } from '../../../engine/events/form-names.ts';
import { assetOfKey } from '../../../engine/events/keys.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { isNamedByNumber } from '../../../engine/rules/questions/same-security.ts';
import { namesInBalances, readBalanceIssues } from '../balances/store.ts';
import { selectLinks, updateLedger, updateRevision } from '../books/books.queries.ts';
import {
  type FoundIssues,
  readAccountIssues,
  readCarryoverIssues,
  readFormIssues,
  readOtherClassIssues,
  readStatedGainIssues,
  readStoredIssues,
  readStoredNameIssues,
  readZoneIssues,
  renewRejectedLines,
  type UnbookedName,
  updateUnbooked,
} from '../books/questions.ts';
import {
  computeRevision,
  type Membership,
  moveHorizon,
  type OnBookReplayed,
  planBooks,
  replayBooks,
} from '../books/replay-books.ts';
import { dissolve } from '../books/state/close.ts';
import { defaultReadLimits, type ReadLimits } from '../books/state/open.ts';
import { addChanges, type BookChanges, noChanges, refreshYears, renewYears } from '../books/summaries.ts';
import { selectLocks } from '../locks/locks.queries.ts';
import { revalue } from '../prices/valuations.ts';
import { toElections } from '../transactions/elections.ts';
import { addPairs, noneAccepted, noRestatements, readAccepted, readRestatements } from '../transactions/resolutions.ts';
import { rejectedBook } from '../transactions/row-issues.ts';
import { parseDayColumn, type TouchedKeys } from '../transactions/rows.ts';
import { type Arrivals, noArrivals } from '../transactions/store.ts';
import { type AccountState, type RowKinds, selectAccountState, selectRowKinds } from './recompute.queries.ts';
import { settleEvidence, settleFormNames, settleTickers } from './settle.ts';
import {
  allUses,
  type ChangedSources,
  type Recomputation,
  type RecomputeStep,
  type StepContext,
  step,
} from './step.ts';

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
  /** The state that the caller has already read under the lock of the taxpayer. */
  readonly read?: { readonly account: AccountState; readonly rowKinds: RowKinds };
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
  touched: TouchedKeys | 'all',
  options: RecomputeOptions = {},
): Promise<RecomputeResult> {
  const { onBook = () => {}, limits = defaultReadLimits, arrivals = noArrivals, stated = new Set() } = options;
  const context: StepContext = { sql, taxpayerId, arrivals, onBook, limits, stated, read: options.read };
  let values = { touched, sources: options.sources ?? 'any' } as Recomputation;
  for (const { run } of recomputeSteps) values = { ...values, ...(await run(context, values)) };
  const { revision, changes, issues } = values;
  return { revision, years: [...changes.years].sort((a, b) => a - b), issues };
}

/**
 * The steps of a recomputation, in order. Each declares the values that it reads and writes. The first steps determine
 * which books must be recomputed and under which rules, the next ones replay them, and the last ones update everything
 * that depends on all books.
 */
export const recomputeSteps: readonly RecomputeStep[] = [
  step(
    'read the current state',
    {
      reads: ['touched', 'sources'],
      writes: [
        ...(['touched', 'sources', 'settings', 'timeZone', 'uses', 'rowKinds', 'stored', 'days', 'answers'] as const),
        ...(['changes', 'questions', 'revisionBefore'] as const),
      ],
    },
    readState,
  ),
  step(
    'which form reports the sales of each account',
    { reads: ['touched', 'settings', 'sources', 'rowKinds'], writes: ['touched', 'settings'] },
    settleEvidence,
  ),
  step(
    'the classes of ambiguous tickers',
    {
      reads: ['touched', 'settings', 'timeZone', 'stored', 'rowKinds', 'uses'],
      writes: ['touched', 'settings', 'rowKinds', 'uses'],
    },
    settleTickers,
  ),
  step(
    'the names of assets on Forms 1099',
    { reads: ['touched', 'settings', 'uses'], writes: ['touched', 'settings'] },
    settleFormNames,
  ),
  step('the rules', { reads: ['settings', 'timeZone'], writes: ['elections'] }, async (_, { settings, timeZone }) => ({
    elections: toElections(settings, timeZone),
  })),
  step(
    'the day of the last row, on which open periods depend',
    { reads: ['touched', 'stored', 'days'], writes: ['touched', 'through'] },
    async ({ sql, taxpayerId }, { touched, stored, days }) => {
      const changed = touched === 'all' ? new Map() : touched;
      const moved = await moveHorizon(sql, taxpayerId, changed, stored, days);
      return { touched: touched === 'all' ? touched : moved.touched, through: moved.through };
    },
  ),
  step(
    'transfers that consist of two rows',
    { reads: ['touched', 'answers'], writes: ['touched'] },
    async ({ sql, taxpayerId }, { touched, answers }) => ({
      touched: touched !== 'all' && answers.restate ? await addPairs(sql, taxpayerId, touched) : touched,
    }),
  ),
  step('prices', { reads: ['touched', 'uses'], writes: [] }, async ({ sql, taxpayerId }, { touched, uses }) => {
    if (uses.prices) await revalue(sql, taxpayerId, touched);
    return {};
  }),
  step(
    'the books to replay',
    { reads: ['touched', 'stored', 'settings', 'rowKinds', 'uses'], writes: ['plan'] },
    planReplays,
  ),
  // Deletes facts before inserting others, because a fact may move from one book to another.
  step(
    'remove books that no longer exist',
    { reads: ['plan', 'changes'], writes: ['changes'] },
    async ({ sql, taxpayerId }, { plan, changes }) => ({
      changes: withChanges(changes, await dissolve(sql, taxpayerId, plan.dissolved)),
    }),
  ),
  step(
    'replay the books',
    {
      reads: ['touched', 'stored', 'plan', 'elections', 'answers', 'through', 'changes', 'rowKinds'],
      writes: ['changes'],
    },
    replay,
  ),
  step(
    'the stored issues that belong to no book',
    { reads: ['touched', 'plan', 'changes'], writes: ['assets', 'mayHaveChanged', 'unbooked'] },
    async ({ sql, taxpayerId, stated }, { touched, plan, changes }) => {
      const moving = [...plan.replays.flatMap(({ keys }) => keys), ...(touched === 'all' ? [] : touched.keys())];
      return {
        assets: touched === 'all' ? null : new Set([...moving.map(assetOfKey), ...stated]),
        mayHaveChanged: yearsChangedBy(touched, new Set(changes.years)),
        unbooked: await readStoredIssues(sql, taxpayerId),
      };
    },
  ),
  issueStep('balances', ['assets', 'uses'], async ({ sql, taxpayerId }, { assets, uses }) => {
    if (!uses.balances) return { found: [] };
    const names = assets === null ? null : await namesInBalances(sql, taxpayerId, [...assets]);
    const found = await readBalanceIssues(sql, taxpayerId, names);
    return { found, isKept: ({ asset }) => names !== null && !names.includes(asset) };
  }),
  issueStep('classes', [], async ({ sql, taxpayerId }, { unbooked }) => ({
    found: await readOtherClassIssues(sql, taxpayerId, unbooked.oversold),
  })),
  issueStep('names', ['elections', 'uses', 'stored', 'plan'], async ({ sql, taxpayerId }, values) => {
    const { elections, uses, stored, plan } = values;
    const keys = [...stored.map((row) => row.asset_key), ...plan.replays.flatMap((one) => one.keys)];
    if (!uses.numbers && !keys.some(isNamedByNumber)) return { found: [] };
    return { found: await readStoredNameIssues(sql, taxpayerId, elections.rules) };
  }),
  issueStep('accounts', ['elections'], async ({ sql, taxpayerId }, { elections }) => ({
    found: await readAccountIssues(sql, taxpayerId, elections.rules),
  })),
  issueStep(
    'gains',
    ['elections', 'through', 'assets', 'uses'],
    async ({ sql, taxpayerId }, { elections: { rules }, through, assets, uses }) => ({
      found: uses.statedGains ? await readStatedGainIssues(sql, taxpayerId, { rules, through, assets }) : [],
      isKept: ({ asset }) => assets !== null && !assets.has(asset),
    }),
  ),
  issueStep('zones', ['elections'], async ({ sql, taxpayerId }, { elections }) => ({
    found: await readZoneIssues(sql, taxpayerId, elections.rules),
  })),
  issueStep(
    'forms',
    ['elections', 'mayHaveChanged', 'uses'],
    async ({ sql, taxpayerId }, { elections, mayHaveChanged, uses }) => ({
      found: uses.forms ? await readFormIssues(sql, taxpayerId, elections.rules, mayHaveChanged) : [],
      isKept: ({ on }) => !mayHaveChanged(yearOf(on)),
    }),
  ),
  step(
    'issues: rejected lines',
    { reads: ['unbooked', 'changes', 'questions', 'uses'], writes: ['changes', 'questions'] },
    async ({ sql, taxpayerId }, { unbooked, changes, questions, uses }) => {
      const stored = unbooked.beside[rejectedBook];
      if (!uses.rejects && stored.length === 0) return { changes, questions };
      const rejected = await renewRejectedLines(sql, taxpayerId, stored);
      return { changes: withChanges(changes, rejected.changes), questions: [...questions, ...rejected.lines] };
    },
  ),
  step(
    'the totals of the years',
    { reads: ['touched', 'changes', 'elections'], writes: ['issues'] },
    async ({ sql, taxpayerId }, { touched, changes, elections }) => ({
      issues:
        touched === 'all'
          ? await renewYears(sql, taxpayerId, elections)
          : await refreshYears(sql, taxpayerId, changes.changes, elections),
    }),
  ),
  // Carryovers depend on the years, so they are updated after them.
  step(
    'issues: carryover',
    { reads: ['elections', 'unbooked', 'changes', 'issues'], writes: ['changes', 'issues'] },
    recheckCarryover,
  ),
  step(
    'refuse changes of locked years',
    { reads: ['changes', 'uses'], writes: [] },
    async ({ sql, taxpayerId }, { changes, uses }) => {
      if (uses.locks) await enforceLocks(sql, taxpayerId, changes.years);
      return {};
    },
  ),
  step(
    'the revision',
    { reads: ['settings', 'timeZone', 'through', 'questions', 'revisionBefore'], writes: ['revision'] },
    async ({ sql, taxpayerId }, { settings, timeZone, through, questions, revisionBefore }) => {
      const last = through === null ? null : formatDay(through);
      const content = await updateLedger(sql, taxpayerId, { engine: engineVersion, through: last });
      const revision = computeRevision(content, settings, timeZone, questions);
      if (revision !== revisionBefore) await updateRevision(sql, taxpayerId, revision);
      return { revision };
    },
  ),
];

async function readState(
  { sql, taxpayerId, arrivals, read }: StepContext,
  { touched, sources }: Pick<Recomputation, 'touched' | 'sources'>,
) {
  const before = read?.account ?? (await selectAccountState(sql, taxpayerId));
  const { settings, time_zone: timeZone, books: stored, engine, revision: revisionBefore } = before;
  const days = {
    before: parseOptionalDay(before.through),
    found: parseOptionalDay(before.last),
    arriving: arrivals.lastDay,
  };
  const answers = {
    restate: before.answers.some((action) => action !== 'accept'),
    accept: before.answers.includes('accept'),
  };
  // Books from two engine versions must not mix, so all are recomputed.
  const isStale = stored.length > 0 && engine !== engineVersion;
  const scope = isStale ? ({ touched: 'all', sources: 'any' } as const) : { touched, sources };
  const uses = arrivals.lastDay === null ? before.uses : allUses;
  if (scope.touched === 'all' || answers.restate) await arrivals.bring();
  const rowKinds = scope.touched === 'all' ? (read?.rowKinds ?? (await selectRowKinds(sql, taxpayerId))) : null;
  const state = { settings, timeZone, stored, days, answers, uses, rowKinds, revisionBefore };
  return { ...scope, ...state, changes: noChanges(), questions: [] };
}

async function planReplays(
  { sql, taxpayerId }: StepContext,
  values: Pick<Recomputation, 'touched' | 'stored' | 'settings' | 'rowKinds' | 'uses'>,
): Promise<Pick<Recomputation, 'plan'>> {
  const { touched, stored, settings, rowKinds, uses } = values;
  const keys = touched === 'all' ? listAllKeys(rowKinds?.keys ?? [], stored) : touched;
  const links = rowKinds?.links ?? (uses.links ? await selectLinks(sql, taxpayerId) : []);
  return { plan: planBooks(keys, [...links, ...linksOfFormNames(settings.formNames)], stored) };
}

async function replay(
  { sql, taxpayerId, limits, onBook, arrivals }: StepContext,
  values: Pick<
    Recomputation,
    'touched' | 'stored' | 'plan' | 'elections' | 'answers' | 'through' | 'changes' | 'rowKinds'
  >,
): Promise<Pick<Recomputation, 'changes'>> {
  const { touched, stored, plan, elections, answers, through, changes, rowKinds } = values;
  const restatements = answers.restate ? await readRestatements(sql, taxpayerId) : noRestatements;
  const accepted = answers.accept ? await readAccepted(sql, taxpayerId) : noneAccepted;
  const known = new Set(stored.map((row) => row.book));
  for (const book of plan.dissolved) known.delete(book);
  const requests = plan.replays.map(({ book, keys, from }) => ({
    book,
    keys,
    from: touched === 'all' || from === null ? null : formatDay(from),
    fresh: !known.has(book),
    regrouped: from === null,
  }));
  const accountRows = rowKinds?.rows;
  const rules = { rules: elections.rules, restatements, accepted, through, limits, accountRows };
  return { changes: withChanges(changes, await replayBooks(sql, taxpayerId, requests, rules, { onBook, arrivals })) };
}

/**
 * A step that replaces the issues with this name, which belong to no book. The gains that differ from a file are part of
 * the revision.
 */
function issueStep<Read extends 'assets' | 'elections' | 'through' | 'mayHaveChanged' | 'uses' | 'stored' | 'plan'>(
  name: UnbookedName,
  reads: readonly Read[],
  find: (context: StepContext, values: Pick<Recomputation, Read | 'unbooked'>) => Promise<FoundIssues>,
): RecomputeStep {
  const all = [...reads, 'unbooked', 'changes', 'questions'] as const;
  return step(`issues: ${name}`, { reads: all, writes: ['changes', 'questions'] }, async (context, values) => {
    const { unbooked, changes, questions } = values;
    const found = await find(context, values);
    const updated = await updateUnbooked(context.sql, context.taxpayerId, name, unbooked, found);
    const differences = name === 'gains' ? updated.issues.map(({ id, detail }) => `${id} ${detail}`) : [];
    return { changes: withChanges(changes, updated.changes), questions: [...questions, ...differences] };
  });
}

async function recheckCarryover(
  { sql, taxpayerId }: StepContext,
  values: Pick<Recomputation, 'elections' | 'unbooked' | 'changes' | 'issues'>,
): Promise<Pick<Recomputation, 'changes' | 'issues'>> {
  const { elections, unbooked, changes, issues } = values;
  const found = await readCarryoverIssues(sql, taxpayerId, elections, unbooked.beside.carryover);
  const carried = (await updateUnbooked(sql, taxpayerId, 'carryover', unbooked, { found })).changes;
  return {
    changes: withChanges(changes, carried),
    issues: carried.changes.size === 0 ? issues : await refreshYears(sql, taxpayerId, carried.changes, elections),
  };
}

function withChanges(before: BookChanges, more: BookChanges): BookChanges {
  addChanges(before, more);
  return before;
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

function listAllKeys(keys: readonly string[], stored: readonly Membership[]): TouchedKeys {
  return new Map([...keys, ...stored.map((row) => row.asset_key)].map((key) => [key, firstDayOfAll]));
}

function parseOptionalDay(text: string | null | undefined): Day | null {
  return text === null || text === undefined ? null : parseDayColumn(text);
}

const firstDayOfAll = -1_000_000 as Day;

/**
 * Refuses changes to the lines of locked years, which rolls back the transaction. Every change calls this last, with
 * the years that it wrote. Checks only these years. Without locks, it costs one query.
 */
async function enforceLocks(sql: Sql, taxpayerId: string, years: ReadonlySet<number>): Promise<void> {
  if (years.size === 0) return;
  for (const lock of await selectLocks(sql, taxpayerId)) {
    if (!years.has(lock.year)) continue;
    // Imported dynamically, because the API's line views load the framework: 15 MB that the import Worker does not
    // need.
    const { refuseChangedLines } = await import('../locks/line-changes.ts');
    await refuseChangedLines(sql, taxpayerId, lock);
  }
}
