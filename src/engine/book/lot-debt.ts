import type { Day } from '../../base/day.ts';
import type { LotDebt } from './book.ts';
import { computePortion } from './not-on-form-1099.ts';

/**
 * Returns the debt terms for part of a lot of `whole` units: the `units` units that follow the first `before`. Accrued
 * interest is prorated by units.
 */
export function debtPart(all: LotDebt | undefined, before: bigint, units: bigint, whole: bigint): LotDebt | undefined {
  return all === undefined || all.accrued === 0n
    ? all
    : { ...all, accrued: computePortion(all.accrued, before, units, whole) };
}

/** Combines the debt terms of two fragments of one purchase that become one lot. */
export function jointDebt(a: LotDebt | undefined, b: LotDebt | undefined): LotDebt | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { ...a, accrued: a.accrued + b.accrued, ...(b.isAccruing ? { isAccruing: true } : {}) };
}

/** Returns the terms of a debt, or undefined if there is neither a maturity date nor accrued interest. */
export function toLotDebt(maturity: Day | null, accrued: bigint): LotDebt | undefined {
  return maturity === null && accrued === 0n ? undefined : { maturity, accrued };
}

export function withDebt(debt: LotDebt | undefined): { readonly debt?: LotDebt } {
  return debt === undefined ? {} : { debt };
}
