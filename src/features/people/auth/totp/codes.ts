import { Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { withoutAudit } from '../../../../http/audit/audited-request.ts';
import { seal, unseal } from '../../seal.ts';
import type { Caller } from '../access.ts';
import { type FactorsRow, readFactors, takeRecoveryCode } from '../factors.queries.ts';
import { type FailedProof, reportFailedProof } from '../failures.ts';
import { type AttemptLocation, beginTry, passTry } from '../guess-ceiling.ts';
import { codeGuesser, countGuess, forgetGuesses, refuseGuess } from '../guesses.ts';
import type { TokenHolder } from '../one-time-tokens.queries.ts';
import { recoveryHash } from '../recovery-codes.ts';
import { linkRequired, mailSignInLink } from '../sign-in-link.ts';
import { readTotpKey, type TotpKeyRow, takeStep } from './totp.queries.ts';

/** The parameters that every authenticator app supports (RFC 6238): six digits, a new code every 30 seconds. */
const shape = { issuer: 'Lotbook', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** The number of time steps before and after the current one whose codes are accepted, because phone clocks differ. */
const stepsAside = 1;
const keyBytes = 20;

/** The user who must enter a code, the browser or session in use, and the action that requires the code. */
interface CodeOwner extends TokenHolder {
  readonly email: string;
  readonly place: AttemptLocation;
  readonly action: FailedProof['action'];
}

/** The source of a valid code. A recovery code replaces the app and the passkeys. */
type CodeSource = 'app' | 'recovery code';

/** Requires a code after the right password if the user has a second factor. Returns null if the user has none. */
export async function requireCode(deps: Deps, owner: CodeOwner, code: string | undefined): Promise<CodeSource | null> {
  const factors = await deps.database.asService((sql) => readFactors(sql, owner.userId));
  if (factors === undefined || (!factors.hasApp && factors.passkeys === 0)) return null;
  return checkCode(deps, owner, factors, code);
}

/** Requires a code instead of the password when a signed-in user confirms their identity. */
export async function requireOwnCode(deps: Deps, caller: Caller, code: string): Promise<void> {
  const factors = await deps.database.asService((sql) => readFactors(sql, caller.userId));
  if (factors?.hasApp !== true)
    throw new Refusal('invalid_credentials', 'No authenticator app is set up. Use the password or a passkey.');
  await checkCode(deps, toCodeOwner(caller), factors, code);
}

/** Converts a signed-in user. Failures count against the session. */
export function toCodeOwner({ userId, email, stamp, sessionId }: Caller): CodeOwner {
  return { userId, email, stamp, place: { kind: 'session', id: sessionId }, action: 'proof_failed' };
}

async function checkCode(
  deps: Deps,
  owner: CodeOwner,
  factors: FactorsRow,
  code: string | undefined,
): Promise<CodeSource> {
  if (code === undefined || code === '') throw createCodeRefusal(factors, describeAcceptedFactors(factors));
  const { userId, place, action } = owner;
  const guesser = codeGuesser(userId, place);
  await refuseGuess(deps, guesser);
  const attempt = await beginTry(deps, owner, 'codes', place);
  if (attempt.needsLink) {
    await countGuess(deps, guesser);
    reportFailedProof(deps, { action, way: 'code', userId });
    mailSignInLink(deps, owner);
    throw linkRequired();
  }
  const source = await takeCode(deps, userId, code);
  if (source === undefined) {
    await countGuess(deps, guesser);
    reportFailedProof(deps, { action, way: 'code', userId });
    throw createCodeRefusal(factors, 'This code is wrong or was already used. Wait for the next one.');
  }
  await passTry(deps, attempt);
  await forgetGuesses(deps, guesser);
  return source;
}

function describeAcceptedFactors({ hasApp, passkeys }: FactorsRow): string {
  if (!hasApp) return 'Use a passkey of the account, or send one of your recovery codes.';
  return `Send the code from your authenticator app, or one of your recovery codes${passkeys > 0 ? ', or use a passkey' : ''}.`;
}

function createCodeRefusal({ hasApp, passkeys }: FactorsRow, detail: string): Refusal {
  const factors = [...(hasApp ? ['app'] : []), ...(passkeys > 0 ? ['passkey'] : []), 'recovery_code'];
  return new Refusal('totp_required', detail, { members: { factors } });
}

/** Returns the time step that the code belongs to. Null if no time step close to the current time matches. */
export async function findStep(deps: Deps, secret: string | null, code: string): Promise<number | null> {
  if (secret === null) return null;
  const { TOTP } = await library();
  const timestamp = deps.clock.now().getTime();
  const delta = new TOTP({ ...shape, secret }).validate({ token: code, window: stepsAside, timestamp });
  return delta === null ? null : Math.floor(timestamp / 1000 / shape.period) + delta;
}

/** Returns a new key for an app, in base 32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: keyBytes }).base32;
}

/** Returns the content of the QR code. */
export async function totpAddress(secret: string, email: string): Promise<string> {
  const { TOTP } = await library();
  return new TOTP({ ...shape, secret, label: email }).toString();
}

/** Loads the library with the first code, because it takes about 7 MB. */
function library() {
  return import('otpauth');
}

/** Verifies a code. Accepts each code only once. */
async function takeCode(deps: Deps, userId: string, totpCode: string): Promise<CodeSource | undefined> {
  const code = totpCode.replaceAll(/\s/g, '');
  const { asService } = deps.database;
  if (!/^\d{6}$/.test(code)) {
    const isTaken = await withoutAudit(() => asService((sql) => takeRecoveryCode(sql, userId, recoveryHash(code))));
    return isTaken ? 'recovery code' : undefined;
  }
  const key = await loadTotpKey(deps, userId);
  const step = key?.isConfirmed === true ? await findStep(deps, key.secret, code) : null;
  const isTaken = step !== null && (await withoutAudit(() => asService((sql) => takeStep(sql, userId, step))));
  return isTaken ? 'app' : undefined;
}

/** The secret key shared with an authenticator app. It is stored encrypted. */
interface TotpKey extends TotpKeyRow {
  /**
   * The key in base 32. Null if the server no longer has the SECRET_KEY that encrypted it. No code is valid in that
   * case.
   */
  readonly secret: string | null;
}

export async function loadTotpKey(deps: Deps, userId: string): Promise<TotpKey | undefined> {
  const row = await deps.database.asService((sql) => readTotpKey(sql, userId));
  if (row === undefined) return undefined;
  const secret = await unseal(deps, row, { of: userId, purpose: 'totp' });
  if (secret === undefined) {
    deps.log.warn('key of an authenticator app not readable: the SECRET_KEY that encrypted it is gone', { userId });
  }
  return { ...row, secret: secret ?? null };
}

export function sealTotpKey(deps: Pick<Deps, 'database' | 'config'>, userId: string, secret: string) {
  return seal(deps, secret, { of: userId, purpose: 'totp' });
}
