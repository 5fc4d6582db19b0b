import { Elysia, t } from 'elysia';
import { formatCents } from '../../base/decimal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { issueKinds } from '../../engine/model.ts';
import { issueName } from '../../forms/ids.ts';
import { notFound } from '../../http/errors.ts';
import { idempotent } from '../../http/idempotency.ts';
import { limitDefault, mapPage, page, readCursor } from '../../http/list.ts';
import {
  booksQuery,
  closed,
  day,
  id,
  idParams,
  listOf,
  listQuery,
  nullable,
  oneOf,
  problems,
  year,
  yearParameter,
} from '../../http/schemas.ts';
import type { Access } from '../auth/access.ts';
import { centsOf } from '../transactions/rows/columns.ts';
import { inTurn } from '../transactions/turn.ts';
import { factIdOfIssue } from './names.ts';
import { type Proposal, proposalsFor } from './proposals.ts';
import { selectWork, selectWorkOf, type WorkCursor, type WorkRow } from './queries.ts';
import { reopenIssue, resolveIssue } from './resolve.ts';

const tags = ['Tax'];
const actions = ['basis', 'pair', 'value', 'accept'] as const;
const number = t.String({ minLength: 1, maxLength: 64, description: 'A decimal string.' });

const Issue = closed(
  {
    id,
    kind: oneOf(issueKinds),
    status: oneOf(['open', 'accepted', 'resolved']),
    year,
    date: day,
    asset: t.String(),
    account: t.String(),
    transactions: t.Array(t.String(), {
      description: 'The row that could not be explained first, then those that led there.',
    }),
    dollars: t.String({ description: 'What the answer may be wrong by, at most.' }),
    detail: t.String(),
    proposals: t.Array(
      closed({
        action: oneOf([...actions, 'price'], '`price` is answered by POST /prices, the others by POST …/resolve.'),
        detail: t.String(),
        with: t.Optional(t.String()),
        quantity: t.Optional(t.String()),
        asset: t.Optional(t.String()),
        date: t.Optional(day),
      }),
    ),
    resolution: nullable(
      closed({
        action: oneOf(actions),
        note: t.String(),
        at: t.String(),
        with: nullable(t.String({ description: 'The other leg of a pair.' })),
        transactionId: nullable(
          t.String({ description: 'The row that it wrote: an opening lot, or contracts that were written.' }),
        ),
        basis: t.Optional(t.String()),
        acquired: t.Optional(t.String()),
        quantity: t.Optional(t.String()),
        amount: t.Optional(t.String()),
        fee: t.Optional(t.String()),
      }),
    ),
  },
  { title: 'Issue' },
);

const Resolution = closed(
  {
    action: oneOf(actions),
    basis: t.Optional(number),
    acquired: t.Optional(t.String({ maxLength: 10, description: '`YYYY-MM-DD`.' })),
    quantity: t.Optional(number),
    with: t.Optional(t.String({ maxLength: 64, description: 'The transaction at the other end, for `pair`.' })),
    amount: t.Optional(number),
    fee: t.Optional(number),
    note: t.Optional(t.String({ maxLength: 2_000 })),
  },
  { title: 'Resolution' },
);

/** What could not be known, as a worklist: the most at stake first. */
export const issueRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/issues' })
    .use(access)
    .get(
      '',
      async ({ taxpayer, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const after = readCursor(asked.cursor, ['integer', 'day', 'string']);
        const filter = {
          status: asked.status ?? null,
          kind: asked.kind ?? null,
          year: asked.year ?? null,
          asset: asked.asset ?? null,
          account: asked.account ?? null,
        };
        return deps.database.asTaxpayer(
          taxpayer.id,
          async (sql) => {
            const rows = await selectWork(sql, taxpayer.id, filter, cursorOf(after), limit);
            const found = page(rows, limit, (row) => [centsOf(row.dollars).toString(), row.on, row.id]);
            const proposals = await proposalsFor(sql, taxpayer.id, found.data);
            return mapPage(found, (row) => issueView(row, proposals.get(row.id) ?? []));
          },
          { snapshot: true, readOnly: true },
        );
      },
      {
        books: true,
        query: booksQuery({
          ...listQuery,
          year: t.Optional(yearParameter),
          kind: t.Optional(oneOf(issueKinds)),
          status: t.Optional(oneOf(['open', 'accepted', 'resolved'])),
          asset: t.Optional(t.String({ maxLength: 200 })),
          account: t.Optional(t.String({ maxLength: 200 })),
        }),
        response: { 200: listOf(Issue), ...problems(400, 404, 422) },
        detail: {
          summary: 'What could not be known',
          description:
            'The most at stake first: open issues, those that were accepted, and those that an answer resolved.',
          operationId: 'listIssues',
          tags,
        },
      },
    )
    .use(answerRoutes(deps, access));

const answerRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .post(
      '/:id/resolve',
      (context) => {
        const { caller, taxpayer, params, body } = context;
        deps.rateLimits.take('work', caller.userId);
        const factId = factIdOfIssue(params.id);
        return idempotent(deps, context, (saveResponse) =>
          inTurn(deps, taxpayer.id, async (sql) => {
            await resolveIssue(deps, sql, taxpayer, factId, body);
            return saveResponse(sql, { status: 200 as const, body: await readIssue(sql, taxpayer.id, factId) });
          }),
        );
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        body: Resolution,
        response: { 200: Issue, ...problems(403, 404, 409, 422) },
        detail: {
          summary: 'Answer an issue',
          description:
            '`basis` supplies basis and date of units whose origin no file tells: for units sold without a lot an opening lot is written, else the row that opened the lot is read with them; of a gift they are those of the donor, and `amount` is the value on its day. `pair` joins a withdrawal and a deposit. `value` says what something was worth. `accept` leaves it as it stands: it is listed still, and no report is a draft for it. Members that an answer has no use for are refused. Answers survive undoing an import and importing it again, and count as long as the rows say what they said then: of a row that was corrected, or an accepted issue that has grown, it is asked again, and a new answer takes the place of the old one.',
          operationId: 'resolveIssue',
          tags,
        },
      },
    )
    .delete(
      '/:id/resolution',
      async ({ taxpayer, params, set }) => {
        const factId = factIdOfIssue(params.id);
        await inTurn(deps, taxpayer.id, (sql) => reopenIssue(sql, taxpayer.id, factId));
        set.status = 204;
      },
      {
        books: true,
        params: idParams,
        query: booksQuery({}),
        response: { 204: t.Void(), ...problems(404, 409) },
        detail: {
          summary: 'Take an answer back',
          description: 'The issue is open again, and a pair is two legs again. The gains follow.',
          operationId: 'reopenIssue',
          tags,
        },
      },
    );

async function readIssue(sql: Sql, taxpayerId: string, factId: string) {
  const row = await selectWorkOf(sql, taxpayerId, factId);
  if (row === undefined) throw notFound();
  return issueView(row, (await proposalsFor(sql, taxpayerId, [row])).get(row.id) ?? []);
}

function cursorOf(after: readonly [cents: string, on: string, factId: string] | undefined): WorkCursor | null {
  if (after === undefined) return null;
  const [cents, on, factId] = after;
  return [formatCents(BigInt(cents) as Parameters<typeof formatCents>[0]), on, factId];
}

function issueView(row: WorkRow, proposals: readonly Proposal[]) {
  const { figure: _figure, ...given } = row.given ?? {};
  return {
    id: issueName(row.id),
    kind: row.issue,
    status: row.status,
    year: Number(row.on.slice(0, 4)),
    date: row.on,
    asset: row.asset,
    account: row.account,
    transactions: row.transactions,
    dollars: formatCents(centsOf(row.dollars)),
    detail: row.detail,
    proposals: [...proposals],
    resolution:
      row.action === null
        ? null
        : {
            action: row.action,
            note: row.note ?? '',
            at: row.at ?? '',
            with: row.other,
            transactionId: row.added,
            ...given,
          },
  };
}
