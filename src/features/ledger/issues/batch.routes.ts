import { Elysia } from 'elysia';
import type { Day } from '../../../base/day.ts';
import { invalidMember, Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { issueName } from '../../../forms/lines.ts';
import { notFound } from '../../../http/errors.ts';
import { group, write } from '../../../http/operations.ts';
import { problems } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../people/auth/access.ts';
import { dryRun } from '../books/books.schemas.ts';
import { createTryChange } from '../books/summaries.ts';
import { recompute } from '../recompute/recompute.ts';
import { type TouchedKeys, touch } from '../transactions/rows.ts';
import { inTurn, onceInTurn } from '../transactions/store.ts';
import { getToday } from '../transactions/view.ts';
import { type OpenIssueFilter, selectOpenIssues, selectWorklist, type WorklistRow } from './issues.queries.ts';
import {
  batchMax,
  ReopenIssuesRequest,
  ReopenIssuesResult,
  ResolveIssuesRequest,
  ResolveIssuesResult,
} from './issues.schemas.ts';
import { proposalsFor } from './proposals.ts';
import { factIdOfIssueId, type ResolutionInput } from './resolution.ts';
import { removeResolution, storeIssueResolution } from './resolve.ts';

const { onBooks } = group('Issues');

export const batchRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .post(
      '/resolve',
      (context) => {
        const { caller, taxpayer, body, query } = context;
        deps.rateLimits.take('work', caller.userId);
        const { ids: _ids, filter: _filter, ...answer } = body;
        const batch = toBatch(body);
        const resolve = async (sql: Sql) => resolvedView(await resolveBatch(deps, sql, taxpayer, batch, answer));
        if (query.dryRun === true) return createTryChange(deps)(taxpayer.id, resolve);
        return onceInTurn(deps, context, 200, resolve);
      },
      onBooks('resolveIssues', write('issues_resolved'), {
        summary: 'Resolve many issues of one kind',
        description: `Resolves the open issues with these ids, or up to ${batchMax} that match a filter, with one answer. If the answer does not fit one of them, none is resolved. \`pair\` joins each leg with its only possible other end. The gains are recalculated once.`,
        query: { dryRun },
        body: ResolveIssuesRequest,
        response: { 200: ResolveIssuesResult, ...problems('conflict', 'year_locked') },
      }),
    )
    .post(
      '/reopen',
      async ({ caller, taxpayer, body }) => {
        deps.rateLimits.take('work', caller.userId);
        const ids = await inTurn(deps, taxpayer.id, (sql) => reopenBatch(deps, sql, taxpayer, toBatch(body)));
        return { ids: ids.map(issueName) };
      },
      onBooks('reopenIssues', write('issues_reopened'), {
        summary: 'Reopen many issues',
        description: 'Reopens all of the issues or none. The gains are recalculated once.',
        body: ReopenIssuesRequest,
        response: { 200: ReopenIssuesResult, ...problems('conflict', 'year_locked') },
      }),
    );

function toBatch({ ids, filter }: IssueBatch): IssueBatch {
  return { ...(ids === undefined ? {} : { ids }), ...(filter === undefined ? {} : { filter }) };
}

function resolvedView(factIds: readonly string[]) {
  return { resolved: factIds.length, ids: factIds.map(issueName) };
}

/** Issues, selected by either ids or a filter. */
interface IssueBatch {
  readonly ids?: readonly string[];
  readonly filter?: OpenIssueFilter;
}

/**
 * Resolves many open issues of one kind with one answer, and recomputes the books once. Returns the ids of the resolved
 * issues. Throws if any issue cannot be resolved.
 */
async function resolveBatch(
  deps: Deps,
  sql: Sql,
  taxpayer: Taxpayer,
  batch: IssueBatch,
  resolutionInput: ResolutionInput,
): Promise<string[]> {
  const issues = await selectBatch(sql, taxpayer.id, batch);
  const others = resolutionInput.action === 'pair' ? await otherLegs(deps, sql, taxpayer, issues) : undefined;
  const [touched, paired, answered] = [new Map<string, Day>(), new Set<string>(), [] as string[]];
  for (const issue of issues) {
    // Skips the other leg of a pair that was just matched.
    if (paired.has(issue.transactions[0] ?? '')) continue;
    // An earlier answer may have resolved this issue too, because the class of an asset resolves every issue about that
    // class.
    if (
      resolutionInput.action === 'class' &&
      (await selectOpenIssues(sql, taxpayer.id, { ids: [issue.id] })).length === 0
    )
      continue;
    const input = others === undefined ? resolutionInput : { ...resolutionInput, with: others.get(issue.id) ?? '' };
    const effect = await withIssueName(issue, () => storeIssueResolution(deps, sql, taxpayer, issue.id, input));
    merge(touched, effect.touched);
    if (effect.otherId !== null) for (const leg of [...issue.transactions.slice(0, 1), effect.otherId]) paired.add(leg);
    answered.push(issue.id);
  }
  await recompute(sql, taxpayer.id, touched, { sources: 'same' });
  // Refuses an answer that leaves its issue open, because the resolution would hide the issue.
  const [left] = await selectOpenIssues(sql, taxpayer.id, { ids: answered });
  if (left !== undefined)
    throw invalidMember('', `${describeRow(left)}: this answer does not resolve the issue. Choose a different answer.`);
  return answered;
}

/** Removes the resolutions of the selected issues and recomputes the books once. */
async function reopenBatch(deps: Deps, sql: Sql, taxpayer: Taxpayer, batch: IssueBatch): Promise<string[]> {
  const touched = new Map<string, Day>();
  const ids = await selectClosed(sql, taxpayer.id, batch);
  for (const id of ids) merge(touched, await removeResolution(deps, sql, taxpayer, id));
  await recompute(sql, taxpayer.id, touched, { sources: 'same' });
  return ids;
}

async function selectClosed(sql: Sql, taxpayerId: string, { ids, filter }: IssueBatch): Promise<string[]> {
  if ((ids === undefined) === (filter === undefined)) throw eitherOr();
  if (filter === undefined) return [...new Set((ids ?? []).map(factIdOfIssueId))];
  const { kind, year = null, asset = null, account = null } = filter;
  const closedIds: string[] = [];
  for (const status of ['accepted', 'resolved'] as const) {
    const filter = { status, kind, year, asset, account };
    closedIds.push(...(await selectWorklist(sql, taxpayerId, filter, null, batchMax)).map(({ id }) => id));
  }
  if (closedIds.length > batchMax) throw tooMany();
  return closedIds;
}

function eitherOr(): Refusal {
  return invalidMember('/ids', 'Set either ids or filter.');
}

function tooMany(): Refusal {
  return invalidMember(
    '/filter',
    `The filter matches more than ${batchMax} issues, the maximum per request. Narrow the filter.`,
  );
}

async function selectBatch(sql: Sql, taxpayerId: string, { ids, filter }: IssueBatch): Promise<WorklistRow[]> {
  if ((ids === undefined) === (filter === undefined)) throw eitherOr();
  if (filter !== undefined) {
    const issues = await selectOpenIssues(sql, taxpayerId, { filter, limit: batchMax + 1 });
    if (issues.length <= batchMax) return issues;
    throw tooMany();
  }
  const factIds = [...new Set((ids ?? []).map(factIdOfIssueId))];
  const openIssues = await selectOpenIssues(sql, taxpayerId, { ids: factIds });
  if (openIssues.length < factIds.length) throw notFound();
  const [first, ...kinds] = new Set(openIssues.map(({ issue }) => issue));
  if (kinds.length === 0) return openIssues;
  throw invalidMember(
    '/ids',
    `These issues are of different kinds: ${[first, ...kinds].join(', ')}. Resolve one kind at a time.`,
  );
}

/** Finds the other leg of each transfer. Throws if a leg has no candidate or several, because the user must choose. */
async function otherLegs(
  deps: Deps,
  sql: Sql,
  { id, timeZone }: Taxpayer,
  issues: readonly WorklistRow[],
): Promise<Map<string, string>> {
  const proposals = await proposalsFor(sql, id, issues, getToday(deps, timeZone));
  return new Map(
    issues.map((issue) => {
      const ends = (proposals.get(issue.id) ?? []).flatMap((one) => (one.action === 'pair' ? (one.with ?? []) : []));
      const [end] = ends;
      if (end !== undefined && ends.length === 1) return [issue.id, end];
      const why =
        ends.length === 0
          ? 'no matching transfer was found'
          : `${ends.length} transactions could be the other side of the transfer`;
      throw invalidMember('/ids', `${describeRow(issue)}: ${why}. Resolve it individually.`);
    }),
  );
}

/** Runs `work`, and adds the asset, day and account of the issue to its errors. */
async function withIssueName<Result>(issue: WorklistRow, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, `${describeRow(issue)}: ${error.detail}`, error.more);
  }
}

function describeRow({ asset, on, account }: WorklistRow): string {
  return [asset, on, account].filter(Boolean).join(', ');
}

function merge(all: Map<string, Day>, touched: TouchedKeys): void {
  for (const [key, day] of touched) touch(all, key, day);
}
