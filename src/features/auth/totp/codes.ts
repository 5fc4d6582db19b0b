import { TOTP } from 'otpauth';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { codeGuesser, countGuess, forgetGuesses, refuseGuess } from '../guesses/guesses.ts';
import { linkTokenHash } from '../link-token.ts';
import { readTotpKey, takeRecoveryCode, takeStep } from './queries.ts';

/** What every authenticator app knows (RFC 6238): six digits, new every 30 seconds. */
const shape = { issuer: 'Lotbook', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks of phones differ: the codes of the step before and of the next are taken, too. */
const stepsAside = 1;

/** Asks whoever has a second factor for its code. The right password was given before. */
export async function requireCode(
  deps: Deps,
  userId: string,
  given: string | undefined,
  device: string | null,
): Promise<void> {
  const key = await deps.database.asService((sql) => readTotpKey(sql, userId));
  if (key?.isConfirmed !== true) return;
  await checkCode(deps, { userId, secret: key.secret, device }, given);
}

/** In the place of the password, of somebody who is signed in. */
export async function requireOwnCode(deps: Deps, userId: string, given: string): Promise<void> {
  const key = await deps.database.asService((sql) => readTotpKey(sql, userId));
  if (key?.isConfirmed !== true) throw new Refusal('invalid_credentials', 'No authenticator app is set up.');
  await checkCode(deps, { userId, secret: key.secret, device: null }, given);
}

interface CodeOwner {
  readonly userId: string;
  readonly secret: string;
  readonly device: string | null;
}

async function checkCode(deps: Deps, { userId, secret, device }: CodeOwner, given: string | undefined): Promise<void> {
  if (given === undefined || given === '') {
    throw new Refusal('totp_required', 'Send the code of your authenticator app, or one of your recovery codes.');
  }
  const guesser = codeGuesser(userId, device);
  await refuseGuess(deps, guesser);
  if (!(await takeCode(deps, userId, secret, given))) {
    await countGuess(deps, guesser);
    throw new Refusal('totp_required', 'This code is wrong, or it was used before. Wait for the next one.');
  }
  await forgetGuesses(deps, guesser);
}

/** The step of time that the code is of, near now; null where it is of none. */
export function stepOf(deps: Deps, secret: string, code: string): number | null {
  const timestamp = deps.clock.now().getTime();
  const delta = new TOTP({ ...shape, secret }).validate({ token: code, window: stepsAside, timestamp });
  return delta === null ? null : Math.floor(timestamp / 1000 / shape.period) + delta;
}

/** What the QR code holds. */
export function totpAddress(secret: string, email: string): string {
  return new TOTP({ ...shape, secret, label: email }).toString();
}

export function recoveryHash(code: string): Uint8Array {
  return linkTokenHash(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

/** Each code is taken once. */
function takeCode(deps: Deps, userId: string, secret: string, given: string): Promise<boolean> {
  const code = given.replaceAll(/\s/g, '');
  return deps.database.asService(async (sql) => {
    if (!/^\d{6}$/.test(code)) return takeRecoveryCode(sql, userId, recoveryHash(code));
    const step = stepOf(deps, secret, code);
    return step !== null && (await takeStep(sql, userId, step));
  });
}
