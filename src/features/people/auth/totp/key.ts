import type { Deps } from '../../../../deps.ts';
import { seal, unseal } from '../../seal.ts';
import { readTotpKey, type TotpKeyRow } from './totp.queries.ts';

/** The secret key shared with an authenticator app. It is stored encrypted. */
export interface TotpKey extends TotpKeyRow {
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
