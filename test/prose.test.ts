import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findHabit, measureProse, passagesOf } from './support/prose.ts';

const root = join(import.meta.dir, '..');
const percentMax = 4;
/** Small rooms may have this many matches whatever their share is. */
const matchesAlwaysAllowed = 2;

test('at most 4 percent of the prose in each room has a phrase that plain English avoids', () => {
  const files = new Map<string, string>();
  for (const path of new Bun.Glob('{src,test,scripts,.github}/**/*.{ts,tsx,mjs,md}').scanSync({
    cwd: root,
    dot: true,
  })) {
    // Test data, and the patterns themselves.
    if (/\/fixtures\/|^test\/(support\/)?prose\./.test(path)) continue;
    files.set(path, readFileSync(join(root, path), 'utf8'));
  }
  files.set('README.md', readFileSync(join(root, 'README.md'), 'utf8'));
  const rooms = [...measureProse(files)];
  expect(rooms.length).toBeGreaterThan(40);
  expect(rooms.reduce((sum, [, { passages }]) => sum + passages, 0)).toBeGreaterThan(10_000);
  const over = rooms.filter(
    ([, { passages, matches }]) =>
      matches.length > matchesAlwaysAllowed && (100 * matches.length) / passages > percentMax,
  );
  // Rewrite these sentences: subject, verb, object, in the words of the field (.github/CONTRIBUTING.md).
  expect(over.flatMap(([, { matches }]) => matches)).toEqual([]);
});

test.each([
  ['Of a request.', 'starts with a preposition and has no subject'],
  ['What Stripe tells', 'starts with "What" or "Who" and asks nothing'],
  ['Left out where there is none.', '"where" for "if" or "when"'],
  ['the file says nothing about it', 'a thing that "says" or "tells"'],
  ['the rows stand in the order of the file', '"stands" or "lies" for "is"'],
  ['the cancelled import', 'British spelling'],
])('"%s" is found', (text, habit) => {
  expect(findHabit(text)).toBe(habit);
});

test.each(['Returns the rows of an import.', 'What is missing?', 'For example, a sale without a date.'])(
  '"%s" is not found',
  (text) => {
    expect(findHabit(text)).toBeUndefined();
  },
);

test('comments, titles, strings, JSX and Markdown are read', () => {
  const source = `/** A block\n * of comment. */\n// A run of\n// lines.\nconst a = 1; // after the code\n`;
  const kinds = (path: string, text: string) => passagesOf(path, text).map((one) => [one.kind, one.text]);
  expect(kinds('src/base/a.ts', source)).toEqual([
    ['comment', 'A block of comment.'],
    ['comment', 'A run of lines.'],
    ['comment', 'after the code'],
  ]);
  expect(kinds('test/a.test.ts', `test('returns three rows', () => {});`)).toEqual([['title', 'returns three rows']]);
  expect(kinds('src/base/a.ts', `fail('Three words here')`)).toEqual([['string', 'Three words here']]);
  expect(kinds('src/web/a.tsx', '<p>Three words here</p>')).toEqual([['jsx', 'Three words here']]);
  expect(kinds('a.md', 'One paragraph.\n\n```\ncode of a block\n```\n\n- one more item')).toEqual([
    ['markdown', 'One paragraph.'],
    ['markdown', '- one more item'],
  ]);
});
