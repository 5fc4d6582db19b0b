import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testKind, testKinds } from '../test/support/test-kinds.ts';

/** `bun scripts/test-files.ts unit | database | browser` lists the test files of that kind, one per line. */
const root = join(import.meta.dir, '..');
const kind = testKinds.find((each) => each === process.argv[2]);
if (kind === undefined) {
  console.error(`Usage: bun scripts/test-files.ts ${testKinds.join(' | ')}`);
  process.exit(2);
}
const paths = [...new Bun.Glob('{src,test}/**/*.{ts,tsx}').scanSync(root)].sort();
const files = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
const wanted = paths.filter((path) => path.endsWith('.test.ts') && testKind(path, files) === kind);
console.log(wanted.map((path) => `./${path}`).join('\n'));
