import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { issueName } from '../../../forms/ids.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { booksQuery, problems } from '../../../http/schemas.ts';
import type { Access } from '../../people/auth/access.ts';
import { dryRun } from '../books/books.schemas.ts';
import { createTryChange } from '../books/summaries/year-changes.ts';
import { inTurn } from '../transactions/turn.ts';
import { type IssueBatch, reopenBatch, resolveBatch } from './batch.ts';
import {
  batchMax,
  ReopenIssuesRequest,
  ReopenIssuesResult,
  ResolveIssuesRequest,
  ResolveIssuesResult,
} from './issues.schemas.ts';

const tags = ['Issues'];

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
        if (query.dryRun === true) {
          return createTryChange(deps)(taxpayer.id, async (sql) =>
            resolvedView(await resolveBatch(deps, sql, taxpayer, batch, answer)),
          );
        }
        return idempotent(deps, context, (saveResponse) =>
          inTurn(deps, taxpayer.id, async (sql) => {
            const resolved = resolvedView(await resolveBatch(deps, sql, taxpayer, batch, answer));
            return saveResponse(sql, { status: 200 as const, body: resolved });
          }),
        );
      },
      {
        books: true,
        query: booksQuery({ dryRun }),
        body: ResolveIssuesRequest,
        response: { 200: ResolveIssuesResult, ...problems('not_found', 'conflict', 'year_locked', 'invalid') },
        detail: {
          summary: 'Resolve many issues of one kind',
          description: `Resolves the open issues with these ids, or up to ${batchMax} that match a filter, with one answer. If the answer does not fit one of them, none is resolved. \`pair\` joins each leg with its only possible other end. The gains are recalculated once.`,
          operationId: 'resolveIssues',
          tags,
        },
      },
    )
    .post(
      '/reopen',
      async ({ caller, taxpayer, body }) => {
        deps.rateLimits.take('work', caller.userId);
        const ids = await inTurn(deps, taxpayer.id, (sql) => reopenBatch(deps, sql, taxpayer, toBatch(body)));
        return { ids: ids.map(issueName) };
      },
      {
        books: true,
        query: booksQuery({}),
        body: ReopenIssuesRequest,
        response: { 200: ReopenIssuesResult, ...problems('not_found', 'conflict', 'year_locked', 'invalid') },
        detail: {
          summary: 'Reopen many issues',
          description: 'Reopens all of the issues or none. The gains are recalculated once.',
          operationId: 'reopenIssues',
          tags,
        },
      },
    );

function toBatch({ ids, filter }: IssueBatch): IssueBatch {
  return { ...(ids === undefined ? {} : { ids }), ...(filter === undefined ? {} : { filter }) };
}

function resolvedView(factIds: readonly string[]) {
  return { resolved: factIds.length, ids: factIds.map(issueName) };
}
