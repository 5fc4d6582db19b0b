import { Elysia } from 'elysia';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { issueName } from '../../../forms/ids.ts';
import { group, write } from '../../../http/operations/operations.ts';
import { problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { dryRun } from '../books/books.schemas.ts';
import { createTryChange } from '../books/summaries.ts';
import { inTurn, onceInTurn } from '../transactions/turn.ts';
import { type IssueBatch, reopenBatch, resolveBatch } from './batch.ts';
import { ReopenIssuesRequest, ReopenIssuesResult, ResolveIssuesRequest, ResolveIssuesResult, batchMax } from './issues.schemas.ts';

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
