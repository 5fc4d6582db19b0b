import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInside, lacking, runInside } from './network.ts';
import { readOptions, usage } from './options.ts';
import { run } from './run.ts';

/**
 * `bun scripts/nodes/index.ts [TRIAL] [options]` starts nodes behind HAProxy on one PostgreSQL, simulates users, and
 * causes the faults in the trial. It then checks every history against the model. Exits with 1 if anything was lost,
 * duplicated or left half done, and with 2 if this machine cannot run it.
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
