import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Opens a headless browser without a sandbox (tests may run as root) and without its own network traffic. */
export async function openBrowser(): Promise<Browser> {
  chromium.setGraphicsMode = false;
  return playwright.launch({
    executablePath: process.env.LOTBOOK_TEST_CHROMIUM ?? (await chromium.executablePath()),
    // The package's own arguments are not used, because they run everything in one process and disable web security.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    headless: true,
  });
}
