import { defaultTimeZone } from '../../../base/day.ts';
import { invalidMember, type Refusal } from '../../../base/refusal.ts';
import type { Database, Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { postLetter } from '../mail/post.ts';
import { passwordChanged, passwordReset } from '../mail/templates.ts';
import { readOwnBooks } from '../notifications/notifications.queries.ts';
import { type AccessKind, accessKinds, endAddedAccess } from './added-access.queries.ts';
import { insertOwnBooks, readTimeZone, updatePassword } from './auth.queries.ts';
import { deleteBooksMadeBy } from './deletion/deletion.queries.ts';
import { deviceCookie, deviceHash, rememberDevice } from './device.ts';
import { findDevice } from './devices.queries.ts';
import { isVerified, markVerified } from './email/email.queries.ts';
import { reportFailedProof } from './failures.ts';
import { countGuess, countTry, isWithin, mailsTo, networkGuesser, refuseGuess, resetsFrom } from './guesses/guesses.ts';
import { linkWith, usedLink } from './link-token.ts';
import {
  consumeToken,
  countOpenTokens,
  findToken,
  issueToken,
  lifetimeMinutesOf,
  type TokenUser,
} from './one-time-tokens.queries.ts';
import { hashPassword, refuseWeakPassword } from './password.ts';
import { lockResettable, type ResetPreview, readResetPreview } from './reset.queries.ts';
import { deleteSessions } from './sessions.queries.ts';
import { canonicalEmail } from './sign-in.ts';

export const resetMinutes = lifetimeMinutesOf('password_reset');
/**
 * The maximum number of open links per user. If someone else requests links, the user gets at most this many emails,
 * and the user's own links stay valid.
 */
const openMax = 3;

/**
 * Emails a link if the address has an account. Runs in parallel with the response, so neither its content nor its
 * timing reveals who has an account.
 */
export async function requestReset(deps: Deps, request: Request, email: string): Promise<void> {
  await countTry(deps, resetsFrom(getRequestFacts(request).address));
  const leave = deps.lifecycle.enter();
  mailLink(deps, canonicalEmail(email), deviceHash(request))
    .catch((error: unknown) => deps.log.error('link to reset a password not made', error))
    .finally(leave);
}

/** Returns a link to set a new password, for the operator to pass on. Undefined if no account has this address. */
export async function resetLink(
  { database, config }: Pick<Deps, 'config'> & { readonly database: Database },
  email: string,
): Promise<string | undefined> {
  const token = await database.asService(async (sql) => {
    const user = await lockResettable(sql, canonicalEmail(email));
    if (user === undefined) return undefined;
    const issued = await issueToken(sql, 'password_reset', { holder: user, payload: { isMailed: false } });
    await insertEntryOfUser(sql, user.userId, {
      action: 'password_reset_asked',
      subject: null,
      actor: 'operator',
      address: null,
      requestId: null,
    });
    return issued;
  });
  return token === undefined ? undefined : linkWith(config, '/reset/confirm', token);
}

/**
 * Access that a reset can also end if the account's address was confirmed. Passkeys and the app always stay, because a
 * mailbox is not a second factor.
 */
export const endableAccess = ['tokens', 'identities', 'grants'] as const;

interface ResetRequest {
  readonly token: string;
  readonly password: string;
  readonly end?: readonly (typeof endableAccess)[number][] | undefined;
  readonly deleteBooks?: boolean | undefined;
}

/** Returns what the link's account contains, so the user can decide what to remove together with the password. */
export async function previewReset(deps: Deps, request: Request, token: string): Promise<ResetPreview> {
  const { userId } = await requireLink(deps, request, token, () => {});
  const preview = await deps.database.asService((sql) => readResetPreview(sql, userId), { readOnly: true });
  if (preview === undefined) throw oldLink();
  return preview;
}

/**
 * Sets the password with a link. Ends all sessions, because one may belong to an intruder. If the address was never
 * confirmed, someone else may have created the account, so all other access ends too. Returns the cookie that registers
 * the browser.
 */
export async function confirmReset(deps: Deps, request: Request, resetRequest: ResetRequest): Promise<string> {
  const tokenUser = await requireLink(deps, request, resetRequest.token, () =>
    reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null }),
  );
  await refuseWeakPassword(resetRequest.password, tokenUser.email ?? '');
  const passwordHash = await hashPassword(resetRequest.password, getRequestFacts(request).network);
  const device = await deps.database.asService(async (sql) => {
    const open = await consumeToken(sql, 'password_reset', resetRequest.token);
    if (open === undefined || open.user.email === null) throw oldLink();
    const { userId, email } = open.user;
    nameActor({ kind: 'found', userId, isProven: true });
    const wasVerified = await isVerified(sql, userId);
    if (wasVerified && resetRequest.deleteBooks === true) throw keptBooks();
    await endAddedAccess(sql, userId, wasVerified ? chosenAccess(resetRequest) : accessKinds, null);
    if (resetRequest.deleteBooks === true) await emptyBooks(sql, userId, deps.clock.now());
    await updatePassword(sql, userId, passwordHash);
    // Marks the address as verified, because the holder of an emailed link reads the account's mailbox.
    if (open.payload.isMailed) await markVerified(sql, userId, email);
    await deleteSessions(sql, userId);
    await postLetter(deps, sql, email, passwordChanged(deps.config.baseUrl));
    // Allows the user to sign in from this browser even while others guess passwords.
    return rememberDevice(sql, request, userId, { hasSignedIn: false });
  });
  return deviceCookie(device.secret, deps.config);
}

/** Returns the link's user without consuming the link. */
async function requireLink(deps: Deps, request: Request, token: string, onRefused: () => void): Promise<TokenUser> {
  const guesser = networkGuesser(getRequestFacts(request).address);
  await refuseGuess(deps, guesser);
  const open = await deps.database.asService((sql) => findToken(sql, 'password_reset', token));
  if (open !== undefined) return open.user;
  await countGuess(deps, guesser);
  onRefused();
  throw oldLink();
}

/** Includes invitations with grants, because an open invitation can become a grant later. */
function chosenAccess({ end = [] }: ResetRequest): AccessKind[] {
  return accessKinds.filter((kind) => end.some((chosen) => chosen === (kind === 'invitations' ? 'grants' : kind)));
}

/** Deletes the user's own books and the client books that the user created. Creates empty books for the user. */
async function emptyBooks(sql: Sql, userId: string, now: Date): Promise<void> {
  const ownBooks = await readOwnBooks(sql, userId);
  const timeZone = (ownBooks === undefined ? undefined : await readTimeZone(sql, ownBooks)) ?? defaultTimeZone;
  await deleteBooksMadeBy(sql, userId);
  await insertOwnBooks(sql, { id: userId, taxpayerId: crypto.randomUUID(), name: '', timeZone, now });
}

function keptBooks(): Refusal {
  return invalidMember(
    '/deleteBooks',
    'This email address is confirmed, so a password reset cannot delete the books. Sign in and undo the imports instead.',
  );
}

async function mailLink(deps: Deps, email: string, device: Uint8Array): Promise<void> {
  const resettable = await deps.database.asService(async (sql) => {
    const user = await lockResettable(sql, email);
    return user && { ...user, isKnownHere: (await findDevice(sql, user.userId, device)) !== null };
  });
  if (resettable === undefined) return;
  const mails = mailsTo(resettable.userId, 'reset', resettable.isKnownHere ? device.toHex() : null);
  if (!(await isWithin(deps, mails))) return;
  await deps.database.asService(async (sql) => {
    const user = await lockResettable(sql, email);
    if (user === undefined) return;
    nameActor({ kind: 'found', userId: user.userId, isProven: false });
    if ((await countOpenTokens(sql, user, 'password_reset')) >= openMax) return;
    const token = await issueToken(sql, 'password_reset', { holder: user, payload: { isMailed: true } });
    const letter = passwordReset({ link: linkWith(deps.config, '/reset/confirm', token), minutes: resetMinutes });
    await postLetter(deps, sql, user.email, letter, { minutes: resetMinutes });
  });
}

function oldLink(): Refusal {
  return usedLink(`it is older than ${resetMinutes} minutes`, 'Request a new one.');
}
