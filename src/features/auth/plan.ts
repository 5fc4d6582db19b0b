/** API.md section 5. Null: no limit. */
export const plans = ['FREE', 'PRO', 'CPA'] as const;
export type Plan = (typeof plans)[number];

export interface PlanLimits {
  /** Transactions stored at a time. */
  readonly transactionsMax: number | null;
  /** In a UTC day. */
  readonly aiMessagesPerDay: number | null;
  readonly clientsMax: number;
}

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  FREE: { transactionsMax: 50, aiMessagesPerDay: 5, clientsMax: 0 },
  PRO: { transactionsMax: null, aiMessagesPerDay: null, clientsMax: 0 },
  CPA: { transactionsMax: null, aiMessagesPerDay: null, clientsMax: 10 },
};

export function isPlan(text: string): text is Plan {
  return plans.some((plan) => plan === text);
}
