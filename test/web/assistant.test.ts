import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { silentLog } from '../../src/deps.ts';
import { openAiAssistant } from '../../src/features/answers/messages/openai.ts';
import { parseBlocks, parseReplyBlocks } from '../../src/web/format/blocks.ts';
import { findPage } from '../../src/web/format/page-links.ts';
import type { TestClient } from '../support/app.ts';
import { localAssistant } from '../support/assistant.ts';
import { importCsv } from '../support/books.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

const local = localAssistant(
  { call: [['year_summary', '{"year":2024}']] },
  { say: 'You gained six hundred dollars.\n- KO: $600.00' },
  { say: 'This answer never ', stall: true },
);
let site: Site;
let who: TestClient;

const header = 'date,type,account,asset,quantity,amount\n';
const rows = `${header}2022-01-10,buy,Fidelity,KO,100,5000\n2024-06-03,sell,Fidelity,KO,40,2600\n`;

beforeAll(async () => {
  const config = { baseUrl: local.baseUrl, apiKey: 'key', model: 'model' };
  site = await siteWithBrowser({ assistant: openAiAssistant(config, silentLog) });
  who = await site.app.register();
  await importCsv(who, rows);
});
afterAll(async () => {
  await site.close();
  await local.close();
});

describe('the assistant', () => {
  test('streams its reply, links to its sources, shows the remaining daily limit, and can be stopped', async () => {
    const visit = await site.visit('/assistant', { as: who });
    const { page } = visit;
    await page.getByRole('button', { name: 'What were my gains in 2024?' }).waitFor();
    await visit.expectAccessible();
    await page.getByLabel('Your question').fill('What did I gain?');
    await page.keyboard.press('Enter');
    await page.getByText('You gained six hundred dollars.').waitFor();
    await page.getByText('1 of 5 questions used today.').waitFor();
    const citation = page.getByRole('link', { name: 'Summary of 2024' });
    expect(await citation.getAttribute('href')).toBe('/overview?year=2024');

    await page.getByLabel('Your question').fill('And then?');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('This answer never').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
    // The partial reply is kept and counts.
    await page.getByText('2 of 5 questions used today.').waitFor();
    expect(await page.getByText('This answer never').count()).toBe(1);
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await citation.click();
    await page.getByRole('heading', { name: 'Tax year 2024' }).waitFor();
    await visit.close();
  });
});

describe('the feed', () => {
  test('updates in every tab by itself, links to its pages, and is marked read in all tabs at once', async () => {
    const visit = await site.visit('/notifications', { as: who });
    const { page } = visit;
    const other = await visit.context.newPage();
    await other.goto(new URL('/overview?year=2024', site.url).href);
    const badge = (name: string) => other.getByRole('link', { name, exact: true });
    await badge('Notifications, 1 unread').waitFor();
    await importCsv(who, `${header}2024-09-03,sell,Fidelity,KO,10,700\n`);
    const toast = other.getByRole('status').filter({ hasText: 'Import finished' });
    await toast.waitFor();
    // The message stays for a few seconds, and longer while the pointer is on it.
    await toast.hover();
    expect(await toast.getByRole('link', { name: 'Show', exact: true }).getAttribute('href')).toMatch(/^\/import\/\w/);
    await badge('Notifications, 2 unread').waitFor();
    await page.getByRole('link', { name: 'Import finished' }).nth(1).waitFor();
    // The feed page itself shows nothing twice.
    expect(await page.locator('.toast').count()).toBe(0);
    await visit.expectAccessible();
    await page
      .getByRole('button', { name: /^Mark as read/ })
      .first()
      .click();
    await badge('Notifications, 1 unread').waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('No unread notifications.').waitFor();
    await badge('Notifications').waitFor();
    await page.getByText('Choose notifications').click();
    await page.getByRole('checkbox', { name: 'Import finished, nothing to review' }).uncheck();
    await page.getByText('Notification turned off.').waitFor();
    await importCsv(who, `${header}2024-10-03,sell,Fidelity,KO,10,700\n`);
    expect(await who.json<{ data: unknown[] }>('GET', '/v1/notifications')).toMatchObject({ data: { length: 2 } });
    await page.emulateMedia({ colorScheme: 'dark' });
    await visit.expectAccessible();
    await visit.close();
  });
});

test('an API address leads to its page, in the books of its client', () => {
  const addressOf = (link: string) => {
    const page = findPage(link);
    return page === null ? null : `${page.path}?${new URLSearchParams(page.query)}`;
  };
  expect(
    [
      '/v1/imports/53c3?client=c1',
      '/v1/tax/settings',
      '/v1/plans',
      '/v1/tax/calculations/9f',
      '/v1/tax/summary?year=2024&client=c1',
      '/v1/tax/disposals?year=2024',
      '/v1/tax/disposals/d1/explain',
      '/v1/tax/lots?asset=BTC',
      '/v1/tax/reports/r1/download?format=8949',
      '/v1/nothing',
    ].map(addressOf),
  ).toEqual([
    '/import/53c3?client=c1',
    '/settings?',
    '/account/plan?',
    '/overview?',
    '/overview?year=2024&client=c1',
    '/forms/8949?year=2024',
    '/forms/8949?line=d1',
    '/holdings?asset=BTC',
    '/forms?format=8949&report=r1',
    null,
  ]);
});

test('a reply is shown as paragraphs and lists', () => {
  expect(parseBlocks('2024:\n- one\n- two\n\nThat is all.')).toEqual(['2024:', ['one', 'two'], 'That is all.']);
  expect(parseReplyBlocks('Sold:\n- KO on 2024-06-03, for $600.00')).toEqual([
    'Sold:',
    ['KO on Jun 3, 2024, for $600.00'],
  ]);
});
