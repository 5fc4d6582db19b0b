import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { transactionTypes } from '../../src/engine/model.ts';
import { seedFor } from '../support/seed.ts';
import { histories, step } from './histories/generate.ts';
import { historyOf } from './histories/history.ts';
import { typesOf } from './histories/step-kinds.ts';

const seed = seedFor('types of random histories');

test('the random histories contain rows of every type', () => {
  const drawn = fc.sample(histories(40), { seed, numRuns: 1000 });
  const types = new Set(drawn.flatMap(({ history }) => history.map(({ type }) => type)));
  expect(transactionTypes.filter((type) => !types.has(type))).toEqual([]);
});

test('a step writes only rows of the types of its kind', () => {
  for (const steps of fc.sample(fc.array(step, { maxLength: 40, size: 'max' }), { seed, numRuns: 200 })) {
    let before = 0;
    for (const [index, { kind }] of steps.entries()) {
      const rows = historyOf(0, steps.slice(0, index + 1));
      const types: readonly string[] = typesOf(kind);
      expect(rows.slice(before).filter(({ type }) => !types.includes(type))).toEqual([]);
      before = rows.length;
    }
  }
});
