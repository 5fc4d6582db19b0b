import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { plantAll, readPlanted } from '../../scripts/planted/patch.ts';
import { run } from '../../scripts/planted/run.ts';
import { isDeep } from '../support/depth.ts';

const folder = join(import.meta.dir, '../../scripts/planted');
const patch = (name: string) => readPlanted(join(folder, `${name}.patch`));
const secondsMax = 300;

// Each test copies the sources and runs several test files. test/scripts/planted.test.ts checks that the patches apply.
test.skipIf(!isDeep)('a lot method added as a row in the table compiles and is correct on every path', async () => {
  const { tests, hunks } = patch('examples/smallest');
  const env = { LOTBOOK_AGREEMENT_RUNS: '300' };
  const outcome = await run(tests, secondsMax, (copy) => plantAll(copy, hunks) && compiles(copy), env);
  expect(outcome).toMatchObject({ said: 'passed', by: '' });
});

test.skipIf(!isDeep)('a fast path that treats an unknown method as FIFO is caught', async () => {
  const { tests, hunks } = patch('bugs/positions/unknown-method-by-fifo');
  const outcome = await run(tests, secondsMax, (copy) => plantAll(copy, hunks));
  expect(outcome.said).toBe('failed');
});

function compiles(copy: string): boolean {
  const tsc = join(copy, 'node_modules/typescript/bin/tsc');
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, tsc], { cwd: copy });
  if (exitCode !== 0) console.log(stdout.toString());
  return exitCode === 0;
}
