import { expect, test } from 'bun:test';
import { estimateSending, estimateStoring, learnPace, paceText } from '../../src/web/api/import-pace.ts';

test('the progress of storing follows the time, and grows to the end without reaching it', () => {
  expect(estimateStoring(100_000, 10)).toEqual({ share: 0.25, secondsLeft: 30 });
  const shares = [0, 10, 35, 40, 60, 600].map((seconds) => estimateStoring(100_000, seconds).share);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(estimateStoring(100_000, 60)).toMatchObject({ secondsLeft: null });
  expect(paceText(estimateStoring(100_000, 600).share, null)).toBe('99%, almost done');
});

test('the time left of an upload includes the storing of its rows', () => {
  expect(estimateSending(80 * 100_000, 0.25, 10)).toBe(30 + 40);
});

test('the next file uses the pace of the last large one', () => {
  learnPace(50, 10);
  expect(estimateStoring(100_000, 10).secondsLeft).toBe(30);
  learnPace(50_000, 50);
  expect(estimateStoring(100_000, 10)).toEqual({ share: 0.1, secondsLeft: 90 });
});

test('the time left is rounded', () => {
  expect([0.5, 12, 54, 61, 150].map((seconds) => paceText(0.625, seconds))).toEqual([
    '62%',
    '62%, about 15 seconds left',
    '62%, about 55 seconds left',
    '62%, about 1 minute left',
    '62%, about 3 minutes left',
  ]);
});
