import type { Plan } from '../auth/plan.ts';

export interface PlanPrice {
  readonly cents: number;
  readonly interval: 'month' | 'year';
}

/** Amounts are in US cents. */
export const planPrices: Readonly<Record<Exclude<Plan, 'FREE'>, PlanPrice>> = {
  PRO: { cents: 4_900, interval: 'month' },
  CPA: { cents: 49_900, interval: 'year' },
};
