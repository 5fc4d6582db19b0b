import { Refusal } from '../../../base/refusal.ts';

/** The plans. A limit of null means unlimited. */
export const plans = ['FREE', 'PRO', 'CPA'] as const;
export type Plan = (typeof plans)[number];

interface PlanLimits {
  /** The maximum number of stored transactions. */
  readonly transactionsMax: number | null;
  /** The maximum per UTC day. */
  readonly aiMessagesPerDay: number | null;
  readonly clientsMax: number;
  /** The maximum total size of the imported files of one taxpayer. */
  readonly importBytesMax: number;
  /** The maximum number of imports of one taxpayer. */
  readonly importsMax: number;
}

const megabyte = 1_000_000;

/** The limits of an unlimited plan. Imports are still limited, so that one user cannot fill the server's disk. */
const unlimited = {
  transactionsMax: null,
  aiMessagesPerDay: null,
  importBytesMax: 4_000 * megabyte,
  importsMax: 10_000,
} as const;

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  FREE: { transactionsMax: 50, aiMessagesPerDay: 5, clientsMax: 0, importBytesMax: 20 * megabyte, importsMax: 200 },
  PRO: { ...unlimited, clientsMax: 0 },
  CPA: { ...unlimited, clientsMax: 10 },
};

export function isPlan(text: string): text is Plan {
  return plans.some((plan) => plan === text);
}

/** Returns the error for a reached limit. Mentions the first plan that allows more, if any, and its limit. */
export function planLimitRefusal(
  detail: string,
  of: keyof PlanLimits,
  members: { readonly plan: Plan; readonly limit: number; readonly used: number; readonly requested: number },
): Refusal {
  return new Refusal('plan_limit', detail, { members: { ...members, upgrade: findUpgrade(members.plan, of) } });
}

/** Returns the first plan with a higher limit, or null if there is none. */
export function findUpgrade(plan: Plan, of: keyof PlanLimits): { plan: Plan; limit: number | null } | null {
  const now = planLimits[plan][of];
  if (now === null) return null;
  for (const other of plans.slice(plans.indexOf(plan) + 1)) {
    const limit = planLimits[other][of];
    if (limit === null || limit > now) return { plan: other, limit };
  }
  return null;
}

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
