import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { plant, plantedBugs, readPlanted } from '../../scripts/planted/patch.ts';

const root = join(import.meta.dir, '../..');
const files = [...plantedBugs(), join(root, 'scripts/planted/examples/smallest.patch')];

test('there are at least twelve bugs to plant', () => {
  expect(files.length).toBeGreaterThanOrEqual(12);
});

test.each(files.map((file) => [basename(file), file]))(
  '%s still fits exactly one place in the sources, and names the tests that must catch it',
  (_, file) => {
    const { what, tests, hunks } = readPlanted(file);
    expect(what).not.toBe('');
    expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(hunks.length).toBeGreaterThan(0);
    for (const hunk of hunks) {
      const text = readFileSync(join(root, hunk.path), 'utf8');
      expect(plant(text, hunk)).toBeString();
      expect(plant(text, hunk)).not.toBe(text);
    }
  },
);

test('a patch whose lines occur twice or not at all is not planted', () => {
  const hunk = { path: 'a.ts', before: 'one', after: 'two' };
  expect(plant('zero\none\n', hunk)).toBe('zero\ntwo\n');
  expect(plant('one\nzero\none\n', hunk)).toBeUndefined();
  expect(plant('ones\n', hunk)).toBeUndefined();
});
