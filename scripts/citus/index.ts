import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from './cluster.ts';
import { findPrograms } from './programs.ts';

/**
 * `bun scripts/citus/index.ts [--source FOLDER] [TESTS…]`: a coordinator and two workers of Citus on this machine, from the package
 * `postgresql-N-citus` or built from its sources, and the tests on them, each file in a database that is distributed anew. Ends
 * with what the tests end with, and with 2 where neither package nor sources are there.
 */
const { source, tests } = readArguments(process.argv.slice(2));
const found = findPrograms(source);
if ('lacks' in found) {
  for (const sentence of found.lacks) console.error(sentence);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'lotbook-citus-'));
// PostgreSQL runs as another user than root.
chmodSync(folder, 0o755);
const cluster = await startCluster(found.programs, folder);
console.log(`Citus: coordinator ${cluster.url}, workers ${cluster.workers.join(' ')}`);
const run = Bun.spawn([process.execPath, 'test', '--timeout=600000', ...tests], {
  cwd: join(import.meta.dir, '..', '..'),
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    LOTBOOK_TEST_DATABASE_URL: cluster.url,
    LOTBOOK_TEST_CITUS_WORKERS: cluster.workers.join(' '),
  },
});
const code = await run.exited;
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(code);

function readArguments(args: readonly string[]): { source: string | null; tests: readonly string[] } {
  const at = args.indexOf('--source');
  if (at < 0) return { source: null, tests: args };
  const [name, ...rest] = args.slice(at + 1);
  if (name === undefined) {
    console.error('--source needs the folder of the sources of Citus.');
    process.exit(2);
  }
  return { source: name, tests: [...args.slice(0, at), ...rest] };
}
