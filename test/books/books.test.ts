import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Day, yearOf } from '../../src/base/day.ts';
import type { Fact } from '../../src/engine/model.ts';
import { summaryFromText, summaryText, sumSummaries } from '../../src/features/ledger/books/netting.ts';
import { computeRevision, planBooks } from '../../src/features/ledger/books/replay-books.ts';
import { summarizeFacts } from '../../src/features/ledger/books/summaries.ts';
import { histories } from '../oracle/histories/generate.ts';
import { draws } from '../support/depth.ts';
import { replayAll } from '../support/ledger.ts';
import { seedFor } from '../support/seed.ts';

const seed = seedFor('books.test');

const day = (number: number): Day => number as Day;
const member = (key: string, book: string) => ({ asset_key: key, book });

describe('the books that a change recalculates', () => {
  test('a single key resumes before its first changed day', () => {
    const plan = planBooks(new Map([['a', day(5)]]), [], [member('a', 'a'), member('b', 'b')]);
    expect(plan).toEqual({ replays: [{ book: 'a', keys: ['a'], from: day(5) }], dissolved: [] });
  });

  test('linked keys form one book, under the smallest name, and resume before their first changed day', () => {
    const stored = [member('a', 'a'), member('b', 'a')];
    const plan = planBooks(new Map([['b', day(9)]]), [['b', 'a']], stored);
    expect(plan).toEqual({ replays: [{ book: 'a', keys: ['a', 'b'], from: day(9) }], dissolved: [] });
  });

  test('merged books are recalculated from the start, and their separate results are removed', () => {
    const stored = [member('b', 'b'), member('c', 'c'), member('d', 'c')];
    const plan = planBooks(
      new Map([['b', day(9)]]),
      [
        ['b', 'd'],
        ['c', 'd'],
      ],
      stored,
    );
    expect(plan.replays).toEqual([{ book: 'b', keys: ['b', 'c', 'd'], from: null }]);
    expect(plan.dissolved).toEqual(['b', 'c']);
  });

  test('a split book gives each part its own starting day', () => {
    const stored = [member('a', 'a'), member('b', 'a'), member('c', 'a')];
    const plan = planBooks(new Map([['b', day(9)]]), [['b', 'c']], stored);
    expect(plan.replays).toEqual([
      { book: 'a', keys: ['a'], from: null },
      { book: 'b', keys: ['b', 'c'], from: null },
    ]);
    expect(plan.dissolved).toEqual(['a']);
  });
});

test('the summaries of the parts add up to the summary of the whole, also after a round trip through text', () => {
  fc.assert(
    fc.property(histories(25), fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }), ({ history, rules }, dice) => {
      const { facts, summaries } = replayAll(history, rules);
      // A wash sale stays with its disposal, as in a book.
      const partOf = (fact: Fact): number =>
        dice[(fact.kind === 'wash' ? fact.disposalId : fact.id).length % dice.length] ?? 0;
      for (const whole of summaries) {
        const own = facts.filter((fact) => yearOf(fact.on) === whole.year);
        const parts = [...Map.groupBy(own, partOf).values()].map((part) => summarizeFacts(whole.year, part));
        const sum = sumSummaries(
          whole.year,
          parts.map((part) => summaryFromText(summaryText(part))),
        );
        expect(sum.total).toEqual(whole.total);
        expect(sumSummaries(whole.year, [whole])).toEqual(whole);
        expect(sum.contracts1256).toEqual(whole.contracts1256);
        expect(sum.boxes).toEqual(whole.boxes);
        expect(sum.assets).toEqual(whole.assets);
        expect(sum.income).toEqual(whole.income);
      }
    }),
    { seed, numRuns: draws(50, 200) },
  );
});

describe('the revision', () => {
  test('is 0 for empty books without elections', () => {
    expect(computeRevision('0', {}, 'UTC')).toBe('0');
    expect(computeRevision('0', {}, 'America/New_York')).toBe('0');
  });

  test('changes with the time zone: lots identified on time in one zone are late in another', () => {
    expect(computeRevision('17', {}, 'America/New_York')).not.toBe(computeRevision('17', {}, 'UTC'));
  });

  test('depends on the content of the elections but not on their order', () => {
    const one = computeRevision('17', { method: 'LIFO', wholeDollars: true }, 'UTC');
    expect(computeRevision('17', { wholeDollars: true, method: 'LIFO' }, 'UTC')).toBe(one);
    expect(computeRevision('17', { method: 'LIFO' }, 'UTC')).not.toBe(one);
    expect(computeRevision('18', { method: 'LIFO', wholeDollars: true }, 'UTC')).not.toBe(one);
  });

  test('fits a bigint for any sum of digests', () => {
    expect(BigInt(computeRevision('-99999999999999999999', { method: 'LIFO' }, 'UTC')) < 2n ** 63n).toBe(true);
    expect(BigInt(computeRevision('-1', {}, 'UTC')) >= 0n).toBe(true);
  });
});
