import { basename } from 'node:path';
import { plantAll, plantedBugs, readPlanted } from './patch.ts';
import { type Outcome, run } from './run.ts';

/**
 * `bun scripts/planted/index.ts [name…]` plants each bug in `bugs/` in a copy of the sources and runs the tests that
 * must catch it. Fails if a bug survives or no longer applies, or if the tests fail without any bug.
 * `LOTBOOK_PLANTED_OUTPUT=1` shows the output of the tests.
 */
const wanted = process.argv.slice(2);
const bugs = plantedBugs()
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => ({ name: basename(name, '.patch'), ...readPlanted(name) }));

if (bugs.length === 0) {
  console.log(`No planted bug has ${wanted.join(' or ')} in its name.`);
  process.exit(1);
}

const healthy = await run([...new Set(bugs.flatMap((bug) => bug.tests))], Number.POSITIVE_INFINITY, () => true);
if (healthy.said !== 'passed') {
  console.log(`The tests fail without a bug (${healthy.said}: ${healthy.by}). Fix them before planting bugs.`);
  process.exit(1);
}
console.log(row('passed', healthy, 'unchanged sources'));

const words: Readonly<Record<Outcome['said'], string>> = {
  passed: 'NOT CAUGHT',
  failed: 'caught',
  'without end': 'caught, without end',
  'cannot run': 'DOES NOT RUN',
  'does not apply': 'DOES NOT APPLY',
};
// Tests that never end count as failed, no matter which runner is used.
const limit = Math.max(120, 10 * healthy.seconds);
let caught = 0;
for (const { name, what, tests, hunks } of bugs) {
  const outcome = await run(tests, limit, (folder) => plantAll(folder, hunks));
  if (outcome.said === 'failed' || outcome.said === 'without end') caught++;
  console.log(row(words[outcome.said], outcome, `${name}: ${what}`));
}
console.log(`\n${caught} of ${bugs.length} planted bugs are caught.`);
process.exit(caught === bugs.length ? 0 : 1);

function row(said: string, { seconds, by }: Outcome, what: string): string {
  const line = `${said.padEnd(14)} ${seconds.toFixed(0).padStart(4)} s  ${what}`;
  return by === '' ? line : `${line}\n${' '.repeat(23)}by ${by}`;
}
