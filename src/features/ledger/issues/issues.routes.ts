import { Elysia, t } from 'elysia';
import { parseMoney } from '../../../base/decimal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { issueKinds } from '../../../engine/model.ts';
import { requireFound } from '../../../http/errors.ts';
import { invalidCursor, limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { group, read, write } from '../../../http/operations.ts';
import { listOf, listQuery, oneOf, problems, yearParameter } from '../../../http/schemas.ts';
import type { Access, Taxpayer } from '../../people/auth/access.ts';
import { dryRun } from '../books/books.schemas.ts';
import { createTryChange } from '../books/summaries.ts';
import { inTurn, onceInTurn } from '../transactions/store.ts';
import { getToday } from '../transactions/view.ts';
import { batchRoutes } from './batch.routes.ts';
import { causeRoutes } from './causes/causes.routes.ts';
import { selectWorklist, selectWorklistRow, type WorklistCursor } from './issues.queries.ts';
import { Issue, IssueWithResolution, PairingInput, Resolution, TransferMatch } from './issues.schemas.ts';
import { clearPairing, readPairing, setPairing } from './pairing.ts';
import { proposalsFor } from './proposals.ts';
import { factIdOfIssueId } from './resolution.ts';
import { reopenIssue, resolveIssue } from './resolve.ts';
import { issueView } from './view.ts';

const { onBooks } = group('Issues');

/** Lists issues, stores their resolutions, and pairs transfers. */
export const issueRoutes = (deps: Deps, access: Access) =>
  new Elysia().use(worklistRoutes(deps, access)).use(pairingRoutes(deps, access));

/** Lists issues by dollars at stake, and resolves or reopens them. */
const worklistRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/issues' })
    .use(access)
    .get(
      '',
      async ({ books, taxpayer, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['string', 'day', 'string']);
        const filter = {
          status: parameters.status ?? null,
          kind: parameters.kind ?? null,
          year: parameters.year ?? null,
          asset: parameters.asset ?? null,
          account: parameters.account ?? null,
        };
        return books.snapshot(async (sql) => {
          const rows = await selectWorklist(sql, taxpayer.id, filter, checkCursor(after), limit);
          const issuePage = page(rows, limit, (row) => [row.dollars ?? unknownStake, row.on, row.id]);
          const proposals = await proposalsFor(sql, taxpayer.id, issuePage.data, getToday(deps, taxpayer.timeZone));
          return mapPage(issuePage, (row) => issueView(row, proposals.get(row.id) ?? []));
        });
      },
      onBooks('listIssues', read, {
        summary: 'List issues',
        description:
          'Open, accepted and resolved issues by dollars at stake: unlimited amounts first, then the largest.',
        query: {
          ...listQuery,
          year: t.Optional(yearParameter),
          kind: t.Optional(oneOf(issueKinds)),
          status: t.Optional(oneOf(['open', 'accepted', 'resolved'])),
          asset: t.Optional(t.String({ maxLength: 200 })),
          account: t.Optional(t.String({ maxLength: 200 })),
        },
        response: { 200: listOf(Issue) },
      }),
    )
    .use(causeRoutes(deps, access))
    .use(batchRoutes(deps, access))
    .post(
      '/:id/resolve',
      (context) => {
        const { caller, taxpayer, params, body, query } = context;
        deps.rateLimits.take('work', caller.userId);
        const factId = factIdOfIssueId(params.id);
        const resolve = async (sql: Sql) => {
          await resolveIssue(deps, sql, taxpayer, factId, body);
          return readIssue(deps, sql, taxpayer, factId);
        };
        if (query.dryRun === true) return createTryChange(deps)(taxpayer.id, resolve);
        return onceInTurn(deps, context, 200, resolve);
      },
      onBooks('resolveIssue', write('issue_resolved'), {
        summary: 'Resolve an issue',
        description:
          '`basis` supplies basis and acquisition date. Units sold without a lot get an opening lot; otherwise the row that opened the lot gets the basis. For a gift they are the donor’s basis and date, and `amount` is the value on the day of the gift. `pair` joins a withdrawal and a deposit. `value` supplies a value; for a bond it is the accrued market discount of its sale. `class` sets the class of the asset, like PATCH /tax/assets. `replace` gives the stored row the content of a later file, as one edit that can be undone; `add` stores the row of the later file as a separate transaction. `accept` changes nothing: the list still shows the issue, but reports are no longer drafts because of it. Members that the action does not use are refused. A resolution survives undoing and repeating an import. It counts while the rows are unchanged. After a correction of the row, or when an accepted issue has grown, the issue is open again, and a new resolution replaces the old one. The plan limit never blocks an answer.',
        query: { dryRun },
        body: Resolution,
        response: { 200: IssueWithResolution, ...problems('conflict', 'year_locked') },
      }),
    )
    .delete(
      '/:id/resolution',
      async ({ taxpayer, params }) => {
        const factId = factIdOfIssueId(params.id);
        await inTurn(deps, taxpayer.id, (sql) => reopenIssue(deps, sql, taxpayer, factId));
      },
      onBooks('reopenIssue', write('issue_reopened'), {
        summary: 'Reopen an issue',
        description:
          'Removes the resolution, so the issue is open again. A pair becomes two separate legs. The gains are recomputed.',
        response: { 204: t.Void(), ...problems('conflict', 'year_locked') },
      }),
    );

/** Pairs and separates transfer legs manually, including legs that the engine paired. */
const pairingRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/transfers' })
    .use(access)
    .get(
      '/:id',
      ({ books, taxpayer, params }) => books.read((sql) => readPairing(sql, taxpayer.id, params.id)),
      onBooks('getTransferMatch', read, {
        summary: 'Get the manual pairing of a withdrawal or deposit',
        response: { 200: TransferMatch },
      }),
    )
    .put(
      '/:id',
      ({ taxpayer, params, body }) =>
        inTurn(deps, taxpayer.id, async (sql) => {
          await setPairing(sql, taxpayer.id, params.id, body.with, body.note ?? '', deps.clock.now());
          return readPairing(sql, taxpayer.id, params.id);
        }),
      onBooks('matchTransfer', write('transfer_paired'), {
        summary: 'Pair a withdrawal and a deposit, or separate them',
        description:
          'With the id of the other leg, the two legs become one transfer. With null, the leg has no other end. This overrides the engine and any earlier pairing of either leg. The gains are recomputed.',
        body: PairingInput,
        response: { 200: TransferMatch, ...problems('year_locked') },
      }),
    )
    .delete(
      '/:id',
      async ({ taxpayer, params }) => {
        await inTurn(deps, taxpayer.id, (sql) => clearPairing(sql, taxpayer.id, params.id));
      },
      onBooks('deleteTransferMatch', write('transfer_unpaired'), {
        summary: 'Let the engine pair the leg again',
        response: { 204: t.Void(), ...problems('year_locked') },
      }),
    );

async function readIssue(deps: Deps, sql: Sql, { id, timeZone }: Taxpayer, factId: string) {
  const row = requireFound(await selectWorklistRow(sql, id, factId));
  return issueView(row, (await proposalsFor(sql, id, [row], getToday(deps, timeZone))).get(row.id) ?? []);
}

/** Infinity as PostgreSQL formats it. */
const unknownStake = 'Infinity';

function checkCursor(after: WorklistCursor | undefined): WorklistCursor | null {
  if (after === undefined) return null;
  if (after[0] !== unknownStake && parseMoney(after[0]) === undefined) throw invalidCursor();
  return after;
}
