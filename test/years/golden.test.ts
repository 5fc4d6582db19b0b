import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, testApp } from '../support/app.ts';
import { type Cells, elect, fetchAll, importCsv } from '../support/books.ts';
import { expectedTexts, goldenFiles, goldenIds, resultTexts, type Summary } from '../support/golden-results.ts';
import { expectRoundTrip } from '../support/round-trip.ts';

/** The worked cases stored outside of the project, each sent through the HTTP API into its own books. */
let app: TestApp;
beforeAll(async () => {
  app = await testApp({ log: { info: () => {}, warn: console.log, error: console.log } });
});
afterAll(() => app.close());

describe('the HTTP API returns the exact results of the worked cases', () => {
  for (const id of goldenIds()) {
    test(id, async () => {
      const { csv, settings, expected } = goldenFiles(id);
      const client = await app.register('PRO');
      await elect(client, JSON.parse(settings));
      const imported = await importCsv(client, csv);
      expect(imported.rejected).toBe(0);
      const disposals = await fetchAll<Cells>(client, '/v1/tax/disposals');
      const lots = await fetchAll<Cells>(client, '/v1/tax/lots');
      const summaries = await fetchSummaries(client);
      expect(resultTexts({ disposals, lots, summaries }, expected)).toEqual(expectedTexts(expected));
      const calculated = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
      expect(calculated.differences).toEqual([]);
      await expectRoundTrip(app, client);
    });
  }
});

async function fetchSummaries(client: Awaited<ReturnType<TestApp['register']>>): Promise<Summary[]> {
  const years = await fetchAll<{ year: number }>(client, '/v1/tax/years');
  const summaries: Summary[] = [];
  for (const { year } of years) summaries.push(await client.json('GET', `/v1/tax/summary?year=${year}`));
  return summaries;
}
