import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `bun scripts/journey/index.ts` prints the files whose code runs between a byte of a CSV file and a line of Form 8949,
 * and the types of data on that way: those that have a quantity. It compares what `journey.test.ts` covers with and
 * without a file.
 */
const root = join(import.meta.dir, '..', '..');
const [idle, withFile] = ['idle', 'import'].map(coveredLines);
if (idle === undefined || withFile === undefined) throw new Error('The journey was not run.');
const files = [...withFile]
  .filter(([path, lines]) => /^src\/(formats|engine|forms|features)\//.test(path) && isMore(lines, idle.get(path)))
  .map(([path]) => path)
  .sort();
const shapes = files.flatMap((path) =>
  shapesOf(readFileSync(join(root, path), 'utf8')).map((name) => `${name} (${path})`),
);
console.log(`${files.join('\n')}\n\n${shapes.join('\n')}\n\n${files.length} files, ${shapes.length} data shapes`);

function isMore(lines: ReadonlySet<number>, before: ReadonlySet<number> = new Set()): boolean {
  return [...lines].some((line) => !before.has(line));
}

/** Returns the covered lines of each file. */
function coveredLines(journey: string): Map<string, ReadonlySet<number>> {
  const folder = mkdtempSync(join(tmpdir(), 'journey-'));
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`];
  const run = spawnSync(process.execPath, ['test', ...coverage, './scripts/journey/journey.test.ts'], {
    cwd: root,
    env: { ...process.env, LOTBOOK_JOURNEY: journey },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (run.status !== 0) throw new Error('The journey failed.');
  const covered = new Map<string, ReadonlySet<number>>();
  for (const record of readFileSync(join(folder, 'lcov.info'), 'utf8').split('end_of_record')) {
    const path = /^SF:(.+)$/m.exec(record)?.[1];
    const hits = [...record.matchAll(/^DA:(\d+),[1-9]/gm)].map(([, line]) => Number(line));
    if (path !== undefined) covered.set(path, new Set(hits));
  }
  rmSync(folder, { recursive: true });
  return covered;
}

/** Returns the names of a file's types that have a quantity. */
function shapesOf(text: string): string[] {
  const types = [...text.matchAll(/^(?:export )?(?:interface|type) (\w+)[^{;]*\{([\s\S]*?)^\}/gm)];
  return types.flatMap(([, name = '', members = '']) => (/^ +(?:readonly )?quantity\??:/m.test(members) ? name : []));
}
