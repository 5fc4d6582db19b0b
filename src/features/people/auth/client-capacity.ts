import { type Plan, planLimitRefusal, planLimits } from './plan.ts';

/** Throws an error if the plan does not cover the current clients plus the requested number. */
export function requireClientCapacity(plan: Plan, used: number, requested: number): void {
  const limit = planLimits[plan].clientsMax;
  if (used + requested <= limit) return;
  const allowed =
    limit === 0
      ? `The ${plan} plan has no client accounts. The CPA plan includes ${planLimits.CPA.clientsMax}.`
      : `The ${plan} plan includes ${limit} client accounts; ${used} are in use.`;
  const kept = requested === 0 ? ' Until then, you can read and download your clients’ books but not change them.' : '';
  throw planLimitRefusal(allowed + kept, 'clientsMax', { plan, limit, used, requested });
}
