import { afterEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { keepRunning } from '../../src/db/keep-running.ts';
import { isAlive, isZombie, type RunningServer } from '../../src/db/postgres-server.ts';
import { until } from '../support/until.ts';

const stands: Bun.Subprocess[] = [];
afterEach(() => {
  for (const stand of stands.splice(0)) stand.kill('SIGKILL');
});

test('a start is retried until it succeeds, and each attempt is logged once', async () => {
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
  expect(watch.secondsAway()).toBe(0);
  process.kill(first.pid, 'SIGKILL');
  await Bun.sleep(600);
  // Failed starts do not reset the clock.
  expect(watch.secondsAway()).toBeGreaterThan(0.1);
  await Bun.sleep(900);
  expect(watch.secondsAway()).toBeGreaterThan(1);
  await started.promise;
  expect(await watch.end()).toEqual(second);
  expect(watch.secondsAway()).toBe(0);
  expect(logged).toEqual([
    `PostgreSQL has ended: ${first.pid}`,
    'PostgreSQL was not started again: no room, 1',
    'PostgreSQL was not started again: no room, 2',
    `PostgreSQL was started again: ${second.pid}`,
  ]);
});

test('stopping aborts a start in progress, and no other start follows', async () => {
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

test('a zombie counts as dead, as /proc and ps agree', async () => {
  // The child lives until its input ends. If it ended before the shell becomes `sleep`, the shell would reap it.
  const script = 'exec 3<&0; cat <&3 & echo $!; exec sleep 100 3<&-';
  const parent = Bun.spawn(['sh', '-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  stands.push(parent);
  const { value } = await parent.stdout.getReader().read();
  const zombie = Number(new TextDecoder().decode(value));
  const program = `/proc/${parent.pid}/comm`;
  await until('the shell is gone', () => readFileSync(program, 'utf8') === 'sleep\n');
  parent.stdin.end();
  await until('the child has ended', () => isZombie(zombie, 'proc'));
  expect(() => process.kill(zombie, 0)).not.toThrow();
  for (const look of ['proc', 'ps'] as const) {
    // On a busy machine, ps has listed no zombie at all, although the kernel still had it.
    if (look === 'ps' && Bun.spawnSync(['ps', '-p', String(zombie), '-o', 'stat=']).exitCode !== 0) {
      console.log('This ps does not list the zombie: left out.');
      continue;
    }
    expect([look, isZombie(zombie, look), isZombie(parent.pid, look)]).toEqual([look, true, false]);
  }
  expect([isAlive(zombie), isAlive(parent.pid)]).toEqual([false, true]);
});

test('a running server is left alone', async () => {
  const first = standIn();
  const watch = keepRunning(first, () => Promise.reject(new Error('unreachable')), expect.unreachable);
  await Bun.sleep(600);
  expect(await watch.end()).toEqual(first);
});

/** Starts a process that stands in for PostgreSQL. */
function standIn(): RunningServer {
  const stand = Bun.spawn(['sleep', '100'], { stdio: ['ignore', 'ignore', 'ignore'] });
  stands.push(stand);
  return { pid: stand.pid, socketFolder: '/nowhere', port: 5432 };
}
