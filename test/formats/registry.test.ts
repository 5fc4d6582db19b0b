import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formats } from '../../src/formats/index.ts';
import * as sources from '../../src/formats/sources/all.ts';

const folder = join(import.meta.dir, '../../src/formats/sources');

test('sources/all.ts names every file that declares a format', () => {
  const declares = /= (?:coinFormat|brokerFormat)\(|: Format = \{/;
  const files = readdirSync(folder).filter((file) => declares.test(readFileSync(join(folder, file), 'utf8')));
  const lines = readFileSync(join(folder, 'all.ts'), 'utf8').split('\n');
  expect(lines.filter((line) => line.startsWith('export')).sort()).toEqual(
    files.map((file) => `export * from './${file}';`).sort(),
  );
});

test('index.ts lists every declared format once', () => {
  const declared = Object.values(sources).flatMap((value) =>
    typeof value === 'object' && 'layouts' in value && 'open' in value ? [value.id] : [],
  );
  expect(formats.map(({ id }) => id).sort()).toEqual(declared.sort());
});
