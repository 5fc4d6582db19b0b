import { expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProc, listPids, readStat } from '../../src/base/processes.ts';

test.skipIf(!hasProc)(
  'reads the name, the state and the parent of a process whose name contains parentheses',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lotbook-processes-'));
    const name = 'a) Z 1 (b';
    const program = join(folder, name);
    copyFileSync(Bun.which('sleep') ?? '', program);
    const child = Bun.spawn([program, '60'], { argv0: 'sleep' });
    try {
      expect(listPids()).toContain(child.pid);
      expect(readStat(child.pid)).toEqual({ name, state: expect.stringMatching(/^[RS]$/), parent: process.pid });
    } finally {
      child.kill('SIGKILL');
      await child.exited;
      rmSync(folder, { recursive: true });
    }
  },
);

test.skipIf(!hasProc)('returns null for a process that does not exist', () => {
  expect(readStat(2_147_483_647)).toBeNull();
});
