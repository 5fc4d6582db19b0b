import { roundToCents } from '../../../base/decimal.ts';
import type { Fact } from '../../model.ts';

/** A taxable fact in a year: a line, income, or a section 1256 contract. */
export type TaxedFact = Extract<Fact, { readonly kind: 'disposal' | 'income' | 'contract_1256' }>;

export function isTaxed(fact: Fact): fact is TaxedFact {
  return fact.kind === 'disposal' || fact.kind === 'income' || fact.kind === 'contract_1256';
}

/** Returns the id of the transaction that caused the fact. */
export function transactionOf(fact: TaxedFact): string {
  return fact.kind === 'disposal' ? fact.saleId : fact.transactionId;
}

/** Returns the gain, loss or income of a fact as a positive amount, in cents. */
export function computeStake(fact: TaxedFact): bigint {
  const cents =
    fact.kind === 'disposal'
      ? fact.proceeds - fact.basis + fact.adjustment
      : fact.kind === 'income'
        ? roundToCents(fact.amount)
        : fact.gain;
  return cents < 0n ? -cents : cents;
}
