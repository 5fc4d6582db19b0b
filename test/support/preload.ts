import { afterAll, setDefaultTimeout } from 'bun:test';
import { stopTestServer } from './database.ts';

// A test that needs more than Bun's five seconds on a busy machine is not wrong, but one that needs a minute hangs. Bun
// 1.4.5 reads no timeout from bunfig.toml (oven-sh/bun#7789).
setDefaultTimeout(Number(process.env.LOTBOOK_TEST_TIMEOUT ?? 60_000));

// Runs once for the whole run: after the last test of the last file.
afterAll(stopTestServer);
