import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A real browser, without a screen, a sandbox (tests may run as root) or anything of its own that goes to the network. */
export async function openBrowser(): Promise<Browser> {
  chromium.setGraphicsMode = false;
  return playwright.launch({
    executablePath: process.env.LOTBOOK_TEST_CHROMIUM ?? (await chromium.executablePath()),
    // Not the package's own arguments: they put all in one process and switch the web's security off.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    headless: true,
  });
}
