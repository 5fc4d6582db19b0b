import { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { postLetter } from '../../mail/delivery.ts';
import { emailChanged, emailChangeRequested, emailChangeUndone, emailConfirm } from '../../mail/templates.ts';
import type { Caller } from '../access.ts';
import { accessKinds, endAddedAccess } from '../added-access.queries.ts';
import { isTaken, updatePassword } from '../auth.queries.ts';
import { addressTaken, type ExternalServices, resumeExternalServices } from '../cancellation.ts';
import { takeDeletion, type WaitingDeletion } from '../deletion.queries.ts';
import { reportFailedProof } from '../failures.ts';
import { countGuess, countTry, mailsTo, networkGuesser, refuseGuess } from '../guesses.ts';
import { linkWith, usedLink } from '../link-token.ts';
import {
  consumeToken,
  endTokens,
  issueToken,
  lifetimeMinutesOf,
  type OpenToken,
  readHolder,
  type TokenUser,
} from '../one-time-tokens.queries.ts';
import { requirePasswordOrRecentSignIn } from '../proof.ts';
import { resetMinutes } from '../reset.routes.ts';
import { deleteSessions } from '../sessions.queries.ts';
import { canonicalEmail } from '../sign-in.ts';
import { endLaterUndos, isEmailFree, isVerified, returnEmail, updateEmail } from './email.queries.ts';

export const emailChangeMinutes = lifetimeMinutesOf('email_change');
export const emailUndoDays = lifetimeMinutesOf('email_undo') / 1440;

/**
 * Emails a confirmation link to the new address, and a link to cancel the change to the current address. The address
 * changes when the first link is used. The response does not reveal whether the new address is already taken.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: Caller,
  input: { readonly email: string; readonly password?: string | undefined },
): Promise<void> {
  await requirePasswordOrRecentSignIn(deps, caller, input.password);
  await countTry(deps, mailsTo(caller.userId, 'change', null));
  const email = canonicalEmail(input.email);
  await deps.database.asService(async (sql) => {
    // Disables earlier requests, so that only the latest counts.
    await endTokens(sql, caller.userId, ['email_change']);
    const isFree = await isEmailFree(sql, email, caller.userId);
    const token = await issueToken(sql, 'email_change', { holder: caller, payload: { email } });
    const link = linkWith(deps.config, '/email/confirm', token);
    const letter = emailConfirm({ link, minutes: emailChangeMinutes });
    await postLetter(deps, sql, email, isFree ? letter : null, { minutes: emailChangeMinutes });
    const undo = await issueToken(sql, 'email_undo', {
      holder: caller,
      payload: { email: caller.email, requestedAt: null },
    });
    const cancel = emailChangeRequested({ email, link: linkWith(deps.config, '/email/undo', undo) });
    await postLetter(deps, sql, caller.email, cancel);
  });
}

export async function confirmEmailChange(deps: Deps, request: Request, token: string): Promise<void> {
  const guesser = networkGuesser(getRequestFacts(request).address);
  await refuseGuess(deps, guesser);
  await deps.database
    .asService(async (sql) => {
      const open = await consumeToken(sql, 'email_change', token);
      if (open === undefined || open.user.email === null)
        throw usedLink(`it was canceled or is older than ${emailChangeMinutes} minutes`, 'Request a new one.');
      const { user, payload, issuedAt } = open;
      nameActor({ kind: 'found', userId: user.userId, isProven: true });
      const wasVerified = await isVerified(sql, user.userId);
      if (!(await updateEmail(sql, user.userId, payload.email))) throw takenMeanwhile();
      // Disables password links that were sent to the previous address.
      await endTokens(sql, user.userId, ['password_reset', 'email_verification', 'email_change']);
      await offerUndo(deps, sql, { user, email: payload.email, requestedAt: issuedAt, wasVerified });
    })
    .catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'invalid') {
        await countGuess(deps, guesser);
        reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
      }
      throw isTaken(error) ? takenMeanwhile() : error;
    });
}

/**
 * Notifies the previous address of the change. The email contains a link to undo the change only if that address was
 * ever confirmed. Otherwise, a user who corrects a mistyped address would give the account to the reader of the wrong
 * mailbox.
 */
async function offerUndo(
  deps: Deps,
  sql: Sql,
  change: {
    readonly user: TokenUser;
    readonly email: string;
    readonly requestedAt: Date;
    readonly wasVerified: boolean;
  },
): Promise<void> {
  const { user, email, requestedAt, wasVerified } = change;
  const previous = user.email ?? '';
  if (!wasVerified) {
    await endTokens(sql, user.userId, ['email_undo']);
    await postLetter(deps, sql, previous, emailChanged({ email, link: null, days: emailUndoDays }));
    return;
  }
  const payload = { email: previous, requestedAt: requestedAt.toISOString() };
  const token = await issueToken(sql, 'email_undo', { holder: user, payload });
  const link = linkWith(deps.config, '/email/undo', token);
  await postLetter(deps, sql, previous, emailChanged({ email, link, days: emailUndoDays }));
}

function takenMeanwhile(): Refusal {
  return new Refusal(
    'email_taken',
    'Another account now uses this address. Nothing was changed. Choose a different address.',
  );
}

export const undoOutcomes = ['canceled', 'undone'] as const;

/**
 * Undoing an email change also removes access added less than this long before the request for the new address, because
 * an intruder may add a token or passkey first. Older access remains.
 */
const marginMilliseconds = 86_400_000;

/**
 * Handles the link sent to the previous address. Cancels a pending change, or undoes a completed one. The person who
 * made the change may have added more access and may know the password. After an undo, the only way in is the mailbox
 * of the previous address, plus any second factor that is older than the change.
 */
export async function undoEmailChange(
  deps: Deps,
  request: Request,
  elsewhere: ExternalServices,
  token: string,
): Promise<(typeof undoOutcomes)[number]> {
  const guesser = networkGuesser(getRequestFacts(request).address);
  await refuseGuess(deps, guesser);
  const open = await deps.database.asService(async (sql) => {
    const openToken = await consumeToken(sql, 'email_undo', token);
    if (openToken === undefined) return undefined;
    const { user, payload } = openToken;
    await endTokens(sql, user.userId, ['email_change']);
    if (user.email === payload.email) {
      nameActor({ kind: 'found', userId: user.userId, isProven: true }, 'email_change_canceled');
      return { outcome: 'canceled' as const, deletion: undefined };
    }
    nameActor({ kind: 'found', userId: user.userId, isProven: true });
    return { outcome: 'undone' as const, deletion: await undo(deps, sql, openToken) };
  });
  if (open === undefined) {
    await countGuess(deps, guesser);
    reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
    throw oldLink();
  }
  if (open.deletion !== undefined) await resumeExternalServices(deps, elsewhere, open.deletion);
  return open.outcome;
}

/** Undoes a completed change. Returns the account deletion that it canceled, if any. */
async function undo(
  deps: Deps,
  sql: Sql,
  { user: { userId, email: present }, payload, issuedAt }: OpenToken<'email_undo'>,
): Promise<WaitingDeletion | undefined> {
  const { email, requestedAt } = payload;
  const requested = requestedAt === null ? issuedAt : new Date(requestedAt);
  const deletion = present === null ? await takeDeletion(sql, userId) : undefined;
  if (present === null && deletion === undefined) throw oldLink();
  const isReturned = await returnEmail(sql, userId, email).catch((error: unknown) => {
    throw isTaken(error) ? addressTaken() : error;
  });
  if (!isReturned) throw addressTaken();
  await endLaterUndos(sql, userId, issuedAt);
  await endAddedAccess(sql, userId, accessKinds, new Date(requested.getTime() - marginMilliseconds));
  await deleteSessions(sql, userId);
  await updatePassword(sql, userId, null);
  const holder = await readHolder(sql, userId);
  if (holder === undefined) throw oldLink();
  const token = await issueToken(sql, 'password_reset', { holder, payload: { isMailed: true } });
  const letter = emailChangeUndone({ link: linkWith(deps.config, '/reset/confirm', token), minutes: resetMinutes });
  await postLetter(deps, sql, email, letter, { minutes: resetMinutes });
  return deletion;
}

function oldLink(): Refusal {
  return usedLink(`it is older than ${emailUndoDays} days`, 'Nothing was changed.');
}
