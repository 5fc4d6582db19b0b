import { describe, expect, test } from 'bun:test';
import type { Cents } from '../../src/base/decimal.ts';
import type { FilingStatus } from '../../src/forms/report.ts';
import { spouseWarnings } from '../../src/forms/spouse.ts';
import { defaultRules } from '../support/golden.ts';

describe('the accounts of a spouse', () => {
  const accounts = { Theirs: { type: 'spouse' as const }, Mine: { type: 'taxable' as const } };
  const warned = (year: number, filingStatus: FilingStatus, carried: bigint, byYear?: Record<number, boolean>) =>
    spouseWarnings({
      rules: { ...defaultRules, accounts, ...(byYear && { separateReturns: { otherwise: false, byYear } }) },
      filingStatus,
      year,
      carryoverIn: { short: carried as Cents, long: 0n as Cents },
    });

  test('are counted with a warning where the status says of no joint return', () => {
    expect(warned(2025, 'single', 0n)).toEqual([expect.stringMatching(/^Theirs: .* State mfj or mfs\.$/)]);
    expect(warned(2025, 'mfj', 0n)).toEqual([]);
  });

  test('bring a warning of a loss carried from a joint return to a separate one', () => {
    expect(warned(2025, 'mfs', 5n, { 2025: true })).toEqual([expect.stringContaining('carryover of 2025')]);
    expect(warned(2025, 'mfs', 0n, { 2025: true })).toEqual([]);
    expect(warned(2026, 'mfs', 5n, { 2025: true, 2026: true })).toEqual([]);
  });

  test('bring a warning of what the spouse carries from separate returns to a joint one', () => {
    expect(warned(2026, 'mfj', 0n, { 2025: true })).toEqual([expect.stringContaining('not in these books')]);
  });

  test('say nothing where no account is the spouse’s', () => {
    const rules = { ...defaultRules, accounts: { Mine: accounts.Mine } };
    const carryoverIn = { short: 5n as Cents, long: 0n as Cents };
    expect(spouseWarnings({ rules, filingStatus: 'single', year: 2025, carryoverIn })).toEqual([]);
  });
});
