import { dirname, join } from 'node:path';
import { importsOf } from './layering.ts';

export const testKinds = ['unit', 'database'] as const;
export type TestKind = (typeof testKinds)[number];

/** Whoever starts a PostgreSQL, the program or a browser goes through one of these. */
const startsSomething = ['src/db/postgres-server.ts', 'test/support/browser.ts'];

/**
 * A test is a unit test unless one of these modules is among what it imports, directly or through others: nobody has to
 * name the kind, so nobody can forget it. `files`: path from the root → text, of src and test.
 */
export function testKind(path: string, files: ReadonlyMap<string, string>): TestKind {
  const seen = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const text = files.get(next);
    if (text === undefined || seen.has(next)) continue;
    seen.add(next);
    const folder = dirname(next);
    open.push(
      ...importsOf(text)
        .filter((target) => target.startsWith('.'))
        .map((target) => join(folder, target)),
    );
  }
  return startsSomething.some((module) => seen.has(module)) ? 'database' : 'unit';
}
