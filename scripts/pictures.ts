import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { demoFiles } from '../src/features/answers/demo/account.ts';
import { stripeBilling } from '../src/features/people/billing/stripe.ts';
import type { TestApp, TestClient } from '../test/support/app.ts';
import { importCsv } from '../test/support/books.ts';
import { stopTestServer } from '../test/support/database.ts';
import { plantToken } from '../test/support/one-time-tokens.ts';
import { type Site, siteWithBrowser, virtualAuthenticator } from '../test/support/site.ts';
import { fetchSitePages, type SitePage, untilRead, yearOfSitePages } from '../test/support/site-pages.ts';
import { startStripe } from '../test/support/stripe.ts';

/**
 * `bun scripts/pictures.ts FOLDER` takes screenshots of every page in the web client: light, dark and on a phone. `bun
 * scripts/pictures.ts FOLDER NAME...` takes only those with the given names. `bun scripts/pictures.ts --readme` updates
 * the screenshots for the README in .github/pictures.
 */
interface Picture extends SitePage {
  /** Brings the page into the state for the screenshot. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The README shows this screenshot. */
  readonly isChosen?: true;
}

const looks = {
  light: { width: 1280, height: 800 },
  dark: { width: 1280, height: 800, dark: true },
  phone: { width: 360, height: 740 },
} as const;
type Look = keyof typeof looks;

/** Waits until animations have ended. */
const settlingMilliseconds = 500;
/** A list is as tall as all of its rows together, so only the window is captured. */
const heightMax = 4_000;
/** The demo banner makes the pages in the README taller. */
const readmeHeight = 850;
/** The README must also load over slow connections. */
const bytesMax = 200_000;

const [wanted, ...names] = process.argv.slice(2);
if (wanted === undefined) throw new Error('Usage: bun scripts/pictures.ts FOLDER [NAME...] | --readme');
const isForReadme = wanted === '--readme';
const folder = isForReadme ? join(import.meta.dir, '..', '.github', 'pictures') : resolve(wanted);
mkdirSync(folder, { recursive: true });

const stripe = startStripe();
const env = {
  ...{ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' },
  ...{ SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'lotbook@example.com' },
  // The README shows a server without it.
  ...(isForReadme ? {} : { KRAKEN_SYNC_URL: 'http://localhost:1', COINBASE_SYNC_URL: 'http://localhost:1' }),
};
const site = await siteWithBrowser({ billing: stripeBilling(stripe.billing), env });
const all = await takePictures(site.app);
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

/** Takes a screenshot of every page, and of what appears on some of them after an action. */
async function takePictures(app: TestApp): Promise<Picture[]> {
  const { people, places } = await fetchSitePages(app);
  const { demo, newcomer, owner } = people;
  const importing = await app.register('PRO');
  const buying = await app.register();
  const guarded = await app.register();
  const pooling = await poolingPerson(app);
  const unverified = await app.register('PRO', { isVerified: false });
  const stranger = await app.register('PRO', { isVerified: false });
  await importCsv(stranger, 'date,type,account,asset,quantity,amount\n2024-01-02,buy,Schwab,KO,10,600\n');
  const resets = { owner: 'b'.repeat(32), stranger: 'c'.repeat(32) };
  const payload = { isMailed: true };
  await plantToken(app, 'password_reset', resets.owner, { userId: await fetchId(owner), payload });
  await plantToken(app, 'password_reset', resets.stranger, { userId: await fetchId(stranger), payload });
  const guessed = await app.register();
  const opening = { token: 'e'.repeat(32), userId: await fetchId(guessed) };
  const undoing = { token: 'd'.repeat(32), userId: await fetchId(await app.register()) };
  return [
    ...places,
    {
      name: 'account-two-step',
      path: '/account/security',
      as: owner,
      act: (page) => beginTwoStep(page, owner.password),
    },
    { name: 'account-bought', path: '/account/plan', as: buying, act: buyPlan },
    { name: 'account-passkey', path: '/account/security', as: guarded, act: addPasskey },
    { name: 'email-verify-refused', path: '/email/verify#used', act: (page) => press(page, 'Confirm address') },
    { name: 'account-unverified', path: '/account', as: unverified },
    { name: 'tokens-unverified', path: '/account/tokens', as: unverified, act: refuseToken },
    {
      name: 'reset-choices',
      path: `/reset/confirm#${resets.owner}`,
      act: (page) => page.getByText('All sessions end').waitFor(),
    },
    {
      name: 'reset-stranger',
      path: `/reset/confirm#${resets.stranger}`,
      act: (page) => page.getByText('was never confirmed').waitFor(),
    },
    { name: 'email-undo-refused', path: '/email/undo#used', act: (page) => press(page, 'Keep my address') },
    { name: 'email-undone', path: `/email/undo#${undoing.token}`, act: (page) => undoChange(page, app, undoing) },
    { name: 'unsubscribe-refused', path: '/unsubscribe#used', act: (page) => press(page, 'Stop these emails') },
    { name: 'sign-in-refused', path: '/sign-in', act: signInWrongly },
    { name: 'sign-in-link-required', path: '/sign-in', act: (page) => signInBeyondCeiling(page, app, guessed) },
    { name: 'sign-in-link-refused', path: '/sign-in/link#used', act: (page) => press(page, 'Use this browser') },
    { name: 'sign-in-link-used', path: `/sign-in/link#${opening.token}`, act: (page) => useLink(page, app, opening) },
    { name: 'allocation-proposed', path: '/settings/allocation', as: pooling },
    { name: 'assistant-filled', path: '/assistant', as: owner, act: askThrice },
    { name: 'notifications-chosen', path: '/notifications', as: owner, act: chooseDigest },
    { name: 'tokens-made', path: '/account/tokens', as: newcomer, act: makeToken },
    {
      name: 'transactions-filtered',
      path: '/transactions?type=sell&type=buy&asset=TSLA&sort=-amount&year=2025',
      as: owner,
    },
    { name: 'review-kind', path: '/review?kind=transfer_unpaired&year=2025', as: owner },
    { name: 'transactions-opened', path: '/transactions?asset=SOL&year=2025', as: owner, act: openTransaction },
    { name: 'lines-noted', path: '/forms/8949?year=2025', as: owner, act: explainLine },
    { name: 'demo-year', path: yearOfSitePages, as: demo, isChosen: true },
    { name: 'notice-compared', path: '/forms/notice?year=2025', as: owner, act: compareNotice },
    { name: 'reports-programs', path: '/forms?year=2025', as: demo, act: openPrograms },
    { name: 'demo-reports', path: '/forms', as: demo, isChosen: true },
    { name: 'import-done', path: '/import', as: importing, act: dropFiles, isChosen: true },
    { name: 'review-tried', path: '/review', as: demo, act: tryResolution, isChosen: true },
    { name: 'lines-explained', path: '/forms/8949?year=2025', as: demo, act: explainLine, isChosen: true },
    { name: 'plan-tried', path: '/planning', as: demo, act: trySale, isChosen: true },
  ];
}

/** Coins in one pool for all wallets, which was allowed until 2025. */
async function poolingPerson(app: TestApp): Promise<TestClient> {
  const who = await app.register('PRO');
  await who.json('PATCH', '/v1/tax/settings', { body: { digitalAssetScopeBefore2025: 'universal' } });
  const body = `date,type,account,asset,quantity,amount,to_account,asset_class
2021-02-01,buy,Coinbase,BTC,1,34000,,crypto
2022-06-20,buy,Coinbase,BTC,0.5,10200,,crypto
2022-09-01,buy,Kraken,ETH,4,6300,,crypto
2023-01-10,transfer,Coinbase,BTC,0.7,,Ledger,crypto
2025-03-04,sell,Ledger,BTC,0.2,17400,,crypto
`;
  await who.json('POST', '/v1/transactions/import', { body, headers: { 'content-type': 'text/csv' } }, 201);
  return who;
}

/** Pages that explain an error, above a form or in place of the page. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  const refusal = page.getByRole('alert').or(page.getByRole('heading', { name: 'This link no longer works' }));
  await refusal.first().waitFor();
}

/** Opens the link, which each screenshot uses up. */
async function undoChange(page: Page, app: TestApp, { token, userId }: { token: string; userId: string }) {
  const payload = { email: `${crypto.randomUUID()}@example.com`, requestedAt: null };
  await plantToken(app, 'email_undo', token, { userId, payload });
  await page.getByRole('button', { name: 'Keep my address' }).click();
  await page.getByRole('heading', { name: 'Your email address is restored' }).waitFor();
}

async function refuseToken(page: Page): Promise<void> {
  await page.getByLabel('What is it for?').fill('Nightly import');
  await press(page, 'Create token');
}

async function fetchId(who: TestClient): Promise<string> {
  return (await who.json<{ id: string }>('GET', '/v1/account')).id;
}

async function signInWrongly(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('maria@example.com');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await press(page, 'Sign in');
}

/** Signs in after more consecutive wrong passwords than an account allows from unknown browsers. */
async function signInBeyondCeiling(page: Page, app: TestApp, { email, password }: TestClient): Promise<void> {
  await app.request('POST', '/v1/auth/login', { body: { email, password: 'not the password' } });
  await app.books.asOwner((sql) => sql`update account_guesses set passwords = 500`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await press(page, 'Sign in');
}

/** Opens the link, which each screenshot uses up. */
async function useLink(page: Page, app: TestApp, { token, userId }: { token: string; userId: string }) {
  await plantToken(app, 'sign_in_link', token, { userId, payload: {} });
  await page.getByRole('button', { name: 'Use this browser' }).click();
  await page.getByRole('heading', { name: 'You can sign in with this browser' }).waitFor();
}

async function buyPlan(page: Page): Promise<void> {
  // The plan is already paid for at the second visit.
  const [buy, paid] = [page.getByRole('button', { name: 'Buy PRO' }), page.getByText('Next payment:')];
  await buy.or(paid).first().waitFor();
  if (await paid.isVisible()) return;
  await buy.click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await paid.waitFor();
}

async function addPasskey(page: Page): Promise<void> {
  await virtualAuthenticator(page);
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page
    .getByRole('row', { name: /Laptop/ })
    .first()
    .waitFor();
}

/** Enters a notice with a line that matches nothing. */
async function compareNotice(page: Page): Promise<void> {
  await page.getByLabel('Notice date').fill('2027-03-02');
  await page.getByLabel('Response due').fill('2027-04-01');
  await page.getByLabel('Payer').fill('CHARLES SCHWAB & CO');
  await page.getByLabel('Security').fill('100 SH TESLA INC');
  await page.getByLabel('Proceeds').fill('12,500');
  await page.getByRole('button', { name: 'Compare with my sales' }).click();
  await page.getByText('Your answer').first().waitFor();
}

async function openPrograms(page: Page): Promise<void> {
  await page.getByText('More tax programs').last().click();
  await page.getByRole('heading', { name: 'Drake Tax' }).waitFor();
}

async function askThrice(page: Page): Promise<void> {
  const answers = page.locator('.conversation > li');
  for (const question of ['What did I gain in 2025?', 'Which wash sales are there in 2025?', 'How is the weather?']) {
    const before = await answers.count();
    await page.getByLabel('Your question').fill(question);
    await page.keyboard.press('Enter');
    await answers.nth(before + 1).waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
  }
}

async function chooseDigest(page: Page): Promise<void> {
  await page.getByText('Choose notifications and emails').click();
  await page.getByLabel('Email digest').selectOption('On Mondays');
}

async function dropFiles(page: Page): Promise<void> {
  const files = demoFiles.map(({ name, text }) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) }));
  await page.locator('input[type=file]').first().setInputFiles(files);
  await page.getByText(`${demoFiles.length} imported`).waitFor();
}

async function beginTwoStep(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const [proof, code] = [page.getByLabel('Your password'), page.getByRole('button', { name: 'Confirm code' })];
  await proof.or(code).first().waitFor();
  if (await proof.isVisible()) {
    await proof.fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await code.waitFor();
}

async function makeToken(page: Page): Promise<void> {
  await page.getByLabel('What is it for?').fill('Nightly import');
  await page.getByRole('checkbox', { name: /^Import/ }).check();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('status', { name: 'The new token' }).waitFor();
}

async function tryResolution(page: Page): Promise<void> {
  // On a phone, the list is shown before the item.
  await page.getByRole('link', { name: /^Missing cost basis: SOL/ }).click();
  await page.getByRole('button', { name: 'Enter cost basis' }).first().click();
  await page.getByLabel(/^Cost basis/).fill('$1,800');
  await page.getByLabel('Date acquired').fill('3/3/2025');
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
  await page.getByRole('button', { name: 'Calculate' }).click();
  await page.getByRole('row', { name: /^Highest cost first/ }).scrollIntoViewIfNeeded();
}

async function openTransaction(page: Page): Promise<void> {
  await page.locator('[data-item]', { hasText: '66 SOL' }).first().click();
}

async function take({ visit }: Site, { name, path, as, act }: Picture, look: Look): Promise<void> {
  const { page, context } = await visit(path, {
    ...looks[look],
    ...(isForReadme ? { height: readmeHeight } : {}),
    ...(as === undefined ? {} : { as }),
  });
  await untilRead(page);
  const tour = page.getByRole('button', { name: 'Close tour' });
  if (isForReadme && (await tour.isVisible())) await tour.click();
  await act?.(page);
  await untilRead(page);
  await page.waitForTimeout(settlingMilliseconds);
  // A dialog covers the window, not the whole page.
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
