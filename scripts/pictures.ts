import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { demoFiles } from '../src/features/demo/books.ts';
import { pages } from '../src/web/pages.ts';
import { sessionCookie, type TestApp, type TestClient } from '../test/support/app.ts';
import { stopTestServer } from '../test/support/database.ts';
import { type Site, siteWithBrowser } from '../test/support/site.ts';

/**
 * `bun scripts/pictures.ts FOLDER`: every page of the web client, light, dark and on a phone, to be looked at.
 * `bun scripts/pictures.ts --readme`: the few of them that the README shows, into .github/pictures.
 */
interface Picture {
  readonly name: string;
  readonly path: string;
  readonly as?: Pick<TestClient, 'cookie'>;
  /** Brings the page to what is pictured. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The README shows it. */
  readonly isChosen?: true;
}

const looks = {
  light: { width: 1280, height: 800 },
  dark: { width: 1280, height: 800, dark: true },
  phone: { width: 360, height: 740 },
} as const;
type Look = keyof typeof looks;

/** Time for what a page reads, and for what moves to stand still. */
const settlingMilliseconds = 1_500;
/** A list of many rows is as high as all of them: then the window is enough. */
const heightMax = 4_000;
/** The parts of the settings beside the first. */
const settingsParts = ['elections', 'years', 'assets', 'allocation', 'prices', 'balances', 'mappings'];

/** The README is read over slow lines, too. */
const bytesMax = 200_000;

const [wanted] = process.argv.slice(2);
if (wanted === undefined) throw new Error('Usage: bun scripts/pictures.ts FOLDER | --readme');
const isForReadme = wanted === '--readme';
const folder = isForReadme ? join(import.meta.dir, '..', '.github', 'pictures') : resolve(wanted);
mkdirSync(folder, { recursive: true });

const site = await siteWithBrowser();
const all = await picturesOf(site.app);
for (const picture of isForReadme ? all.filter(({ isChosen }) => isChosen) : all) {
  for (const look of isForReadme ? (['light'] as const) : (Object.keys(looks) as Look[]))
    await take(site, picture, look);
}
await site.close();
await stopTestServer();
process.exit(0);

async function picturesOf(app: TestApp): Promise<Picture[]> {
  const demo = { cookie: sessionCookie(await app.request('POST', '/v1/auth/demo')) };
  const ann = await app.register('PRO');
  const cpa = await cpaWithClients(app);
  const { data } = await cpa.json<{ data: { id: string }[] }>('GET', '/v1/clients');
  const entries = pages.flatMap(({ nav }) => (nav === undefined ? [] : [nav]));
  const year = '/year/2025';
  return [
    { name: 'start', path: '/' },
    { name: 'sign-in', path: '/sign-in' },
    { name: 'register', path: '/register' },
    { name: 'welcome', path: '/year', as: ann },
    ...entries.map(({ href, ofClients }) => ({
      name: href.slice(1).replaceAll('/', '-'),
      path: href === '/year' ? year : href,
      as: ofClients ? cpa : demo,
      ...(href === '/year' || href === '/reports' ? { isChosen: true as const } : {}),
    })),
    ...settingsParts.map((part) => ({ name: `settings-${part}`, path: `/settings/${part}`, as: demo })),
    { name: 'reset', path: '/reset' },
    { name: 'reset-confirm', path: '/reset/confirm?token=used' },
    { name: 'email-confirm', path: '/email/confirm?token=used' },
    { name: 'callback', path: '/auth/callback?error=access_denied' },
    { name: 'own-account', path: '/account', as: ann },
    { name: 'own-account-two-step', path: '/account', as: ann, act: (page) => beginTwoStep(page, ann.password) },
    { name: 'own-lots', path: '/lots', as: ann },
    { name: 'own-plan', path: '/plan', as: ann },
    { name: 'own-reports', path: '/reports', as: ann },
    { name: 'own-desk', path: '/reconcile', as: ann },
    { name: 'own-transactions', path: '/transactions', as: ann },
    { name: 'own-needs-you', path: '/needs-you', as: ann },
    { name: 'own-notifications', path: '/notifications', as: ann },
    { name: 'rejected', path: `/import/rejected?client=${data[1]?.id}`, as: cpa },
    { name: 'notifications-of-client', path: `/notifications?client=${data[0]?.id}`, as: cpa },
    { name: 'transactions-filtered', path: '/transactions?type=sell&type=buy&asset=TSLA&sort=-amount', as: demo },
    { name: 'needs-you-kind', path: '/needs-you?kind=transfer_unpaired', as: demo },
    { name: 'year-of-client', path: `${year}?client=${data[0]?.id}`, as: cpa },
    { name: 'import-done', path: '/import', as: ann, act: dropFiles, isChosen: true },
    { name: 'needs-you-tried', path: '/needs-you', as: demo, act: tryAnswer, isChosen: true },
    { name: 'lines-explained', path: '/lines?year=2025', as: demo, act: explainLine, isChosen: true },
    { name: 'transactions-opened', path: '/transactions?asset=SOL', as: demo, act: openTransaction },
    { name: 'plan-tried', path: '/plan', as: demo, act: trySale, isChosen: true },
  ];
}

/** One client whose books are filled, and one with questions and a line that cannot be read. */
async function cpaWithClients(app: TestApp): Promise<TestClient> {
  const cpa = await app.register('CPA');
  const spoilt = '2025-03-01,buy,Coinbase,BTC,half,45000.00,,,,,,\n';
  const files = {
    'Maria Lopez': demoFiles,
    'Tom Whitfield': demoFiles.slice(-1).map(({ name, text }) => ({ name, text: text + spoilt })),
  };
  for (const [name, given] of Object.entries(files)) {
    const { id } = await cpa.json<{ id: string }>('POST', '/v1/clients', { body: { name } }, 201);
    for (const file of given) {
      const headers = { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${file.name}"` };
      await cpa.json('POST', `/v1/transactions/import?client=${id}`, { body: file.text, headers }, 201);
    }
  }
  return cpa;
}

async function dropFiles(page: Page): Promise<void> {
  const files = demoFiles.map(({ name, text }) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) }));
  await page.locator('input[type=file]').first().setInputFiles(files);
  await page
    .getByRole('link', { name: 'What changed' })
    .nth(demoFiles.length - 1)
    .waitFor();
}

async function beginTwoStep(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const [proof, code] = [page.getByLabel('Your password'), page.getByRole('button', { name: 'Confirm the code' })];
  await proof.or(code).first().waitFor();
  if (await proof.isVisible()) {
    await proof.fill(password);
    await page.getByRole('button', { name: 'Go on' }).click();
  }
  await code.waitFor();
}

async function tryAnswer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'State the cost' }).first().click();
  await page.getByLabel('Cost, in dollars').fill('1800');
  await page.getByLabel('Bought on').fill('2025-03-03');
  await page.getByRole('button', { name: 'See what changes' }).click();
  await page.getByRole('row', { name: /^2025/ }).waitFor();
}

async function explainLine(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /25 TSLA/ })
    .first()
    .click();
}

async function trySale(page: Page): Promise<void> {
  const value = await page.locator('option', { hasText: 'NVDA' }).first().getAttribute('value');
  await page.getByLabel('Sell').selectOption(value);
  await page.getByLabel('Quantity').fill('60');
  await page.getByRole('button', { name: 'See what it does' }).click();
  await page.getByRole('row', { name: /^Highest cost first/ }).scrollIntoViewIfNeeded();
}

async function openTransaction(page: Page): Promise<void> {
  await page.locator('[data-item]', { hasText: '66 SOL' }).click();
}

async function take({ visit }: Site, { name, path, as, act }: Picture, look: Look): Promise<void> {
  const { page, context } = await visit(path, { ...looks[look], ...(as === undefined ? {} : { as }) });
  await page.waitForTimeout(settlingMilliseconds);
  await act?.(page);
  await page.waitForTimeout(settlingMilliseconds);
  // A dialog lies over the window, not over the whole page.
  const isLong = await page.evaluate(
    (most) => document.querySelector('dialog[open]') === null && document.documentElement.scrollHeight <= most,
    heightMax,
  );
  const file = join(folder, isForReadme ? `${name}.png` : `${name}-${look}.png`);
  const { length } = await page.screenshot({ path: file, fullPage: !isForReadme && isLong });
  if (isForReadme && length > bytesMax) throw new Error(`${file} has ${length} bytes.`);
  await context.close();
  console.log(`${file}: ${Math.round(length / 1000)} kB`);
}
