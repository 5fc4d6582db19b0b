import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../src/base/refusal.ts';
import { judge, unknownLayouts } from '../support/proposal-bench.ts';
import { readWhole } from './reading.ts';

const layouts = unknownLayouts();

test('at least 150 layouts, each with the answer for every line or none', () => {
  expect(layouts.length).toBeGreaterThanOrEqual(150);
  const names = layouts.map(({ subject, name }) => `${subject}: ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const incomplete = layouts.filter(
    ({ text, hasQuestion, answers }) => text.split('\n').length < 4 || (!hasQuestion && answers.length === 0),
  );
  expect(incomplete.map(({ name }) => name)).toEqual([]);
});

/** The README states these figures. */
test('proposals are accepted unchanged, or ask, and none is silently wrong', async () => {
  const verdicts = await Promise.all(layouts.map(async (layout) => ({ layout, ...(await judge(layout)) })));
  const wrong = verdicts.filter(({ verdict }) => verdict === 'wrong');
  expect(wrong.map(({ layout, why }) => [layout.name, ...why])).toEqual([]);
  const right = verdicts.filter(({ verdict }) => verdict === 'right').map(({ layout }) => layout.name);
  const guessed = layouts.filter(({ answers, name }) => answers.length === 0 && right.includes(name));
  expect(guessed.map(({ name }) => name)).toEqual([]);
  const asked = verdicts.filter(({ verdict }) => verdict === 'asked');
  expect({ layouts: layouts.length, right: right.length, asked: asked.length }).toEqual({
    layouts: 186,
    right: 162,
    asked: 24,
  });
  const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8').replaceAll('\n', ' ');
  const percent = (count: number): string => `(${Math.round((100 * count) / layouts.length)} %)`;
  expect(readme).toContain(`Of ${layouts.length} layouts`);
  const known = await Promise.all(layouts.map(({ text }) => isRead(text)));
  expect(readme).toContain(`${known.filter((one) => one).length} of them of sources whose own format is left out here`);
  expect(readme).toContain(
    `${right.length} proposals are accepted unchanged and wholly right ${percent(right.length)}`,
  );
  expect(readme).toContain(`${asked.length} ask ${percent(asked.length)}, and none is silently wrong`);
  expect(right.length / layouts.length).toBeGreaterThanOrEqual(0.85);
  expect(asked.length / layouts.length).toBeLessThanOrEqual(0.14);
});

/** Whether some format reads the file. The judge does not try them. */
async function isRead(text: string): Promise<boolean> {
  return readWhole(text).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}
