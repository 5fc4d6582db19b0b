import { afterAll, setDefaultTimeout } from 'bun:test';
import { stopTestServer } from './database.ts';
import { rememberHashes } from './remembered-hashes.ts';

// On a busy machine, a correct test may need more than Bun's five seconds, but a test that needs a minute hangs. Bun
// 1.4.5 reads no timeout from bunfig.toml (oven-sh/bun#7789).
setDefaultTimeout(Number(process.env.LOTBOOK_TEST_TIMEOUT ?? 60_000));

rememberHashes();

// Runs once, after the last test of the last file.
afterAll(stopTestServer);
