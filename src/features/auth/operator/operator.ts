import type { Database, Sql } from '../../../db/connection.ts';
import { insertEntryOfUser } from '../../../http/audit/queries.ts';
import type { AuditAction } from '../../../http/operations/audit-actions.ts';
import { deleteSpareCodes } from '../factors/queries.ts';
import { deletePasskeys } from '../passkeys/queries.ts';
import { deleteUser, insertDeletedAccount, insertUser } from '../queries.ts';
import { readResettable } from '../reset/queries.ts';
import { email as emailSchema } from '../schemas.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { canonicalEmail } from '../sign-in.ts';
import { deleteTotpKey } from '../totp/queries.ts';
import { type ListedUser, selectUsers } from './queries.ts';

/** What the operator does from the command line, each in the audit trail of whom it is done to. */

/** An account without a password: a link sets the first one. */
export async function createUser(
  database: Database,
  given: string,
  now: Date,
): Promise<'created' | 'invalid' | 'taken'> {
  const email = canonicalEmail(given);
  if (!new RegExp(emailSchema.pattern ?? '', 'u').test(email)) return 'invalid';
  const ids = { id: crypto.randomUUID(), taxpayerId: crypto.randomUUID() };
  const user = { ...ids, email, isVerified: false, passwordHash: null, name: '', now };
  return database.asService(async (sql) => {
    if (!(await insertUser(sql, user))) return 'taken';
    await recordOperator(sql, user.id, 'account_created');
    return 'created';
  });
}

export function listUsers(database: Database): Promise<ListedUser[]> {
  return database.asService(selectUsers, { readOnly: true });
}

/** For who lost the app or the passkeys, and the recovery codes. False: nobody has this e-mail address. */
export function disableTotp(database: Database, email: string): Promise<boolean> {
  return withUser(database, email, async (sql, userId) => {
    await deleteTotpKey(sql, userId);
    await deletePasskeys(sql, userId);
    await deleteSpareCodes(sql, userId);
    await recordOperator(sql, userId, 'second_factor_removed');
  });
}

/** All sessions, on every server, with their event streams. Tokens of programs go on. */
export function signOut(database: Database, email: string): Promise<boolean> {
  return withUser(database, email, async (sql, userId) => {
    await deleteSessionsOf(sql, userId);
    await recordOperator(sql, userId, 'sessions_ended');
  });
}

/** At once, with all the books. That it was done is all that stays. */
export function removeUser(database: Database, email: string): Promise<boolean> {
  return withUser(database, email, async (sql, userId) => {
    await deleteUser(sql, userId);
    await insertDeletedAccount(sql, userId, true);
  });
}

export async function recordOperator(sql: Sql, userId: string, action: AuditAction): Promise<void> {
  await insertEntryOfUser(sql, userId, { action, subject: null, actor: 'operator', address: null, requestId: null });
}

function withUser(
  database: Database,
  email: string,
  work: (sql: Sql, userId: string) => Promise<void>,
): Promise<boolean> {
  return database.asService(async (sql) => {
    const user = await readResettable(sql, canonicalEmail(email));
    if (user !== undefined) await work(sql, user.id);
    return user !== undefined;
  });
}
