import type { Rules } from '../../src/engine/model.ts';
import type { StoredSettings } from '../../src/features/ledger/transactions/elections.ts';

/**
 * Returns the settings that result in these rules. The time zone comes from the account, the evidence from the rows,
 * and separate returns from the filing status.
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
