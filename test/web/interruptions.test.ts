import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { TestClient } from '../support/app.ts';
import { csvOf } from '../support/books.ts';
import { cutLine } from '../support/cut-line.ts';
import { dropFiles } from '../support/drop-files.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

/** Tests files that are interrupted by the connection, the page or a lock. */

let site: Site;
beforeAll(async () => {
  site = await siteWithBrowser();
});
afterAll(() => site.close());

const trades = csvOf('buy 2024-01-02 10 X @1000 !Schwab', 'sell 2024-06-03 4 X @500 !Schwab');

test('an interrupted event stream resumes after its last event, and the card shows this meanwhile', async () => {
  const who = await site.app.register('PRO');
  const release = await holdTurn(who);
  const line = cutLine(new URL(site.url));
  const visit = await site.visit(`${line.url}import`, { as: who, expectedErrors: [/net::ERR_/] });
  const { page } = visit;
  const resumed: (string | null)[] = [];
  page.on('request', async (request) => {
    if (/\/imports\/[^/]+\/events/.test(request.url())) resumed.push(await request.headerValue('last-event-id'));
  });
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  await dropFiles(page, { 'trades.csv': trades });
  const card = page.getByRole('article', { name: 'trades.csv' });
  await card.getByText('Saving').waitFor();
  const event = await report(who, { bytes: 100, rows: 7, rowsStored: 7 });
  await card.getByText('7 rows read').waitFor();
  line.cut();
  await card.getByText("You're offline. We'll reconnect automatically.").waitFor();
  line.mend();
  await card.getByText('Saving').waitFor();
  release();
  await card.getByText('Imported', { exact: true }).waitFor();
  expect(resumed.at(-1)).toBe(event);
  expect(await fetchImports(who)).toEqual([['trades.csv', 'completed', 2]]);
  await visit.close();
  line.close();
});

test('a reloaded page shows the imports that the server continues, and sends the files that were not sent', async () => {
  const who = await site.app.register('PRO');
  const release = await holdTurn(who);
  const visit = await site.visit('/import', { as: who });
  const { page } = visit;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  await dropFiles(page, { 'trades.csv': trades });
  await page.getByRole('article', { name: 'trades.csv' }).getByText('Saving').waitFor();
  // The second file never reaches the server.
  await page.route('**/v1/transactions/import*', () => {}, { times: 1 });
  const later = csvOf('buy 2025-01-02 10 Y @1000 !Schwab');
  await dropFiles(page, { 'later.csv': later });
  await page.getByRole('article', { name: 'later.csv' }).getByText('Uploading').waitFor();
  await page.reload();
  await report(who, { bytes: 100, rows: 9, rowsStored: 9 });
  const going = page.getByRole('article', { name: 'trades.csv' });
  await going.getByText('9 rows read').waitFor();
  await visit.expectAccessible();
  release();
  await going.getByText('Imported', { exact: true }).waitFor();
  await page.getByRole('article', { name: 'later.csv' }).getByText('Imported', { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Your imports' }).waitFor();
  // The cards appear once the browser has read its storage.
  await page.getByRole('article').getByText('Imported', { exact: true }).nth(1).waitFor();
  expect(await page.getByRole('article').getByText('Imported', { exact: true }).count()).toBe(2);
  expect(await fetchImports(who)).toEqual([
    ['later.csv', 'completed', 1],
    ['trades.csv', 'completed', 2],
  ]);
  await visit.close();
});

test('a file that would change a locked year is refused with the line and how to unlock it', async () => {
  const who = await site.app.register('PRO');
  const headers = { 'content-type': 'text/csv' };
  await who.json('POST', '/v1/transactions/import', { body: trades, headers }, 201);
  await who.json('POST', '/v1/tax/years/2024/lock', { body: {} });
  const visit = await site.visit('/import', { as: who });
  const { page } = visit;
  await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
  await dropFiles(page, { 'late.csv': csvOf('buy 2023-12-01 4 X @100 !Schwab') });
  const card = page.getByRole('article', { name: 'late.csv' });
  await card.getByText('2024 is locked').first().waitFor();
  await visit.expectAccessible();
  await card.getByRole('link', { name: 'Unlock 2024' }).click();
  await page.getByRole('button', { name: 'Unlock 2024' }).waitFor();
  expect((await fetchImports(who)).filter(([, status]) => status === 'completed')).toHaveLength(1);
  await visit.close();
});

/** Prevents anything from being stored for this user until the returned function is called. */
async function holdTurn(who: TestClient): Promise<() => void> {
  const taxpayer = await fetchTaxpayer(who);
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  void site.app.deps.taxpayerQueue(taxpayer, () => {
    begun.resolve();
    return promise;
  });
  await begun.promise;
  return resolve;
}

/** Writes an event for the running import and returns its id. */
async function report(who: TestClient, data: object): Promise<string> {
  const taxpayer = await fetchTaxpayer(who);
  return site.app.books.asOwner(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      insert into import_events (taxpayer_id, import_id, kind, data)
      select taxpayer_id, id, 'progress', ${sql.json(data as never)} from imports
      where taxpayer_id = ${taxpayer} and status = 'running' returning id`;
    return row?.id ?? '';
  });
}

async function fetchTaxpayer({ email }: TestClient): Promise<string> {
  return site.app.books.asOwner(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${email}`;
    return row?.id ?? '';
  });
}

async function fetchImports(who: TestClient): Promise<(readonly [string, string, number])[]> {
  const { data } = await who.json<{ data: { fileName: string; status: string; imported: number }[] }>(
    'GET',
    '/v1/imports',
  );
  return data.map(({ fileName, status, imported }) => [fileName, status, imported] as const);
}
