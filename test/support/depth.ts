/** Whether this is the deep run, `npm run test:deep`. */
export const isDeep = process.env.LOTBOOK_TEST_DEPTH === 'deep';

/** Returns how many random cases to draw: few in `npm test`, all of them in the deep run. */
export function draws(small: number, deep: number): number {
  return isDeep ? deep : small;
}
