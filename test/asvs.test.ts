import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissions, permissionsByRole, roles } from '../src/features/people/auth/permissions.ts';
import { tokenScopes } from '../src/http/operations.ts';

/**
 * Checks .github/SECURITY.md and .github/ASVS.md against the standard, the tests, the tables in the code and the
 * schema.
 */
const root = join(import.meta.dir, '..');
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const security = readText('.github/SECURITY.md');
const page = readText('.github/ASVS.md');

/** The requirements of ASVS 5.0.0, chapters 3 to 8, 14 and 16, by level. */
const requirements: Readonly<Record<1 | 2, string>> = {
  1: `3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8 6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1
    8.2.1-2 8.3.1 14.2.1 14.3.1`,
  2: `3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1 4.3.1-2 4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4
    6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 14.1.1-2 14.2.2-4 14.3.2-3 16.1.1
    16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3`,
};

const numbersOf = (ranges: string): string[] =>
  ranges.split(/\s+/).flatMap((range) => {
    const [, section, first, last] = /^(\d+\.\d+)\.(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    const count = Number(last ?? first) - Number(first) + 1;
    return Array.from({ length: count }, (_, at) => `${section}.${Number(first) + at}`);
  });

interface Row {
  readonly chapter: string;
  readonly numbers: readonly string[];
  readonly verdict: string;
  readonly reason: string;
}

const rows = page.split('\n## ').flatMap((chapter) =>
  [...chapter.matchAll(/^\| ((?:\d+\.\d+\.\d+(?: · )?)+) [^|]*\| ([^|]*) \| (.*) \|$/gm)].map(
    ([, numbers = '', verdict = '', reason = '']): Row => ({
      chapter: chapter.split(' ')[0] ?? '',
      numbers: numbers.split(' · ').map((number) => number.trim()),
      verdict,
      reason,
    }),
  ),
);
const verdicts = ['met', 'in part', 'not met', 'not needed'];

test('the page lists each requirement of levels 1 and 2 once, in its chapter', () => {
  const listed = rows.flatMap(({ numbers }) => numbers);
  expect(listed.toSorted()).toEqual(Object.values(requirements).flatMap(numbersOf).toSorted());
  expect(rows.filter(({ chapter, numbers }) => numbers.some((each) => !each.startsWith(`${chapter}.`)))).toEqual([]);
  const lines = page.split('\n').filter((line) => /^\| \d/.test(line));
  expect(rows).toHaveLength(lines.length);
});

test('each requirement has a verdict, and the totals are correct', () => {
  expect(rows.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([]);
  const counts = verdicts.map((verdict) => {
    const count = rows.filter((row) => row.verdict === verdict).reduce((sum, { numbers }) => sum + numbers.length, 0);
    return `${count} ${verdict}`;
  });
  const levels = Object.entries(requirements).map(([level, ranges]) => `${numbersOf(ranges).length} of level ${level}`);
  expect(/these numbers: (.*)\n/.exec(page)?.[1]).toBe(`${levels.join(', ')}; ${counts.join(', ')}.`);
});

test('a requirement that is met names a test, the page that documents it, or the feature that Lotbook lacks', () => {
  const silent = rows.filter(
    ({ verdict, reason }) =>
      verdict === 'met' && !/`test\/|SECURITY\.md|[Tt]here (?:is|are) none|one application/.test(reason),
  );
  expect(silent).toEqual([]);
});

test('every test that the pages name exists', () => {
  const named = new Set([...`${security}${page}`.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = '']) => path));
  expect(named.size).toBeGreaterThan(40);
  expect([...named].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('the table of roles and the scopes match the code', () => {
  for (const role of roles) {
    const cells = permissions.map((act) => (permissionsByRole[role].includes(act) ? 'yes' : 'no'));
    expect(security).toMatch(new RegExp(`^\\| \`${role}\` \\| [^|]+ \\| ${cells.join(' \\| ')} \\|$`, 'm'));
  }
  expect(security).toContain(`| role | who | ${permissions.join(' | ')} |`);
  const scopes = tokenScopes.map((scope) => `\`${scope}\``);
  expect(security).toContain(`scopes of the operation: ${scopes.slice(0, -1).join(', ')} or ${scopes.at(-1)}.`);
});

test('each database table has one level of protection', () => {
  const steps = [...new Bun.Glob('sql/*.sql').scanSync(root)].sort().map(readText).join('\n');
  const listed = (pattern: RegExp) => [...steps.matchAll(pattern)].map(([, name = '']) => name);
  const dropped = new Set(listed(/^drop table (\w+)/gm));
  const tables = listed(/^create (?:unlogged )?table (?:if not exists )?(\w+) \(/gm).filter(
    (name) => !dropped.has(name),
  );
  const section = /## Stored data\n(.*?)\n## /s.exec(security)?.[1] ?? '';
  const leveled = section.split('\n').filter((line) => /^\| (?:secret|tax|trace|open): /.test(line));
  expect(leveled).toHaveLength(4);
  const named = leveled.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const stored = [...tables, 'schema_migrations'];
  // Add each of these tables to a row of the table under "Stored data" in .github/SECURITY.md, by what it protects.
  expect(stored.filter((table) => !named.includes(table))).toEqual([]);
  // Remove these from it. They are no tables, or are listed twice.
  expect(named.filter((name, at) => !stored.includes(name ?? '') || named.indexOf(name) !== at)).toEqual([]);
});

test('no page writes HTML from text, evaluates text as code, or listens to another window', () => {
  const found: string[] = [];
  for (const path of new Bun.Glob('src/web/**/*.{ts,tsx}').scanSync(root)) {
    const astray =
      /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\(|new Function|window\.addEventListener\('message'|onmessage/.exec(
        readText(path),
      );
    if (astray !== null) found.push(`${path}: ${astray[0]}`);
  }
  expect(found).toEqual([]);
});
