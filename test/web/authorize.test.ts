import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { grantAccess } from '../support/grants.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';
import { exchangeCode, registerProgram } from '../support/site-pages.ts';

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

/** Stands in for the program, which listens on the user's computer. Returns the addresses that it gets. */
async function listen(page: Page): Promise<string[]> {
  const received: string[] = [];
  await page.route('http://127.0.0.1:33418/**', async (route) => {
    received.push(route.request().url());
    await route.fulfill({ contentType: 'text/html', body: '<title>Done</title><h1>You can close this page</h1>' });
  });
  return received;
}

/** The program, which listens on the user's computer. */
const expectedHosts = ['127.0.0.1:33418'];

const rpc = (token: string) =>
  site.app.request('POST', '/mcp', {
    headers: { authorization: `Bearer ${token}` },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  });

test('a user signs in, sees what a program asks for, allows a part of it, and disconnects it later', async () => {
  const who = await site.app.register();
  const request = await registerProgram(site.app);
  const path = `/authorize?${new URLSearchParams({ ...request, state: 'a b&c', prompt: 'consent' })}`;
  const visit = await site.visit(path, { expectedHosts, expectedErrors: [/401/] });
  const { page } = visit;
  const received = await listen(page);
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: '“Example AI” asks for access' }).waitFor();
  await page.getByText('127.0.0.1:33418').waitFor();
  await page.getByText('a program on this computer').waitFor();
  await visit.expectAccessible();
  await page.getByLabel('Import files').uncheck();
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { name: 'You can close this page' }).waitFor();
  const [redirectTo = ''] = received;
  expect(new URL(redirectTo).searchParams.get('state')).toBe('a b&c');
  const token = await exchangeCode(site.app, request, redirectTo);
  expect((await rpc(token)).status).toBe(200);

  await page.goto(new URL('/account/tokens', site.url).href);
  const row = page.getByRole('row', { name: 'Example AI' });
  await row.getByText('read', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disconnect Example AI' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await rpc(token)).status).toBe(401);
  await visit.close();
});

test('a user declines, and the program learns it', async () => {
  const who = await site.app.register();
  const request = await registerProgram(site.app);
  const visit = await site.visit(`/authorize?${new URLSearchParams(request)}`, { as: who, expectedHosts });
  const received = await listen(visit.page);
  await visit.page.getByRole('link', { name: 'Cancel' }).click();
  await visit.page.getByRole('heading', { name: 'You can close this page' }).waitFor();
  expect(new URL(received[0] ?? '').searchParams.get('error')).toBe('access_denied');
  expect((await who.json<{ data: object[] }>('GET', '/v1/auth/programs')).data).toEqual([]);
  await visit.close();
});

test('a CPA chooses the client whose books a program reads', async () => {
  const [owner, cpa] = [await site.app.register('PRO'), await site.app.register('CPA')];
  const client = await grantAccess(site.app, cpa, owner, 'viewer');
  const request = await registerProgram(site.app);
  const visit = await site.visit(`/authorize?${new URLSearchParams(request)}`, { as: cpa, expectedHosts });
  await listen(visit.page);
  await visit.page.getByLabel('Books', { exact: true }).selectOption(client);
  await visit.page.getByRole('button', { name: 'Connect' }).click();
  await visit.page.getByRole('heading', { name: 'You can close this page' }).waitFor();
  const rows = await site.app.books.asOwner(
    (sql) => sql<{ client: string }[]>`select client_id as client from program_connections
    where user_id = (select id from users where email = ${cpa.email})`,
  );
  expect(rows.map((row) => row.client)).toEqual([client]);
  await visit.close();
});

test('an error is shown here, and the program gets it only through a link', async () => {
  const who = await site.app.register();
  const request = await registerProgram(site.app);
  const faulty = { ...request, code_challenge_method: 'plain' };
  const visit = await site.visit(`/authorize?${new URLSearchParams(faulty)}`, {
    as: who,
    expectedHosts,
    expectedErrors: [/422/],
  });
  const { page } = visit;
  const received = await listen(page);
  await page.getByText('The program must send a code_challenge').waitFor();
  expect(received).toEqual([]);
  await page.getByRole('link', { name: 'Back to the program' }).click();
  await page.getByRole('heading', { name: 'You can close this page' }).waitFor();
  expect(new URL(received[0] ?? '').searchParams.get('error')).toBe('invalid_request');
  const unknown = { ...request, redirect_uri: 'https://evil.example/' };
  await page.goto(new URL(`/authorize?${new URLSearchParams(unknown)}`, site.url).href);
  await page.getByText('This is not an address that the program registered').waitFor();
  expect(await page.getByRole('link', { name: 'Back to the program' }).count()).toBe(0);
  await visit.close();
});
