import { Elysia } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { limitDefault, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations/operations.ts';
import { listOf, listQuery } from '../../../http/schemas.ts';
import { selectNewestReports } from '../../gains/reports/reports.queries.ts';
import { readYears } from '../../ledger/books/books.ts';
import { yearView } from '../../ledger/books/view.ts';
import { selectLocks, selectOpenNotes, selectReviews } from '../../ledger/locks/locks.queries.ts';
import type { Access } from '../../people/auth/access.ts';
import { type ClientRow, readClients } from '../../people/clients/clients.queries.ts';
import { sumOfIssues } from './policies.ts';
import { selectIssueCounts, selectStatus } from './status.queries.ts';
import { ClientStatus } from './status.schemas.ts';

const { signedIn } = group('Clients');

export interface ClientStatusOptions {
  /** Recomputes a taxpayer's books under the rules of this release, as every other request for books does. */
  readonly beforeBooks: (taxpayerId: string) => Promise<void>;
}

/** Lists all clients of a CPA with their years and counts, so that one request fills a table. */
export const clientStatusRoutes = (deps: Deps, access: Access, { beforeBooks }: ClientStatusOptions) =>
  new Elysia().use(access).get(
    '/status/clients',
    async ({ caller, query: parameters }) => {
      const limit = parameters.limit ?? limitDefault;
      const after = readCursor(parameters.cursor, ['instant', 'uuid']) ?? null;
      const rows = await deps.database.asService((sql) => readClients(sql, caller.userId, { after, limit }));
      const clients = page(rows, limit, (row) => [row.createdAt.toISOString(), row.id]);
      const data: Awaited<ReturnType<typeof clientStatus>>[] = [];
      // Reads the clients one by one. Parallel reads would take the connections that other requests need.
      for (const client of clients.data) {
        await beforeBooks(client.id);
        data.push(await clientStatus(deps, client));
      }
      return { ...clients, data };
    },
    signedIn('listClientStatuses', read, {
      summary: 'List all clients with years and counts, oldest first',
      description: 'Combines `GET /tax/years` and `GET /status` for each client in one request.',
      query: listQuery,
      response: { 200: listOf(ClientStatus) },
    }),
  );

async function clientStatus(deps: Deps, { id, role, name, email, transactions }: ClientRow) {
  const [row, kinds, years, locks, reviews, notes, reports] = await deps.database.asTaxpayer(
    id,
    async (sql) =>
      [
        await selectStatus(sql, id),
        await selectIssueCounts(sql, id),
        await readYears(sql, id),
        await selectLocks(sql, id),
        await selectReviews(sql, id),
        await selectOpenNotes(sql, id),
        await selectNewestReports(sql, id),
      ] as const,
    { snapshot: true, readOnly: true },
  );
  const locked = new Set(locks.map((lock) => lock.year));
  const toYearReview = (year: number) => {
    const last = reviews.find((review) => review.year === year);
    const openNotes = notes.find((note) => note.year === year)?.count ?? 0;
    if (last === undefined) return { state: 'open' as const, changed: false, by: null, at: null, openNotes };
    const { state, changed, user_name: by, at } = last;
    return { state, changed: state !== 'open' && changed, by, at: at.toISOString(), openNotes };
  };
  const toYearReport = (year: number) => {
    const report = reports.find((each) => each.year === year);
    return report === undefined ? null : { createdAt: report.createdAt.toISOString(), stale: report.stale };
  };
  return {
    id,
    role,
    name,
    ...(email === null ? {} : { email }),
    transactions,
    issues: sumOfIssues(kinds),
    rejectedLines: kinds.find(({ kind }) => kind === 'rejected_line')?.count ?? 0,
    proposedRows: kinds.find(({ kind }) => kind === 'row_differs')?.count ?? 0,
    possibleDuplicates: row.duplicates,
    staleReports: row.staleReports,
    lastImportAt: row.lastImportAt?.toISOString() ?? null,
    unreadNotifications: row.unread,
    years: years.map((summary) => ({
      ...yearView(summary),
      locked: locked.has(summary.year),
      review: toYearReview(summary.year),
      report: toYearReport(summary.year),
    })),
  };
}
