import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Secret, TOTP } from 'otpauth';
import { smtpMail } from '../../src/features/people/mail/smtp.ts';
import { letTimePass } from '../support/app.ts';
import { pressInAccountMenu } from '../support/frame.ts';
import { type MailStandIn, startMailServer } from '../support/mail-server.ts';
import { type Site, siteWithBrowser, virtualAuthenticator } from '../support/site.ts';

let mails: MailStandIn;
let site: Site;
beforeAll(async () => {
  mails = await startMailServer();
  const mail = smtpMail({ smtpUrl: `smtp://${mails.host}`, from: 'Lotbook <no-reply@lotbook.example>' });
  site = await siteWithBrowser({ mail });
  await site.app.deps.jobs.start();
});
afterAll(async () => {
  await site.close();
  await mails.close();
});

const person = { email: 'ann@example.com', password: 'a sentence to remember' };

/** Returns the link in the newest email to the user that contains one. The email may still be in transit. */
async function mailedLink(path: string): Promise<string> {
  for (;;) {
    const found = mails.taken.map(({ text }) => new RegExp(`http\\S+${path}#\\S+`).exec(text)?.[0]);
    const link = found.findLast((each) => each !== undefined);
    if (link !== undefined) return link;
    await Bun.sleep(10);
  }
}

test('a user creates an account, adds an app and a passkey, signs in with each, sets a new password and signs out everywhere', async () => {
  const visit = await site.visit('/register', { expectedErrors: [/401/, /403/] });
  const { page } = visit;
  await virtualAuthenticator(page);
  const signIn = async (password: string) => {
    await page.goto(new URL('/sign-in', site.url).href);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const signOut = async () => {
    await pressInAccountMenu(page, 'Sign out');
    await page
      .getByRole('heading', { name: /Form 8949|Sign in/ })
      .first()
      .waitFor();
  };

  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  await page.goto(await mailedLink('/email/verify'));
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor();
  await visit.expectAccessible();

  await page.goto(new URL('/account/security', site.url).href);
  await letTimePass(site.app, 15 * 60);
  await page.getByRole('button', { name: 'Set up an app' }).click();
  // The requested action continues by itself after the confirmation.
  await page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
  await page.getByLabel('Your password').fill('wrong wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The password is wrong.').waitFor();
  await visit.expectAccessible();
  await page.getByLabel('Your password').fill(person.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
  await visit.expectAccessible();
  const key = ((await page.getByText('Key:').textContent()) ?? '').replace('Key:', '').replaceAll(' ', '');
  await page.getByLabel('Code from the app').fill(new TOTP({ secret: Secret.fromBase32(key) }).generate());
  await page.getByRole('button', { name: 'Confirm code' }).click();
  await page.getByText('10 are left').waitFor();
  const codes = await page.getByRole('status').locator('code').allTextContents();
  expect(await page.getByText('Confirm your email address.').count()).toBe(0);

  await signOut();
  await signIn(person.password);
  await page.getByLabel('Code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();

  await page.goto(new URL('/account/security', site.url).href);
  await page.getByText('9 are left').waitFor();
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('row', { name: /Laptop/ }).waitFor();
  await signOut();
  await page.goto(new URL('/sign-in', site.url).href);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();

  await signOut();
  await page.goto(new URL('/sign-in', site.url).href);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Request link' }).waitFor();
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('button', { name: 'Request link' }).click();
  await page.getByText(`If ${person.email} has an account`).waitFor();
  await page.goto(await mailedLink('/reset/confirm'));
  await page.getByLabel('New password').fill('another sentence of mine');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();

  await signIn('another sentence of mine');
  await page.getByLabel('Code').fill(codes[1] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  // Another tab, with a stream that ends with its session.
  const other = await visit.context.newPage();
  await other.goto(new URL('/overview', site.url).href);
  await other.getByRole('button', { name: 'Account menu' }).waitFor();
  while (site.app.deps.openStreams.sessionIds().size !== 1) await Bun.sleep(10);
  await page.goto(new URL('/account/security', site.url).href);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect([...site.app.deps.openStreams.sessionIds()]).toEqual([]);
  await visit.close();
});
