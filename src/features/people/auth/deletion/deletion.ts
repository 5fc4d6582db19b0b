import type { Sql } from '../../../../db/connection.ts';
import type { Deps } from '../../../../deps.ts';
import { buildMail } from '../../mail/letter.ts';
import { postMail } from '../../mail/post.ts';
import { accountDeletion, accountErased } from '../../mail/templates/account-deletion.ts';
import { readOwnBooks } from '../../notifications/notifications.queries.ts';
import { accessEnded, notify } from '../../notifications/notify.ts';
import type { Caller } from '../access.ts';
import { linkWith } from '../link-token.ts';
import { issueToken } from '../one-time-tokens.queries.ts';
import { requirePassword } from '../sign-in.ts';
import {
  deleteUser,
  type EndedGrant,
  endAccess,
  insertDeletedAccount,
  insertDeletion,
  lockAccount,
} from './deletion.queries.ts';
import type { ExternalServices } from './external-services.ts';

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
      await postMail(deps, sql, buildMail(email, accountErased(false)));
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

export interface ClosedAccount {
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
