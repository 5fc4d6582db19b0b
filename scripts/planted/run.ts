import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dir, '../..');
const pages = ['README.md', '.github'];
const copied = ['src', 'test', 'scripts', 'sql', 'package.json', 'tsconfig.json', 'bunfig.toml', ...pages];

export interface Outcome {
  /** `cannot run` means that the runner failed without a failing test, so nothing was caught. */
  readonly said: 'passed' | 'failed' | 'without end' | 'cannot run' | 'does not apply';
  readonly seconds: number;
  /** The first failing test. */
  readonly by: string;
}

const tick = 0.1;

/** Runs tests in a copy of the sources after `change`, which returns false if it does not apply. */
export async function run(
  tests: readonly string[],
  limit: number,
  change: (folder: string) => boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-planted-'));
  try {
    for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    if (!change(folder)) return { said: 'does not apply', seconds: 0, by: '' };
    return await runTestFiles(folder, tests, limit, env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTestFiles(
  folder: string,
  tests: readonly string[],
  limit: number,
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const preload = './scripts/planted/first-failure.ts';
  const child = Bun.spawn(
    [process.execPath, 'test', '--bail', '--timeout', '3600000', '--preload', preload, ...tests],
    {
      cwd: folder,
      // Uses the same histories as every deep run of the tests, but fewer of them. A bug that they do not reveal would
      // remain undetected.
      env: {
        LOTBOOK_SHARED: join(root, '../shared'),
        LOTBOOK_SEED: '20251231',
        LOTBOOK_TEST_DEPTH: 'deep',
        LOTBOOK_AGREEMENT_RUNS: '3000',
        ...process.env,
        ...env,
      },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  );
  // Counts ticks so that no time passes while the machine or this process is suspended.
  let seconds = 0;
  let isOver = false;
  const clock = setInterval(() => {
    seconds += tick;
    if (seconds < limit || isOver) return;
    isOver = true;
    // An endless loop does not respond to any other signal.
    child.kill('SIGKILL');
  }, tick * 1000);
  const output = await new Response(child.stderr).text();
  const code = await child.exited;
  clearInterval(clock);
  if (code === 0) return { said: 'passed', seconds, by: '' };
  if (process.env.LOTBOOK_PLANTED_OUTPUT !== undefined) console.log(output.slice(0, 4000));
  const by = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(output)?.[1];
  if (by !== undefined) return { said: 'failed', seconds, by };
  return { said: isOver ? 'without end' : 'cannot run', seconds, by: '' };
}
