import { describe } from 'bun:test';
import { type Case, readAlike } from './readings.ts';

const cases: readonly Case[] = [
  {
    name: 'the premium of the last period reduces the basis of a bond redeemed that day, in any file order',
    rows: [
      '2024-06-15,buy,A,B,10,10500,,,,bond',
      '2025-06-15,sell,A,B,10,10000,,,,bond',
      '2025-06-15,bond_amortization,A,B,,500,,,,bond',
    ],
    lines: ['t000003 A B 2024-06-15 (2024-06-15) → 2025-06-15 in 2025 short C: 10 10000 10000 0 0 0'],
    issues: [],
  },
  {
    name: 'premium without an account applies to all accounts with the bond, unit by unit',
    rows: [
      '2024-01-15,buy,A,B,10,1050,,,,bond',
      '2024-01-15,buy,C,B,20,2080,,,,bond',
      '2025-01-15,bond_amortization,,B,,10,,,,bond',
    ],
    lots: ['A B 2024-01-15 (2024-01-15): 10 1046.67', 'C B 2024-01-15 (2024-01-15): 20 2073.33'],
    issues: [],
  },
  {
    name: 'premium is amortized up to the basis of a lot, and the rest has no line',
    rows: [
      '2024-01-15,buy,A,B,10,4,,,,bond',
      '2024-02-15,buy,A,B,10,2000,,,,bond',
      '2025-01-15,bond_amortization,A,B,,10,,,,bond',
    ],
    lines: [],
    lots: ['A B 2024-01-15 (2024-01-15): 10 0', 'A B 2024-02-15 (2024-02-15): 10 1995'],
    issues: ['t000004 unreconciled'],
  },
  {
    name: 'premium without a holding raises an issue',
    rows: ['2025-01-15,bond_amortization,A,B,,10,,,,bond'],
    lines: [],
    lots: [],
    issues: ['t000002 unreconciled'],
  },
];

describe('both engines apply the bond premium rules in the same way', () => readAlike(cases));
