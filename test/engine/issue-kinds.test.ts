import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueKinds } from '../../src/engine/model.ts';
import { looksTaxFree } from '../../src/engine/rules/questions/account-names.ts';

const sources = join(import.meta.dir, '../../src');
const decisions = readFileSync(join(sources, 'engine/DECISIONS.md'), 'utf8');

test('the table of assumptions lists each kind of issue, and no others', () => {
  const [, section = ''] = decisions.split('### Nothing silent\n');
  const rows = (section.split(/^#/m)[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  const kinds = rows.flatMap((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, kind = '']) => kind),
  );
  expect(kinds.toSorted()).toEqual([...issueKinds].sort());
});

test('each kind of issue is raised or shown somewhere', () => {
  const files = [...new Bun.Glob('**/*.ts').scanSync(sources)].filter((path) => !path.endsWith('issue-kinds.ts'));
  const text = files.map((path) => readFileSync(join(sources, path), 'utf8')).join('\n');
  expect(issueKinds.filter((kind) => !text.includes(`'${kind}'`))).toEqual([]);
});

test('tax-free accounts are recognized by whole words in their names', () => {
  const names = [
    'IRA',
    'Fidelity Roth',
    'my-ira-2',
    'HSA (Optum)',
    '401k',
    'Old 401(k)',
    '403(b) plan',
    'Traditional IRA *1234',
  ];
  expect(names.filter((name) => !looksTaxFree(name))).toEqual([]);
  const others = [
    'Mira',
    'Piranha',
    'Brothers',
    'Ira’s account',
    'Kraken',
    '4010 Main St',
    'Hsavings',
    '1401 K Street',
  ];
  expect(others.filter(looksTaxFree)).toEqual([]);
});
