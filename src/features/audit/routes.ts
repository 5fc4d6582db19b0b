import { Elysia, t } from 'elysia';
import type { Deps } from '../../deps.ts';
import { actorKinds } from '../../http/audit/queries.ts';
import { dayAsked } from '../../http/errors.ts';
import { limitDefault, mapPage, page, readSequence } from '../../http/list.ts';
import { auditActions } from '../../http/operations/audit-actions.ts';
import { booksQuery, closed, id, instant, listOf, listQuery, nullable, oneOf } from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { type EntryRow, listEntries } from './queries.ts';

const AuditEntry = closed(
  {
    id,
    at: instant,
    action: oneOf(auditActions),
    subject: nullable(
      t.String({
        description: 'The id, or the year, that the request was about; of a sign-in, by what one signed in.',
      }),
    ),
    actor: oneOf(
      actorKinds,
      'Somebody signed in, a token of theirs, the operator of the server, or anyone who asked in the name of the account.',
    ),
    email: nullable(t.String({ description: 'Of who did it, at that time.' })),
    token: nullable(closed({ id: t.String(), name: t.String() })),
    address: nullable(t.String({ description: 'Where the request came from.' })),
    requestId: nullable(t.String({ description: 'As in `X-Request-Id` of the answer.' })),
    times: t.Integer({
      minimum: 1,
      description: 'Of `sign_in_failed` and `proof_failed`: how many of the kind came from there within the hour.',
    }),
    lastAt: nullable(t.String({ format: 'date-time', description: 'Of these: when the last one was.' })),
  },
  { title: 'AuditEntry' },
);

const dayText = (description: string) => t.Optional(t.String({ description }));

/** Who did what with the account and its books; with `?client=`, with a client's. */
export const auditRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/account/audit' }).use(access).get(
    '',
    async ({ taxpayer, query: asked }) => {
      const limit = asked.limit ?? limitDefault;
      const entries = {
        action: asked.action ?? null,
        actor: asked.actor ?? null,
        from: dayAsked('from', asked.from),
        to: dayAsked('to', asked.to),
        before: readSequence(asked.cursor),
        limit,
      };
      const rows = await deps.database.asTaxpayer(taxpayer.id, (sql) => listEntries(sql, taxpayer.id, entries), {
        readOnly: true,
      });
      return mapPage(
        page(rows, limit, (row) => [row.sequence]),
        itemOf,
      );
    },
    {
      books: true,
      query: booksQuery({
        ...listQuery,
        action: t.Optional(oneOf(auditActions)),
        actor: t.Optional(oneOf(actorKinds)),
        from: dayText('The first day, in UTC.'),
        to: dayText('The day after the last, in UTC.'),
      }),
      response: { 200: listOf(AuditEntry) },
      detail: {
        summary: 'Who did what, newest first',
        description:
          'Every change, sign-in, failed sign-in and download of reports and exports, of the account and its books, or of a client’s. An entry is written with what it records, is never changed, and goes with the account.',
        operationId: 'listAuditEntries',
        tags: ['Accounts'],
      },
    },
  );

function itemOf({ sequence, at, lastAt, tokenId, tokenName, ...row }: EntryRow) {
  const token = tokenId === null ? null : { id: tokenId, name: tokenName ?? '' };
  return { ...row, id: sequence, at: at.toISOString(), token, lastAt: lastAt?.toISOString() ?? null };
}
