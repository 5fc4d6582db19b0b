import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPrograms } from '../../scripts/citus/programs.ts';
import { emptyDatabase } from '../support/database.ts';

test('the script reports that no test was run if no installed PostgreSQL has Citus', () => {
  const programs = findPrograms();
  if ('lacks' in programs) expect(programs.lacks.join(' ')).toContain('No test was run on a cluster.');
  else expect(existsSync(join(programs.programs, 'bin', 'postgres'))).toBe(true);
});

test('the script refuses a DATABASE_URL that is not a coordinator, and reports that no test was run', async () => {
  const script = join(import.meta.dir, '..', '..', 'scripts', 'citus', 'index.ts');
  const env = { ...process.env, DATABASE_URL: await emptyDatabase() };
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script], { env });
  expect([exitCode, stderr.toString()]).toEqual([
    2,
    'DATABASE_URL is not a Citus coordinator with workers. No test was run on it.\n',
  ]);
});
