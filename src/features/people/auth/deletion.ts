import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { postLetter, postMail } from '../mail/delivery.ts';
import { buildMail } from '../mail/letter.ts';
import { accountDeletion, accountErased } from '../mail/templates.ts';
import { readOwnBooks } from '../notifications.queries.ts';
import { accessEnded, notify } from '../notifications.ts';
import type { Caller } from './access.ts';
import type { ExternalServices } from './cancellation.ts';
import {
  deleteUser,
  type EndedGrant,
  endAccess,
  insertDeletedAccount,
  insertDeletion,
  lockAccount,
  lockDueDeletion,
  selectDueDeletions,
} from './deletion.queries.ts';
import { sweepGuesses } from './guess-ceiling.ts';
import { linkWith } from './link-token.ts';
import { issueToken, sweepTokens } from './one-time-tokens.queries.ts';
import { requirePassword } from './sign-in.ts';

/**
 * Deletes an account. Requires the password. An account that signs in through a provider must set a password first.
 * Sessions, tokens and shared access end immediately, and the data is erased after the grace period. Returns the date
 * of erasure, or null if there is no grace period and the data was erased immediately.
 */
export async function deleteAccount(
  deps: Deps,
  caller: Caller,
  password: string,
  elsewhere: ExternalServices,
): Promise<Date | null> {
  await requirePassword(deps, caller, password, { orNone: false });
  const { userId, email } = caller;
  if (deps.config.deletionGraceDays === 0) {
    await elsewhere.end(userId);
    await deps.database.asService(async (sql) => {
      await deleteUser(sql, userId);
      await insertDeletedAccount(sql, userId, false);
      await postLetter(deps, sql, email, accountErased(false));
    });
    return null;
  }
  await elsewhere.stop(userId);
  const closed = await deps.database.asService(async (sql) => {
    const account = await closeAccount(sql, userId, deps.config, false);
    if (account !== undefined) await postMail(deps, sql, account.mail);
    return account;
  });
  // A concurrent request already deleted the account.
  if (closed === undefined) return null;
  await notifyOthers(deps, closed);
  return closed.erasedAt;
}

interface ClosedAccount {
  readonly erasedAt: Date;
  readonly email: string;
  readonly ended: readonly (EndedGrant & { readonly isOwn: boolean })[];
  readonly mail: ReturnType<typeof buildMail>;
}

/** Ends all sessions, tokens and shared access of the account. Returns undefined if the account is already deleted. */
export async function closeAccount(
  sql: Sql,
  userId: string,
  config: Deps['config'],
  byOperator: boolean,
): Promise<ClosedAccount | undefined> {
  const account = await lockAccount(sql, userId);
  if (account === undefined) return undefined;
  const { email } = account;
  const days = config.deletionGraceDays;
  const ended = await endAccess(sql, userId);
  const erasedAt = await insertDeletion(sql, { userId, email, days, byOperator });
  const holder = { userId, stamp: account.stamp };
  const token = await issueToken(sql, 'account_restore', { holder, payload: {}, minutes: days * 1440 });
  const erasedOn = erasedAt.toISOString().slice(0, 10);
  const letter = accountDeletion({ link: linkWith(config, '/account/restore', token), erasedOn, byOperator });
  return {
    erasedAt,
    email,
    ended: ended.map((grant) => ({ ...grant, isOwn: grant.userId !== userId })),
    mail: buildMail(email, letter),
  };
}

/**
 * Notifies everyone who had access to the user's books, and the owners of books that the user could access. If this
 * fails, the error is logged and the deletion remains.
 */
async function notifyOthers(deps: Deps, { email, ended }: ClosedAccount): Promise<void> {
  const at = deps.clock.now();
  for (const { taxpayerId, userId, isOwn } of ended) {
    try {
      await deps.database.asService(async (sql) => {
        const feed = isOwn ? await readOwnBooks(sql, userId) : taxpayerId;
        if (feed === undefined) return;
        await notify(sql, feed, {
          kind: 'access_changed',
          title: isOwn ? accessEnded.title : 'Access to your books ended',
          body: `${email} deleted their account.${isOwn ? ' You keep the files that you downloaded.' : ''}`,
          link: isOwn ? null : '/v1/account/grants',
          at,
        });
      });
    } catch (error) {
      deps.log.error('notification not stored', error);
    }
  }
}

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
      await postLetter(deps, sql, deletion.email, accountErased(deletion.byOperator));
      return deletion;
    },
    { statementSecondsMax },
  );
  if (erased !== undefined) deps.log.info('account erased', { userId });
}
