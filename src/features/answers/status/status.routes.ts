import { Elysia } from 'elysia';
import manifest from '../../../../package.json' with { type: 'json' };
import type { Deps } from '../../../deps.ts';
import { rowLimits } from '../../../formats/rows/rows.ts';
import { jsonBytesMax } from '../../../http/body.ts';
import { limitDefault, limitMax, page, readCursor } from '../../../http/list.ts';
import { group, read } from '../../../http/operations.ts';
import { listOf, listQuery } from '../../../http/schemas.ts';
import { selectNewestReports } from '../../gains/reports/reports.queries.ts';
import { readYears } from '../../ledger/books/books.ts';
import { yearView } from '../../ledger/books/view.ts';
import { listExchanges } from '../../ledger/connections/exchanges.ts';
import { selectLocks, selectOpenNotes, selectReviews } from '../../ledger/locks/locks.queries.ts';
import { bulkRowsMax } from '../../ledger/transactions/edits.routes.ts';
import type { Access, Caller, Taxpayer } from '../../people/auth/access.ts';
import { providers } from '../../people/auth/auth.queries.ts';
import { passwordLengthMax, passwordLengthMin } from '../../people/auth/password.ts';
import { loadAccount } from '../../people/auth/profile.ts';
import { type ClientRow, readClients } from '../../people/clients/clients.queries.ts';
import { planLimits } from '../../people/plans.ts';
import { nextUtcDay } from '../messages/quota.ts';
import { buildPolicies, issueCountView, PolicyList, sumOfIssues } from './policies.ts';
import { selectIssueCounts, selectStatus } from './status.queries.ts';
import { ClientStatus, ServerConfig, Status } from './status.schemas.ts';

const { onBooks, open } = group('Server');

/** Returns the data that a client shows on every page: badge counts and the features of this server. */
export const statusRoutes = (deps: Deps, access: Access, options: ClientStatusOptions) =>
  new Elysia()
    .get(
      '/config',
      () => buildPublicConfig(deps),
      open('getConfig', null, {
        summary: 'List the features of this server',
        description:
          'Needs no session. Lists sign-in providers, assistant, billing, email and limits, so that a client offers only the configured ones.',
        response: { 200: ServerConfig },
      }),
    )
    .get(
      '/policies',
      () => buildPolicies(deps.config),
      open('getPolicies', null, {
        summary: 'Get the privacy policy and the terms',
        description:
          'Needs no session. Returns the operator’s own texts, and what this server is configured to do with data: services on other hosts, deletion and backups.',
        response: { 200: PolicyList },
      }),
    )
    .use(access)
    .get(
      '/status',
      ({ caller, taxpayer }) => loadStatus(deps, caller, taxpayer),
      onBooks('getStatus', read, {
        summary: 'Get badge counts in one request',
        description:
          'Counts for the books: unread notifications, open issues, rejected lines, rows that conflict with later files, possible duplicates, stale reports and running jobs. For the caller: the plan and its quotas.',
        response: { 200: Status },
      }),
    )
    .use(clientStatusRoutes(deps, access, options));

function buildPublicConfig(deps: Deps) {
  const { config, assistant, billing } = deps;
  return {
    version: manifest.version,
    providers: providers.filter((name) => config[name] !== null),
    assistant: assistant === null ? ('builtin' as const) : ('service' as const),
    mail: config.mail !== null,
    billing: billing !== null,
    ...{ demo: true, exchanges: listExchanges(deps).map(({ kind }) => kind) },
    limits: {
      uploadBytes: rowLimits.fileBytesMax,
      jsonBytes: jsonBytesMax,
      listItems: limitMax,
      bulkRows: bulkRowsMax,
      passwordLengthMin,
      passwordLengthMax,
      deletionGraceDays: config.deletionGraceDays,
    },
  };
}

async function loadStatus(deps: Deps, caller: Caller, taxpayer: Taxpayer) {
  const { plan, usage } = await loadAccount(deps, caller.userId);
  const [row, kinds] = await deps.database.asTaxpayer(
    taxpayer.id,
    async (sql) => [await selectStatus(sql, taxpayer.id), await selectIssueCounts(sql, taxpayer.id)] as const,
    { snapshot: true, readOnly: true },
  );
  return {
    revision: row.revision,
    unreadNotifications: row.unread,
    issues: { ...sumOfIssues(kinds), kinds: kinds.map(issueCountView) },
    rejectedLines: kinds.find(({ kind }) => kind === 'rejected_line')?.count ?? 0,
    proposedRows: kinds.find(({ kind }) => kind === 'row_differs')?.count ?? 0,
    possibleDuplicates: row.duplicates,
    staleReports: row.staleReports,
    running: { imports: row.imports, calculations: row.calculations },
    plan,
    quotas: {
      transactions: { used: row.transactions, limit: planLimits[plan].transactionsMax },
      importBytes: { used: Number(row.importBytes), limit: planLimits[plan].importBytesMax },
      aiMessages: {
        used: usage.aiMessagesToday,
        limit: usage.aiMessagesPerDay,
        resetsAt: nextUtcDay(deps.clock.now()).toISOString(),
      },
      clients: { used: usage.clients, limit: usage.clientLimit },
    },
  };
}

const { signedIn } = group('Clients');

interface ClientStatusOptions {
  /** Recomputes a taxpayer's books under the rules of this release, as every other request for books does. */
  readonly beforeBooks: (taxpayerId: string) => Promise<void>;
}

/** Lists all clients of a CPA with their years and counts, so that one request fills a table. */
const clientStatusRoutes = (deps: Deps, access: Access, { beforeBooks }: ClientStatusOptions) =>
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
