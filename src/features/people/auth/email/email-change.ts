import { Refusal } from '../../../../base/refusal.ts';
import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { nameActor } from '../../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../../http/requests.ts';
import { buildMail } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { emailChanged, emailChangeRequested, emailConfirm } from '../../mail/templates/email-change.ts';
import type { Caller } from '../access.ts';
import { isTaken } from '../auth.queries.ts';
import { reportFailedProof } from '../failures.ts';
import { countGuess, countTry, mailsTo, networkGuesser, refuseGuess } from '../guesses/guesses.ts';
import { linkWith, usedLink } from '../link-token.ts';
import { lifetimeMinutesOf } from '../one-time-token-kinds.ts';
import { consumeToken, endTokens, issueToken, type TokenUser } from '../one-time-tokens.queries.ts';
import { requirePasswordOrRecentSignIn } from '../proof/proof.ts';
import { canonicalEmail } from '../sign-in.ts';
import { isEmailFree, isVerified, updateEmail } from './email.queries.ts';

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
    await postMail(deps, sql, isFree ? buildMail(email, letter) : null, { minutes: emailChangeMinutes });
    const undo = await issueToken(sql, 'email_undo', {
      holder: caller,
      payload: { email: caller.email, requestedAt: null },
    });
    const cancel = emailChangeRequested({ email, link: linkWith(deps.config, '/email/undo', undo) });
    await postMail(deps, sql, buildMail(caller.email, cancel));
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
    await postMail(deps, sql, buildMail(previous, emailChanged({ email, link: null, days: emailUndoDays })));
    return;
  }
  const payload = { email: previous, requestedAt: requestedAt.toISOString() };
  const token = await issueToken(sql, 'email_undo', { holder: user, payload });
  const link = linkWith(deps.config, '/email/undo', token);
  await postMail(deps, sql, buildMail(previous, emailChanged({ email, link, days: emailUndoDays })));
}

function takenMeanwhile(): Refusal {
  return new Refusal(
    'email_taken',
    'Another account now uses this address. Nothing was changed. Choose a different address.',
  );
}
