import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, joinCluster, startCluster } from './cluster.ts';
import { findPrograms } from './programs.ts';

/**
 * `bun scripts/citus/index.ts [TESTS…]` runs the tests on a Citus cluster: the one whose coordinator is in
 * `DATABASE_URL`, or a coordinator and two workers that it starts from an installed `postgresql-N-citus`. Each test
 * file gets copies of a distributed database. Without TESTS, all tests that use a database run. Exits with the exit
 * code of the tests, or 2 if there is no cluster. `--serve` keeps the cluster until the process ends and prints its
 * address. `--bench` compares the cluster with one plain PostgreSQL (scripts/bench/cluster.ts).
 */
const args = process.argv.slice(2);
const isServer = args.includes('--serve');
const isBench = args.includes('--bench');
const tests = args.filter((word) => !word.startsWith('--'));
const root = join(import.meta.dir, '..', '..');
/** Statements take longer on a cluster, and three servers share the cores. */
const timeout = '240000';
const folder = mkdtempSync(join(tmpdir(), 'lotbook-citus-'));
// PostgreSQL refuses to run as root.
chmodSync(folder, 0o755);
const cluster = await findCluster();
console.log(`Citus: coordinator ${cluster.url}, workers ${cluster.workers.join(' ')}`);
const code = isServer ? await untilStopped() : await runOn(cluster);
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

function runOn({ url, workers }: Cluster): Promise<number> {
  const { DATABASE_URL: _, ...env } = process.env;
  const words = isBench
    ? ['scripts/bench/index.ts', 'cluster']
    : ['test', `--timeout=${timeout}`, ...(tests.length > 0 ? tests : databaseTests())];
  const run = Bun.spawn([process.execPath, ...words], {
    cwd: root,
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

function databaseTests(): string[] {
  const { stdout } = Bun.spawnSync([process.execPath, join('scripts', 'test-files.ts'), 'database'], { cwd: root });
  return stdout.toString().trim().split('\n');
}
