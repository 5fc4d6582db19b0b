import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInside, lacking, runInside } from './network.ts';
import { readOptions, usage } from './options.ts';
import { run } from './run.ts';

/**
 * `bun scripts/nodes/index.ts [TRIAL] [options]`: nodes behind HAProxy on one PostgreSQL, people at work, and what the trial
 * lets go wrong; then every history is held to the model. Ends with 1 where something was lost, doubled or left half, and
 * with 2 where this machine lacks what it needs.
 */
const args = process.argv.slice(2);
const options = readOptions(args);
if (options === null) {
  console.error(usage);
  process.exit(2);
}
if (isInside()) process.exit((await run(options, process.env.LOTBOOK_NODES_FOLDER ?? '')) ? 0 : 1);

const missing = lacking();
if (missing.length > 0) {
  for (const sentence of missing) console.error(sentence);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'lotbook-nodes-'));
chmodSync(folder, 0o755);
process.env.LOTBOOK_NODES_FOLDER = folder;
const code = await runInside(import.meta.path, args);
if (code === 0 && !options.keep) rmSync(folder, { recursive: true, force: true });
else console.log(`History and logs: ${folder}`);
process.exit(code);
