import { Elysia, t } from 'elysia';
import { defaultTimeZone } from '../../../base/day.ts';
import { invalidMember, type Refusal } from '../../../base/refusal.ts';
import type { Database, Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import { group } from '../../../http/operations.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { closed, oneOf, whole } from '../../../http/schemas.ts';
import { postLetter } from '../mail/delivery.ts';
import { worksOnce } from '../mail/letter.ts';
import { passwordChanged, passwordReset } from '../mail/templates.ts';
import { readOwnBooks } from '../notifications.queries.ts';
import { type AccessKind, accessKinds, endAddedAccess } from './added-access.queries.ts';
import { insertOwnBooks, providers, readTimeZone, updatePassword } from './auth.queries.ts';
import { linkToken, newPassword } from './auth.schemas.ts';
import { deleteBooksMadeBy } from './deletion.queries.ts';
import { deviceCookie, deviceHash, rememberDevice } from './device.ts';
import { findDevice } from './devices.queries.ts';
import { isVerified, markVerified } from './email/email.queries.ts';
import { reportFailedProof } from './failures.ts';
import { countGuess, countTry, isWithin, mailsTo, networkGuesser, refuseGuess, resetsFrom } from './guesses.ts';
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

const { open } = group('Accounts');

/** Defines the routes that set a new password with a link sent to the account's address. */
export const resetRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/auth/password/reset' })
    .post(
      '',
      async ({ body, request, set }) => {
        await requestReset(deps, request, body.email);
        set.status = 202;
      },
      open('createPasswordReset', 'password_reset_asked', {
        summary: 'Email a link to set a new password',
        description:
          'The response is the same whether or not the address has an account, and does not wait for the email. An account has at most three open links at a time.',
        body: closed({ email: t.String({ maxLength: 1000 }) }, { examples: [{ email: 'ann@example.com' }] }),
        response: { 202: t.Void() },
      }),
    )
    .post(
      '/preview',
      ({ body, request }) => previewReset(deps, request, body.token),
      open('previewPasswordReset', null, {
        summary: 'Preview the effects of a reset link',
        description: 'Does not use up the link. Everything listed can be removed together with the old password.',
        body: closed({ token: linkToken }, { examples: [{ token: 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th' }] }),
        response: {
          200: closed(
            {
              email: t.String(),
              verified: t.Boolean({ description: 'Whether the address was ever confirmed.' }),
              tokens: whole(),
              providers: t.Array(oneOf(providers)),
              grants: whole({ description: 'The people with access to the books.' }),
              transactions: whole({ description: 'The number of transactions in the account’s own books.' }),
              clients: whole({
                description: 'The client books that the account created. `deleteBooks` deletes them too.',
              }),
            },
            { title: 'PasswordResetPreview' },
          ),
        },
      }),
    )
    .post(
      '/confirm',
      async ({ body, request, set }) => {
        set.headers['set-cookie'] = await confirmReset(deps, request, body);
      },
      open('resetPassword', 'password_reset', {
        summary: 'Set a new password with the link and end all sessions',
        description: `${worksOnce(`${resetMinutes} minutes`)} The cookie \`device\` registers this browser for the account but does not sign you in. If the address was never confirmed, another person may have created the account. In that case, its tokens, passkeys, linked accounts, authenticator app, recovery codes, grants and invitations end too. An emailed link also confirms the address.`,
        body: closed(
          {
            token: linkToken,
            password: newPassword,
            end: t.Optional(
              t.Array(
                oneOf(
                  endableAccess,
                  '`tokens`: API tokens. `identities`: linked Google and GitHub accounts. `grants`: other people’s access to the books, and open invitations.',
                ),
                { maxItems: endableAccess.length, description: 'Additional access to remove.' },
              ),
            ),
            deleteBooks: t.Optional(
              t.Boolean({
                description:
                  'Only for an account whose address was never confirmed. Deletes the account’s imports, transactions and settings, and the client books that it created.',
              }),
            ),
          },
          {
            examples: [
              { token: 'mzxw6ytboi2gk3tdn5sgk4tfon2gs3th', password: 'correct horse battery staple', end: ['tokens'] },
            ],
          },
        ),
        response: { 204: t.Void() },
      }),
    );

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
async function requestReset(deps: Deps, request: Request, email: string): Promise<void> {
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
const endableAccess = ['tokens', 'identities', 'grants'] as const;

interface ResetRequest {
  readonly token: string;
  readonly password: string;
  readonly end?: readonly (typeof endableAccess)[number][] | undefined;
  readonly deleteBooks?: boolean | undefined;
}

/** Returns what the link's account contains, so the user can decide what to remove together with the password. */
async function previewReset(deps: Deps, request: Request, token: string): Promise<ResetPreview> {
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
async function confirmReset(deps: Deps, request: Request, resetRequest: ResetRequest): Promise<string> {
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
