import { TOTP } from 'otpauth';
import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { aside } from '../../../http/audit/audited-request.ts';
import { type FactorsRow, readFactors, takeRecoveryCode } from '../factors/queries.ts';
import { recoveryHash } from '../factors/recovery.ts';
import { codeGuesser, countGuess, forgetGuesses, refuseGuess } from '../guesses/guesses.ts';
import { totpKeyOf } from './key.ts';
import { takeStep } from './queries.ts';

/** What every authenticator app knows (RFC 6238): six digits, new every 30 seconds. */
const shape = { issuer: 'Lotbook', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks of phones differ: the codes of the step before and of the next are taken, too. */
const stepsAside = 1;

/** Asks whoever has a second factor for it. The right password was given before. */
export async function requireCode(
  deps: Deps,
  userId: string,
  given: string | undefined,
  device: string | null,
): Promise<void> {
  const factors = await deps.database.asService((sql) => readFactors(sql, userId));
  if (factors === undefined || (!factors.hasApp && factors.passkeys === 0)) return;
  await checkCode(deps, { userId, device, factors }, given);
}

/** In the place of the password, of somebody who is signed in. */
export async function requireOwnCode(deps: Deps, userId: string, given: string): Promise<void> {
  const factors = await deps.database.asService((sql) => readFactors(sql, userId));
  if (factors?.hasApp !== true) throw new Refusal('invalid_credentials', 'No authenticator app is set up.');
  await checkCode(deps, { userId, device: null, factors }, given);
}

interface CodeOwner {
  readonly userId: string;
  readonly device: string | null;
  readonly factors: FactorsRow;
}

async function checkCode(deps: Deps, { userId, device, factors }: CodeOwner, given: string | undefined): Promise<void> {
  if (given === undefined || given === '') throw codeNeeded(factors, askedWords(factors));
  const guesser = codeGuesser(userId, device);
  await refuseGuess(deps, guesser);
  if (!(await takeCode(deps, userId, given))) {
    await countGuess(deps, guesser);
    throw codeNeeded(factors, 'This code is wrong, or it was used before. Wait for the next one.');
  }
  await forgetGuesses(deps, guesser);
}

function askedWords({ hasApp, passkeys }: FactorsRow): string {
  if (!hasApp) return 'Use a passkey of the account, or send one of your recovery codes.';
  return `Send the code of your authenticator app, or one of your recovery codes${passkeys > 0 ? ', or use a passkey' : ''}.`;
}

function codeNeeded({ hasApp, passkeys }: FactorsRow, detail: string): Refusal {
  const factors = [...(hasApp ? ['app'] : []), ...(passkeys > 0 ? ['passkey'] : []), 'recovery_code'];
  return new Refusal('totp_required', detail, { members: { factors } });
}

/** The step of time that the code is of, near now; null where it is of none. */
export function stepOf(deps: Deps, secret: string | null, code: string): number | null {
  if (secret === null) return null;
  const timestamp = deps.clock.now().getTime();
  const delta = new TOTP({ ...shape, secret }).validate({ token: code, window: stepsAside, timestamp });
  return delta === null ? null : Math.floor(timestamp / 1000 / shape.period) + delta;
}

/** What the QR code holds. */
export function totpAddress(secret: string, email: string): string {
  return new TOTP({ ...shape, secret, label: email }).toString();
}

/** Each code is taken once. */
async function takeCode(deps: Deps, userId: string, given: string): Promise<boolean> {
  const code = given.replaceAll(/\s/g, '');
  const { asService } = deps.database;
  if (!/^\d{6}$/.test(code)) {
    return aside(() => asService((sql) => takeRecoveryCode(sql, userId, recoveryHash(code))));
  }
  const key = await totpKeyOf(deps, userId);
  const step = key?.isConfirmed === true ? stepOf(deps, key.secret, code) : null;
  return step !== null && (await aside(() => asService((sql) => takeStep(sql, userId, step))));
}
