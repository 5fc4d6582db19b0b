import type { Deps } from '../../../deps.ts';
import { buildMail } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { accountErased } from '../../mail/templates/account-deletion.ts';
import { sweepGuesses } from '../guesses/ceiling.ts';
import { sweepTokens } from '../one-time-tokens/queries.ts';
import type { Elsewhere } from './elsewhere.ts';
import { deleteUser, insertDeletedAccount, lockDueDeletion, selectDueDeletions } from './queries.ts';

/** Every hour. */
const cron = '35 * * * *';
/** The limit for one run; the rest wait for the next run. */
const accountsMax = 500;
/** Erasing books with a million rows takes minutes, but no request waits for it. */
const statementSecondsMax = 3_600;

/**
 * Erases deleted accounts, expired tokens and failures at addresses without an account on a schedule. One server does
 * each run.
 */
export function keepErasures(deps: Deps, elsewhere: Elsewhere): void {
  deps.jobs.schedule('erasures', {
    cron,
    perform: async (signal) => {
      await deps.database.asService(sweepTokens);
      await deps.database.asService(sweepGuesses);
      await eraseDue(deps, elsewhere, signal);
    },
  });
}

/**
 * Erases accounts whose grace period is over, each in one transaction. If a server crashes halfway, nothing is erased
 * and the next run retries. Of two servers, only one erases the account.
 */
export async function eraseDue(deps: Deps, elsewhere: Elsewhere, signal: AbortSignal): Promise<void> {
  for (const userId of await deps.database.asService((sql) => selectDueDeletions(sql, accountsMax))) {
    signal.throwIfAborted();
    try {
      await erase(deps, elsewhere, userId);
    } catch (error) {
      // The other accounts are still erased. This one is due again in the next run.
      deps.log.error('account not erased', error);
    }
  }
}

async function erase(deps: Deps, elsewhere: Elsewhere, userId: string): Promise<void> {
  // This runs first, because afterwards the owner of the subscription is unknown.
  await elsewhere.end(userId);
  const erased = await deps.database.asService(
    async (sql) => {
      const deletion = await lockDueDeletion(sql, userId);
      if (deletion === undefined) return undefined;
      await deleteUser(sql, userId);
      await insertDeletedAccount(sql, userId, deletion.byOperator);
      await postMail(deps, sql, buildMail(deletion.email, accountErased(deletion.byOperator)));
      return deletion;
    },
    { statementSecondsMax },
  );
  if (erased !== undefined) deps.log.info('account erased', { userId });
}
