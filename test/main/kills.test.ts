import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generator } from '../../scripts/bench/trades.ts';
import { draws } from '../support/depth.ts';
import { Ground } from '../support/kills/ground.ts';
import { type Kill, killOperations } from '../support/kills/kill.ts';
import { killMigrations } from '../support/kills/migrations.ts';

/** Runs a few kills of each kind. `bun scripts/faults.ts` runs a few hundred and also fills a disk. */
const seed = Number(process.env.LOTBOOK_SEED ?? Date.now() % 1_000_000);
console.log(`kills: LOTBOOK_SEED=${seed}`);
const random = generator(seed);
let ground: Ground;
beforeAll(async () => {
  ground = await Ground.open();
});
afterAll(() => ground.close());

/** Each group is killed at once, with a user for each operation. */
const groups = [
  ['import of 21,000 rows in a Worker', 'import of 1,000 rows', 'edit of a row', 'calculation'],
  ['import of an account archive', 'import of 1,000 rows, answered before', 'undo of an import', 'report for a year'],
];

test.each(groups)(
  'a kill during the %s, the %s, the %s or the %s leaves all of it or nothing, and sending it again produces one result',
  async (...names) => {
    for (let round = 0; round < draws(1, 3); round++) await expectSound(killOperations(ground, names, random));
  },
);

test('a database keeps all its rows if its migration is killed, once the server has started again', async () => {
  await expectSound(killMigrations(draws(1, 4), random));
});

/**
 * Accepts both outcomes of a kill because the machine's speed determines whether it comes before the operation ends.
 */
async function expectSound(kills: AsyncIterable<Kill>): Promise<void> {
  for await (const kill of kills) expect(kill).toMatchObject({ faults: [] });
}
