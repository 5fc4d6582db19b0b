import { sha256 } from '@oslojs/crypto/sha2';
import { encodeHexLowerCase } from '@oslojs/encoding';
import { Refusal } from '../../../base/refusal.ts';
import type { Sql } from '../../../db/connection.ts';
import type { Deps } from '../../../deps.ts';
import { withoutAudit } from '../../../http/audit/audited-request.ts';
import { type KnownDevice, ownFailuresMax } from './devices.queries.ts';
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
} from './guesses.queries.ts';
import { deleteSession } from './sessions.queries.ts';

/** The maximum number of consecutive failures. Above it, an unknown browser needs an emailed link. */
export const guessesMax = 100;
/**
 * Above the limit, one link is emailed per this number of minutes. On a server without email, one attempt is allowed
 * instead.
 */
export const paceMinutes = 15;
/**
 * The number of days after the last failure until failures are deleted. It is the same with and without an account, so
 * both get the same responses.
 */
const keptDays = 30;

/** The browser or the session in which the attempt is made. */
export type AttemptLocation =
  /** `device` is null if the browser is unknown. */
  { readonly kind: 'browser'; readonly device: KnownDevice | null } | { readonly kind: 'session'; readonly id: string };

/** The account whose secret is being guessed. */
interface TriedAccount {
  /** Null if no account has the address. Such attempts are counted in the same way. */
  readonly userId: string | null;
  readonly email: string | null;
}

/** An attempt, which counts as a failure until `passTry`. */
interface Attempt {
  readonly who: TriedAccount;
  readonly secret: SecretKind;
  readonly place: AttemptLocation;
  /** True if this browser cannot sign in without an emailed link, even with the right secret. */
  readonly needsLink: boolean;
  /** True if the attempt used the account's turn, which happens only on a server without email. */
  readonly hasTurn: boolean;
}

/**
 * Counts an attempt before it is checked, so that concurrent requests cannot get around the limit. Wrong passwords do
 * not block the second step of a sign-in through a provider. Only wrong codes do.
 */
export async function beginTry(
  deps: Deps,
  who: TriedAccount,
  secret: SecretKind,
  location: AttemptLocation,
): Promise<Attempt> {
  const outcome = await withoutAudit(() =>
    deps.database.asService(async (sql) => {
      const counts = await insertTry(sql, { account: hashAccount(who), userId: who.userId }, secret);
      if (await countOwnTry(sql, who, location)) return 'open';
      if (location.kind === 'session') {
        await deleteSession(sql, who.userId ?? '', location.id);
        return 'ended';
      }
      if (counts === undefined || !isBeyond(counts, secret)) return 'open';
      if (deps.config.mail !== null) return 'link';
      const seconds = await takeTurn(sql, hashAccount(who), paceMinutes);
      if (seconds !== null) throw tooManyFailures(seconds);
      return 'turn';
    }),
  );
  if (outcome === 'ended') throw endedSession();
  return { who, secret, place: location, needsLink: outcome === 'link', hasTurn: outcome === 'turn' };
}

/**
 * Removes a successful attempt from the counts. Also gives back the turn that the attempt used, because the second
 * factor may need it. Keeps earlier failures, because only a sign-in with all factors resets them.
 */
export async function passTry(deps: Deps, { who, secret, place, hasTurn }: Attempt): Promise<void> {
  await withoutAudit(() =>
    deps.database.asService(async (sql) => {
      if (hasTurn) await returnTurn(sql, hashAccount(who));
      await deleteTry(sql, hashAccount(who), secret);
      if (place.kind === 'session') await deleteSessionTry(sql, place.id);
      else if (who.userId !== null && place.device !== null)
        await deleteDeviceTry(sql, who.userId, place.device.secretHash);
    }),
  );
}

/**
 * Takes the account's turn to receive a link. Returns false if another request took it within the last `paceMinutes`.
 */
export async function takeMailTurn(sql: Sql, userId: string): Promise<boolean> {
  return (await takeTurn(sql, hashAccount({ userId, email: null }), paceMinutes)) === null;
}

export async function sweepGuesses(sql: Sql): Promise<void> {
  await sweepFailures(sql, keptDays);
}

function isBeyond({ passwords, codes }: FailureCounts, secret: SecretKind): boolean {
  return (secret === 'codes' ? codes : passwords + codes) > guessesMax;
}

/**
 * Counts the attempt against the known browser or the session. Returns whether it is within the limit of that browser
 * or session.
 */
async function countOwnTry(sql: Sql, { userId }: TriedAccount, location: AttemptLocation): Promise<boolean> {
  if (location.kind === 'session') return insertSessionTry(sql, location.id, ownFailuresMax);
  if (userId === null || location.device === null) return false;
  return insertDeviceTry(sql, userId, location.device.secretHash, ownFailuresMax);
}

/** Returns a hash, so that the table does not store addresses without an account. */
function hashAccount({ userId, email }: TriedAccount): string {
  return encodeHexLowerCase(sha256(new TextEncoder().encode(userId ?? `address ${email}`)));
}

function tooManyFailures(seconds: number): Refusal {
  return new Refusal(
    'rate_limited',
    `Too many wrong passwords were entered for this account, so a new browser can try once every ${paceMinutes} minutes. A browser that you have used before or a passkey works right away. The administrator of this server can also print a link for you: lotbook user reset-password.`,
    { retryAfterSeconds: seconds },
  );
}

function endedSession(): Refusal {
  return new Refusal('unauthenticated', 'This session ended after too many wrong passwords or codes. Sign in again.');
}
