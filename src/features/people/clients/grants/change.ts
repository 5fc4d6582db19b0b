import type { Deps } from '../../../../deps.ts';
import { notFound, parseUuid } from '../../../../http/errors.ts';
import type { Caller } from '../../auth/access.ts';
import { type GrantedRole, grantedRoles } from '../../auth/permissions.ts';
import { requireRecentSignIn, requireSameStamp } from '../../auth/proof/recent.ts';
import { postLetter } from '../../mail/post.ts';
import { accessGranted } from '../../mail/templates.ts';
import { type GrantRow, lockGrant, putGrant } from '../clients.queries.ts';
import { describeRole } from '../invitations/invitation.ts';
import { notifyUser } from '../notices.ts';

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
