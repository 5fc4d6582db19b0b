import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Day, type Instant, parseDay, yearOf } from '../../src/base/day.ts';
import type { Cents, Money } from '../../src/base/decimal.ts';
import type { Income } from '../../src/engine/model.ts';
import { isNearNewYear, isNewYearDay, listNearNewYear, zoneIssues } from '../../src/engine/rules/questions/new-year.ts';

/** Whole hours from December 29, 2024, to January 3, 2028, in UTC. */
const instants = fc
  .integer({ min: Date.UTC(2024, 11, 29) / 3_600_000, max: Date.UTC(2028, 0, 3) / 3_600_000 })
  .map((hours) => (hours * 3_600_000_000) as Instant);

const rowsOf = fc.array(
  fc.record({
    at: fc.oneof(instants, fc.constantFrom(...[0, 5, 9, 10, 23, 24, 26, 35, 36, 40].map(hoursFromNewYearsEve))),
    account: fc.constantFrom('Exchange', 'Wallet', 'Broker'),
    asset: fc.constantFrom('BTC', 'ETH', ''),
    zoned: fc.boolean(),
    dollars: fc.integer({ min: 1, max: 1_000_000 }),
  }),
  { maxLength: 12 },
);

function hoursFromNewYearsEve(hours: number): Instant {
  return (Date.UTC(2025, 11, 31, hours) * 1000) as Instant;
}

function dayOfUtc(at: Instant): Day {
  return Math.floor(at / 86_400_000_000) as Day;
}

function incomesOf(rows: readonly { at: Instant; account: string; asset: string; zoned: boolean; dollars: number }[]) {
  const facts = rows.map(({ at, account, asset, dollars }, index): Income => {
    const on = dayOfUtc(at);
    const amount = (BigInt(dollars) * 1_000_000n) as Money;
    return {
      kind: 'income',
      causedOn: on,
      id: `r${index}/0`,
      transactionId: `r${index}`,
      on,
      asset,
      account,
      type: 'staking',
      amount,
    };
  });
  const known = new Map(
    rows.map(({ at, zoned }, index) => [
      `r${index}`,
      { at, on: dayOfUtc(at), ...(zoned ? { zoned: true as const } : {}) },
    ]),
  );
  return { facts, rowOf: (id: string) => known.get(id) };
}

describe('the question about the time zone', () => {
  test('is one question for rows in any accounts, assets and years, with all their dollars and rows', () => {
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const { facts, rowOf } = incomesOf(rows);
        const issues = zoneIssues(listNearNewYear(facts, {}, rowOf));
        const open = facts.filter((_, index) => isOpen(rows[index]?.at as Instant) && rows[index]?.zoned === false);
        expect(issues.length).toBe(open.length === 0 ? 0 : 1);
        const [issue] = issues;
        if (issue === undefined) return;
        expect([...issue.transactions].sort()).toEqual(open.map(({ transactionId }) => transactionId).sort());
        const years = new Set(open.flatMap(({ on }) => [yearOf((on - 1) as Day), yearOf((on + 1) as Day)]));
        expect(new Set([yearOf(issue.on), ...(issue.otherYears ?? [])])).toEqual(years);
        expect(issue.dollars).toBe(open.reduce((sum, { amount }) => sum + amount / 1_000_000n, 0n) as Cents);
      }),
    );
  });

  test('does not depend on the order of the facts, or on how books are merged', () => {
    fc.assert(
      fc.property(rowsOf, fc.integer({ min: 0, max: 12 }), (rows, cut) => {
        const { facts, rowOf } = incomesOf(rows);
        const near = (some: readonly Income[]) => listNearNewYear(some, {}, rowOf);
        expect(zoneIssues([...near(facts.slice(cut)), ...near(facts.slice(0, cut)).reverse()])).toEqual(
          zoneIssues(near(facts)),
        );
      }),
    );
  });

  test('is not asked if a zone is stated, even if it is UTC', () => {
    const { facts, rowOf } = incomesOf([
      { at: hoursFromNewYearsEve(22), account: 'Exchange', asset: 'BTC', zoned: false, dollars: 1 },
    ]);
    for (const timeZone of ['America/New_York', 'Etc/UTC'])
      expect(listNearNewYear(facts, { timeZone }, rowOf)).toEqual([]);
    expect(listNearNewYear(facts, {}, rowOf)).toHaveLength(1);
  });

  test('names the amount, the row and both years', () => {
    const { facts, rowOf } = incomesOf([
      { at: hoursFromNewYearsEve(26), account: 'Exchange', asset: 'BTC', zoned: false, dollars: 1_234_550 },
    ]);
    const [issue] = zoneIssues(listNearNewYear(facts, {}, rowOf));
    expect(issue?.detail).toContain('$12,345.50 of gains, losses and income may belong in another tax year.');
    expect(issue?.detail).toContain(
      'Counted in 2026 but may belong to 2025: $12,345.50 (BTC in Exchange on 2026-01-01).',
    );
  });
});

/** Returns true if two places on earth are in different years at this instant. */
function isOpen(at: Instant): boolean {
  const years = Array.from({ length: 105 }, (_, quarter) => (quarter - 48) * 900_000_000).map((offset) =>
    new Date((at + offset) / 1000).getUTCFullYear(),
  );
  return new Set(years).size > 1;
}

test('every instant near New Year is on December 31 or January 1 in UTC', () => {
  fc.assert(fc.property(instants, (at) => !isNearNewYear(at) || isNewYearDay(dayOfUtc(at))));
  expect(isNewYearDay(parseDay('2025-12-30') as Day)).toBe(false);
});
