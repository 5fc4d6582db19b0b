import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestApp, testApp } from '../support/app.ts';
import type { ImportResource } from '../support/books.ts';

/** Real exports, stored outside of the project, each uploaded to its own account. */
const folder = join(process.env.LOTBOOK_SHARED ?? join(import.meta.dir, '../../../shared'), 'formats');

if (!existsSync(folder)) {
  console.log(`The given exports are not at ${folder}: their import is not tested here.`);
} else {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app.close());

  const files = readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .flatMap((source) => readdirSync(join(folder, source)).map((name) => `${source}/${name}`));

  for (const file of files) {
    test(`${file}: every line is imported, skipped, rejected or a duplicate, and a second upload adds nothing`, async () => {
      const client = await app.register('PRO');
      const body = readFileSync(join(folder, file));
      const upload = async (): Promise<ImportResource> => {
        const headers = { 'content-type': 'text/csv' };
        const response = await client.request('POST', '/v1/transactions/import', { body, headers });
        expect({
          file,
          status: response.status,
          problem: response.status === 201 ? '' : await response.clone().text(),
        }).toEqual({ file, status: 201, problem: '' });
        return (await response.json()) as ImportResource;
      };
      const first = await upload();
      // Every gain that one of these files reports equals the computed gain, so a question would be a false alarm.
      const asked = await client.json<{ data: object[] }>('GET', '/v1/tax/issues?status=open&kind=gain_differs');
      expect({ file, asked: asked.data }).toEqual({ file, asked: [] });
      const again = await upload();
      const { imported, duplicates, skipped, rejected, rows } = first;
      expect({ file, sum: imported + duplicates + skipped + rejected }).toEqual({ file, sum: rows });
      expect(again).toMatchObject({ imported: 0, duplicates: imported + duplicates, skipped, rejected, rows });
    });
  }
}
