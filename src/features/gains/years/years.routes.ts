import { Elysia, status, t } from 'elysia';
import { yearMin } from '../../../base/day.ts';
import type { Deps } from '../../../deps.ts';
import { cacheHeaders } from '../../../http/etag.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations/operations.ts';
import { listOf, listQuery, yearParameter } from '../../../http/schemas.ts';
import { YearLine } from '../../ledger/books/books.schemas.ts';
import { readYears } from '../../ledger/books/books.ts';
import { yearView } from '../../ledger/books/view.ts';
import { selectLocks } from '../../ledger/locks/locks.queries.ts';
import type { Access } from '../../people/auth/access.ts';
import { disposalRoutes } from './disposal.routes.ts';
import { gainRoutes } from './gains/gains.routes.ts';
import { lotRoutes } from './lot.routes.ts';
import { fundRoutes } from './opportunity-funds.ts';
import { loadSummary } from './summary.ts';
import { YearSummary } from './years.schemas.ts';

const { onBooks } = group('Tax');

/**
 * Returns tax years, lines of Form 8949 and open lots. These requests only read, because every change stores its
 * results.
 */
export const yearRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '/summary',
      async ({ books, request, set, taxpayer, query: parameters }) => {
        const summary = await books.snapshot((sql) => loadSummary(sql, taxpayer.id, parameters.year, request));
        Object.assign(set.headers, cacheHeaders(summary.etag));
        return summary.body ?? status(304, undefined);
      },
      onBooks('getSummary', read, {
        summary: 'Get the totals of a tax year',
        description:
          'Returns zeros for a year without activity, the tax estimate, and the amount that depends on open issues. The strong ETag covers the revision and the settings; `If-None-Match` returns 304.',
        query: { year: yearParameter },
        response: { 200: YearSummary, 304: t.Void({ description: 'Not changed.' }) },
      }),
    )
    .get(
      '/years',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const [after] = readCursor(parameters.cursor, ['number']) ?? [yearMin - 1];
        const [rows, locks] = await books.snapshot(async (sql) => [
          await readYears(sql, taxpayer.id),
          await selectLocks(sql, taxpayer.id),
        ]);
        const locked = new Set(locks.map((lock) => lock.year));
        const following = rows.filter(({ year }) => year > Number(after)).slice(0, limit + 1);
        const lines = page(following, limit, ({ year }) => [year]);
        return mapPage(lines, (summary) => ({ ...yearView(summary), locked: locked.has(summary.year) }));
      },
      onBooks('listYears', read, {
        summary: 'List years with activity, including years with purchases only',
        query: listQuery,
        response: { 200: listOf(YearLine) },
      }),
    )
    .use(gainRoutes(access))
    .use(disposalRoutes(deps, access))
    .use(lotRoutes(deps, access))
    .use(fundRoutes(access));
