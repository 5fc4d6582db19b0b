import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const header =
  'date,type,account,asset,quantity,amount,currency,received_asset,received_quantity,fee_asset,fee_quantity\n';

async function neededBy(who: TestClient): Promise<string> {
  const response = await who.request('GET', '/v1/prices/needed');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/csv');
  return (await response.text()).replaceAll('\r\n', '\n');
}

const give = (who: TestClient, csv: string, status = 201) =>
  who.json('POST', '/v1/prices', { body: csv, headers: { 'content-type': 'text/csv' } }, status);

describe('the prices that open issues need', () => {
  test('are empty if every row is in dollars', async () => {
    const who = await app.register();
    expect(await neededBy(who)).toBe('date,asset,usd,rows,alternatives,use\n');
    await importCsv(who, 'date,type,account,asset,quantity,amount\n2025-03-03,buy,D,SAP,10,1000\n');
    expect(await neededBy(who)).toBe('date,asset,usd,rows,alternatives,use\n');
  });

  test('are listed once for all rows on their day, and resolve the issues when the file is completed', async () => {
    const who = await app.register();
    const rows = [
      '2025-03-03,buy,D,SAP,10,1000,EUR,,,,',
      '2025-03-03,buy,D,BMW,10,500,EUR,,,,',
      '2025-03-04,buy,D,ETH,5,9000,USD,,,,',
      '2025-03-05,trade,D,ETH,1,,,"SOL, wrapped",10,,',
      '2025-03-06,staking,D,ETH,0.1,,,,,,',
    ];
    await importCsv(who, `${header}${rows.join('\n')}\n`);
    const asked = await neededBy(who);
    expect(asked).toBe(`date,asset,usd,rows,alternatives,use
2025-03-05,ETH,,1,"SOL, wrapped",1 ETH
2025-03-05,EUR,,2,,1000.00 EUR paid for SAP
2025-03-05,"SOL, wrapped",,1,ETH,"10 SOL, wrapped received"
2025-03-06,ETH,,1,,0.1 ETH
`);
    const [first = '', given, euros, , staked] = asked.split('\n');
    const filled = [first, euros, given, staked].map((line) => line?.replace(',,', ',2000,')).join('\n');
    expect(await give(who, filled)).toMatchObject({ rows: 3, added: 3, rejected: 0 });
    expect(await fetchAll(who, '/v1/tax/issues')).toEqual([]);
    expect(await neededBy(who)).toBe('date,asset,usd,rows,alternatives,use\n');
  });

  test('are reported if left blank, and the other prices are stored', async () => {
    const who = await app.register();
    await importCsv(who, `${header}2025-03-03,buy,D,SAP,10,1000,EUR,,,,\n2025-03-04,buy,D,SAP,10,1000,GBP,,,,\n`);
    const filled = (await neededBy(who)).replace('EUR,,', 'EUR,1.05,');
    expect(await give(who, filled)).toMatchObject({
      added: 1,
      rejects: [{ line: 3, column: 'usd', reason: 'the price is missing' }],
    });
    expect(await neededBy(who)).toBe(
      'date,asset,usd,rows,alternatives,use\n2025-03-06,GBP,,1,,1000.00 GBP paid for SAP\n',
    );
    await give(who, await neededBy(who), 422);
  });

  test('exclude rows that were answered manually, accepted or reversed', async () => {
    const who = await app.register();
    const rows = [
      '2025-03-03,buy,D,SAP,10,1000,EUR,,,,',
      '2025-03-04,buy,D,BMW,10,500,EUR,,,,',
      '2025-03-05,buy,D,VOW,10,700,EUR,,,,',
      '2025-03-06,buy,D,VOW,10,-700,EUR,,,,',
    ];
    await importCsv(who, `${header}${rows.join('\n')}\n`);
    expect(await neededBy(who)).toContain(
      '2025-03-05,EUR,,1,,1000.00 EUR paid for SAP\n2025-03-06,EUR,,1,,500.00 EUR paid for BMW\n',
    );
    const [one, other] = await fetchAll<{ id: string }>(who, '/v1/tax/issues');
    const resolve = (id: string | undefined, body: object) =>
      who.json('POST', `/v1/tax/issues/${id}/resolve`, { body }, 200);
    await resolve(one?.id, { action: 'value', amount: '1050' });
    await resolve(other?.id, { action: 'accept', note: 'Known.' });
    expect(await neededBy(who)).toBe('date,asset,usd,rows,alternatives,use\n');
  });

  test('belong to one taxpayer', async () => {
    const [who, other] = [await app.register(), await app.register()];
    await importCsv(who, `${header}2025-03-03,buy,D,SAP,10,1000,EUR,,,,\n`);
    expect(await neededBy(other)).toBe('date,asset,usd,rows,alternatives,use\n');
    expect((await app.request('GET', '/v1/prices/needed')).status).toBe(401);
  });
});
