import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPrograms } from '../../scripts/citus/programs.ts';

test('where Citus cannot be had, it is said, and nothing counts as run', () => {
  const empty = mkdtempSync(join(tmpdir(), 'lotbook-no-citus-'));
  const script = join(import.meta.dir, '..', '..', 'scripts', 'citus', 'index.ts');
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, '--source', empty]);
  rmSync(empty, { recursive: true });
  expect([exitCode, stderr.toString()]).toEqual([2, `${empty} has no sources of Citus: there is no configure.\n`]);
  const found = findPrograms(null);
  if ('lacks' in found) expect(found.lacks.join(' ')).toContain('No test was run on a cluster.');
  else expect(found.programs).not.toBe('');
});
