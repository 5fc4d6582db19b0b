import type { LotPlan } from './book.ts';
import { computePortion } from './not-on-form-1099.ts';

/** Returns the plan's amounts for `units` units of a lot of `whole` units, after the first `before` units. */
export function planPart(all: LotPlan | undefined, before: bigint, units: bigint, whole: bigint): LotPlan | undefined {
  if (all === undefined) return undefined;
  const share = (cents: bigint): bigint => computePortion(cents, before, units, whole);
  return {
    ...all,
    paid: share(all.paid),
    spread: all.spread === null ? null : share(all.spread),
    discount: all.discount === null ? null : share(all.discount),
  };
}

/** Combines the plan's amounts of two fragments of one purchase that become one lot. */
export function jointPlan(a: LotPlan | undefined, b: LotPlan | undefined): LotPlan | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    ...a,
    paid: a.paid + b.paid,
    spread: sumOf(a.spread, b.spread),
    discount: sumOf(a.discount, b.discount),
  };
}

function sumOf(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a + b;
}

export function withPlan(plan: LotPlan | undefined): { readonly plan?: LotPlan } {
  return plan === undefined ? {} : { plan };
}
