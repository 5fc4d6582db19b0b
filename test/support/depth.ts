/** True in a run that takes its time (`LOTBOOK_TEST_DEPTH=deep`). */
export const isDeep = process.env.LOTBOOK_TEST_DEPTH === 'deep';

/**
 * Returns how many random cases a test draws: `small` in a normal run and `deep` with `LOTBOOK_TEST_DEPTH=deep`, which
 * `npm run test:deep` sets. `LOTBOOK_RUNS` overrides both, to search for a failure.
 */
export function draws(small: number, deep: number): number {
  return Number(process.env.LOTBOOK_RUNS ?? (isDeep ? deep : small));
}
