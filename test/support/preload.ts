import { afterAll, setDefaultTimeout } from 'bun:test';
import { stopTestServer } from './database.ts';

// A test that needs as long as this on a busy machine is not wrong; one that needs longer hangs.
setDefaultTimeout(60_000);

// Runs once for the whole run: after the last test of the last file.
afterAll(stopTestServer);
