import type { Sql } from '../../db/connection.ts';
import type { JobWork } from '../../db/job-queue.ts';
import type { Deps } from '../../deps.ts';
import type { LotMethod } from '../../engine/model.ts';
import { engineVersion } from '../../engine/replay.ts';
import { toFailure } from '../../http/problems.ts';
import { readBalanceIssues } from '../ledger/balances/store.ts';
import { selectEngine, selectLastDay, selectTaxpayer } from '../ledger/books/books.queries.ts';
import { type CalculationCounts, calculate, type Difference, differencesFrom } from '../ledger/books/calculate.ts';
import { readOtherClassIssues, readStoredIssues } from '../ledger/books/questions.ts';
import { summaryView } from '../ledger/books/view.ts';
import { recompute } from '../ledger/recompute/recompute.ts';
import { readEvidence } from '../ledger/recompute/settle.ts';
import { type StoredSettings, toElections } from '../ledger/transactions/elections.ts';
import { inTurn, inTurnTakenBack } from '../ledger/transactions/store.ts';
import { notify } from '../people/notifications.ts';
import {
  type CalculationRow,
  failCalculation,
  insertCalculation,
  selectCalculationInput,
  selectTaxpayersAfter,
} from './calculations.queries.ts';

/**
 * Creates the reports for the given years in the calculation's transaction. `app.ts` injects this function, because
 * this feature may not import reports.
 */
export type ReportMaker = (
  sql: Sql,
  taxpayerId: string,
  years: readonly number[],
  now: Date,
) => Promise<{ id: string; year: number }[]>;

interface CalculationInput {
  readonly year?: number | undefined;
  readonly method?: LotMethod | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Returns whether the result is stored. A dry run or a calculation with a different method is only returned. */
export function isKept(input: CalculationInput): boolean {
  return input.method === undefined && input.dryRun !== true;
}

/**
 * Calculates all books from the first transaction and compares the result with the stored books. Runs under the
 * taxpayer's lock.
 */
export async function runCalculation(
  deps: Deps,
  sql: Sql,
  taxpayerId: string,
  id: string,
  input: CalculationInput,
  makeReports: ReportMaker,
) {
  const started = performance.now();
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const { evidence: _stored, ...stated } = taxpayer.settings;
  const evidence = await readEvidence(sql, taxpayerId);
  const settings = { ...stated, ...(evidence === undefined ? {} : { evidence }) };
  const elections = toElections(settingsFor(settings, input.method), taxpayer.time_zone);
  const unbooked = [
    ...(await readBalanceIssues(sql, taxpayerId, null)),
    ...(await readOtherClassIssues(sql, taxpayerId, (await readStoredIssues(sql, taxpayerId)).oversold)),
  ];
  const calculated = await calculate(sql, taxpayerId, elections, unbooked);
  const differences = input.method === undefined ? await differencesFrom(sql, taxpayerId, calculated.years) : [];
  const now = deps.clock.now();
  if (differences.length > 0) await repair(deps, sql, taxpayerId, differences, input);
  const isRequested = (year: number): boolean => input.year === undefined || input.year === year;
  const reports = isKept(input)
    ? await makeReports(sql, taxpayerId, calculated.yearsOfDisposals.filter(isRequested), now)
    : [];
  const asOf = await selectLastDay(sql, taxpayerId);
  const { revision } = await selectTaxpayer(sql, taxpayerId);
  const result = {
    id,
    status: 'completed' as const,
    revision,
    ...countsOf(calculated),
    durationMs: Math.round(performance.now() - started),
    years: calculated.years
      .filter(({ summary }) => isRequested(summary.year))
      .map((books) => summaryView(books, elections.rules, { revision, asOf })),
    differences,
    reports,
  };
  if (isKept(input)) {
    await insertCalculation(sql, taxpayerId, { id, status: 'completed', result, at: now });
    await notifyCompletion(sql, taxpayerId, id, calculated, now);
  }
  return result;
}

/** Converts a calculation for the API. The lists are empty while it runs or if it failed. */
export function calculationView(row: CalculationRow) {
  if (row.result !== null) return row.result as Awaited<ReturnType<typeof runCalculation>>;
  const { id, status, problem } = row;
  return { id, status, years: [], differences: [], reports: [], ...(problem === null ? {} : { problem }) };
}

function settingsFor(stored: StoredSettings, method: LotMethod | undefined): StoredSettings {
  // Replaces the methods of all accounts and years with the requested method.
  return method === undefined ? stored : { ...stored, method, methodByAccount: {}, methodFrom: [] };
}

/** Logs a difference, which indicates a bug in Lotbook, and recomputes the books. */
async function repair(
  deps: Deps,
  sql: Sql,
  taxpayerId: string,
  differences: readonly Difference[],
  input: CalculationInput,
): Promise<void> {
  const members = differences.map(({ year, member }) => `${year} ${member}`).join(', ');
  deps.log.error('stored summaries differ from the full calculation', new Error(members), { taxpayerId });
  if (isKept(input)) await recompute(sql, taxpayerId, 'all');
}

function countsOf({ transactions, disposals, openLots }: CalculationCounts) {
  return { transactions, disposals, openLots };
}

async function notifyCompletion(
  sql: Sql,
  taxpayerId: string,
  id: string,
  calculated: CalculationCounts,
  at: Date,
): Promise<void> {
  await notify(sql, taxpayerId, {
    kind: 'calculation_completed',
    title: 'Calculation finished',
    body: `${calculated.transactions} transactions produced ${calculated.disposals} lines on Form 8949 and left ${calculated.openLots} open lots.`,
    link: `/v1/tax/calculations/${id}`,
    at,
  });
}

/**
 * Runs calculations whose requests got a 202 response. If the server that accepted the request stops, another server
 * runs the calculation.
 */
export function calculationJobs(deps: Deps, makeReports: ReportMaker): JobWork {
  return {
    perform: async ({ taxpayerId, id }) => {
      await inTurn(deps, taxpayerId, async (sql) => {
        const input = await selectCalculationInput(sql, taxpayerId, id);
        // Null if the calculation already ran or was deleted with its books.
        if (input !== null) await runCalculation(deps, sql, taxpayerId, id, input as CalculationInput, makeReports);
      });
    },
    giveUp: async ({ taxpayerId, id }, error) => {
      deps.log.error('calculation failed', error);
      await deps.database.asTaxpayer(taxpayerId, (sql) =>
        failCalculation(sql, taxpayerId, id, toFailure(error), deps.clock.now()),
      );
    },
  };
}

interface BooksCheck {
  readonly taxpayers: number;
  readonly transactions: number;
  /**
   * The number of taxpayers whose books were computed by a different engine version. They are recomputed when this
   * version serves requests.
   */
  readonly stale: number;
  readonly differences: readonly { readonly taxpayerId: string; readonly year: number; readonly member: string }[];
}

/**
 * Calculates the books of every taxpayer from the first transaction and compares them with the stored books. Changes no
 * data.
 */
export async function verifyBooks(deps: Deps, onTaxpayer: (done: number) => void): Promise<BooksCheck> {
  const differences: BooksCheck['differences'][number][] = [];
  let [taxpayers, transactions, stale] = [0, 0, 0];
  for (let last = firstId; ; ) {
    const ids = await deps.database.asService((sql) => selectTaxpayersAfter(sql, last, idsAtOnce));
    for (const taxpayerId of ids) {
      const result = await inTurnTakenBack(deps, taxpayerId, async (sql) => {
        const engine = await selectEngine(sql, taxpayerId);
        if (engine !== undefined && engine !== engineVersion) return null;
        return runCalculation(deps, sql, taxpayerId, crypto.randomUUID(), { dryRun: true }, async () => []);
      });
      taxpayers += 1;
      if (result === null) stale += 1;
      transactions += result?.transactions ?? 0;
      for (const { year, member } of result?.differences ?? []) differences.push({ taxpayerId, year, member });
      onTaxpayer(taxpayers);
    }
    const next = ids.at(-1);
    if (next === undefined) return { taxpayers, transactions, stale, differences };
    last = next;
  }
}

const firstId = '00000000-0000-0000-0000-000000000000';
const idsAtOnce = 1_000;
