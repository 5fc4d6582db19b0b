import { formatDay, yearOf } from '../../base/day.ts';
import type { Sql } from '../../db/connection.ts';
import type { Fact, Rules } from '../../engine/model.ts';
import { openLots, replay } from '../../engine/replay.ts';
import { revalue, valuedOf } from '../prices/valuations.ts';
import { electionsOf } from '../transactions/elections.ts';
import { selectAccepted } from '../transactions/resolutions/queries.ts';
import { reachPairs, withoutAccepted } from '../transactions/resolutions/restate.ts';
import type { Touched } from '../transactions/touched.ts';
import { checkpointsOf, keepCheckpoints, resumeBefore } from './checkpoints.ts';
import { contractColumns, disposalColumns, incomeColumns, issueColumns, washColumns } from './facts/columns.ts';
import {
  type BookScope,
  deleteFacts,
  insertContracts,
  insertDisposals,
  insertIncomes,
  insertIssues,
  insertWashSales,
} from './facts/queries.ts';
import { replaceLots } from './open-lots.ts';
import { planBooks } from './plan.ts';
import {
  type CheckpointRow,
  countIssues,
  deleteBook,
  deleteCheckpoints,
  insertBook,
  replaceBookYears,
  selectBooks,
  selectContent,
  selectHistory,
  selectKeys,
  selectLinks,
  selectTaxpayer,
  updateRevision,
} from './queries.ts';
import { revisionOf } from './revision.ts';
import { netBookYears, refreshYears } from './summaries.ts';

export interface Recomputed {
  readonly revision: string;
  /** Tax years whose facts changed, ascending. */
  readonly years: number[];
  /** How many issues the books have now. */
  readonly issues: number;
}

/**
 * Brings all that follows from the transactions up to date with a change: per touched book the facts caused after its
 * last valid checkpoint are dropped and replayed, then lots, summaries and the revision follow by difference. In the
 * caller's transaction, under the taxpayer's lock: a reader sees the old numbers or the new ones.
 */
export async function recompute(
  sql: Sql,
  taxpayerId: string,
  changed: Touched | 'all',
  onBook: (done: number, of: number) => void | Promise<void> = () => {},
): Promise<Recomputed> {
  const taxpayer = await selectTaxpayer(sql, taxpayerId);
  const elections = electionsOf(taxpayer.settings);
  const touched = changed === 'all' ? changed : await reachPairs(sql, taxpayerId, changed);
  await revalue(sql, taxpayerId, touched);
  const stored = await selectBooks(sql, taxpayerId);
  const plan = planBooks(
    touched === 'all' ? await everyKey(sql, taxpayerId, stored) : touched,
    await selectLinks(sql, taxpayerId),
    stored,
  );
  const years = new Set<number>();
  // All that leaves goes before anything comes: a fact may move from one book to another.
  for (const book of plan.dissolved) add(years, await dissolve(sql, { taxpayerId, book }));
  let done = 0;
  for (const { book, keys, from } of plan.replays) {
    const first = touched === 'all' || from === null ? null : formatDay(from);
    add(years, await replayBook(sql, { taxpayerId, book }, keys, first, elections.rules));
    done += 1;
    await onBook(done, plan.replays.length);
  }
  await refreshYears(sql, taxpayerId, [...years], elections);
  const revision = revisionOf(await selectContent(sql, taxpayerId), taxpayer.settings);
  await updateRevision(sql, taxpayerId, revision);
  return { revision, years: [...years].sort((a, b) => a - b), issues: await countIssues(sql, taxpayerId) };
}

async function everyKey(
  sql: Sql,
  taxpayerId: string,
  stored: readonly { readonly asset_key: string }[],
): Promise<Touched> {
  const keys = new Set([...(await selectKeys(sql, taxpayerId)), ...stored.map((row) => row.asset_key)]);
  return new Map([...keys].map((key) => [key, firstDayOfAll]));
}

const firstDayOfAll = -1_000_000 as Parameters<typeof formatDay>[0];

/** Nothing of a book stays. Returns the years that had facts of it. */
async function dissolve(sql: Sql, scope: BookScope): Promise<number[]> {
  const years = await deleteFacts(sql, scope, null);
  await deleteCheckpoints(sql, scope, null);
  await replaceBookYears(sql, scope, years, []);
  await replaceLots(sql, scope, []);
  await deleteBook(sql, scope);
  return years;
}

async function replayBook(
  sql: Sql,
  scope: BookScope,
  keys: readonly string[],
  from: string | null,
  rules: Rules,
): Promise<number[]> {
  const start = await resumeBefore(sql, scope, from, rules);
  const after = start.day;
  const history = await selectHistory(sql, scope.taxpayerId, keys, after);
  if (after === null && history.length === 0) return dissolve(sql, scope);
  const lost = await deleteFacts(sql, scope, after);
  await deleteCheckpoints(sql, scope, after);
  const states: CheckpointRow[] = [];
  const told = await valuedOf(sql, scope.taxpayerId, history);
  const { book, facts: all } = replay(start.book, told, rules, new Set(keys), (_year, state) => {
    states.push(...checkpointsOf(state));
  });
  const facts = withoutAccepted(all, await selectAccepted(sql, scope.taxpayerId));
  await insertFacts(sql, scope, facts);
  await replaceLots(sql, scope, openLots(book));
  await keepCheckpoints(sql, scope, rules, states);
  if (after === null) {
    await deleteBook(sql, scope);
    await insertBook(sql, scope, keys);
  }
  const years = [...new Set([...lost, ...facts.map((fact) => yearOf(fact.on))])];
  await netBookYears(sql, scope, years, after === null ? facts : null);
  return years;
}

async function insertFacts(sql: Sql, scope: BookScope, facts: readonly Fact[]): Promise<void> {
  for (let at = 0; at < facts.length; at += factsPerStatement) {
    const part = facts.slice(at, at + factsPerStatement);
    await insertKind(part, 'disposal', (own) => insertDisposals(sql, scope, disposalColumns(own)));
    await insertKind(part, 'wash', (own) => insertWashSales(sql, scope, washColumns(own)));
    await insertKind(part, 'income', (own) => insertIncomes(sql, scope, incomeColumns(own)));
    await insertKind(part, 'contract_1256', (own) => insertContracts(sql, scope, contractColumns(own)));
    await insertKind(part, 'issue', (own) => insertIssues(sql, scope, issueColumns(own)));
  }
}

async function insertKind<Kind extends Fact['kind']>(
  facts: readonly Fact[],
  kind: Kind,
  insert: (own: Extract<Fact, { readonly kind: Kind }>[]) => Promise<void>,
): Promise<void> {
  const own = facts.filter((fact): fact is Extract<Fact, { readonly kind: Kind }> => fact.kind === kind);
  if (own.length > 0) await insert(own);
}

const factsPerStatement = 10_000;

function add(years: Set<number>, more: readonly number[]): void {
  for (const year of more) years.add(year);
}
