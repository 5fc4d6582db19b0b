import type { AllocationRule } from '../../../features/allocation/shares.ts';
import { api, got } from '../../api/api.ts';
import { booksChanged } from '../../api/changes.ts';

/** The proposal by a rule, and what is frozen. */
export type AllocationView = Awaited<ReturnType<typeof readAllocation>>;

export function readAllocation(rule: AllocationRule) {
  return got(api.tax.allocation.get({ query: { rule } }));
}

/** What is frozen: by a rule, or every unit of every lot with its wallet. */
export type AllocationChoice =
  | { readonly rule: AllocationRule }
  | { readonly lots: readonly { readonly lotId: string; readonly wallet: string; readonly quantity: string }[] };

/** `booksMadeOn`: empty where the taxpayer's own books did not make it. */
export async function freezeAllocation(choice: AllocationChoice, booksMadeOn: string): Promise<void> {
  const chosen = 'rule' in choice ? choice : { lots: [...choice.lots] };
  await got(api.tax.allocation.post({ ...chosen, ...(booksMadeOn === '' ? {} : { booksMadeOn }) }));
  booksChanged();
}
