import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testKind, testKinds } from '../test/support/test-kinds.ts';

/** `bun scripts/test-files.ts KIND…` lists the test files of the kinds unit, database and browser, one per line. */
const root = join(import.meta.dir, '..');
const kinds = testKinds.filter((kind) => process.argv.slice(2).includes(kind));
if (kinds.length === 0) {
  console.error(`Usage: bun scripts/test-files.ts ${testKinds.join(' | ')}`);
  process.exit(2);
}
const paths = [...new Bun.Glob('{src,test}/**/*.{ts,tsx}').scanSync(root)].sort();
const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const wanted = paths.filter((path) => path.endsWith('.test.ts') && kinds.includes(testKind(path, files)));
console.log(wanted.map((path) => `./${path}`).join('\n'));
