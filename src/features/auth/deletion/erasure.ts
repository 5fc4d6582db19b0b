import type { Deps } from '../../../deps.ts';
import { mailOf } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { accountErased } from '../../mail/templates/account-deletion.ts';
import { sweepGuesses } from '../guesses/ceiling.ts';
import { sweepTokens } from '../one-time-tokens/queries.ts';
import type { Elsewhere } from './elsewhere.ts';
import { deleteUser, insertDeletedAccount, lockDueDeletion, selectDueDeletions } from './queries.ts';

/** Each hour. */
const cron = '35 * * * *';
/** Of one turn; the others wait for the next. */
const accountsMax = 500;
/** Books of a million rows take minutes, and nobody waits. */
const statementSecondsMax = 3_600;

/** Erases by the clock what was deleted, tokens that have expired, and failures at addresses without an account, by one server each time. */
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
 * Erases the accounts whose days of grace are over. Each in one transaction: where a server dies in the middle, nothing of
 * it is gone, and the next turn does it. Of two servers one erases it.
 */
export async function eraseDue(deps: Deps, elsewhere: Elsewhere, signal: AbortSignal): Promise<void> {
  for (const userId of await deps.database.asService((sql) => selectDueDeletions(sql, accountsMax))) {
    signal.throwIfAborted();
    try {
      await erase(deps, elsewhere, userId);
    } catch (error) {
      // The others do not wait for it. It is due the next time.
      deps.log.error('account not erased', error);
    }
  }
}

async function erase(deps: Deps, elsewhere: Elsewhere, userId: string): Promise<void> {
  // First: afterwards nobody knows whose subscription it was.
  await elsewhere.end(userId);
  const erased = await deps.database.asService(
    async (sql) => {
      const deletion = await lockDueDeletion(sql, userId);
      if (deletion === undefined) return undefined;
      await deleteUser(sql, userId);
      await insertDeletedAccount(sql, userId, deletion.byOperator);
      await postMail(deps, sql, mailOf(deletion.email, accountErased(deletion.byOperator)));
      return deletion;
    },
    { statementSecondsMax },
  );
  if (erased !== undefined) deps.log.info('account erased', { userId });
}
