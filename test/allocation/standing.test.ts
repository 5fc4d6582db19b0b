import { describe, expect, test } from 'bun:test';
import { type StandingQuestion, standingOf } from '../../src/features/allocation/standing.ts';

/** Rev. Proc. 2024-28, section 5.02(4) and (5). */
const now = '2026-11-23';
const asked = (more: Partial<StandingQuestion>): StandingQuestion => ({
  method: 'unit',
  booksMadeOn: null,
  frozenOn: now,
  firstUses: ['2025-03-01', null],
  ...more,
});
const inTime = (more: Partial<StandingQuestion>): boolean => standingOf(asked(more)).safeHarbor;

describe('an allocation made now', () => {
  test('is a record and not the safe harbor, and asks when the books were made', () => {
    for (const method of ['unit', 'rule'] as const) {
      const { safeHarbor, detail } = standingOf(asked({ method }));
      expect(safeHarbor).toBe(false);
      expect(detail).toContain('is a record and not the safe harbor');
      expect(detail).toContain('state the day as booksMadeOn');
    }
  });
});

describe('unit by unit', () => {
  test('the books had to be made before the first use of any of the units after 2024', () => {
    expect(inTime({ booksMadeOn: '2025-02-28' })).toBe(true);
    expect(inTime({ booksMadeOn: '2025-03-01' })).toBe(false);
    expect(inTime({ booksMadeOn: '2025-02-28', firstUses: ['2025-02-01', '2025-03-01'] })).toBe(false);
  });

  test('and before the due date of the return of 2025, extended at most to 15 October 2026', () => {
    expect(inTime({ booksMadeOn: '2026-04-14', firstUses: [null] })).toBe(true);
    expect(standingOf(asked({ booksMadeOn: '2026-04-14', firstUses: [null] })).detail).not.toContain('extended');
    expect(standingOf(asked({ booksMadeOn: '2026-10-14', firstUses: [null] })).detail).toContain(
      'must have been extended',
    );
    expect(inTime({ booksMadeOn: '2026-10-15', firstUses: [null] })).toBe(false);
  });
});

describe('by rule', () => {
  test('the rule had to be described before 2025, and carried out before the later of both dates', () => {
    const rule = { method: 'rule', frozenOn: '2026-03-01' } as const;
    expect(inTime({ ...rule, booksMadeOn: '2024-12-31' })).toBe(true);
    expect(inTime({ ...rule, booksMadeOn: '2025-01-01' })).toBe(false);
    expect(inTime({ method: 'rule', booksMadeOn: '2024-12-31' })).toBe(false);
    expect(inTime({ method: 'rule', booksMadeOn: '2024-12-31', firstUses: ['2027-01-01'] })).toBe(true);
  });

  test('books of the future were not made', () => {
    expect(inTime({ booksMadeOn: '2026-11-24', frozenOn: '2026-11-23', firstUses: ['2027-01-01'] })).toBe(false);
  });
});
