import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A real browser, headless and without a sandbox (tests may run as root), and without network traffic of its own. */
export async function openBrowser(): Promise<Browser> {
  chromium.setGraphicsMode = false;
  return playwright.launch({
    executablePath: process.env.LOTBOOK_TEST_CHROMIUM ?? (await chromium.executablePath()),
    // Not the package's own arguments: they run everything in one process and disable web security.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    headless: true,
  });
}
