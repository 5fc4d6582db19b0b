/**
 * The seed of random histories, printed by whoever uses it: the same each time, so that a red run is the doing of the
 * change it tests. `LOTBOOK_SEED=random` explores, a number repeats what was found.
 */
export function seedFor(what: string): number {
  const wanted = process.env.LOTBOOK_SEED ?? '20251231';
  const seed = wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted);
  console.log(`${what}: LOTBOOK_SEED=${seed}`);
  return seed;
}
