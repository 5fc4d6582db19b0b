import type { AllocationRule } from '../../../features/allocation/shares.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';

/** The proposal by a rule, and what is frozen. */
export type AllocationView = Awaited<ReturnType<typeof readAllocation>>;

export function readAllocation(rule: AllocationRule) {
  return got(api.tax.allocation.get({ query: { rule } }));
}

/** `booksMadeOn`: empty where the taxpayer's own books did not make it. */
export async function freezeAllocation(rule: AllocationRule, booksMadeOn: string): Promise<void> {
  await got(api.tax.allocation.post({ rule, ...(booksMadeOn === '' ? {} : { booksMadeOn }) }));
  booksChanged();
}
