import { Elysia } from 'elysia';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql, TransactionOptions } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { readBearer } from '../../../http/bearer.ts';
import { notFound, parseUuid } from '../../../http/errors.ts';
import type { Permission, TokenScope } from '../../../http/operations.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { type ClientBooksRow, readClientBooks } from './auth.queries.ts';
import { requireVerifiedEmail } from './email/verified-rule.ts';
import { type Role, requireRolePermission } from './permissions.ts';
import { type Plan, requireClientCapacity } from './plan.ts';
import { isSecret, readToken } from './session.ts';
import { readSession, type SessionRow, touchSession } from './sessions.queries.ts';
import { requireToken } from './tokens/bearer.ts';

/** The user or program that sends the request. */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  /** True if the user opened a link sent to this address, or a sign-in provider verified it. */
  readonly isVerified: boolean;
  /** The account's security stamp when the request was authenticated. */
  readonly stamp: number;
  readonly plan: Plan;
  /** True for visitors of the demo books. */
  readonly isDemo: boolean;
  /** The session id, or the token id if the caller is a program. */
  readonly sessionId: string;
  /** True if the user proved their identity within the last few minutes (see `requireRecentSignIn`). */
  readonly hasRecentProof: boolean;
  /** The API token of the request. Null for a signed-in user. */
  readonly token: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly TokenScope[];
    /** The client that the user chose when they connected the program. Null for an API token, and for own books. */
    readonly connectedClient: string | null;
    /** Whether a program got the token by OAuth. */
    readonly isConnection: boolean;
  } | null;
  /** The id of the caller's own books. */
  readonly taxpayerId: string;
}

/** The taxpayer that the request is about: the caller or one of their clients. */
export interface Taxpayer {
  readonly id: string;
  readonly timeZone: string;
  /** The caller's plan, which covers these books. */
  readonly plan: Plan;
  /** The caller's role in these books. */
  readonly role: Role;
}

/** Transactions on the books of the request's taxpayer. Changes that affect gains run `inTurn` instead. */
export interface Books {
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** All statements see the state at the first one. */
  snapshot<T>(work: (sql: Sql) => Promise<T>, options?: Pick<TransactionOptions, 'statementSecondsMax'>): Promise<T>;
  change<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

function openBooks({ database }: Deps, taxpayerId: string): Books {
  return {
    read: (work) => database.asTaxpayer(taxpayerId, work, { readOnly: true }),
    snapshot: (work, options) => database.asTaxpayer(taxpayerId, work, { snapshot: true, readOnly: true, ...options }),
    change: (work) => database.asTaxpayer(taxpayerId, work),
  };
}

/**
 * Creates the macros for authentication. `signedIn: true` provides `caller` to a route. `books: true` provides `caller`,
 * `taxpayer` and `books`. Both authenticate before validation, so an unauthenticated request learns nothing about valid input.
 * `beforeBooks` runs before a route reads or changes a taxpayer's books.
 */
export const createAccess = (deps: Deps, beforeBooks: (taxpayerId: string) => Promise<void>) => {
  // `transform` runs before validation but cannot pass values to the handler. `resolve` can pass values, but runs after
  // validation. This map connects the two.
  const known = new WeakMap<Request, RequestAccess>();
  const getRequestAccess = (request: Request): RequestAccess => {
    const cached = known.get(request);
    if (cached === undefined) throw new Error('A route read its caller before the request was authenticated.');
    return cached;
  };
  return new Elysia({ name: 'access' })
    .macro('signedIn', {
      transform: async ({ request }) => {
        const requestAccess = await authenticate(deps, request);
        getRequestFacts(request).userId = requestAccess.caller.userId;
        if (requestAccess.caller.isDemo) refuseDemoWrite(request);
        requireVerifiedEmail(deps, request, requestAccess.caller);
        known.set(request, requestAccess);
      },
      resolve: ({ request }) => ({ caller: namedActor(getRequestAccess(request)) }),
    })
    .macro('books', {
      signedIn: true,
      transform: async ({ request }) => {
        const requestAccess = getRequestAccess(request);
        const taxpayer = await loadBooks(deps, request, requestAccess);
        await beforeBooks(taxpayer.id);
        known.set(request, { ...requestAccess, taxpayer });
      },
      resolve: ({ request }) => {
        const taxpayer = namedBooks(getRequestAccess(request));
        return { taxpayer, books: openBooks(deps, taxpayer.id) };
      },
    });
};

/**
 * Returns a function that checks whether the caller can still access the books. Use it for work that continues after
 * the request was authenticated. It always returns true for the caller's own books.
 */
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

/** The authenticated caller of a request and the books that the request is about. */
interface RequestAccess {
  readonly caller: Caller;
  readonly taxpayer: Taxpayer;
}

/** Sets the actor for the audit trail. Runs after validation, because a rejected request needs no audit entry. */
function namedActor({ caller }: RequestAccess, taxpayerId = caller.taxpayerId): Caller {
  const { userId, email, token, isDemo } = caller;
  // Skips the demo account, because its visitors must not see each other's activity.
  if (!isDemo) nameActor({ kind: 'caller', userId, email, token, taxpayerId });
  return caller;
}

function namedBooks(requestAccess: RequestAccess): Taxpayer {
  namedActor(requestAccess, requestAccess.taxpayer.id);
  return requestAccess.taxpayer;
}

async function authenticate(deps: Deps, request: Request): Promise<RequestAccess> {
  const bearer = readBearer(request);
  if (bearer !== undefined) return byToken(deps, request, bearer);
  const { route } = getRequestFacts(request);
  if (route?.operation?.isForPrograms === true)
    throw new Refusal(
      'unauthenticated',
      'This endpoint is for programs. Connect the program by OAuth, or send an API token: Authorization: Bearer lot_…',
    );
  return bySession(deps, request);
}

async function byToken(deps: Deps, request: Request, bearer: string): Promise<RequestAccess> {
  const { id, name, scopes, connection, clientId, ...account } = await requireToken(deps, request, bearer);
  const isConnection = connection !== null;
  const token = { id, name, scopes, isConnection, connectedClient: isConnection ? clientId : null };
  return toAccess(account, { sessionId: id, hasRecentProof: false, token });
}

async function bySession(deps: Deps, request: Request): Promise<RequestAccess> {
  const session = await findOpenSession(deps, request);
  if (session === undefined)
    throw new Refusal('unauthenticated', 'Sign in first. There is no session, or it has ended.');
  return toAccess(session, { sessionId: session.id, hasRecentProof: session.hasRecentProof, token: null });
}

type AuthenticatedAccount = Omit<Caller, 'sessionId' | 'hasRecentProof' | 'token'> & Pick<Taxpayer, 'timeZone'>;

function toAccess(
  { userId, email, isVerified, stamp, plan, isDemo, taxpayerId, timeZone }: AuthenticatedAccount,
  credential: Pick<Caller, 'sessionId' | 'hasRecentProof' | 'token'>,
): RequestAccess {
  return {
    caller: { userId, email, isVerified, stamp, plan, isDemo, ...credential, taxpayerId },
    taxpayer: { id: taxpayerId, timeZone, plan, role: 'owner' },
  };
}

/** Returns the active session for the request's cookie, if any. */
export async function findOpenSession(deps: Deps, request: Request): Promise<SessionRow | undefined> {
  const token = readToken(request);
  if (token === undefined) return undefined;
  return deps.database.asService(async (sql) => {
    const session = await readSession(sql, token.id);
    if (session === undefined || !isSecret(token.secret, session.secretHash)) return undefined;
    if (session.isIdle) await touchSession(sql, token.id);
    return session;
  });
}

async function loadBooks(deps: Deps, request: Request, { caller, taxpayer }: RequestAccess): Promise<Taxpayer> {
  const client = new URL(request.url).searchParams.get('client') ?? caller.token?.connectedClient ?? null;
  if (client === null) return taxpayer;
  const clientBooks = await deps.database.asService((sql) => readClientBooks(sql, caller.userId, parseUuid(client)));
  if (clientBooks === undefined) throw notFound();
  requireClientPermission(caller, clientBooks, getRequestFacts(request).route?.operation?.permission ?? 'own');
  return { id: clientBooks.id, timeZone: clientBooks.timeZone, plan: caller.plan, role: clientBooks.role };
}

/**
 * Requires an additional permission in the books, such as when an operation that requires `read` runs a tool that
 * writes.
 */
export async function requirePermission(
  deps: Deps,
  caller: Caller,
  books: Pick<Taxpayer, 'id'>,
  permission: Permission,
): Promise<void> {
  if (books.id === caller.taxpayerId) return;
  const clientBooks = await deps.database.asService((sql) => readClientBooks(sql, caller.userId, books.id), {
    readOnly: true,
  });
  if (clientBooks === undefined) throw notFound();
  requireClientPermission(caller, clientBooks, permission);
}

function requireClientPermission({ plan }: Caller, { role, clients }: ClientBooksRow, permission: Permission): void {
  requireRolePermission(role, permission);
  // After a downgrade, a user can have more clients than the plan allows. The clients' books can then be read and
  // downloaded but not changed.
  if (permission !== 'read') requireClientCapacity(plan, clients, 0);
}

/** POST operations that change neither the books nor the account. A question in the demo is not stored. */
const harmless: ReadonlySet<string> = new Set(['POST /v1/tax/what-if', 'POST /v1/ai/messages', 'POST /v1/auth/logout']);

/**
 * Rejects changes to the demo books and the demo account, because all visitors share them. Allows dry runs, which store
 * nothing. Rejects a dry run of a file, because other visitors would see the file's name while it is read.
 */
function refuseDemoWrite(request: Request): void {
  const { method, url } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const { route } = getRequestFacts(request);
  if (harmless.has(`${method} ${route?.template}`)) return;
  // Routes without dry runs have already rejected the parameter as unknown.
  const isDryRun = new URL(url).searchParams.get('dryRun') === 'true';
  if (isDryRun && route?.streams === false) return;
  throw new Refusal('forbidden', 'The demo books are read-only. Create an account to make changes.');
}
