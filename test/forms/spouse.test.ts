import { describe, expect, test } from 'bun:test';
import { spouseWarnings } from '../../src/forms/spouse.ts';
import { defaultRules } from '../support/golden.ts';

describe('the accounts of a spouse', () => {
  const accounts = { Theirs: { type: 'spouse' as const }, Mine: { type: 'taxable' as const } };

  test('are included with a warning if the filing status is not a joint return', () => {
    const rules = { ...defaultRules, accounts };
    const warned = spouseWarnings({ rules, filingStatus: 'single' });
    expect(warned).toEqual([expect.stringMatching(/^Theirs: .* Set the filing status to mfj or mfs\.$/)]);
    expect(spouseWarnings({ rules, filingStatus: 'mfj' })).toEqual([]);
    expect(spouseWarnings({ rules, filingStatus: 'mfs' })).toEqual([]);
  });

  test('cause no warning if no account belongs to the spouse', () => {
    const rules = { ...defaultRules, accounts: { Mine: accounts.Mine } };
    expect(spouseWarnings({ rules, filingStatus: 'single' })).toEqual([]);
  });
});
