import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generator } from '../../scripts/bench/trades.ts';
import { Ground } from '../support/kills/ground.ts';
import { type Kill, killOperations } from '../support/kills/kill.ts';
import { killMigrations } from '../support/kills/migrations.ts';

/** A few kills of each kind. `bun scripts/faults.ts` kills a few hundred times, and fills a disk. */
const seed = Number(process.env.LOTBOOK_SEED ?? Date.now() % 1_000_000);
console.log(`kills: LOTBOOK_SEED=${seed}`);
const random = generator(seed);
const minutes = 60_000;

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
  ['report of a year', 1],
  ['import of an account archive', 1],
])(
  'a kill during the %s leaves all of it or nothing, and it has one result when it is sent again',
  async (name, kills) => {
    await expectSound(killOperations(ground, new Array<string>(kills).fill(name), random));
  },
  4 * minutes,
);

test(
  'a database whose migration was killed has all its rows once the server starts',
  async () => {
    await expectSound(killMigrations(2, random));
  },
  4 * minutes,
);

/** Accepts both outcomes of a kill: whether it comes before the end of its operation depends on the machine. */
async function expectSound(kills: AsyncIterable<Kill>): Promise<void> {
  for await (const kill of kills) expect(kill).toMatchObject({ faults: [] });
}
