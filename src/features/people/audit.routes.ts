import { Elysia, t } from 'elysia';
import { actorKinds } from '../../http/audit/queries.ts';
import { auditActions } from '../../http/audit-actions.ts';
import { parseDayParameter } from '../../http/errors.ts';
import { limitDefault, page, readSequence } from '../../http/list.ts';
import { group, read } from '../../http/operations.ts';
import { closed, id, instant, listOf, listQuery, nullable, oneOf } from '../../http/schemas.ts';
import { type EntryRow, listEntries } from './audit.queries.ts';
import type { Access } from './auth/access.ts';

const { onBooks } = group('Accounts');

const AuditEntry = closed(
  {
    id,
    at: instant,
    action: oneOf(auditActions),
    subject: nullable(t.String({ description: 'The id or the year in the request. For a sign-in, the method.' })),
    actor: oneOf(
      actorKinds,
      'The kind of actor: a signed-in user, a user’s token, the server’s operator, or an unauthenticated caller acting on the account.',
    ),
    email: nullable(t.String({ description: "The actor's address at that time." })),
    token: nullable(closed({ id: t.String(), name: t.String() })),
    address: nullable(t.String({ description: 'The origin of the request.' })),
    requestId: nullable(t.String({ description: 'The `X-Request-Id` of the response.' })),
    times: t.Integer({
      minimum: 1,
      description:
        'The number of failures of this kind from the same address within an hour. It is 1 except for `sign_in_failed` and `proof_failed`.',
    }),
    lastAt: nullable(t.String({ format: 'date-time', description: 'The time of the last of these failures.' })),
  },
  { title: 'AuditEntry' },
);

const dayText = (description: string) => t.Optional(t.String({ description }));

/** Defines the route for the activity log of the account and its books, or of a client's books with `?client=`. */
export const auditRoutes = (access: Access) =>
  new Elysia({ prefix: '/account/audit' }).use(access).get(
    '',
    async ({ books, taxpayer, query: parameters }) => {
      const limit = parameters.limit ?? limitDefault;
      const entries = {
        action: parameters.action ?? null,
        actor: parameters.actor ?? null,
        from: parseDayParameter('from', parameters.from),
        to: parseDayParameter('to', parameters.to),
        before: readSequence(parameters.cursor),
        limit,
      };
      const rows = await books.read((sql) => listEntries(sql, taxpayer.id, entries));
      return page(rows, limit, (row) => [row.sequence], toEntryView);
    },
    onBooks('listAuditEntries', read, {
      summary: 'List the activity log, newest first',
      description:
        'Contains every change, sign-in, failed sign-in, and download of reports and exports, for the account and its books or for a client’s books. Each entry is written together with its change, is never modified, and is deleted with the account.',
      query: {
        ...listQuery,
        action: t.Optional(oneOf(auditActions)),
        actor: t.Optional(oneOf(actorKinds)),
        from: dayText('The first day, in UTC.'),
        to: dayText('The day after the last one, in UTC.'),
      },
      response: { 200: listOf(AuditEntry) },
    }),
  );

function toEntryView({ sequence, at, lastAt, tokenId, tokenName, ...row }: EntryRow) {
  const token = tokenId === null ? null : { id: tokenId, name: tokenName ?? '' };
  return { ...row, id: sequence, at: at.toISOString(), token, lastAt: lastAt?.toISOString() ?? null };
}
