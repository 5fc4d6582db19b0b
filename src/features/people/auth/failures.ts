import type { Deps } from '../../../deps.ts';
import { networkOf } from '../../../http/address.ts';
import { currentAudit, withoutAudit } from '../../../http/audit/audited-request.ts';
import { addFailure, readOwnAccount } from './guesses.queries.ts';
import { reportEpisode } from './guesses.ts';

/** A failed attempt to prove one's identity. */
export interface FailedProof {
  /** `proof_failed`: the user was signed in and had to prove their identity again. */
  readonly action: 'sign_in_failed' | 'proof_failed';
  readonly way: 'password' | 'code' | 'passkey' | 'link' | 'google' | 'github';
  /** The account that the attempt was for. Null if unknown. */
  readonly userId: string | null;
}

/**
 * The maximum number of networks recorded per account and hour. Failures from further networks are counted together.
 */
const networksMax = 10;

const events = { sign_in_failed: 'sign-in failed', proof_failed: 'proof of identity failed' } as const;

/**
 * Logs the failure. If the account is known, also adds it to the account's audit trail, and notifies the owner after
 * many consecutive failures. Writes the audit entry in parallel with the response, so the response time does not reveal
 * whether the account exists.
 */
export function reportFailedProof(deps: Deps, proof: FailedProof): void {
  const audit = currentAudit();
  if (audit === null) throw new Error('A proof of identity failed in a request that has no audit context.');
  const { address, requestId } = audit;
  const { action, way, userId } = proof;
  deps.log.warn(events[action], { requestId, address, way, userId });
  if (userId === null) return;
  const leave = deps.lifecycle.enter();
  withoutAudit(() => record(deps, { action, way, userId, address, requestId }))
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
