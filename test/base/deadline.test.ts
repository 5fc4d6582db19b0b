import { expect, test } from 'bun:test';
import { withDeadline } from '../../src/base/deadline.ts';

test('what answers in time is the answer, and what fails is its failure', async () => {
  expect(await withDeadline(Promise.resolve(7), 1000, 'Too late.')).toBe(7);
  expect(withDeadline(Promise.reject(new Error('Broken.')), 1000, 'Too late.')).rejects.toThrow('Broken.');
});

test('what never answers is given up', () => {
  expect(withDeadline(new Promise(() => {}), 5, 'Too late.')).rejects.toThrow('Too late.');
});
