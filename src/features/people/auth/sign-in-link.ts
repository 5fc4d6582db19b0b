import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor, withoutAudit } from '../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { postLetter } from '../mail/delivery.ts';
import { signInLink } from '../mail/templates.ts';
import { deviceCookie, rememberDevice } from './device.ts';
import { reportFailedProof } from './failures.ts';
import { paceMinutes, takeMailTurn } from './guess-ceiling.ts';
import { countGuess, networkGuesser, refuseGuess } from './guesses.ts';
import { linkWith, usedLink } from './link-token.ts';
import { consumeToken, issueToken, lifetimeMinutesOf, lockStamp, type TokenHolder } from './one-time-tokens.queries.ts';

export const signInLinkMinutes = lifetimeMinutesOf('sign_in_link');

/**
 * Returns the response for an unknown browser. It is the same for a correct password, a wrong password, and an address
 * without an account.
 */
export function linkRequired(): Refusal {
  return new Refusal(
    'sign_in_link_required',
    `Too many wrong passwords or codes were entered for this account. If your password was correct or your provider sign-in succeeded, we emailed you a link (at most one every ${paceMinutes} minutes). Open it in this browser, then sign in again. You do not need the link if you use a passkey, or a browser that you have signed in with before. If you deleted the account, use the link in the email about the deletion.`,
  );
}

/**
 * Emails a link that registers the browser for the account. Runs only after the first factor was correct, so others
 * cannot fill the owner's mailbox. Runs in parallel with the response. Whether an email may be sent now is decided in a
 * separate transaction. A lock held until the email is sent would delay the next guess and reveal that this one was
 * correct.
 */
export function mailSignInLink(deps: Deps, user: TokenHolder & { readonly email: string }): void {
  const leave = deps.lifecycle.enter();
  withoutAudit(async () => {
    if (!(await deps.database.asService((sql) => takeMailTurn(sql, user.userId)))) return;
    await deps.database.asService(async (sql) => {
      if (!(await lockStamp(sql, user))) return;
      const token = await issueToken(sql, 'sign_in_link', { holder: user, payload: {} });
      const letter = signInLink({ link: linkWith(deps.config, '/sign-in/link', token), minutes: signInLinkMinutes });
      await postLetter(deps, sql, user.email, letter, { minutes: signInLinkMinutes });
    });
  })
    .catch((error: unknown) => deps.log.error('sign-in link not mailed', error))
    .finally(leave);
}

/** Registers the browser with an emailed link and returns the cookie. Does not sign the user in. */
export async function useSignInLink(deps: Deps, request: Request, token: string): Promise<string> {
  const guesser = networkGuesser(getRequestFacts(request).address);
  await refuseGuess(deps, guesser);
  const device = await deps.database.asService(async (sql) => {
    const open = await consumeToken(sql, 'sign_in_link', token);
    if (open === undefined) return undefined;
    const { userId } = open.user;
    nameActor({ kind: 'found', userId, isProven: true });
    return rememberDevice(sql, request, userId, { hasSignedIn: false });
  });
  if (device !== undefined) return deviceCookie(device.secret, deps.config);
  await countGuess(deps, guesser);
  reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
  throw usedLink(`it is older than ${signInLinkMinutes} minutes`, 'Sign in to get a new one.');
}
