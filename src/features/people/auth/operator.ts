import { defaultTimeZone } from '../../../base/day.ts';
import type { Config } from '../../../config.ts';
import type { Database, Sql } from '../../../db/connection.ts';
import type { Mail } from '../../../deps.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import type { AuditAction } from '../../../http/audit-actions.ts';
import { buildMail } from '../mail/letter.ts';
import { accountErased, deletionTakenBack } from '../mail/templates.ts';
import { insertUser, type ListedUser, selectUsers } from './auth.queries.ts';
import { isAddress } from './auth.schemas.ts';
import { cancelDeletion, type ExternalServices } from './cancellation.ts';
import { deleteUser, insertDeletedAccount, selectDeletion } from './deletion.queries.ts';
import { closeAccount } from './deletion.ts';
import { markVerified } from './email/email.queries.ts';
import { deleteSpareCodes } from './factors.queries.ts';
import { deletePasskeys } from './passkeys/passkeys.queries.ts';
import { lockResettable } from './reset.queries.ts';
import { deleteSessions } from './sessions.queries.ts';
import { canonicalEmail } from './sign-in.ts';
import { deleteTotpKey } from './totp/totp.queries.ts';

/**
 * These functions implement commands of the command-line tool. Each one adds an entry to the affected user's audit
 * trail.
 */

/** Creates an account without a password. The user sets the first password with a link. */
export async function createUser(
  database: Database,
  address: string,
  now: Date,
): Promise<'created' | 'invalid' | 'taken'> {
  const email = canonicalEmail(address);
  if (!isAddress(email)) return 'invalid';
  const ids = { id: crypto.randomUUID(), taxpayerId: crypto.randomUUID() };
  const user = { ...ids, email, isVerified: false, passwordHash: null, name: '', timeZone: defaultTimeZone, now };
  return database.asService(async (sql) => {
    if (!(await insertUser(sql, user))) return 'taken';
    await recordOperator(sql, user.id, 'account_created');
    return 'created';
  });
}

export function listUsers(database: Database): Promise<ListedUser[]> {
  return database.asService(selectUsers, { readOnly: true });
}

/**
 * Removes all second factors of a user who lost both the factors and the recovery codes. Returns false if no account
 * has this email address.
 */
export function disableTotp(database: Database, email: string): Promise<boolean> {
  return withUser(database, email, async (sql, userId) => {
    await deleteTotpKey(sql, userId);
    await deletePasskeys(sql, userId);
    await deleteSpareCodes(sql, userId);
    await recordOperator(sql, userId, 'second_factor_removed');
  });
}

/**
 * Marks an address as verified. Meant for a server without email, where only the operator can know who owns the
 * address. Returns false if no account has this email address.
 */
export function verifyUser(database: Database, email: string): Promise<boolean> {
  return withUser(database, email, async (sql, userId) => {
    await markVerified(sql, userId, canonicalEmail(email));
    await recordOperator(sql, userId, 'email_verified');
  });
}

/** Ends all sessions of a user, and the event streams of the sessions, on every server. API tokens keep working. */
export function signOut(database: Database, email: string): Promise<boolean> {
  return withUser(database, email, async (sql, userId) => {
    await deleteSessions(sql, userId);
    await recordOperator(sql, userId, 'sessions_ended');
  });
}

/**
 * Deletes an account in the same way as its owner would. The data is erased after the grace period. If there is no
 * grace period or `atOnce` is set, the data is erased immediately, and only a record of the deletion remains. With
 * `atOnce`, the account may already be deleted. Returns undefined if there is no such account.
 */
export async function removeUser(
  { database, config, elsewhere }: OperatorDeps,
  address: string,
  atOnce: boolean,
): Promise<Removal | undefined> {
  const email = canonicalEmail(address);
  const userId = await database.asService(async (sql) => {
    const waiting = await selectDeletion(sql, email);
    return (await lockResettable(sql, email))?.userId ?? (atOnce ? waiting?.userId : undefined);
  });
  if (userId === undefined) return undefined;
  if (atOnce || config.deletionGraceDays === 0) {
    await elsewhere.end(userId);
    await database.asService(async (sql) => {
      await deleteUser(sql, userId);
      await insertDeletedAccount(sql, userId, true);
    });
    return { erasedAt: null, mail: buildMail(email, accountErased(true)) };
  }
  await elsewhere.stop(userId);
  return database.asService(async (sql) => {
    const closed = await closeAccount(sql, userId, config, true);
    if (closed !== undefined) await recordOperator(sql, userId, 'account_deleted');
    return closed;
  });
}

export interface OperatorDeps {
  readonly database: Database;
  readonly config: Config;
  readonly elsewhere: ExternalServices;
}

export interface Removal {
  /** Null if the account is already erased. */
  readonly erasedAt: Date | null;
  /** The email that informs the former owner. */
  readonly mail: Mail;
}

/**
 * Cancels a deletion. Returns undefined if this address has no pending deletion. Throws an error if a new account uses
 * the address.
 */
export async function restoreUser(
  { database, config, elsewhere }: OperatorDeps,
  email: string,
): Promise<Mail | undefined> {
  const canceledDeletion = await database.asService(async (sql) => {
    const waiting = await selectDeletion(sql, canonicalEmail(email));
    if (waiting === undefined) return undefined;
    const deletion = await cancelDeletion(sql, waiting.userId);
    await recordOperator(sql, deletion.userId, 'account_deletion_taken_back');
    return deletion;
  });
  if (canceledDeletion === undefined) return undefined;
  await elsewhere.goOn(canceledDeletion.userId);
  return buildMail(canceledDeletion.email, deletionTakenBack(config.baseUrl));
}

async function recordOperator(sql: Sql, userId: string, action: AuditAction): Promise<void> {
  await insertEntryOfUser(sql, userId, { action, subject: null, actor: 'operator', address: null, requestId: null });
}

function withUser(
  database: Database,
  email: string,
  work: (sql: Sql, userId: string) => Promise<void>,
): Promise<boolean> {
  return database.asService(async (sql) => {
    const user = await lockResettable(sql, canonicalEmail(email));
    if (user !== undefined) await work(sql, user.userId);
    return user !== undefined;
  });
}
