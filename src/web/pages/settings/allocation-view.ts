import type { AllocationRule } from '../../../features/ledger/allocation/shares.ts';
import { api, unwrapResponse } from '../../api/api.ts';
import { write } from '../../api/changes.ts';

/** The allocation that a rule proposes, and the finalized one, if any. */
export type AllocationView = Awaited<ReturnType<typeof readAllocation>>;

export function readAllocation(rule: AllocationRule) {
  return unwrapResponse(api.tax.allocation.get({ query: { rule } }));
}

/** The allocation to finalize: a rule, or every unit of every lot with its wallet. */
export type AllocationChoice =
  | { readonly rule: AllocationRule }
  | { readonly lots: readonly { readonly lotId: string; readonly wallet: string; readonly quantity: string }[] };

/** Finalizes an allocation. `booksMadeOn` is empty if the taxpayer's own records did not make the allocation. */
export async function freezeAllocation(choice: AllocationChoice, booksMadeOn: string): Promise<void> {
  const chosen = 'rule' in choice ? choice : { lots: [...choice.lots] };
  await write(api.tax.allocation.post({ ...chosen, ...(booksMadeOn === '' ? {} : { booksMadeOn }) }));
}
