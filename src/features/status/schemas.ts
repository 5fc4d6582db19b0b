import { t } from 'elysia';
import { issueKinds } from '../../engine/model.ts';
import { closed, id, instant, nullable, oneOf, whole } from '../../http/schemas.ts';
import { clientRoles } from '../auth/permissions.ts';
import { plans } from '../auth/plan.ts';
import { providers } from '../auth/queries.ts';
import { YearLine } from '../books/schemas.ts';
import { reviewStates } from '../locks/review/queries.ts';

const issueCounts = {
  count: whole(),
  dollars: t.String({ description: 'At stake, where it is known.' }),
  unknown: whole({ description: 'Issues where nothing limits what is at stake.' }),
};
const quota = { used: whole(), limit: nullable(whole({ description: 'Null: no limit.' })) };

export const Status = closed(
  {
    revision: t.String({ description: 'Names the state of the books; the same state has the same name.' }),
    unreadNotifications: whole(),
    issues: closed({
      ...issueCounts,
      kinds: t.Array(closed({ kind: oneOf(issueKinds), ...issueCounts }, { title: 'IssueCount' })),
    }),
    rejectedLines: whole({ description: 'Open ones. They are among the issues, too.' }),
    proposedRows: whole({
      description: 'Rows that a later file states otherwise and nobody answered. They are among the issues, too.',
    }),
    possibleDuplicates: whole({ description: 'Pairs that nobody settled.' }),
    staleReports: whole({ description: 'Years whose newest report is stale.' }),
    running: closed({ imports: whole(), calculations: whole() }),
    plan: oneOf(plans),
    quotas: closed({
      transactions: closed(quota, { title: 'Quota' }),
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
        changed: t.Boolean({ description: 'The numbers of the year have changed since.' }),
        by: nullable(t.String()),
        at: nullable(instant),
        openNotes: whole(),
      },
      { title: 'ClientReview' },
    ),
  },
  { title: 'ClientYear' },
);

export const ClientStatus = closed(
  {
    id,
    role: oneOf(clientRoles, 'What one may do in the books.'),
    name: t.String(),
    email: t.Optional(t.String()),
    transactions: whole({ description: 'Transactions stored.' }),
    issues: closed(issueCounts, { title: 'IssueTotals' }),
    rejectedLines: whole({ description: 'Open ones. They are among the issues, too.' }),
    proposedRows: whole({
      description: 'Rows that a later file states otherwise and nobody answered. They are among the issues, too.',
    }),
    possibleDuplicates: whole({ description: 'Pairs that nobody settled.' }),
    staleReports: whole({ description: 'Years whose newest report is stale.' }),
    unreadNotifications: whole(),
    years: t.Array(ClientYear, { description: 'The years with activity, purchases included.' }),
  },
  { title: 'ClientStatus' },
);

export const ServerConfig = closed(
  {
    version: t.String(),
    providers: t.Array(oneOf(providers), { description: 'Sign-in through these is possible: `/auth/NAME`.' }),
    assistant: oneOf(['builtin', 'service'], 'What answers: the rules of Lotbook, or a language model.'),
    billing: t.Boolean({ description: 'Whether a plan can be bought here.' }),
    mail: t.Boolean({ description: 'Whether this server sends mail.' }),
    demo: t.Boolean({ description: 'Whether there are books to try without an account.' }),
    limits: closed(
      {
        uploadBytes: whole({ description: 'Of one upload.' }),
        jsonBytes: whole({ description: 'Of one JSON body.' }),
        listItems: whole({ description: 'The largest `limit` of a list.' }),
        bulkRows: whole({ description: 'Rows that one edit changes at most.' }),
        passwordLengthMin: whole(),
        passwordLengthMax: whole(),
        deletionGraceDays: whole({
          description: 'How long the deletion of an account can be taken back. 0: not at all.',
        }),
      },
      { title: 'ServerLimits' },
    ),
  },
  {
    title: 'ServerConfig',
    description: 'What this server offers. A client hides the rest.',
    examples: [
      {
        version: '0.1.0',
        providers: ['google'],
        assistant: 'builtin',
        ...{ billing: false, mail: false, demo: true },
        limits: {
          ...{ uploadBytes: 1_073_741_824, jsonBytes: 1_000_000, listItems: 1000, bulkRows: 1000 },
          ...{ passwordLengthMin: 8, passwordLengthMax: 200, deletionGraceDays: 14 },
        },
      },
    ],
  },
);
