import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';
import { whenProcessEnds } from './process-end.ts';

let opening: Promise<Browser> | undefined;

/**
 * Returns the browser of this process, which all its test files share. Starts another one if Bun ended it because a test
 * timed out.
 */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await opening?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  opening = openBrowser();
  return opening;
}

/** Opens a headless browser without a sandbox (tests may run as root) and without its own network traffic. */
export async function openBrowser(): Promise<Browser> {
  chromium.setGraphicsMode = false;
  const executablePath = process.env.LOTBOOK_TEST_CHROMIUM ?? (await chromium.executablePath());
  // Playwright creates the profile in this folder and removes it only if the browser is closed.
  const { TMPDIR } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'lotbook-browser-'));
  await whenProcessEnds('rm -rf "$1"', folder);
  process.env.TMPDIR = folder;
  try {
    return await playwright.launch({
      executablePath,
      // The package's own arguments are not used, because they run everything in one process and disable web security.
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
      headless: true,
    });
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
