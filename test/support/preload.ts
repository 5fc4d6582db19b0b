import { afterAll, setDefaultTimeout } from 'bun:test';
import { rememberHashes } from './remembered-hashes.ts';

// A correct test may need minutes on a busy machine, and a test that exceeds the limit hangs. Bun 1.4.5 reads no timeout
// from bunfig.toml (oven-sh/bun#7789).
setDefaultTimeout(Number(process.env.LOTBOOK_TEST_TIMEOUT ?? 600_000));

rememberHashes();

// Without a language, pdfjs-dist replaces the navigator with one that lacks the number of cores. The server then counts
// no places for password hashes, and every later registration in the process waits for one.
if (navigator.language === undefined) Object.defineProperty(navigator, 'language', { value: 'en-US' });

// Runs once, after the last test of the last file, because tests on a given server run in one process. Other tests do
// not load the database's modules here.
if (process.env.LOTBOOK_TEST_DATABASE_URL !== undefined) {
  const { stopTestServer } = await import('./database.ts');
  afterAll(stopTestServer);
}
