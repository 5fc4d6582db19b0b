import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound, uuidOf } from '../../../http/errors.ts';
import { idempotent } from '../../../http/idempotency.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { idParams, listOf, listQuery, problems, query } from '../../../http/schemas.ts';
import type { Access } from '../../auth/access.ts';
import { requireRecentSignIn } from '../../auth/proof/recent.ts';
import { acceptInvitation, declineInvitation, withdrawInvitation } from './answer.ts';
import { createInvitation, invitationDays, mailAgain, reportInvitation } from './invitation.ts';
import { listInvitations, readInvitation } from './queries.ts';
import { Invitation, InvitationBody, InvitationToken, invitationView } from './schemas.ts';

const tags = ['Clients'];

/** Requests for access to books, offers of access, and the responses to them. */
export const invitationRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/invitations' }).use(listRoutes(deps, access)).use(answerRoutes(deps, access));

const listRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .get(
      '',
      async ({ caller, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const before = readCursor(asked.cursor, ['instant', 'uuid']) ?? null;
        const openOnly = asked.open === true;
        const rows = await deps.database.asService((sql) => listInvitations(sql, caller, { openOnly, before, limit }));
        return mapPage(
          page(rows, limit, (row) => [row.createdAt.toISOString(), row.id]),
          (row) => invitationView(row, caller.userId),
        );
      },
      {
        signedIn: true,
        query: query({
          ...listQuery,
          open: t.Optional(t.Boolean({ description: 'Only those that wait for an answer.' })),
        }),
        response: { 200: listOf(Invitation) },
        detail: { summary: 'Invitations sent and received, newest first', operationId: 'listInvitations', tags },
      },
    )
    .post(
      '',
      async (context) => {
        const { caller, body } = context;
        deps.rateLimits.take('mail', caller.userId);
        // A request for access does not give access to anything.
        if (body.kind !== 'request') requireRecentSignIn(caller);
        return idempotent(deps, context, async (saveResponse) => {
          const { answer, row } = await deps.database.asService(async (sql) => {
            const row = await createInvitation(deps, sql, caller, body);
            const answer = { status: 201 as const, body: invitationView(row, caller.userId) };
            return { answer: await saveResponse(sql, answer), row };
          });
          reportInvitation(deps, row);
          return answer;
        });
      },
      {
        signedIn: true,
        body: InvitationBody,
        response: { 201: Invitation, ...problems('plan_limit', 'reauthentication_required', 'not_found', 'conflict') },
        detail: {
          summary: 'Invite somebody by e-mail',
          description: `A link is mailed, which works for ${invitationDays} days. The answer is the same whether the address has an account or not. A new one to the same address about the same takes the place of the one before. A client counts among those of the plan once it is accepted. An offer and a handover need a recent sign-in.`,
          operationId: 'createInvitation',
          tags,
        },
      },
    )
    .get(
      '/:id',
      async ({ caller, params }) => {
        const id = uuidOf(params.id);
        const row = await deps.database.asService((sql) => readInvitation(sql, caller, id));
        if (row === undefined) throw notFound();
        return invitationView(row, caller.userId);
      },
      {
        signedIn: true,
        params: idParams,
        response: { 200: Invitation, ...problems('not_found') },
        detail: { summary: 'One invitation', operationId: 'readInvitation', tags },
      },
    )
    .delete(
      '/:id',
      async ({ caller, params, set }) => {
        await withdrawInvitation(deps, caller, params.id);
        set.status = 204;
      },
      {
        signedIn: true,
        params: idParams,
        response: { 204: t.Void(), ...problems('not_found', 'conflict') },
        detail: { summary: 'Withdraw an invitation that one sent', operationId: 'withdrawInvitation', tags },
      },
    );

const answerRoutes = (deps: Deps, access: Access) =>
  new Elysia()
    .use(access)
    .post(
      '/:id/accept',
      async ({ caller, params, body }) =>
        invitationView(await acceptInvitation(deps, caller, params.id, body.token), caller.userId),
      {
        signedIn: true,
        params: idParams,
        body: InvitationToken,
        response: { 200: Invitation, ...problems('plan_limit', 'reauthentication_required', 'not_found', 'conflict') },
        detail: {
          summary: 'Accept an invitation by the mailed link',
          description:
            'A request: the inviter sees one’s books from now on, in that role; `DELETE /account/grants/{id}` ends it. It needs a recent sign-in. An offer and a handover: a client more. An ownership: the books that a CPA made become one’s own, in the place of those that one has, which must hold no transactions and be open to nobody else; the CPA keeps the role until one ends it. It needs a recent sign-in, too.',
          operationId: 'acceptInvitation',
          tags,
        },
      },
    )
    .post(
      '/:id/decline',
      async ({ caller, params }) => invitationView(await declineInvitation(deps, caller, params.id), caller.userId),
      {
        signedIn: true,
        params: idParams,
        response: { 200: Invitation, ...problems('not_found', 'conflict') },
        detail: { summary: 'Decline an invitation', operationId: 'declineInvitation', tags },
      },
    )
    .post(
      '/:id/mail',
      async ({ caller, params, set }) => {
        deps.rateLimits.take('mail', caller.userId);
        await mailAgain(deps, caller, params.id);
        set.status = 204;
      },
      {
        signedIn: true,
        params: idParams,
        response: { 204: t.Void(), ...problems('not_found', 'conflict') },
        detail: {
          summary: 'Mail the link again',
          description: 'For both sides. The link of the mail before works no more.',
          operationId: 'mailInvitation',
          tags,
        },
      },
    );
