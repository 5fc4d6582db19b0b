import { t } from 'elysia';
import { issueKinds } from '../../../engine/model.ts';
import { closed, id, instant, nullable, oneOf, planLimit, whole } from '../../../http/schemas.ts';
import { revision, YearLine } from '../../ledger/books/books.schemas.ts';
import { exchangeKinds } from '../../ledger/connections/exchanges/exchange.ts';
import { reviewStates } from '../../ledger/locks/locks.queries.ts';
import { providers } from '../../people/auth/auth.queries.ts';
import { clientRole } from '../../people/auth/auth.schemas.ts';
import { plans } from '../../people/auth/plan.ts';

const issueCounts = {
  count: whole(),
  dollars: t.String({ description: 'The amount at stake, if known.' }),
  unknown: whole({ description: 'Issues whose amount at stake has no upper limit.' }),
};
const openCounts = {
  rejectedLines: whole({ description: 'Open rejected lines. They are also counted as issues.' }),
  proposedRows: whole({
    description: 'Rows that conflict with a later file and are not resolved. They are also counted as issues.',
  }),
  possibleDuplicates: whole({ description: 'Pairs that are not resolved.' }),
  staleReports: whole({ description: 'Years whose newest report is stale.' }),
};
const quota = { used: whole(), limit: planLimit };

export const Status = closed(
  {
    revision,
    unreadNotifications: whole(),
    issues: closed({
      ...issueCounts,
      kinds: t.Array(closed({ kind: oneOf(issueKinds), ...issueCounts }, { title: 'IssueCount' })),
    }),
    ...openCounts,
    running: closed({ imports: whole(), calculations: whole() }),
    plan: oneOf(plans),
    quotas: closed({
      transactions: closed(quota, { title: 'Quota' }),
      importBytes: closed(
        { used: whole(), limit: whole() },
        { description: 'The size in bytes of the stored import files of these books.' },
      ),
      aiMessages: closed({ ...quota, resetsAt: instant }),
      clients: closed({ used: whole(), limit: whole() }),
    }),
  },
  {
    title: 'Status',
    examples: [
      {
        revision: '18',
        unreadNotifications: 2,
        issues: {
          ...{ count: 3, dollars: '1250.00', unknown: 1 },
          kinds: [
            { kind: 'basis_missing', count: 2, dollars: '1250.00', unknown: 0 },
            { kind: 'transfer_unpaired', count: 1, dollars: '0.00', unknown: 1 },
          ],
        },
        rejectedLines: 0,
        proposedRows: 0,
        possibleDuplicates: 1,
        staleReports: 1,
        running: { imports: 0, calculations: 0 },
        plan: 'FREE',
        quotas: {
          transactions: { used: 42, limit: 50 },
          importBytes: { used: 52_000, limit: 20_000_000 },
          aiMessages: { used: 1, limit: 5, resetsAt: '2026-04-02T00:00:00.000Z' },
          clients: { used: 0, limit: 0 },
        },
      },
    ],
  },
);

const ClientYear = closed(
  {
    ...YearLine.properties,
    review: closed(
      {
        state: oneOf(reviewStates),
        changed: t.Boolean({ description: 'The numbers of the year have changed since the review.' }),
        by: nullable(t.String()),
        at: nullable(instant),
        openNotes: whole(),
      },
      { title: 'ClientReview' },
    ),
    report: nullable(
      closed(
        { createdAt: instant, stale: t.Boolean({ description: 'The books have changed since.' }) },
        { title: 'ClientReport', description: 'The newest report of the year.' },
      ),
    ),
  },
  { title: 'ClientYear' },
);

export const ClientStatus = closed(
  {
    id,
    role: clientRole,
    name: t.String(),
    email: t.Optional(t.String()),
    transactions: whole({ description: 'Transactions stored.' }),
    issues: closed(issueCounts, { title: 'IssueTotals' }),
    ...openCounts,
    lastImportAt: nullable(instant),
    unreadNotifications: whole(),
    years: t.Array(ClientYear, { description: 'Years with activity, including years with purchases only.' }),
  },
  { title: 'ClientStatus' },
);

export const ServerConfig = closed(
  {
    version: t.String(),
    providers: t.Array(oneOf(providers), { description: 'Sign-in providers. Each is available at `/auth/NAME`.' }),
    assistant: oneOf(['builtin', 'service'], "The source of replies: Lotbook's fixed rules or a language model."),
    billing: t.Boolean({ description: 'Whether this server sells plans.' }),
    mail: t.Boolean({ description: 'Whether this server sends email.' }),
    demo: t.Boolean({ description: 'Whether this server has demo books that need no account.' }),
    exchanges: t.Array(oneOf(exchangeKinds), { description: 'The services that users can connect.' }),
    limits: closed(
      {
        uploadBytes: whole({ description: 'The maximum size of an upload.' }),
        jsonBytes: whole({ description: 'The maximum size of a JSON body.' }),
        listItems: whole({ description: 'The maximum `limit` of a list.' }),
        bulkRows: whole({ description: 'The maximum number of rows that one edit changes.' }),
        passwordLengthMin: whole(),
        passwordLengthMax: whole(),
        deletionGraceDays: whole({
          description: 'How long a user can cancel the deletion of an account. 0 if it cannot be canceled.',
        }),
      },
      { title: 'ServerLimits' },
    ),
  },
  {
    title: 'ServerConfig',
    description: 'The features of this server. A client hides all others.',
    examples: [
      {
        version: '0.1.0',
        providers: ['google'],
        assistant: 'builtin',
        ...{ billing: false, mail: false, demo: true, exchanges: [] },
        limits: {
          ...{ uploadBytes: 1_073_741_824, jsonBytes: 1_000_000, listItems: 1000, bulkRows: 1000 },
          ...{ passwordLengthMin: 8, passwordLengthMax: 200, deletionGraceDays: 14 },
        },
      },
    ],
  },
);
