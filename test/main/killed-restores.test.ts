import { expect, test } from 'bun:test';
import { generator } from '../../scripts/bench/trades.ts';
import { draws } from '../support/depth.ts';
import { killRestores } from '../support/kills/restores.ts';

/**
 * The first restore is killed while PostgreSQL replays the WAL. PostgreSQL continues without the command, and holds the
 * socket.
 */
test('a restore that was killed finishes when it runs again, and the old database starts if it is put back', async () => {
  const seed = Number(process.env.LOTBOOK_SEED ?? Date.now() % 1_000_000);
  console.log(`kills: LOTBOOK_SEED=${seed}`);
  const kills = await Array.fromAsync(killRestores(draws(2, 6), generator(seed)));
  for (const kill of kills) expect(kill).toMatchObject({ faults: [] });
  // The first two kills wait for the recovery. The third comes at a random moment, which can be too late on a fast
  // machine.
  expect(kills[0]?.isMidway).toBe(true);
});
