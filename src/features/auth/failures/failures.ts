import type { Deps } from '../../../deps.ts';
import { networkOf } from '../../../http/address.ts';
import { aside, currentAudit } from '../../../http/audit/audited-request.ts';
import { reportEpisode } from '../guesses/episode.ts';
import { addFailure, readOwnAccount } from './queries.ts';

/** A try to show who one is that failed. */
export interface FailedProof {
  /** `proof_failed`: of somebody signed in, who is asked once more. */
  readonly action: 'sign_in_failed' | 'proof_failed';
  readonly way: 'password' | 'code' | 'passkey' | 'link' | 'google' | 'github';
  /** Whose account it was about; null where that is not known. */
  readonly userId: string | null;
}

/** Of one account within an hour. What comes from further ones is counted together. */
const networksMax = 10;

const events = { sign_in_failed: 'sign-in failed', proof_failed: 'proof of identity failed' } as const;

/**
 * Writes it to the log and, if an account is known, to its audit trail, and notifies the owner of many failures in a row. The entry is written beside the answer, which would
 * else take longer where somebody has an account.
 */
export function reportFailedProof(deps: Deps, proof: FailedProof): void {
  const asked = currentAudit();
  if (asked === null)
    throw new Error('Somebody is asked who they are by a request that the audit trail does not know.');
  const { address, requestId } = asked;
  const { action, way, userId } = proof;
  deps.log.warn(events[action], { requestId, address, way, userId });
  if (userId === null) return;
  const leave = deps.lifecycle.enter();
  aside(() => record(deps, { action, way, userId, address, requestId }))
    .catch((error: unknown) => deps.log.error('failed sign-in not recorded', error, { requestId }))
    .finally(leave);
}

interface KnownFailure extends FailedProof {
  readonly userId: string;
  readonly address: string;
  readonly requestId: string;
}

async function record(deps: Deps, failure: KnownFailure): Promise<void> {
  const { userId, address, action } = failure;
  const account = await deps.database.asService((sql) => readOwnAccount(sql, userId), { readOnly: true });
  if (account === undefined) return;
  const by = action === 'proof_failed' ? { userId, email: account.email } : null;
  const counted = { ...failure, by, network: networkOf(address), networksMax };
  await deps.database.asTaxpayer(account.taxpayerId, (sql) => addFailure(sql, account.taxpayerId, counted));
  await reportEpisode(deps, userId, account.email);
}
