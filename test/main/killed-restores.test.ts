import { expect, test } from 'bun:test';
import { generator } from '../../scripts/bench/trades.ts';
import { killRestores } from '../support/kills/restores.ts';

/** The first is killed while PostgreSQL replays the WAL: it goes on without its command, and holds the socket. */
test('a restore that was killed finishes when it runs again, and the old database starts if it is put back', async () => {
  const seed = Number(process.env.LOTBOOK_SEED ?? Date.now() % 1_000_000);
  console.log(`kills: LOTBOOK_SEED=${seed}`);
  for await (const kill of killRestores(3, generator(seed))) expect(kill).toMatchObject({ isMidway: true, faults: [] });
}, 300_000);
