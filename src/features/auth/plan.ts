import { Refusal } from '../../base/refusal.ts';

/** The plans and their limits. Null: no limit. */
export const plans = ['FREE', 'PRO', 'CPA'] as const;
export type Plan = (typeof plans)[number];

export interface PlanLimits {
  /** Transactions that can be stored at a time. */
  readonly transactionsMax: number | null;
  /** Per UTC day. */
  readonly aiMessagesPerDay: number | null;
  readonly clientsMax: number;
  /** Total size of the files in one taxpayer's imports. */
  readonly importBytesMax: number;
  /** Number of imports stored for one taxpayer. */
  readonly importsMax: number;
}

const megabyte = 1_000_000;

/** Unlimited except for disk space, so that one user cannot fill the server's disk. */
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

/** Names the first plan that allows more, if there is one, and its limit. */
export function planLimitRefusal(
  detail: string,
  of: keyof PlanLimits,
  members: { readonly plan: Plan; readonly limit: number; readonly used: number; readonly requested: number },
): Refusal {
  return new Refusal('plan_limit', detail, { members: { ...members, upgrade: findUpgrade(members.plan, of) } });
}

/** Returns the first plan that allows more than this one. A limit of null means unlimited. */
export function findUpgrade(plan: Plan, of: keyof PlanLimits): { plan: Plan; limit: number | null } | null {
  const now = planLimits[plan][of];
  if (now === null) return null;
  for (const other of plans.slice(plans.indexOf(plan) + 1)) {
    const limit = planLimits[other][of];
    if (limit === null || limit > now) return { plan: other, limit };
  }
  return null;
}
