import { sha256 } from '@oslojs/crypto/sha2';
import { encodeHexLowerCase } from '@oslojs/encoding';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { aside } from '../../../http/audit/audited-request.ts';
import { type KnownDevice, ownFailuresMax } from '../devices/queries.ts';
import { deleteSession } from '../sessions/queries.ts';
import {
  deleteDeviceTry,
  deleteSessionTry,
  deleteTry,
  type FailureCounts,
  insertDeviceTry,
  insertSessionTry,
  insertTry,
  returnTurn,
  type SecretKind,
  sweepFailures,
  takeTurn,
} from './ceiling.queries.ts';

/** Failures in a row at an account. After them a browser that the account does not know needs a mailed link. */
export const guessesMax = 100;
/** Beyond the ceiling, one link is mailed or, without mail, one try is allowed in so many minutes. */
export const paceMinutes = 15;
/** Failures are deleted this long after the last one, with and without an account: both get the same responses. */
const keptDays = 30;

/** Where a secret is tried. */
export type TryPlace =
  /** `device`: null if the account does not know the browser. */
  { readonly kind: 'browser'; readonly device: KnownDevice | null } | { readonly kind: 'session'; readonly id: string };

/** Whose secret is tried. */
export interface TriedAccount {
  /** Null for an address without an account, which is counted alike. */
  readonly userId: string | null;
  readonly email: string | null;
}

/** A try that is counted as a failure until `passTry`. */
export interface Attempt {
  readonly who: TriedAccount;
  readonly secret: SecretKind;
  readonly place: TryPlace;
  /** Whatever is sent, this browser does not sign in without a mailed link. */
  readonly needsLink: boolean;
  /** Without mail, the try took the turn of the account. */
  readonly hasTurn: boolean;
}

/**
 * Counts a try before it is checked: of two requests at once, one is number 100 and the other is number 101. Password
 * guesses do not close the second step of a sign-in through a provider, which codes alone do.
 */
export async function beginTry(deps: Deps, who: TriedAccount, secret: SecretKind, place: TryPlace): Promise<Attempt> {
  const outcome = await aside(() =>
    deps.database.asService(async (sql) => {
      const counts = await insertTry(sql, { account: accountOf(who), userId: who.userId }, secret);
      if (await countOwnTry(sql, who, place)) return 'open';
      if (place.kind === 'session') {
        await deleteSession(sql, who.userId ?? '', place.id);
        return 'ended';
      }
      if (counts === undefined || !isBeyond(counts, secret)) return 'open';
      if (deps.config.mail !== null) return 'link';
      const seconds = await takeTurn(sql, accountOf(who), paceMinutes);
      if (seconds !== null) throw tooManyFailures(seconds);
      return 'turn';
    }),
  );
  if (outcome === 'ended') throw endedSession();
  return { who, secret, place, needsLink: outcome === 'link', hasTurn: outcome === 'turn' };
}

/**
 * The secret was right, so the try is no failure and returns its turn: the second factor may need it. Earlier failures stay:
 * only a sign-in with all factors ends the row.
 */
export async function passTry(deps: Deps, { who, secret, place, hasTurn }: Attempt): Promise<void> {
  await aside(() =>
    deps.database.asService(async (sql) => {
      if (hasTurn) await returnTurn(sql, accountOf(who));
      await deleteTry(sql, accountOf(who), secret);
      if (place.kind === 'session') await deleteSessionTry(sql, place.id);
      else if (who.userId !== null && place.device !== null)
        await deleteDeviceTry(sql, who.userId, place.device.secretHash);
    }),
  );
}

/** Takes the turn of the account; false if another request had it within the last minutes. */
export async function takeMailTurn(sql: Sql, userId: string): Promise<boolean> {
  return (await takeTurn(sql, accountOf({ userId, email: null }), paceMinutes)) === null;
}

export async function sweepGuesses(sql: Sql): Promise<void> {
  await sweepFailures(sql, keptDays);
}

function isBeyond({ passwords, codes }: FailureCounts, secret: SecretKind): boolean {
  return (secret === 'codes' ? codes : passwords + codes) > guessesMax;
}

/** Whether the try has room in what a known browser or a session may fail by itself. */
async function countOwnTry(sql: Sql, { userId }: TriedAccount, place: TryPlace): Promise<boolean> {
  if (place.kind === 'session') return insertSessionTry(sql, place.id, ownFailuresMax);
  if (userId === null || place.device === null) return false;
  return insertDeviceTry(sql, userId, place.device.secretHash, ownFailuresMax);
}

/** A hash, so that the table does not list addresses without an account. */
function accountOf({ userId, email }: TriedAccount): string {
  return encodeHexLowerCase(sha256(new TextEncoder().encode(userId ?? `address ${email}`)));
}

function tooManyFailures(seconds: number): Refusal {
  return new Refusal(
    'rate_limited',
    `Too many wrong passwords were sent for this account, so a new browser may try once every ${paceMinutes} minutes. A browser that you used before or a passkey works at once. Whoever runs this server can print a link for you: lotbook user reset-password.`,
    { retryAfterSeconds: seconds },
  );
}

function endedSession(): Refusal {
  return new Refusal('unauthenticated', 'This session ended after too many wrong passwords or codes. Sign in again.');
}
