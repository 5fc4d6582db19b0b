import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generator } from '../../scripts/bench/trades.ts';
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

test.each([
  ['import of 1,000 rows', 2],
  ['import of 1,000 rows, answered before', 1],
  ['import of 21,000 rows in a Worker', 1],
  ['edit of a row', 1],
  ['undo of an import', 1],
  ['calculation', 1],
  ['report for a year', 1],
  ['import of an account archive', 1],
])(
  'a kill during the %s leaves all of it or nothing, and sending it again produces one result',
  async (name, kills) => {
    await expectSound(killOperations(ground, new Array<string>(kills).fill(name), random));
  },
);

test('a database keeps all its rows if its migration is killed, once the server has started again', async () => {
  await expectSound(killMigrations(2, random));
});

/**
 * Accepts both outcomes of a kill because the machine's speed determines whether it comes before the operation ends.
 */
async function expectSound(kills: AsyncIterable<Kill>): Promise<void> {
  for await (const kill of kills) expect(kill).toMatchObject({ faults: [] });
}
