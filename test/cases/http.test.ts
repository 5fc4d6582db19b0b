import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { elect, fetchAll, importCsv } from '../support/books.ts';
import { isDeep } from '../support/depth.ts';
import { expectRoundTrip } from '../support/round-trip.ts';
import { comparedOf, expectedOf, type Resource, type WorkedCase, workedCases } from '../support/worked-cases.ts';

/** An archive of every eighth case is imported into another account, or of every case in a deep run. */
const casesPerRoundTrip = isDeep ? 1 : 8;

/**
 * Runs the project's own cases through the HTTP API, in separate books: all of them in a deep run, and otherwise the
 * first case of each subject and every fourth one. `report.test.ts` runs all cases through the same formats, engine and
 * forms.
 */
const cases = workedCases()
  .map((worked, index) => ({ worked, index }))
  .filter(({ worked, index }, at, all) => {
    const isFirst = all[at - 1]?.worked.subject !== worked.subject;
    return isDeep || isFirst || index % 4 === 0;
  });
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ log: { info: () => {}, warn: console.log, error: console.log } });
});
afterAll(() => app.close());

describe('our own cases have exactly the expected results through the HTTP API', () => {
  for (const { worked, index } of cases) {
    test(`${worked.subject}: ${worked.name}`, async () => {
      const client = await app.register('PRO');
      await elect(client, JSON.parse(worked.settings));
      for (const { text } of worked.files) await importCsv(client, text);
      const positions = { body: worked.balances, headers: { 'content-type': 'text/csv' } };
      if (worked.balances !== null) await client.json('POST', '/v1/balances/import', positions, 201);
      const result = {
        lines: await fetchAll<Resource>(client, '/v1/tax/disposals'),
        lots: await fetchAll<Resource>(client, '/v1/tax/lots'),
        issues: await fetchAll<Resource>(client, '/v1/tax/issues'),
        gifts: await fetchGifts(client, worked.gifts),
        summaries: await fetchSummaries(client, worked.summaries),
      };
      expect(comparedOf(result, worked)).toEqual(expectedOf(worked));
      const calculated = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
      expect(calculated.differences).toEqual([]);
      if (index % casesPerRoundTrip === 0) await expectRoundTrip(app, client);
    });
  }
});

/** Returns the gifts in the JSON report of each year that has gifts. */
async function fetchGifts(client: TestClient, expected: WorkedCase['gifts']): Promise<Resource[]> {
  if (expected === null) return [];
  const rows = await fetchAll<{ type: string; date: string }>(client, '/v1/transactions');
  const given = rows.filter(({ type }) => type === 'donate' || type === 'gift_out');
  const gifts: Resource[] = [];
  for (const year of new Set(given.map(({ date }) => Number(date.slice(0, 4))))) {
    const { id } = await client.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year } }, 201);
    const report = await client.json<{ gifts: Resource[] }>('GET', `/v1/tax/reports/${id}/download?format=json`);
    gifts.push(...report.gifts);
  }
  return gifts;
}

async function fetchSummaries(client: TestClient, stated: readonly { readonly year: number }[]): Promise<Resource[]> {
  const summaries: Resource[] = [];
  for (const { year } of stated) summaries.push(await client.json('GET', `/v1/tax/summary?year=${year}`));
  return summaries;
}
