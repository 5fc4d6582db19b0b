import { Elysia, t } from 'elysia';
import type { Deps } from '../../../../deps.ts';
import { parseUuid, requireFound } from '../../../../http/errors.ts';
import { group, lasting, person } from '../../../../http/operations/operations.ts';
import { closed, id, instant, oneOf, problems } from '../../../../http/schemas.ts';
import type { Access } from '../../auth/access.ts';
import { grantedRoles } from '../../auth/permissions.ts';
import { accessEnded } from '../../notifications/notify.ts';
import { deleteGrant, type GrantRow, listGrants } from '../clients.queries.ts';
import { notifyUser } from '../notices.ts';
import { changeGrant } from './change.ts';

const Grant = closed(
  { id, email: t.String(), name: t.String(), role: oneOf(grantedRoles), since: instant },
  { title: 'Grant' },
);

const { signedIn } = group('Accounts');

/** Defines the routes for users with access to the caller's own books. Only the owner can change access. */
export const grantRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/account/grants' })
    .use(access)
    .get(
      '',
      async ({ caller }) => {
        const rows = await deps.database.asService((sql) => listGrants(sql, caller.taxpayerId));
        return { data: rows.map(toGrantView) };
      },
      signedIn('listGrants', person(null), {
        summary: 'List users with access to your books',
        description: 'To give another user access, use `POST /invitations`.',
        response: { 200: closed({ data: t.Array(Grant) }, { title: 'GrantList' }) },
      }),
    )
    .patch(
      '/:id',
      async ({ body, caller, params }) => toGrantView(await changeGrant(deps, caller, params.id, body.role)),
      signedIn('updateGrant', lasting('grant_changed'), {
        summary: 'Change the role of a user in your books',
        description:
          'Takes effect immediately. A role with more permissions requires a recent sign-in. The user is notified.',
        body: closed({ role: oneOf(grantedRoles) }, { title: 'GrantUpdate', examples: [{ role: 'viewer' }] }),
        response: { 200: Grant, ...problems('reauthentication_required') },
      }),
    )
    .delete(
      '/:id',
      async ({ caller, params }) => {
        const userId = parseUuid(params.id);
        requireFound(await deps.database.asService((sql) => deleteGrant(sql, caller.taxpayerId, userId)));
        await notifyUser(deps, userId, {
          ...accessEnded,
          body: `${caller.email} ended your access. You keep the files that you downloaded.`,
          at: deps.clock.now(),
        });
      },
      signedIn('revokeGrant', person('grant_ended'), {
        summary: 'End a user’s access to your books',
        response: { 204: t.Void() },
      }),
    );

function toGrantView({ userId, email, name, role, createdAt }: GrantRow) {
  return { id: userId, email, name, role, since: createdAt.toISOString() };
}
