import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

test('only one file declares each type name, so the name has one meaning', () => {
  expect(namesOfSeveralFiles(sources())).toEqual([]);
});

test('a type name declared in two files is detected', () => {
  const twice = new Map([
    ['src/a.ts', 'export interface Slice {\n}\n'],
    ['src/b.ts', 'type Slice = number;\nexport type { Pool } from "./c.ts";\n'],
    ['src/c.ts', 'export class Pool {\n}\n'],
  ]);
  expect(namesOfSeveralFiles(twice)).toEqual(['Slice']);
});

/** Returns the names of interfaces, classes and types that more than one file declares, exported or not. */
function namesOfSeveralFiles(files: ReadonlyMap<string, string>): string[] {
  const declared = [...files.values()].flatMap((text) => [...new Set(declaredTypes(text))]);
  const counts = Map.groupBy(declared, (name) => name);
  return [...counts].flatMap(([name, all]) => (all.length > 1 ? [name] : [])).sort();
}

function declaredTypes(text: string): string[] {
  const declarations = text.matchAll(/^(?:export )?(?:abstract )?(?:interface|class|type) (\w+)/gm);
  return [...declarations].map(([, name = '']) => name);
}

function sources(): Map<string, string> {
  const root = join(import.meta.dir, '..');
  const paths = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)];
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
