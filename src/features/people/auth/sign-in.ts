import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor, nameSubject } from '../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { postLetter } from '../mail/delivery.ts';
import { newDevice, passwordChanged } from '../mail/templates.ts';
import type { Caller } from './access.ts';
import {
  insertUser,
  readUser,
  readUserOnDevice,
  replacePasswordHash,
  type UserRow,
  updatePassword,
} from './auth.queries.ts';
import { accountDeleted, cancelDeletionAndReport } from './cancellation.ts';
import type { WaitingDeletion } from './deletion.queries.ts';
import { deviceHash, forgetOtherDevices, notifyNewDevice, rememberDevice, type SeenDevice } from './device.ts';
import { mailVerification } from './email/verification.ts';
import { reportFailedProof } from './failures.ts';
import { beginTry, passTry } from './guess-ceiling.ts';
import { deleteFailures } from './guesses.queries.ts';
import {
  countGuess,
  countTry,
  forgetGuesses,
  networkGuesser,
  refuseGuess,
  registrationsFrom,
  sessionGuesser,
  signInGuesser,
} from './guesses.ts';
import { lockStamp } from './one-time-tokens.queries.ts';
import { hashPassword, isWeakHash, refuseWeakPassword, verifyPassword } from './password.ts';
import { requireTimeZone, resolveTimeZone } from './profile.ts';
import { requireRecentSignIn, requireSameStamp } from './recent-proof.ts';
import { newToken, readToken, type SessionToken, secretHash, sessionSeconds } from './session.ts';
import { deleteOtherSessions, deleteSession, insertSession, trimSessions } from './sessions.queries.ts';
import { linkRequired, mailSignInLink } from './sign-in-link.ts';
import { requireCode } from './totp/codes.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A signed-in user with the token for the cookie. */
interface SignedIn {
  readonly userId: string;
  /** The factors used, as named in the audit trail and the log, such as `password` or `google and app`. */
  readonly way: string;
  readonly token: SessionToken;
}

/** A signed-in user in a browser that is remembered from then on. */
export interface SignedInHere extends SignedIn {
  readonly device: SeenDevice;
}

export interface Registration extends Credentials {
  /** An IANA time zone, such as the browser's. Defaults to UTC. */
  readonly timeZone?: string | undefined;
}

export async function register(deps: Deps, request: Request, registration: Registration): Promise<SignedInHere> {
  requireTimeZone(registration.timeZone);
  const timeZone = resolveTimeZone(registration.timeZone);
  const { address, network } = getRequestFacts(request);
  deps.rateLimits.take('signIn', network);
  // Limits how many email addresses a client can test for existing accounts.
  await refuseGuess(deps, networkGuesser(address));
  await countTry(deps, registrationsFrom(address));
  const email = canonicalEmail(registration.email);
  await refuseWeakPassword(registration.password, email);
  const passwordHash = await hashPassword(registration.password, network);
  const user = { id: crypto.randomUUID(), taxpayerId: crypto.randomUUID(), email, passwordHash, name: '', timeZone };
  const made = await deps.database.asService(async (sql) => {
    const isNew = await insertUser(sql, { ...user, isVerified: false, now: deps.clock.now() });
    if (!isNew) return undefined;
    await mailVerification(deps, sql, { userId: user.id, stamp: 0, email });
    return openSessionHere(sql, request, user.id, 'password');
  });
  if (made === undefined) {
    await countGuess(deps, networkGuesser(address));
    throw emailTaken('Sign in instead.');
  }
  return made;
}

export function emailTaken(remedy: string): Refusal {
  return new Refusal('email_taken', `An account with this email address already exists. ${remedy}`);
}

interface LoginRequest extends Credentials {
  readonly totp?: string | undefined;
  /** Set this to cancel the deletion if the account is deleted. */
  readonly restore?: boolean | undefined;
}

/**
 * Signs a user in with a password. An unknown account and a wrong password get the same response after the same time.
 * So does a right password in an unknown browser above the failure limit. If a deleted account's password is right, the
 * response contains the date until which the deletion can be canceled.
 */
export async function login(
  deps: Deps,
  request: Request,
  loginRequest: LoginRequest,
  onTakenBack: (account: WaitingDeletion) => Promise<void>,
): Promise<SignedInHere> {
  const { address, network } = getRequestFacts(request);
  deps.rateLimits.take('signIn', network);
  const email = canonicalEmail(loginRequest.email);
  const secretHash = deviceHash(request);
  const user = await deps.database.asService((sql) => readUserOnDevice(sql, email, secretHash));
  const hasSignedIn = user?.deviceHasSignedIn ?? null;
  const location = { kind: 'browser', device: hasSignedIn === null ? null : { secretHash, hasSignedIn } } as const;
  const guesser = signInGuesser({ email, address, device: location.device });
  await refuseGuess(deps, guesser);
  const { matches, turn } = await verifyPassword(
    loginRequest.password,
    user?.passwordHash ?? null,
    network,
    async () => {
      await refuseGuess(deps, guesser);
      return beginTry(deps, { userId: user?.id ?? null, email }, 'passwords', location);
    },
  );
  if (user === undefined || !matches || turn.needsLink) {
    await countGuess(deps, guesser);
    reportFailedProof(deps, { action: 'sign_in_failed', way: 'password', userId: user?.id ?? null });
    if (!turn.needsLink) throw new Refusal('invalid_credentials', 'Incorrect email or password.');
    // The response does not reveal whether the password is right. For a deleted account, the mailbox already contains a
    // link.
    if (user !== undefined && matches && user.erasedAt === null) mailSignInLink(deps, { ...user, userId: user.id });
    throw linkRequired();
  }
  await passTry(deps, turn);
  if (user.erasedAt !== null && loginRequest.restore !== true) throw accountDeleted(user.erasedAt);
  const owner = { userId: user.id, email, stamp: user.stamp, place: location, action: 'sign_in_failed' } as const;
  const factor = await requireCode(deps, owner, loginRequest.totp);
  await forgetGuesses(deps, guesser);
  await renewHash(deps, user, loginRequest.password, network);
  const { signedIn, taken } = await deps.database.asService(async (sql) => {
    if (!(await lockStamp(sql, { userId: user.id, stamp: user.stamp }))) throw stampChanged();
    return {
      taken: user.erasedAt === null ? null : await cancelDeletionAndReport(deps, sql, user.id),
      signedIn: await openSessionHere(sql, request, user.id, joinFactors('password', factor)),
    };
  });
  if (taken !== null) await onTakenBack(taken);
  await reportSignIn(deps, request, user.email, signedIn);
  return signedIn;
}

/** Ends all other sessions, because one may belong to someone who knew the old password. */
export async function changePassword(
  deps: Deps,
  request: Request,
  caller: Caller,
  passwordChange: { readonly current?: string | undefined; readonly password: string },
): Promise<void> {
  await requirePassword(deps, caller, passwordChange.current ?? '', { orNone: true });
  await refuseWeakPassword(passwordChange.password, caller.email);
  const passwordHash = await hashPassword(passwordChange.password, caller.userId);
  await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    await updatePassword(sql, caller.userId, passwordHash);
    await forgetOtherDevices(sql, request, caller.userId);
    await deleteOtherSessions(sql, caller.userId, caller.sessionId);
    await postLetter(deps, sql, caller.email, passwordChanged(deps.config.baseUrl));
  });
}

/** Returns the error if the password changed or all sessions ended during a sign-in, which makes its proof invalid. */
export function stampChanged(): Refusal {
  return new Refusal('unauthenticated', 'The account changed while you signed in. Try again.');
}

/** Normalizes an email address. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** More sessions than a person needs. Beyond this number, the oldest sessions end. */
const sessionsMax = 50;
const deviceLengthMax = 200;

/** Opens a session and ends the session in the request's cookie, which an attacker may have planted. */
export async function openSession(
  sql: Sql,
  request: Request,
  userId: string,
  { way, sessionsKept = sessionsMax }: { readonly way: string; readonly sessionsKept?: number },
): Promise<SignedIn> {
  nameActor({ kind: 'found', userId, isProven: true });
  nameSubject(way);
  const token = newToken();
  const old = readToken(request);
  if (old !== undefined) await deleteSession(sql, userId, old.id);
  await insertSession(sql, {
    id: token.id,
    userId,
    secretHash: secretHash(token.secret),
    device: deviceName(request),
    seconds: sessionSeconds,
  });
  await trimSessions(sql, userId, sessionsKept);
  return { userId, token, way };
}

/**
 * Opens a session after all factors. Resets consecutive failures and remembers the browser, so other people's guesses
 * cannot lock the user out.
 */
export async function openSessionHere(
  sql: Sql,
  request: Request,
  userId: string,
  method: string,
): Promise<SignedInHere> {
  await deleteFailures(sql, userId);
  const device = await rememberDevice(sql, request, userId, { hasSignedIn: true });
  return { ...(await openSession(sql, request, userId, { way: method })), device };
}

/** Returns the factors used: the first one, and the second one if it was required. */
export function joinFactors(first: string, second: string | null): string {
  return second === null ? first : `${first} and ${second}`;
}

/**
 * Logs a sign-in from a new browser and notifies the owner by email and in the feed. Skips the browser that created the
 * account. A failed notification does not block the sign-in. If the server crashes first, the client never receives the
 * session.
 */
export async function reportSignIn(
  deps: Deps,
  request: Request,
  email: string,
  { device, userId, way }: SignedInHere,
): Promise<void> {
  const { id: requestId, address } = getRequestFacts(request);
  deps.log.info('signed in', { requestId, address, userId, way, newBrowser: !device.isKnown });
  if (device.isKnown) return;
  const seen = { at: deps.clock.now(), device: deviceName(request), address };
  try {
    await deps.database.asService(async (sql) => {
      await postLetter(deps, sql, email, newDevice(deps.config.baseUrl, seen));
      await notifyNewDevice(sql, userId, seen);
    });
  } catch (error) {
    deps.log.error('sign-in from a new browser not told', error);
  }
}

function deviceName(request: Request): string {
  return (request.headers.get('user-agent') ?? '').slice(0, deviceLengthMax);
}

/**
 * Verifies the password of a signed-in user. Failures count only against this session, so others cannot lock the user
 * out. With `orNone`, an account without a password needs a recent sign-in instead.
 */
export async function requirePassword(
  deps: Deps,
  caller: Pick<Caller, 'userId' | 'email' | 'sessionId' | 'hasRecentProof'>,
  password: string,
  { orNone }: { readonly orNone: boolean },
): Promise<void> {
  const user = await deps.database.asService((sql) => readUser(sql, caller.userId));
  if (user?.passwordHash === null && orNone) return requireRecentSignIn(caller);
  const guesser = sessionGuesser(caller.sessionId);
  await refuseGuess(deps, guesser);
  const { matches, turn } = await verifyPassword(password, user?.passwordHash ?? null, caller.userId, async () => {
    await refuseGuess(deps, guesser);
    return beginTry(deps, caller, 'passwords', { kind: 'session', id: caller.sessionId });
  });
  if (matches) return passTry(deps, turn);
  await countGuess(deps, guesser);
  reportFailedProof(deps, { action: 'proof_failed', way: 'password', userId: caller.userId });
  throw new Refusal('invalid_credentials', 'The password is wrong.');
}

/** Replaces a hash that used weaker settings, while the password is available. */
async function renewHash(
  deps: Deps,
  { id, passwordHash }: Pick<UserRow, 'id' | 'passwordHash'>,
  password: string,
  network: string,
): Promise<void> {
  if (passwordHash === null || !isWeakHash(passwordHash)) return;
  const renewed = await hashPassword(password, network);
  await deps.database.asService((sql) => replacePasswordHash(sql, id, passwordHash, renewed));
}
