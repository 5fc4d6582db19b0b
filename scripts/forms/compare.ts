import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { findDifferences } from './differences.ts';

/**
 * `bun scripts/forms/compare.ts f8949.pdf f1040sd.pdf --year 2026` compares the official blank forms with ours. If
 * there are no differences, raise `lastYearCompared` in src/forms/preview.ts.
 */
const usage = 'Usage: bun scripts/forms/compare.ts FORM.pdf… --year YEAR   (names begin with f8949 or f1040sd)';

const words = process.argv.slice(2);
const at = words.indexOf('--year');
const year = Number(at < 0 ? Number.NaN : words.splice(at, 2)[1]);
const forms = words.map((path) => ({ path, form: /^(f8949|f1040sd)/.exec(basename(path))?.[1] }));
if (!Number.isInteger(year) || forms.length === 0 || forms.some(({ form }) => form === undefined)) {
  console.error(usage);
  process.exit(2);
}
let count = 0;
for (const { path, form } of forms) {
  const differences = await findDifferences(form === 'f8949' ? 'f8949' : 'f1040sd', year, readFileSync(path));
  console.log(`${path}: ${differences.length === 0 ? `as ours of ${year}` : `${differences.length} differences`}`);
  for (const difference of differences) console.log(`  ${difference}`);
  count += differences.length;
}
process.exit(count === 0 ? 0 : 1);
