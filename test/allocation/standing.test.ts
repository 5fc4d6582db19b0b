import { describe, expect, test } from 'bun:test';
import { determineStanding, type StandingQuestion } from '../../src/features/ledger/allocation/frozen-allocation.ts';

/** Rev. Proc. 2024-28, section 5.02(4) and (5). */
const now = '2026-11-23';
const asked = (more: Partial<StandingQuestion>): StandingQuestion => ({
  method: 'unit',
  booksMadeOn: null,
  frozenOn: now,
  firstUses: ['2025-03-01', null],
  ...more,
});
const inTime = (more: Partial<StandingQuestion>): boolean => determineStanding(asked(more)).safeHarbor;

describe('an allocation made today', () => {
  test('is a record rather than the safe harbor, and asks when the books were created', () => {
    for (const method of ['unit', 'rule'] as const) {
      const { safeHarbor, detail } = determineStanding(asked({ method }));
      expect(safeHarbor).toBe(false);
      expect(detail).toContain('is a record and not the safe harbor');
      expect(detail).toContain('enter the date as booksMadeOn');
    }
  });
});

describe('unit by unit', () => {
  test('requires books created before the first use of any of the units after 2024', () => {
    expect(inTime({ booksMadeOn: '2025-02-28' })).toBe(true);
    expect(inTime({ booksMadeOn: '2025-03-01' })).toBe(false);
    expect(inTime({ booksMadeOn: '2025-02-28', firstUses: ['2025-02-01', '2025-03-01'] })).toBe(false);
  });

  test('requires books created before the due date of the 2025 return, extended at most to October 15, 2026', () => {
    expect(inTime({ booksMadeOn: '2026-04-14', firstUses: [null] })).toBe(true);
    expect(determineStanding(asked({ booksMadeOn: '2026-04-14', firstUses: [null] })).detail).not.toContain('extended');
    expect(determineStanding(asked({ booksMadeOn: '2026-10-14', firstUses: [null] })).detail).toContain(
      'must have been extended',
    );
    expect(inTime({ booksMadeOn: '2026-10-15', firstUses: [null] })).toBe(false);
  });
});

describe('by rule', () => {
  test('requires a rule that was described before 2025 and carried out before the later of the two dates', () => {
    const rule = { method: 'rule', frozenOn: '2026-03-01' } as const;
    expect(inTime({ ...rule, booksMadeOn: '2024-12-31' })).toBe(true);
    expect(inTime({ ...rule, booksMadeOn: '2025-01-01' })).toBe(false);
    expect(inTime({ method: 'rule', booksMadeOn: '2024-12-31' })).toBe(false);
    expect(inTime({ method: 'rule', booksMadeOn: '2024-12-31', firstUses: ['2027-01-01'] })).toBe(true);
  });

  test('refuses books dated in the future', () => {
    expect(inTime({ booksMadeOn: '2026-11-24', frozenOn: '2026-11-23', firstUses: ['2027-01-01'] })).toBe(false);
  });
});
