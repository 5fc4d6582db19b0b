import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { stripeBilling } from '../src/features/billing/stripe.ts';
import { demoFiles } from '../src/features/demo/books.ts';
import type { TestApp } from '../test/support/app.ts';
import { stopTestServer } from '../test/support/database.ts';
import { type Place, placesOf, untilRead, yearOfPlaces } from '../test/support/places.ts';
import { type Site, siteWithBrowser } from '../test/support/site.ts';
import { startStripe } from '../test/support/stripe.ts';

/**
 * `bun scripts/pictures.ts FOLDER`: every page of the web client, light, dark and on a phone, to be looked at;
 * `bun scripts/pictures.ts FOLDER NAME...`: those of that name.
 * `bun scripts/pictures.ts --readme`: the few of them that the README shows, into .github/pictures.
 */
interface Picture extends Place {
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

/** Time for what moves to stand still. */
const settlingMilliseconds = 500;
/** A list of many rows is as high as all of them: then the window is enough. */
const heightMax = 4_000;
/** The README is read over slow lines, too. */
const bytesMax = 200_000;

const [wanted, ...names] = process.argv.slice(2);
if (wanted === undefined) throw new Error('Usage: bun scripts/pictures.ts FOLDER [NAME...] | --readme');
const isForReadme = wanted === '--readme';
const folder = isForReadme ? join(import.meta.dir, '..', '.github', 'pictures') : resolve(wanted);
mkdirSync(folder, { recursive: true });

const stripe = startStripe();
const providers = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
const site = await siteWithBrowser({ billing: stripeBilling(stripe.billing), env: providers });
const all = await picturesOf(site.app);
const isWanted = ({ name, isChosen }: Picture): boolean =>
  isForReadme ? isChosen === true : names.length === 0 || names.includes(name);
for (const picture of all.filter(isWanted)) {
  for (const look of isForReadme ? (['light'] as const) : (Object.keys(looks) as Look[]))
    await take(site, picture, look);
}
await site.close();
stripe.close();
await stopTestServer();
process.exit(0);

/** Every place, and what appears at some of them once one acts. */
async function picturesOf(app: TestApp): Promise<Picture[]> {
  const { people, places } = await placesOf(app);
  const { demo, newcomer, owner } = people;
  const importing = await app.register('PRO');
  return [
    ...places,
    { name: 'account-two-step', path: '/account', as: owner, act: (page) => beginTwoStep(page, owner.password) },
    { name: 'tokens-made', path: '/account/tokens', as: newcomer, act: makeToken },
    { name: 'transactions-filtered', path: '/transactions?type=sell&type=buy&asset=TSLA&sort=-amount', as: owner },
    { name: 'needs-you-kind', path: '/needs-you?kind=transfer_unpaired', as: owner },
    { name: 'transactions-opened', path: '/transactions?asset=SOL', as: owner, act: openTransaction },
    { name: 'lines-noted', path: '/lines?year=2025', as: owner, act: explainLine },
    { name: 'demo-year', path: yearOfPlaces, as: demo, isChosen: true },
    { name: 'demo-reports', path: '/reports', as: demo, isChosen: true },
    { name: 'import-done', path: '/import', as: importing, act: dropFiles, isChosen: true },
    { name: 'needs-you-tried', path: '/needs-you', as: demo, act: tryAnswer, isChosen: true },
    { name: 'lines-explained', path: '/lines?year=2025', as: demo, act: explainLine, isChosen: true },
    { name: 'plan-tried', path: '/plan', as: demo, act: trySale, isChosen: true },
  ];
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

async function makeToken(page: Page): Promise<void> {
  await page.getByLabel('What is it for?').fill('Nightly import');
  await page.getByRole('checkbox', { name: /^Import/ }).check();
  await page.getByRole('button', { name: 'Make the token' }).click();
  await page.getByRole('status', { name: 'The new token' }).waitFor();
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
  await untilRead(page);
  await act?.(page);
  await untilRead(page);
  await page.waitForTimeout(settlingMilliseconds);
  // A dialog lies over the window, not over the whole page.
  const isLong = await page.evaluate(
    (most) => document.querySelector('dialog[open]') === null && document.documentElement.scrollHeight <= most,
    heightMax,
  );
  const file = join(folder, isForReadme ? `${name.replace('demo-', '')}.png` : `${name}-${look}.png`);
  const { length } = await page.screenshot({ path: file, fullPage: !isForReadme && isLong });
  if (isForReadme && length > bytesMax) throw new Error(`${file} has ${length} bytes.`);
  await context.close();
  console.log(`${file}: ${Math.round(length / 1000)} kB`);
}
