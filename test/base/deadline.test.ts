import { expect, test } from 'bun:test';
import { withDeadline } from '../../src/base/deadline.ts';

test('a timely result or failure is passed on', async () => {
  expect(await withDeadline(Promise.resolve(7), 1000, 'Too late.')).toBe(7);
  expect(withDeadline(Promise.reject(new Error('Broken.')), 1000, 'Too late.')).rejects.toThrow('Broken.');
});

test('work that never ends is abandoned', () => {
  expect(withDeadline(new Promise(() => {}), 5, 'Too late.')).rejects.toThrow('Too late.');
});
