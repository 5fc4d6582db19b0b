import { Refusal } from '../../base/refusal.ts';

/** API.md section 5. Null: no limit. */
export const plans = ['FREE', 'PRO', 'CPA'] as const;
export type Plan = (typeof plans)[number];

export interface PlanLimits {
  /** Transactions stored at a time. */
  readonly transactionsMax: number | null;
  /** In a UTC day. */
  readonly aiMessagesPerDay: number | null;
  readonly clientsMax: number;
  /** Of the files that one taxpayer's imports keep. */
  readonly importBytesMax: number;
  /** Imports that one taxpayer keeps. */
  readonly importsMax: number;
}

const megabyte = 1_000_000;

/** No limit but of space: nobody's files may fill the disk of all. */
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

/** Names the first plan that allows more, if there is one, and how much. */
export function planLimitRefusal(
  detail: string,
  of: keyof PlanLimits,
  members: { readonly plan: Plan; readonly limit: number; readonly used: number; readonly requested: number },
): Refusal {
  return new Refusal('plan_limit', detail, { members: { ...members, upgrade: upgradeOf(members.plan, of) } });
}

/** The first plan that allows more than this one; a limit of null is none. */
export function upgradeOf(plan: Plan, of: keyof PlanLimits): { plan: Plan; limit: number | null } | null {
  const now = planLimits[plan][of];
  if (now === null) return null;
  for (const other of plans.slice(plans.indexOf(plan) + 1)) {
    const limit = planLimits[other][of];
    if (limit === null || limit > now) return { plan: other, limit };
  }
  return null;
}
