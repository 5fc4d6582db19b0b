import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { group, person } from '../../../http/operations.ts';
import { closed, listOf, listQuery, problems } from '../../../http/schemas.ts';
import type { Access } from './access.ts';
import { Session } from './auth.schemas.ts';
import { forgetOtherDevices } from './device.ts';
import { changeStamp } from './one-time-tokens.queries.ts';
import { requireRecentSignIn } from './recent-proof.ts';
import { endedSessionHeaders } from './session.ts';
import { deleteSession, deleteSessions, listSessions, type SessionListRow } from './sessions.queries.ts';

const { signedIn } = group('Accounts');

/** Defines the routes that list and end the caller's sessions. */
export const sessionRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth/sessions' })
    .use(access)
    .get(
      '',
      async ({ caller, query: parameters }) => {
        const limit = parameters.limit ?? limitDefault;
        const after = readCursor(parameters.cursor, ['instant', 'string']) ?? null;
        const { userId, sessionId, isDemo } = caller;
        // Visitors of the demo books share an account but must not see each other's sessions.
        const onlyId = isDemo ? sessionId : null;
        const rows = await deps.database.asService((sql) => listSessions(sql, { userId, onlyId, after, limit }));
        const shown = page(rows, limit, (row) => [row.createdAt.toISOString(), row.id]);
        return mapPage(shown, (row) => toSessionView(row, caller.sessionId));
      },
      signedIn('listSessions', person(null), {
        summary: 'List the active sessions, newest first',
        query: listQuery,
        response: { 200: listOf(Session) },
      }),
    )
    .delete(
      '',
      async ({ caller, set }) => {
        requireRecentSignIn(caller);
        await deps.database.asService((sql) => deleteSessions(sql, caller.userId));
        Object.assign(set.headers, endedSessionHeaders(deps.config));
      },
      signedIn('deleteSessions', person('sessions_ended'), {
        summary: 'Sign out everywhere',
        description:
          'Ends all sessions, including this one, and their event streams. Every browser becomes unknown until its next sign-in. Requires a recent sign-in.',
        response: { 204: t.Void(), ...problems('reauthentication_required') },
      }),
    )
    .delete(
      '/:id',
      async ({ caller, params, request, set }) => {
        const { userId, sessionId } = caller;
        // Prevents an intruder from locking the user out by ending the user's other sessions.
        if (params.id !== sessionId) requireRecentSignIn(caller);
        const isOwn = params.id === sessionId;
        await deps.database.asService(async (sql) => {
          if (!(await deleteSession(sql, userId, params.id))) throw notFound();
          if (isOwn) return;
          // The intruder in that session may have requested an email change or sent invitations, and the intruder's
          // browser is known.
          await changeStamp(sql, userId);
          await forgetOtherDevices(sql, request, userId);
        });
        if (isOwn) Object.assign(set.headers, endedSessionHeaders(deps.config));
      },
      signedIn('deleteSession', person('session_ended'), {
        summary: 'End a session',
        description:
          'Also ends the session’s event streams. Ending another session requires a recent sign-in. It also disables every link requested earlier and makes the other browsers unknown.',
        params: closed({ id: t.String() }),
        response: { 204: t.Void(), ...problems('reauthentication_required') },
      }),
    );

function toSessionView({ id, device, createdAt, lastUsedAt, expiresAt }: SessionListRow, currentId: string) {
  return {
    id,
    device,
    current: id === currentId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
