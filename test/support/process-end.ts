import { closeSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a shell script as soon as this process ends, even if it is killed. Bun runs no exit handlers after tests, and
 * the workers of `bun test --parallel` do not know which test file is their last. Returns a function that runs the
 * script now.
 */
export async function whenProcessEnds(script: string, ...args: readonly string[]): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-end-'));
  // The shell in the background is neither our child, which Bun kills when a test times out, nor in our process group.
  const shell = Bun.spawn(
    ['sh', '-c', `mkfifo "$0/pipe"; (cat "$0/pipe"; rm -rf "$0"; ${script}) &`, folder, ...args],
    { stdio: ['ignore', 'ignore', 'ignore'], detached: true },
  );
  await shell.exited;
  // The pipe ends when its only writer does.
  const pipe = openSync(join(folder, 'pipe'), 'r+');
  return () => closeSync(pipe);
}
