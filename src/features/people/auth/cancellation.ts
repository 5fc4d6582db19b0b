import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { nameActor } from '../../../http/audit/audited-request.ts';
import { getRequestFacts } from '../../../http/requests.ts';
import { postLetter } from '../mail/delivery.ts';
import { deletionTakenBack } from '../mail/templates.ts';
import { isTaken } from './auth.queries.ts';
import { restoreAddress, takeDeletion, type WaitingDeletion } from './deletion.queries.ts';
import { countGuess, networkGuesser, refuseGuess } from './guesses.ts';
import { usedLink } from './link-token.ts';
import { consumeToken } from './one-time-tokens.queries.ts';

/** Restores a deleted account, except for the access that ended with the deletion. Runs in the sign-in transaction. */
export async function cancelDeletion(sql: Sql, userId: string | undefined): Promise<WaitingDeletion> {
  const deletion = userId === undefined ? undefined : await takeDeletion(sql, userId);
  if (deletion === undefined) throw usedLink('the account is erased', 'Nothing was changed.');
  nameActor({ kind: 'found', userId: deletion.userId, isProven: true }, 'account_deletion_taken_back');
  const isFree = await restoreAddress(sql, deletion).catch((error: unknown) => {
    throw isTaken(error) ? addressTaken() : error;
  });
  if (!isFree) throw addressTaken();
  return deletion;
}

/** Restores a deleted account and emails the owner. */
export async function cancelDeletionAndReport(
  deps: Deps,
  sql: Sql,
  userId: string | undefined,
): Promise<WaitingDeletion> {
  const deletion = await cancelDeletion(sql, userId);
  await postLetter(deps, sql, deletion.email, deletionTakenBack(deps.config.baseUrl));
  return deletion;
}

/** Cancels the deletion with the emailed link. Does not sign the user in. */
export async function cancelDeletionByLink(
  deps: Deps,
  request: Request,
  elsewhere: ExternalServices,
  token: string,
): Promise<void> {
  const guesser = networkGuesser(getRequestFacts(request).address);
  await refuseGuess(deps, guesser);
  const deletion = await deps.database
    .asService(async (sql) => {
      const open = await consumeToken(sql, 'account_restore', token);
      return cancelDeletionAndReport(deps, sql, open?.user.userId);
    })
    .catch(async (error: unknown) => {
      if (error instanceof Refusal && error.code === 'invalid') await countGuess(deps, guesser);
      throw error;
    });
  await resumeExternalServices(deps, elsewhere, deletion);
}

/** Resumes payments at other services. If this fails, the account is restored anyway. */
export async function resumeExternalServices(
  deps: Deps,
  elsewhere: ExternalServices,
  { userId }: WaitingDeletion,
): Promise<void> {
  try {
    await elsewhere.goOn(userId);
  } catch (error) {
    deps.log.error('subscription not resumed', error);
  }
}

/**
 * Actions at other services that an account uses, such as a subscription. `app.ts` injects them, because the billing
 * module comes later in the order of modules.
 */
export interface ExternalServices {
  /** Stops all payments when the account is deleted. If it throws, nothing is deleted. */
  stop(userId: string): Promise<void>;
  /** Resumes payments if the deletion is canceled. */
  goOn(userId: string): Promise<void>;
  /** Removes the data at the service when the account is erased. Idempotent. */
  end(userId: string): Promise<void>;
}

/**
 * Returns the response for a caller who proved that the deleted account was theirs. The deletion can be canceled until
 * `erasedAt`. Null means that the account is already erased.
 */
export function accountDeleted(erasedAt: Date | null): Refusal {
  if (erasedAt === null) return new Refusal('unauthenticated', 'This account no longer exists.');
  const detail = `This account is deleted and will be erased on ${erasedAt.toISOString().slice(0, 10)}. To cancel the deletion before then, sign in with the password and \`restore\`, or use the link in the email about the deletion.`;
  return new Refusal('account_deleted', detail, { members: { erasedAt: erasedAt.toISOString() } });
}

export function addressTaken(): Refusal {
  return new Refusal(
    'email_taken',
    'A new account uses this email address. Change the address of that account or delete it, then cancel the deletion of the old one.',
  );
}
