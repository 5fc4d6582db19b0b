import { type Plan, planLimitRefusal, planLimits } from './plan.ts';

/** Refuses where so many clients, and so many more, are not covered by the plan of who acts for them. */
export function requireClientRoom(plan: Plan, used: number, requested: number): void {
  const limit = planLimits[plan].clientsMax;
  if (used + requested <= limit) return;
  const allowed =
    limit === 0
      ? `The ${plan} plan has no client accounts; the CPA plan has ${planLimits.CPA.clientsMax}.`
      : `The ${plan} plan has ${limit} client accounts, and ${used} are in use.`;
  const kept = requested === 0 ? ' The books of clients are read and downloaded until then, and not changed.' : '';
  throw planLimitRefusal(allowed + kept, 'clientsMax', { plan, limit, used, requested });
}
