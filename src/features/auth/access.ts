import { Elysia } from 'elysia';
import { Refusal } from '../../base/refusal.ts';
import type { Deps } from '../../deps.ts';
import { nameActor } from '../../http/audit/audited-request.ts';
import { notFound, uuidOf } from '../../http/errors.ts';
import { readBearer } from '../../http/operations/bearer.ts';
import { ruleOf, type TokenScope } from '../../http/operations/operations.ts';
import { factsOf } from '../../http/requests.ts';
import { requireClientRoom } from './client-room.ts';
import { refuseDemoWrite } from './demo-rule.ts';
import { requireVerifiedEmail } from './email/verified-rule.ts';
import { type Act, actOf, type Role, requireAct } from './permissions.ts';
import type { Plan } from './plan.ts';
import { type ClientBooksRow, readClientBooks } from './queries.ts';
import { isSecret, readToken } from './session.ts';
import { readSession, type SessionRow, touchSession } from './sessions/queries.ts';
import { requireToken } from './tokens/bearer.ts';

/** Who asks. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  /** Somebody showed that they read the mails of the address, or a provider vouches for it. */
  readonly isVerified: boolean;
  /** The security stamp of the account when the request was let in. */
  readonly stamp: number;
  readonly plan: Plan;
  /** Looks at the demo books. */
  readonly isDemo: boolean;
  /** Of a program, the id of its token. */
  readonly sessionId: string;
  /** Proved who they are within the last minutes: see `requireRecentSignIn`. */
  readonly hasRecentProof: boolean;
  /** The token by which a program asks; null for somebody who is signed in. */
  readonly token: { readonly id: string; readonly name: string; readonly scopes: readonly TokenScope[] } | null;
  /** Their own books. */
  readonly taxpayerId: string;
}

/** Whose books the request is about: the caller's own, or a client's. */
export interface Taxpayer {
  readonly id: string;
  readonly timeZone: string;
  /** The caller's plan, which pays for these books. */
  readonly plan: Plan;
  /** What the caller is in them. */
  readonly role: Role;
}

/**
 * `signedIn: true` gives a route `caller`; `books: true` gives it `caller` and `taxpayer`. Both decide before the
 * request is validated: one without a session learns nothing of what would be valid. `beforeBooks` runs before a route
 * reads or changes the books of a taxpayer.
 */
export const createAccess = (deps: Deps, beforeBooks: (taxpayerId: string) => Promise<void>) => {
  // `transform` runs before validation and hands nothing on; `resolve` hands on, but runs after it.
  const known = new WeakMap<Request, RequestAccess>();
  const knownOf = (request: Request): RequestAccess => {
    const found = known.get(request);
    if (found === undefined) throw new Error('A route asked for its caller before the session was read.');
    return found;
  };
  return new Elysia({ name: 'access' })
    .macro('signedIn', {
      detail: { security: [{ session: [] }] },
      transform: async ({ request }) => {
        const found = await authenticate(deps, request);
        factsOf(request).userId = found.caller.userId;
        if (found.caller.isDemo) refuseDemoWrite(request);
        requireVerifiedEmail(deps, request, found.caller);
        known.set(request, found);
      },
      resolve: ({ request }) => ({ caller: namedActor(knownOf(request)) }),
    })
    .macro('books', {
      signedIn: true,
      transform: async ({ request }) => {
        const found = knownOf(request);
        const taxpayer = await booksOf(deps, request, found);
        await beforeBooks(taxpayer.id);
        known.set(request, { ...found, taxpayer });
      },
      resolve: ({ request }) => ({ taxpayer: namedBooks(knownOf(request)) }),
    });
};

/** Whether the caller still reaches the books, for what goes on after the request was let in. One's own: always. */
export function reaches(
  deps: Deps,
  { userId, taxpayerId }: Caller,
  books: Pick<Taxpayer, 'id'>,
): () => Promise<boolean> {
  if (books.id === taxpayerId) return async () => true;
  return async () =>
    (await deps.database.asService((sql) => readClientBooks(sql, userId, books.id), { readOnly: true })) !== undefined;
}

export type Access = ReturnType<typeof createAccess>;

/** Who sent a request, and whose books it is about. */
interface RequestAccess {
  readonly caller: Caller;
  readonly taxpayer: Taxpayer;
}

/** After validation: a request that is refused does nothing that the audit trail records. */
function namedActor({ caller }: RequestAccess, taxpayerId = caller.taxpayerId): Caller {
  const { userId, email, token, isDemo } = caller;
  // Visitors share the demo account, and see nothing of one another.
  if (!isDemo) nameActor({ kind: 'caller', userId, email, token, taxpayerId });
  return caller;
}

function namedBooks(found: RequestAccess): Taxpayer {
  namedActor(found, found.taxpayer.id);
  return found.taxpayer;
}

async function authenticate(deps: Deps, request: Request): Promise<RequestAccess> {
  const bearer = readBearer(request);
  if (bearer !== undefined) return byToken(deps, request, bearer);
  const { route } = factsOf(request);
  if (route !== null && ruleOf(route)?.isForPrograms === true)
    throw new Refusal('unauthenticated', 'This is for programs. Send a token: Authorization: Bearer lot_…');
  return bySession(deps, request);
}

async function byToken(deps: Deps, request: Request, bearer: string): Promise<RequestAccess> {
  const found = await requireToken(deps, request, bearer);
  const { id, name, scopes, userId, email, isVerified, stamp, plan, isDemo, taxpayerId, timeZone } = found;
  const token = { id, name, scopes };
  return {
    caller: { userId, email, isVerified, stamp, plan, isDemo, sessionId: id, hasRecentProof: false, token, taxpayerId },
    taxpayer: { id: taxpayerId, timeZone, plan, role: 'owner' },
  };
}

async function bySession(deps: Deps, request: Request): Promise<RequestAccess> {
  const session = await openSessionOf(deps, request);
  if (session === undefined)
    throw new Refusal('unauthenticated', 'Sign in first. There is no session, or it has ended.');
  const {
    id: sessionId,
    userId,
    email,
    isVerified,
    stamp,
    plan,
    isDemo,
    hasRecentProof,
    taxpayerId,
    timeZone,
  } = session;
  return {
    caller: { userId, email, isVerified, stamp, plan, isDemo, sessionId, hasRecentProof, token: null, taxpayerId },
    taxpayer: { id: taxpayerId, timeZone, plan, role: 'owner' },
  };
}

/** The open session of a request's cookie, if there is one. */
export async function openSessionOf(deps: Deps, request: Request): Promise<SessionRow | undefined> {
  const token = readToken(request);
  if (token === undefined) return undefined;
  return deps.database.asService(async (sql) => {
    const session = await readSession(sql, token.id);
    if (session === undefined || !isSecret(token.secret, session.secretHash)) return undefined;
    if (session.isIdle) await touchSession(sql, token.id);
    return session;
  });
}

async function booksOf(deps: Deps, request: Request, { caller, taxpayer }: RequestAccess): Promise<Taxpayer> {
  const client = new URL(request.url).searchParams.get('client');
  if (client === null) return taxpayer;
  const found = await deps.database.asService((sql) => readClientBooks(sql, caller.userId, uuidOf(client)));
  if (found === undefined) throw notFound();
  refuseAct(caller, found, actOf(factsOf(request).route ?? { method: request.method, template: '' }));
  return { id: found.id, timeZone: found.timeZone, plan: caller.plan, role: found.role };
}

/** For what a request does beyond its operation: one of a program may read, and the tool it calls may write. */
export async function requireActIn(deps: Deps, caller: Caller, books: Pick<Taxpayer, 'id'>, act: Act): Promise<void> {
  if (books.id === caller.taxpayerId) return;
  const found = await deps.database.asService((sql) => readClientBooks(sql, caller.userId, books.id), {
    readOnly: true,
  });
  if (found === undefined) throw notFound();
  refuseAct(caller, found, act);
}

function refuseAct({ plan }: Caller, { role, clients }: ClientBooksRow, act: Act): void {
  requireAct(role, act);
  // More clients than the plan allows, after a change of plan: their books are read and downloaded, not changed.
  if (act !== 'read') requireClientRoom(plan, clients, 0);
}
