import { Elysia, t } from 'elysia';
import type { Deps } from '../../../deps.ts';
import { notFound } from '../../../http/errors.ts';
import { limitDefault, mapPage, page, readCursor } from '../../../http/list.ts';
import { closed, listOf, listQuery, problems, query } from '../../../http/schemas.ts';
import type { Access } from '../access.ts';
import { forgetOtherDevices } from '../devices/device.ts';
import { changeStamp } from '../one-time-tokens/queries.ts';
import { requireRecentSignIn } from '../proof/recent.ts';
import { Session } from '../schemas.ts';
import { endedSessionHeaders } from '../session.ts';
import { deleteSession, deleteSessionsOf, listSessions, type SessionListRow } from './queries.ts';

const tags = ['Accounts'];

/** Where the caller is signed in, and the ends of it. */
export const sessionRoutes = (deps: Deps, access: Access) =>
  new Elysia({ prefix: '/auth/sessions' })
    .use(access)
    .get(
      '',
      async ({ caller, query: asked }) => {
        const limit = asked.limit ?? limitDefault;
        const after = readCursor(asked.cursor, ['instant', 'string']) ?? null;
        const { userId, sessionId, isDemo } = caller;
        // Visitors of the demo books share an account, and see nothing of one another.
        const onlyId = isDemo ? sessionId : null;
        const rows = await deps.database.asService((sql) => listSessions(sql, { userId, onlyId, after, limit }));
        const shown = page(rows, limit, (row) => [row.createdAt.toISOString(), row.id]);
        return mapPage(shown, (row) => itemOf(row, caller.sessionId));
      },
      {
        signedIn: true,
        query: query(listQuery),
        response: { 200: listOf(Session) },
        detail: { summary: 'The open sessions, newest first', operationId: 'listSessions', tags },
      },
    )
    .delete(
      '',
      async ({ caller, set }) => {
        requireRecentSignIn(caller);
        await deps.database.asService((sql) => deleteSessionsOf(sql, caller.userId));
        Object.assign(set.headers, endedSessionHeaders(deps.config));
        set.status = 204;
      },
      {
        signedIn: true,
        response: { 204: t.Void(), ...problems('reauthentication_required') },
        detail: {
          summary: 'Sign out everywhere',
          description:
            'All sessions end, this one too, and their event streams with them. Each browser is unknown until the next sign-in. It needs a recent sign-in.',
          operationId: 'endSessions',
          tags,
        },
      },
    )
    .delete(
      '/:id',
      async ({ caller, params, request, set }) => {
        const { userId, sessionId } = caller;
        // Whoever took over a session keeps nobody out by ending the others.
        if (params.id !== sessionId) requireRecentSignIn(caller);
        const isOwn = params.id === sessionId;
        await deps.database.asService(async (sql) => {
          if (!(await deleteSession(sql, userId, params.id))) throw notFound();
          if (isOwn) return;
          // Whoever had that session may have asked for another address or invited somebody, and their browser is known.
          await changeStamp(sql, userId);
          await forgetOtherDevices(sql, request, userId);
        });
        if (isOwn) Object.assign(set.headers, endedSessionHeaders(deps.config));
        set.status = 204;
      },
      {
        signedIn: true,
        params: closed({ id: t.String() }),
        response: { 204: t.Void(), ...problems('not_found', 'reauthentication_required') },
        detail: {
          summary: 'End a session',
          description:
            'Its event streams end with it. Another session than this one needs a recent sign-in, and every link that was requested before ends as well. Other browsers are unknown again.',
          operationId: 'endSession',
          tags,
        },
      },
    );

function itemOf({ id, device, createdAt, lastUsedAt, expiresAt }: SessionListRow, currentId: string) {
  return {
    id,
    device,
    current: id === currentId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
