import { dirname, join } from 'node:path';
import { importsOf } from './layering.ts';

export const testKinds = ['unit', 'database', 'browser'] as const;
export type TestKind = (typeof testKinds)[number];

/** All code that opens a browser uses this module. */
const opensBrowser = 'test/support/browser.ts';
/** All code that starts a PostgreSQL or the program uses this module. */
const startsDatabase = 'src/db/postgres-server.ts';

/**
 * Returns the kind of a test. A test is a unit test unless it imports one of the two modules above, directly or
 * indirectly, so the kind cannot be forgotten. `files` maps a path from the root to its text, for src and test.
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
  if (seen.has(opensBrowser)) return 'browser';
  return seen.has(startsDatabase) ? 'database' : 'unit';
}
