import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, joinCluster, startCluster } from './cluster.ts';
import { findPrograms } from './programs.ts';

/**
 * `bun scripts/citus/index.ts [TESTS…]` runs the tests on a cluster of Citus: the one whose coordinator `DATABASE_URL` names,
 * or a coordinator and two workers that it starts from an installed `postgresql-N-citus`. Each test file gets copies of a
 * distributed database. The exit code is that of the tests, and 2 if there is no cluster. `--serve` keeps the cluster until
 * the process ends and prints its address.
 */
const args = process.argv.slice(2);
const isServer = args.includes('--serve');
const tests = args.filter((word) => word !== '--serve');
const folder = mkdtempSync(join(tmpdir(), 'lotbook-citus-'));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);
const cluster = await findCluster();
console.log(`Citus: coordinator ${cluster.url}, workers ${cluster.workers.join(' ')}`);
const code = isServer ? await untilStopped() : await runTests(cluster);
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(code);

async function findCluster(): Promise<Cluster> {
  const url = process.env.DATABASE_URL;
  const found = url === undefined ? findPrograms() : await joinCluster(url);
  if ('programs' in found) return startCluster(found.programs, folder);
  if ('workers' in found) return found;
  for (const sentence of found.lacks) console.error(sentence);
  rmSync(folder, { recursive: true, force: true });
  process.exit(2);
}

async function untilStopped(): Promise<number> {
  // Without a timer, Bun would wait in a busy loop.
  const timer = setInterval(() => {}, 60_000);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  clearInterval(timer);
  return 0;
}

function runTests({ url, workers }: Cluster): Promise<number> {
  // Statements of a cluster take longer, and three servers share the cores.
  const timeout = '240000';
  const { DATABASE_URL: _, ...env } = process.env;
  const run = Bun.spawn([process.execPath, 'test', `--timeout=${timeout}`, ...tests], {
    cwd: join(import.meta.dir, '..', '..'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...env,
      LOTBOOK_TEST_TIMEOUT: timeout,
      LOTBOOK_TEST_DATABASE_URL: url,
      LOTBOOK_TEST_CITUS_WORKERS: workers.join(' '),
    },
  });
  return run.exited;
}
