import type { Deps } from '../../../../deps.ts';
import { buildMail } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { accountErased } from '../../mail/templates/account-deletion.ts';
import { sweepGuesses } from '../guesses/ceiling.ts';
import { sweepTokens } from '../one-time-tokens.queries.ts';
import { deleteUser, insertDeletedAccount, lockDueDeletion, selectDueDeletions } from './deletion.queries.ts';
import type { ExternalServices } from './external-services.ts';

const cron = '35 * * * *';
/** The maximum number of accounts per run. The rest wait for the next run. */
const accountsMax = 500;
/** A long limit, because erasing books with a million rows takes minutes and no request waits for it. */
const statementSecondsMax = 3_600;

/**
 * Schedules the erasure of deleted accounts, expired tokens, and failed attempts at addresses without an account. Only
 * one server performs each run.
 */
export function keepErasures(deps: Deps, elsewhere: ExternalServices): void {
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
 * Erases accounts whose grace period is over, each in one transaction. If a server crashes midway, nothing is erased
 * and the next run retries. Only one of several servers erases an account.
 */
export async function eraseDue(deps: Deps, elsewhere: ExternalServices, signal: AbortSignal): Promise<void> {
  for (const userId of await deps.database.asService((sql) => selectDueDeletions(sql, accountsMax))) {
    signal.throwIfAborted();
    try {
      await erase(deps, elsewhere, userId);
    } catch (error) {
      // Continues with the other accounts. The next run retries this one.
      deps.log.error('account not erased', error);
    }
  }
}

async function erase(deps: Deps, elsewhere: ExternalServices, userId: string): Promise<void> {
  // Runs first, because after the erasure nothing links the subscription to the user.
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
