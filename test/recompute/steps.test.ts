import { expect, test } from 'bun:test';
import { recomputeSteps } from '../../src/features/ledger/recompute/recompute.ts';

test('each step of a recomputation reads only values that an earlier step wrote', () => {
  const known = new Set<string>(['touched', 'sources']);
  for (const { name, reads, writes } of recomputeSteps) {
    expect([name, reads.filter((value) => !known.has(value))]).toEqual([name, []]);
    for (const value of writes) known.add(value);
  }
  expect([...known]).toContain('revision');
});

test('each value that a step writes is read by a later step or is part of the result', () => {
  const unread = recomputeSteps.flatMap(({ writes }, index) => {
    const later = recomputeSteps.slice(index + 1).flatMap(({ reads }) => reads);
    return writes.filter((value) => !later.includes(value));
  });
  expect(unread).toEqual(['issues', 'revision']);
});
