import type { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { buildMail } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { emailChangeUndone } from '../../mail/templates/email-change.ts';
import { accessKinds, endAddedAccess } from '../added-access.queries.ts';
import { isTaken, updatePassword } from '../auth.queries.ts';
import { resumeExternalServices } from '../deletion/cancellation.ts';
import { takeDeletion, type WaitingDeletion } from '../deletion/deletion.queries.ts';
import type { ExternalServices } from '../deletion/external-services.ts';
import { addressTaken } from '../deletion/refusals.ts';
import { reportFailedProof } from '../failures.ts';
import { countGuess, networkGuesser, refuseGuess } from '../guesses/guesses.ts';
import { linkWith, usedLink } from '../link-token.ts';
import { consumeToken, endTokens, issueToken, type OpenToken, readHolder } from '../one-time-tokens.queries.ts';
import { resetMinutes } from '../reset.ts';
import { deleteSessions } from '../sessions.queries.ts';
import { endLaterUndos, returnEmail } from './email.queries.ts';
import { emailUndoDays } from './email-change.ts';

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
  await postMail(deps, sql, buildMail(email, letter), { minutes: resetMinutes });
  return deletion;
}

function oldLink(): Refusal {
  return usedLink(`it is older than ${emailUndoDays} days`, 'Nothing was changed.');
}
