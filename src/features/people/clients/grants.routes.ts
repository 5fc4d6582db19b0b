import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound, parseUuid, requireFound } from '../../../http/errors.ts';
import { group, lasting, person } from '../../../http/operations.ts';
import { closed, id, instant, oneOf, problems } from '../../../http/schemas.ts';
import type { Access, Caller } from '../auth/access.ts';
import { type GrantedRole, grantedRoles } from '../auth/permissions.ts';
import { requireRecentSignIn, requireSameStamp } from '../auth/recent-proof.ts';
import { postLetter } from '../mail/delivery.ts';
import { accessGranted } from '../mail/templates.ts';
import { accessEnded } from '../notifications.ts';
import { deleteGrant, type GrantRow, listGrants, lockGrant, putGrant } from './clients.queries.ts';
import { describeRole } from './invitations/invitation.ts';
import { notifyUser } from './notices.ts';

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

/**
 * Changes the role of a user with access. Removing permissions takes effect immediately. Adding permissions requires a
 * recent sign-in, and the owner gets an email.
 */
export async function changeGrant(deps: Deps, caller: Caller, givenId: string, role: GrantedRole): Promise<GrantRow> {
  const userId = parseUuid(givenId);
  const now = deps.clock.now();
  const before = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    const grant = await lockGrant(sql, caller.taxpayerId, userId);
    if (grant === undefined) throw notFound();
    if (isMore(grant.role, role)) requireRecentSignIn(caller);
    if (grant.role !== role) await putGrant(sql, { taxpayerId: caller.taxpayerId, userId, role, now });
    if (isMore(grant.role, role)) {
      const letter = accessGranted(deps.config.baseUrl, { email: grant.email, allows: describeRole(role) });
      await postLetter(deps, sql, caller.email, letter);
    }
    return grant;
  });
  if (before.role !== role) {
    await notifyUser(deps, userId, {
      kind: 'access_changed',
      title: 'Your role in a client’s books changed',
      body: `${caller.email} changed your role. You are now ${describeRole(role)}`,
      link: null,
      at: now,
    });
  }
  return { ...before, role };
}

function isMore(before: GrantedRole, after: GrantedRole): boolean {
  return grantedRoles.indexOf(after) > grantedRoles.indexOf(before);
}
