import type { AccountType } from '../../../engine/model.ts';
import type { FilingStatus } from '../../../forms/report.ts';
import { toOptions } from '../../parts/field.tsx';

/** Display names of the settings' values. */
export const accountTypeNames: Readonly<Record<AccountType, string>> = {
  taxable: 'Taxable',
  ira: 'IRA',
  roth_ira: 'Roth IRA',
  hsa: 'HSA',
  '401k': '401(k) or employer plan',
  spouse: "Spouse's account",
};

export const formNames = { '1099-B': 'Form 1099-B', '1099-DA': 'Form 1099-DA', none: 'No form' } as const;

export const filingStatusNames: Readonly<Record<FilingStatus, string>> = {
  single: 'Single',
  mfj: 'Married filing jointly',
  mfs: 'Married filing separately',
  hoh: 'Head of household',
  qss: 'Qualifying surviving spouse',
};

/** Clears all settings of an asset. If it is another name for a security, sets only that. */
export const nothingStated = {
  name: null,
  assetClass: null,
  accounts: null,
  collectible: null,
  section1256: null,
  basisAtSale: null,
  ruralFund: null,
  formNameOf: null,
};

export const yesOrNo = toOptions({ yes: 'Yes', no: 'No' });

/** Empty if it is not set. */
type YesNo = '' | 'yes' | 'no';

export function toYesNo(stated: boolean | undefined): YesNo {
  return stated === undefined ? '' : stated ? 'yes' : 'no';
}

export const parseYesNo = (word: YesNo): boolean | null => (word === '' ? null : word === 'yes');
