import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plant, readPlanted } from './patch.ts';

/**
 * `bun scripts/planted/index.ts [name…]`: plants each bug of this folder in a copy of the sources and runs the tests
 * that must catch it. Fails where one survives, or fits nowhere any more, or the sources fail without any.
 */
const root = join(import.meta.dir, '../..');
const copied = ['src', 'test', 'scripts', 'sql', 'package.json', 'tsconfig.json', 'bunfig.toml', 'README.md'];
const wanted = process.argv.slice(2);
const names = readdirSync(import.meta.dir)
  .filter((name) => name.endsWith('.patch'))
  .sort();
const chosen = names.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));

const healthy = await run('the sources as they are', ['test/engine', 'test/oracle'], () => true);
if (healthy !== 'passed') {
  console.log(`The tests do not pass without a bug (${healthy}): nothing can be said of those planted.`);
  process.exit(1);
}
const outcomes = new Map<string, string>();
for (const name of chosen) {
  const { what, tests, hunks } = readPlanted(readFileSync(join(import.meta.dir, name), 'utf8'));
  const outcome = await run(what, tests, (folder) => hunks.every((hunk) => plantIn(folder, hunk)));
  const said = outcome === 'passed' ? 'NOT CAUGHT' : outcome === 'failed' ? 'caught' : 'DOES NOT APPLY';
  outcomes.set(name, said);
  console.log(`${said.padEnd(14)} ${name.replace('.patch', '')}: ${what}`);
}
const caught = [...outcomes.values()].filter((said) => said === 'caught').length;
console.log(`\n${caught} of ${chosen.length} planted bugs are caught.`);
process.exit(caught === chosen.length ? 0 : 1);

type Outcome = 'passed' | 'failed' | 'did not apply';

async function run(what: string, tests: readonly string[], change: (folder: string) => boolean): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-planted-'));
  try {
    for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    if (!change(folder)) return 'did not apply';
    const shared = join(root, '../shared');
    const child = Bun.spawn([process.execPath, 'test', '--bail', '--timeout', '120000', ...tests], {
      cwd: folder,
      // The histories that every run of the tests goes through, fewer of them: what they do not show nobody would see.
      env: { LOTBOOK_SHARED: shared, LOTBOOK_SEED: '20251231', LOTBOOK_AGREEMENT_RUNS: '3000', ...process.env },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const told = await new Response(child.stderr).text();
    if ((await child.exited) === 0) return 'passed';
    if (process.env.LOTBOOK_PLANTED_TELL !== undefined) console.log(`${what}\n${told.slice(0, 4000)}`);
    return 'failed';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function plantIn(folder: string, hunk: ReturnType<typeof readPlanted>['hunks'][number]): boolean {
  const path = join(folder, hunk.path);
  const text = existsSync(path) ? plant(readFileSync(path, 'utf8'), hunk) : undefined;
  if (text === undefined) return false;
  writeFileSync(path, text);
  return true;
}
