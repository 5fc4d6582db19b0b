import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  // Allows two expensive requests at once, and more of each other kind than this test sends.
  app = await testApp({ env: { RATE_LIMIT_FACTOR: '0.05' } });
});
afterAll(() => app.close());

const sale = { sales: [{ asset: 'X', quantity: '1', price: '100', date: '2025-06-30' }] };
const asked: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/v1/tax/what-if', sale],
  ['GET', '/v1/tax/harvest'],
  ['GET', '/v1/tax/lots?asOf=2024-06-30'],
  ['GET', '/v1/tax/holdings?asOf=2024-06-30'],
  ['GET', '/v1/transactions?q=abc'],
];

for (const [method, path, body] of asked) {
  test(`${method} ${path} has a rate limit per user, and does not affect cheap reads or other users`, async () => {
    const [one, other] = [await app.register(), await app.register()];
    await importCsv(one, csvOf('buy 2024-01-02 1 X @10'));
    const ask = (who: TestClient): Promise<Response> => who.request(method, path, body === undefined ? {} : { body });
    const answers: Response[] = [];
    for (let turn = 0; turn < 5; turn++) answers.push(await ask(one));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers[0]?.status).toBe(200);
    expect(refused.length).toBeGreaterThan(0);
    for (const response of refused) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(other)).status).toBeLessThan(429);
    for (const cheap of ['/v1/tax/summary?year=2024', '/v1/transactions', '/v1/tax/lots']) {
      expect([cheap, (await one.request('GET', cheap)).status]).toEqual([cheap, 200]);
    }
  });
}
