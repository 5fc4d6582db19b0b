import { invalidMember, Refusal } from '../../../../base/refusal.ts';
import type { Deps } from '../../../../deps.ts';
import { postLetter } from '../../mail/delivery.ts';
import { secondFactorChanged } from '../../mail/templates.ts';
import type { Caller } from '../access.ts';
import { countRecoveryCodes, deleteSpareCodes } from '../factors.queries.ts';
import { requirePasswordOrRecentSignIn } from '../proof.ts';
import { requireSameStamp } from '../recent-proof.ts';
import { createRecoveryCodes } from '../recovery-codes.ts';
import { findStep, loadTotpKey, newSecret, requireCode, sealTotpKey, toCodeOwner, totpAddress } from './codes.ts';
import { confirmTotpKey, deleteTotpKey, insertTotpKey, readTotpKey } from './totp.queries.ts';

export function getTotp({ database }: Deps, { userId }: Caller) {
  return database.asService(async (sql) => {
    const enabled = (await readTotpKey(sql, userId))?.isConfirmed === true;
    return { enabled, recoveryCodesLeft: await countRecoveryCodes(sql, userId) };
  });
}

/** Creates a key for the app. No code is required until the first one is confirmed. */
export async function offerTotp(deps: Deps, caller: Caller, password: string | undefined) {
  await requirePasswordOrRecentSignIn(deps, caller, password);
  const secret = await newSecret();
  const sealed = await sealTotpKey(deps, caller.userId, secret);
  const made = await deps.database.asService((sql) => insertTotpKey(sql, caller.userId, sealed));
  if (!made) throw new Refusal('conflict', 'A second factor is already set up. Remove it first.');
  return { secret, uri: await totpAddress(secret, caller.email) };
}

/**
 * Turns on the second factor: from then on, each sign-in with a password requires a code. Returns the recovery codes,
 * which are shown only once.
 */
export async function confirmTotp(deps: Deps, caller: Caller, code: string) {
  const key = await loadTotpKey(deps, caller.userId);
  if (key === undefined || key.isConfirmed)
    throw new Refusal('conflict', 'No authenticator app is waiting for its first code. Start the setup again.');
  const step = await findStep(deps, key.secret, code.replaceAll(/\s/g, ''));
  if (step === null) throw wrongCode();
  const recoveryCodes = await deps.database.asService(async (sql) => {
    await requireSameStamp(sql, caller);
    if (!(await confirmTotpKey(sql, caller.userId, key, step))) throw wrongCode();
    await postLetter(deps, sql, caller.email, secondFactorChanged(deps.config.baseUrl, 'added'));
    return createRecoveryCodes(sql, caller.userId, { isAnew: true });
  });
  return { recoveryCodes };
}

/**
 * Removes the second factor. Requires a code, and the password or a recent sign-in, so that neither an open session nor
 * a stolen phone is enough.
 */
export async function removeTotp(
  deps: Deps,
  caller: Caller,
  proof: { readonly password?: string | undefined; readonly totp?: string | undefined },
): Promise<void> {
  await requirePasswordOrRecentSignIn(deps, caller, proof.password);
  await requireCode(deps, toCodeOwner(caller), proof.totp);
  await deps.database.asService(async (sql) => {
    await deleteTotpKey(sql, caller.userId);
    await deleteSpareCodes(sql, caller.userId);
    await postLetter(deps, sql, caller.email, secondFactorChanged(deps.config.baseUrl, 'removed'));
  });
}

function wrongCode(): Refusal {
  return invalidMember('/totp', 'This is not the current code. Check the app again; its clock must be accurate.');
}
