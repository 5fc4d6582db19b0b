import type { AccountType } from '../../../engine/model.ts';
import type { FilingStatus } from '../../../forms/report.ts';

/** What the words of the settings are called on the pages of the client. */
export const accountTypeNames: Readonly<Record<AccountType, string>> = {
  taxable: 'Taxable',
  ira: 'IRA',
  roth_ira: 'Roth IRA',
  hsa: 'HSA',
  '401k': '401(k) or plan of an employer',
  spouse: 'Account of your spouse',
};

export const formNames = {
  '1099-B': 'Form 1099-B',
  '1099-DA': 'Form 1099-DA',
  none: 'No form',
} as const;

export const filingStatusNames: Readonly<Record<FilingStatus, string>> = {
  single: 'Single',
  mfj: 'Married filing jointly',
  mfs: 'Married filing separately',
  hoh: 'Head of household',
  qss: 'Qualifying surviving spouse',
};

/** All that may be stated of an asset, removed: another name of a security states that alone. */
export const nothingStated = {
  assetClass: null,
  accounts: null,
  collectible: null,
  section1256: null,
  basisAtSale: null,
  ruralFund: null,
  formNameOf: null,
};

export function optionsOf<Value extends string>(names: Readonly<Record<Value, string>>) {
  return (Object.entries(names) as [Value, string][]).map(([value, label]) => ({ value, label }));
}
