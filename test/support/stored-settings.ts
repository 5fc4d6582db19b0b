import type { Rules } from '../../src/engine/model.ts';
import type { StoredSettings } from '../../src/features/transactions/elections.ts';

/**
 * The settings that lead to these rules. The time zone is the account's, the evidence is that of the rows, and separate
 * returns follow from the filing status.
 */
export function storedSettings({
  timeZone: _,
  evidence: _ofRows,
  separateReturns,
  ...elections
}: Rules): StoredSettings {
  if (separateReturns === undefined) return elections;
  const statusIf = (separate: boolean) => (separate ? 'mfs' : 'mfj');
  const { otherwise, byYear } = separateReturns;
  return {
    ...elections,
    filingStatus: statusIf(otherwise),
    filingStatusByYear: Object.fromEntries(
      Object.entries(byYear).map(([year, separate]) => [year, statusIf(separate)] as const),
    ),
  };
}
