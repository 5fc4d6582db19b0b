import { afterAll, beforeAll, expect, test } from 'bun:test';
import { syncDue } from '../support/connections.ts';
import { type KrakenStandIn, startKraken } from '../support/exchanges.ts';
import { type Site, siteWithBrowser } from '../support/site.ts';

let kraken: KrakenStandIn;
let site: Site;
beforeAll(async () => {
  kraken = startKraken();
  site = await siteWithBrowser({ env: { KRAKEN_SYNC_URL: kraken.url, COINBASE_SYNC_URL: kraken.url } });
});
afterAll(async () => {
  await site.close();
  kraken.close();
});

test('an exchange is connected with a key, synced and disconnected', async () => {
  kraken.entries = [
    { id: 'LA1', refid: 'T1', time: 1_700_000_000, type: 'trade', asset: 'ZUSD', amount: '-400.0000', fee: '1.0000' },
    { id: 'LA2', refid: 'T1', time: 1_700_000_000, type: 'trade', asset: 'XXBT', amount: '0.0100000000' },
  ];
  const who = await site.app.register();
  const visit = await site.visit('/import', { as: who, expectedErrors: [/422/] });
  const { page } = visit;
  await page.getByRole('link', { name: 'Connect or sync' }).click();
  await page.getByRole('heading', { level: 1, name: 'Connect an exchange' }).waitFor();
  await page.getByLabel('Service').selectOption({ label: 'Kraken' });
  await page.getByText('Query ledger entries').waitFor();
  await page.getByLabel('API key').fill('a wrong key');
  await page.getByLabel('Private key').fill(kraken.secret);
  await page.getByRole('button', { name: 'Connect Kraken' }).click();
  await page.getByText('Kraken does not know this API key').waitFor();
  await visit.expectAccessible();
  await visit.expectPhoneFit();

  // What was typed is still there after a reload, except for the private key.
  await page.reload();
  await page.getByLabel('Service').selectOption({ label: 'Kraken' });
  expect(await page.getByLabel('API key').inputValue()).toBe('a wrong key');
  expect(await page.getByLabel('Private key').inputValue()).toBe('');
  await page.getByLabel('API key').fill(kraken.key);
  await page.getByLabel('Private key').fill(kraken.secret);
  await page.getByRole('button', { name: 'Connect Kraken' }).click();
  await page.getByText('Syncing').waitFor();
  await syncDue(site.app);
  await page.getByText('Last synced').waitFor();
  expect(await page.content()).not.toContain(kraken.secret);
  await visit.expectAccessible();
  await visit.expectPhoneFit();

  await page.getByRole('button', { name: 'Turn off daily sync' }).click();
  await page.getByText('Syncs only when you ask.').waitFor();
  kraken.faults.push(() => Response.json({ error: ['EAPI:Invalid key'] }));
  await page.getByRole('button', { name: 'Sync now: Kraken' }).click();
  await page.getByText('Syncing').waitFor();
  await syncDue(site.app);
  await page.getByText('Kraken does not know this API key, or it has expired.').waitFor();
  await page.getByRole('link', { name: 'See the last import' }).click();
  await page.getByRole('heading', { level: 1, name: /kraken-ledgers/ }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Disconnect Kraken' }).click();
  await page.getByRole('button', { name: 'Delete the key' }).click();
  await page.getByRole('button', { name: 'Sync now: Kraken' }).waitFor({ state: 'detached' });
  expect(await who.json('GET', '/v1/connections')).toMatchObject({ data: [] });
  await visit.close();
});
