import { Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../deps.ts';
import { withoutAudit } from '../../../http/audit/audited-request.ts';
import type { Caller } from '../../people/auth/access.ts';
import { planLimits, upgradeOf } from '../../people/plans.ts';
import { returnMessage, takeMessage } from './messages.queries.ts';

export interface Usage {
  /** Messages used on this UTC day, including this one. */
  readonly used: number;
  /** Null if there is no limit. */
  readonly limit: number | null;
  readonly resetsAt: string;
}

/** A message that was counted before its answer. `giveBack` undoes the count if there is no answer. */
interface QuotaUse {
  readonly usage: Usage;
  giveBack(): Promise<void>;
}

const dayMilliseconds = 86_400_000;

/** Returns the time when the daily count resets. */
export function nextUtcDay(now: Date): Date {
  return new Date(Date.parse(now.toISOString().slice(0, 10)) + dayMilliseconds);
}

/** Counts a message for the user who asks, even in a client's books. */
export async function takeFromQuota(deps: Deps, caller: Caller): Promise<QuotaUse> {
  const now = deps.clock.now();
  const day = now.toISOString().slice(0, 10);
  const midnight = nextUtcDay(now);
  const limit = planLimits[caller.plan].aiMessagesPerDay;
  const taxpayerId = caller.taxpayerId;
  const used = await withoutAudit(() =>
    deps.database.asTaxpayer(taxpayerId, (sql) => takeMessage(sql, taxpayerId, day, limit)),
  );
  const resetsAt = midnight.toISOString();
  if (used === undefined) {
    throw new Refusal(
      'ai_quota',
      `You've used all ${limit} AI messages that the ${caller.plan} plan includes per day. More are available at ${resetsAt}.`,
      {
        retryAfterSeconds: Math.ceil((midnight.getTime() - now.getTime()) / 1000),
        members: { plan: caller.plan, limit, resetsAt, upgrade: upgradeOf(caller.plan, 'aiMessagesPerDay') },
      },
    );
  }
  return {
    usage: { used, limit, resetsAt },
    giveBack: () =>
      withoutAudit(() => deps.database.asTaxpayer(taxpayerId, (sql) => returnMessage(sql, taxpayerId, day))),
  };
}
