import { type Day, formatDay, yearOf } from '../../../base/day.ts';
import type { Sql } from '../../../db/connection.ts';
import { linksOfFormNames } from '../../../engine/events/form-names.ts';
import { assetOfKey } from '../../../engine/events/keys.ts';
import { engineVersion } from '../../../engine/replay.ts';
import { namesInBalances, readBalanceIssues } from '../balances/store.ts';
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
import { selectResolutionKinds } from '../transactions/row-issues.queries.ts';
import { rejectedBook } from '../transactions/row-issues.ts';
import { parseDayColumn, type TouchedKeys } from '../transactions/rows.ts';
import { type Arrivals, noArrivals } from '../transactions/store.ts';
import { settleEvidence, settleFormNames, settleTickers } from './settle.ts';
import { type ChangedSources, type Recomputation, type RecomputeStep, type StepContext, step } from './step.ts';

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
  touched: TouchedKeys | 'all',
  options: RecomputeOptions = {},
): Promise<RecomputeResult> {
  const { onBook = () => {}, limits = defaultReadLimits, arrivals = noArrivals, stated = new Set() } = options;
  const context: StepContext = { sql, taxpayerId, arrivals, onBook, limits, stated, taxpayer: options.taxpayer };
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
      writes: ['touched', 'sources', 'settings', 'timeZone', 'stored', 'days', 'changes', 'questions'],
    },
    readState,
  ),
  step(
    'which form reports the sales of each account',
    { reads: ['touched', 'settings', 'sources'], writes: ['touched', 'settings'] },
    settleEvidence,
  ),
  step(
    'the classes of ambiguous tickers',
    { reads: ['touched', 'settings', 'timeZone', 'stored'], writes: ['touched', 'settings'] },
    settleTickers,
  ),
  step(
    'the names of assets on Forms 1099',
    { reads: ['touched', 'settings'], writes: ['touched', 'settings'] },
    settleFormNames,
  ),
  step('the rules', { reads: ['settings', 'timeZone'], writes: ['elections'] }, async (_, { settings, timeZone }) => ({
    elections: toElections(settings, timeZone),
  })),
  step("the taxpayer's answers", { reads: ['touched'], writes: ['answers'] }, readAnswers),
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
  step('prices', { reads: ['touched'], writes: [] }, async ({ sql, taxpayerId }, { touched }) => {
    await revalue(sql, taxpayerId, touched);
    return {};
  }),
  step('the books to replay', { reads: ['touched', 'stored', 'settings'], writes: ['plan'] }, planReplays),
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
    { reads: ['touched', 'stored', 'plan', 'elections', 'answers', 'through', 'changes'], writes: ['changes'] },
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
  issueStep('balances', ['assets'], async ({ sql, taxpayerId }, { assets }) => {
    const names = assets === null ? null : await namesInBalances(sql, taxpayerId, [...assets]);
    const found = await readBalanceIssues(sql, taxpayerId, names);
    return { found, isKept: ({ asset }) => names !== null && !names.includes(asset) };
  }),
  issueStep('classes', [], async ({ sql, taxpayerId }, { unbooked }) => ({
    found: await readOtherClassIssues(sql, taxpayerId, unbooked.oversold),
  })),
  issueStep('names', ['elections'], async ({ sql, taxpayerId }, { elections }) => ({
    found: await readStoredNameIssues(sql, taxpayerId, elections.rules),
  })),
  issueStep('accounts', ['elections'], async ({ sql, taxpayerId }, { elections }) => ({
    found: await readAccountIssues(sql, taxpayerId, elections.rules),
  })),
  issueStep(
    'gains',
    ['elections', 'through', 'assets'],
    async ({ sql, taxpayerId }, { elections: { rules }, through, assets }) => ({
      found: await readStatedGainIssues(sql, taxpayerId, { rules, through, assets }),
      isKept: ({ asset }) => assets !== null && !assets.has(asset),
    }),
  ),
  issueStep('zones', ['elections'], async ({ sql, taxpayerId }, { elections }) => ({
    found: await readZoneIssues(sql, taxpayerId, elections.rules),
  })),
  issueStep('forms', ['elections', 'mayHaveChanged'], async ({ sql, taxpayerId }, { elections, mayHaveChanged }) => ({
    found: await readFormIssues(sql, taxpayerId, elections.rules, mayHaveChanged),
    isKept: ({ on }) => !mayHaveChanged(yearOf(on)),
  })),
  step(
    'issues: rejected lines',
    { reads: ['unbooked', 'changes', 'questions'], writes: ['changes', 'questions'] },
    async ({ sql, taxpayerId }, { unbooked, changes, questions }) => {
      const rejected = await renewRejectedLines(sql, taxpayerId, unbooked.beside[rejectedBook]);
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
  step('refuse changes of locked years', { reads: ['changes'], writes: [] }, async (context, { changes }) => {
    await enforceLocks(context.sql, context.taxpayerId, changes.years);
    return {};
  }),
  step(
    'the revision',
    { reads: ['settings', 'timeZone', 'through', 'questions'], writes: ['revision'] },
    async ({ sql, taxpayerId }, { settings, timeZone, through, questions }) => {
      const last = through === null ? null : formatDay(through);
      const content = await updateLedger(sql, taxpayerId, { engine: engineVersion, through: last });
      const revision = computeRevision(content, settings, timeZone, questions);
      await updateRevision(sql, taxpayerId, revision);
      return { revision };
    },
  ),
];

async function readState(
  { sql, taxpayerId, arrivals, taxpayer }: StepContext,
  { touched, sources }: Pick<Recomputation, 'touched' | 'sources'>,
) {
  const { settings, time_zone: timeZone } = taxpayer ?? (await selectTaxpayer(sql, taxpayerId));
  const stored = await selectBooks(sql, taxpayerId);
  const ledger = await selectLedger(sql, taxpayerId);
  const days = {
    before: parseOptionalDay(ledger?.through),
    found: parseOptionalDay(ledger?.last),
    arriving: arrivals.lastDay,
  };
  const state = { settings, timeZone, stored, days, changes: noChanges(), questions: [] };
  // Books from two engine versions must not mix, so all are recomputed.
  if (stored.length > 0 && ledger?.engine !== engineVersion)
    return { ...state, touched: 'all', sources: 'any' } as const;
  return { ...state, touched, sources };
}

async function readAnswers(
  { sql, taxpayerId, arrivals }: StepContext,
  { touched }: Pick<Recomputation, 'touched'>,
): Promise<Pick<Recomputation, 'answers'>> {
  const answers = await selectResolutionKinds(sql, taxpayerId);
  if (touched === 'all' || answers.restate) await arrivals.bring();
  return { answers };
}

async function planReplays(
  { sql, taxpayerId }: StepContext,
  { touched, stored, settings }: Pick<Recomputation, 'touched' | 'stored' | 'settings'>,
): Promise<Pick<Recomputation, 'plan'>> {
  const keys = touched === 'all' ? await selectAllKeys(sql, taxpayerId, stored) : touched;
  const links = [...(await selectLinks(sql, taxpayerId)), ...linksOfFormNames(settings.formNames)];
  return { plan: planBooks(keys, links, stored) };
}

async function replay(
  { sql, taxpayerId, limits, onBook, arrivals }: StepContext,
  values: Pick<Recomputation, 'touched' | 'stored' | 'plan' | 'elections' | 'answers' | 'through' | 'changes'>,
): Promise<Pick<Recomputation, 'changes'>> {
  const { touched, stored, plan, elections, answers, through, changes } = values;
  const restatements = answers.restate ? await readRestatements(sql, taxpayerId) : noRestatements;
  const accepted = answers.accept ? await readAccepted(sql, taxpayerId) : noneAccepted;
  const known = new Set(stored.map((row) => row.book));
  for (const book of plan.dissolved) known.delete(book);
  const requests = plan.replays.map(({ book, keys, from }) => ({
    book,
    keys,
    from: touched === 'all' || from === null ? null : formatDay(from),
    fresh: !known.has(book),
  }));
  const rules = { rules: elections.rules, restatements, accepted, through, limits };
  return { changes: withChanges(changes, await replayBooks(sql, taxpayerId, requests, rules, { onBook, arrivals })) };
}

/**
 * A step that replaces the issues with this name, which belong to no book. The gains that differ from a file are part of
 * the revision.
 */
function issueStep<Read extends 'assets' | 'elections' | 'through' | 'mayHaveChanged'>(
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

async function selectAllKeys(sql: Sql, taxpayerId: string, stored: readonly Membership[]): Promise<TouchedKeys> {
  const keys = new Set([...(await selectKeys(sql, taxpayerId)), ...stored.map((row) => row.asset_key)]);
  return new Map([...keys].map((key) => [key, firstDayOfAll]));
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
