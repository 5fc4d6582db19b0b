/**
 * Returns the seed for random histories, which each test prints. It is constant, so a failure is caused by the change
 * under test. `LOTBOOK_SEED=random` explores, and a number reproduces a failure.
 */
export function seedFor(what: string): number {
  const wanted = process.env.LOTBOOK_SEED ?? '20251231';
  const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
  console.log(`${what}: LOTBOOK_SEED=${seed}`);
  return seed;
}
