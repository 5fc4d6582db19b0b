import { afterEach, expect, test } from 'bun:test';
import { keepRunning } from '../../src/db/keep-running.ts';
import type { RunningServer } from '../../src/db/postgres-server.ts';

const stands: Bun.Subprocess[] = [];
afterEach(() => {
  for (const stand of stands.splice(0)) stand.kill('SIGKILL');
});

test('it is tried until it starts, each try is logged once, and the end gives what runs then', async () => {
  const logged: string[] = [];
  const second = standIn();
  const started = Promise.withResolvers<void>();
  let tries = 0;
  const first = standIn();
  const watch = keepRunning(
    first,
    async () => {
      tries += 1;
      if (tries < 3) throw new Error(`no room, ${tries}`);
      started.resolve();
      return second;
    },
    (event, fields) => logged.push(`${event}: ${fields.reason ?? fields.process}`),
  );
  process.kill(first.pid, 'SIGKILL');
  await started.promise;
  expect(await watch.end()).toEqual(second);
  expect(logged).toEqual([
    `PostgreSQL has ended: ${first.pid}`,
    'PostgreSQL was not started again: no room, 1',
    'PostgreSQL was not started again: no room, 2',
    `PostgreSQL was started again: ${second.pid}`,
  ]);
});

test('the end breaks off a start that is under way, and none comes after it', async () => {
  const first = standIn();
  const underWay = Promise.withResolvers<void>();
  let tries = 0;
  const watch = keepRunning(
    first,
    (ending) => {
      tries += 1;
      underWay.resolve();
      return new Promise((_resolve, reject) => ending.addEventListener('abort', () => reject(new Error('given up'))));
    },
    () => {},
  );
  process.kill(first.pid, 'SIGKILL');
  await underWay.promise;
  expect(await watch.end()).toBeNull();
  await Bun.sleep(300);
  expect(tries).toBe(1);
});

test('one that runs is left alone', async () => {
  const first = standIn();
  const watch = keepRunning(first, () => Promise.reject(new Error('unreachable')), expect.unreachable);
  await Bun.sleep(600);
  expect(await watch.end()).toEqual(first);
});

/** A process that stands for PostgreSQL. */
function standIn(): RunningServer {
  const stand = Bun.spawn(['sleep', '100'], { stdio: ['ignore', 'ignore', 'ignore'] });
  stands.push(stand);
  return { pid: stand.pid, socketFolder: '/nowhere', port: 5432 };
}
