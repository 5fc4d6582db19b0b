import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { factsOf } from '../../../http/requests.ts';
import { mailOf } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { emailChanged, emailConfirm } from '../../mail/templates/email-change.ts';
import type { Caller } from '../access.ts';
import { reportFailedProof } from '../failures/failures.ts';
import { countGuess, networkGuesser, refuseGuess } from '../guesses/guesses.ts';
import { linkTokenHash, linkWith, newLinkToken } from '../link-token.ts';
import { requirePasswordOrRecentSignIn } from '../proof/proof.ts';
import { deleteResets } from '../reset/queries.ts';
import { canonicalEmail } from '../sign-in.ts';
import { insertEmailChange, takeEmailChange, updateEmail } from './queries.ts';

export const emailChangeMinutes = 60;

/**
 * Mails a link to the new address, and tells the old one. The address changes when the link is used. The answer does
 * not say whether somebody has the address already.
 */
export async function requestEmailChange(
  deps: Deps,
  caller: Caller,
  given: { readonly email: string; readonly password?: string | undefined },
): Promise<void> {
  await requirePasswordOrRecentSignIn(deps, caller, given.password);
  const email = canonicalEmail(given.email);
  const token = newLinkToken();
  const change = { tokenHash: linkTokenHash(token), userId: caller.userId, email, seconds: emailChangeMinutes * 60 };
  const { baseUrl } = deps.config;
  const letter = emailConfirm({ link: linkWith(deps.config, '/email/confirm', token), minutes: emailChangeMinutes });
  await deps.database.asService(async (sql) => {
    const isFree = await insertEmailChange(sql, change);
    await postMail(deps, sql, isFree ? mailOf(email, letter) : null, { minutes: emailChangeMinutes });
    await postMail(deps, sql, mailOf(caller.email, emailChanged({ baseUrl, email, isDone: false })));
  });
}

export async function confirmEmailChange(deps: Deps, request: Request, token: string): Promise<void> {
  const guesser = networkGuesser(factsOf(request).network);
  await refuseGuess(deps, guesser);
  await deps.database
    .asService(async (sql) => {
      const change = await takeEmailChange(sql, linkTokenHash(token));
      if (change === undefined) throw usedLink();
      nameActor({ kind: 'found', userId: change.userId, isProven: true });
      if (!(await updateEmail(sql, change.userId, change.email))) throw takenMeanwhile();
      // Links that were mailed to the old address set no password any more.
      await deleteResets(sql, change.userId);
      const { before, email } = change;
      const letter = emailChanged({ baseUrl: deps.config.baseUrl, email, isDone: true });
      await postMail(deps, sql, mailOf(before, letter));
    })
    .catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'invalid') {
        await countGuess(deps, guesser);
        reportFailedProof(deps, { action: 'proof_failed', way: 'link', userId: null });
      }
      throw isTaken(error) ? takenMeanwhile() : error;
    });
}

function takenMeanwhile(): Refusal {
  return new Refusal('email_taken', 'Somebody made an account with this address meanwhile. Nothing was changed.');
}

/** Two took the address in the same moment: PostgreSQL's unique_violation. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

function usedLink(): Refusal {
  const detail = `This link was used already, or it is older than ${emailChangeMinutes} minutes. Ask for a new one.`;
  return new Refusal('invalid', detail, { errors: [{ code: 'invalid', pointer: '/token', detail }] });
}
