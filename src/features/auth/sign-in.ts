import { Refusal } from '../../base/refusal.ts';
import type { Sql } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { factsOf } from '../../http/requests.ts';
import { mailOf } from '../mail/letter.ts';
import { postMail } from '../mail/post.ts';
import { passwordChanged } from '../mail/templates/password-changed.ts';
import { hashPassword, verifyPassword } from './password.ts';
import {
  deleteOtherSessions,
  deleteSession,
  deleteUser,
  insertSession,
  insertUser,
  readUser,
  readUserByEmail,
  trimSessions,
  updatePassword,
} from './queries.ts';
import { deleteResets } from './reset/queries.ts';
import { newToken, readToken, type SessionToken, secretHash, sessionSeconds } from './session.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A signed-in user, and the token for the cookie. */
export interface SignedIn {
  readonly userId: string;
  readonly token: SessionToken;
}

export async function register(deps: Deps, request: Request, given: Credentials): Promise<SignedIn> {
  deps.rateLimits.take('signIn', factsOf(request).network);
  const email = canonicalEmail(given.email);
  const passwordHash = await hashPassword(given.password);
  const user = { id: crypto.randomUUID(), taxpayerId: crypto.randomUUID(), email, passwordHash, name: '' };
  return deps.database.asService(async (sql) => {
    if (!(await insertUser(sql, { ...user, now: deps.clock.now() }))) {
      throw new Refusal('email_taken', 'This e-mail address has an account already. Sign in instead.');
    }
    return openSession(sql, request, user.id);
  });
}

/** An unknown account and a wrong password get the same answer after the same time. */
export async function login(deps: Deps, request: Request, given: Credentials): Promise<SignedIn> {
  const email = canonicalEmail(given.email);
  deps.rateLimits.take('signIn', factsOf(request).network);
  deps.rateLimits.take('account', email);
  const user = await deps.database.asService((sql) => readUserByEmail(sql, email));
  const matches = await verifyPassword(given.password, user?.passwordHash ?? null);
  if (user === undefined || !matches) {
    const { id: requestId, address } = factsOf(request);
    deps.log.warn('sign-in failed', { requestId, address, known: user !== undefined });
    throw new Refusal('invalid_credentials', 'E-mail address or password is wrong.');
  }
  return deps.database.asService((sql) => openSession(sql, request, user.id));
}

/** Ends the other sessions: one of them may be of somebody who knew the old password. */
export async function changePassword(
  deps: Deps,
  caller: { readonly userId: string; readonly sessionId: string; readonly email: string },
  given: { readonly current?: string | undefined; readonly password: string },
): Promise<void> {
  await requirePassword(deps, caller, given.current ?? '', { orNone: true });
  const passwordHash = await hashPassword(given.password);
  await deps.database.asService(async (sql) => {
    await updatePassword(sql, caller.userId, passwordHash);
    await deleteResets(sql, caller.userId);
    await deleteOtherSessions(sql, caller.userId, caller.sessionId);
  });
  postMail(deps, mailOf(caller.email, passwordChanged(deps.config.baseUrl)));
}

/** Needs the password. An account that signs in through a provider must set one first. */
export async function deleteAccount(
  deps: Deps,
  caller: { readonly userId: string; readonly email: string },
  password: string,
): Promise<void> {
  await requirePassword(deps, caller, password, { orNone: false });
  await deps.database.asService((sql) => deleteUser(sql, caller.userId));
}

/** One spelling for each address. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** More than anybody has devices. The oldest ones end. */
const sessionsMax = 50;
const deviceLengthMax = 200;

/** Opens a new session and ends the one of the request's cookie, which somebody may have planted. */
export async function openSession(
  sql: Sql,
  request: Request,
  userId: string,
  sessionsKept = sessionsMax,
): Promise<SignedIn> {
  const token = newToken();
  const old = readToken(request);
  if (old !== undefined) await deleteSession(sql, userId, old.id);
  await insertSession(sql, {
    id: token.id,
    userId,
    secretHash: secretHash(token.secret),
    device: (request.headers.get('user-agent') ?? '').slice(0, deviceLengthMax),
    seconds: sessionSeconds,
  });
  await trimSessions(sql, userId, sessionsKept);
  return { userId, token };
}

async function requirePassword(
  deps: Deps,
  caller: { readonly userId: string; readonly email: string },
  password: string,
  { orNone }: { readonly orNone: boolean },
): Promise<void> {
  deps.rateLimits.take('account', caller.email);
  const user = await deps.database.asService((sql) => readUser(sql, caller.userId));
  if (user?.passwordHash === null && orNone) return;
  if (await verifyPassword(password, user?.passwordHash ?? null)) return;
  throw new Refusal('invalid_credentials', 'The password is wrong.');
}
