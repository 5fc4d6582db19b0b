import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { refusedFiles } from '../formats/hostile-files.ts';
import { spoiltFiles } from '../formats/spoilt-files.ts';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { fetchAll, type ImportResource } from '../support/books.ts';

/** Uploads the hostile files. A refused file leaves nothing behind, and damage affects only the damaged lines. */
let app: TestApp;
let client: TestClient;
beforeAll(async () => {
  app = await testApp();
  client = await app.register('PRO');
});
afterAll(() => app.close());

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly line?: number; readonly column?: string }[];
}

function upload(who: TestClient, body: unknown): Promise<Response> {
  return who.request('POST', '/v1/transactions/import', { body, headers: { 'content-type': 'text/csv' } });
}

async function rowsLeft(): Promise<{ staged: number; stored: number }> {
  const [left] = await app.books.asOwner(
    (sql) => sql<{ staged: number; stored: number }[]>`
      select (select count(*) from staged)::integer as staged, (select count(*) from transactions)::integer as stored`,
  );
  if (left === undefined) throw new Error('Counting gives one row.');
  return left;
}

describe('refused', () => {
  for (const { what, file, code, says, at, limits } of refusedFiles) {
    if (limits !== undefined) continue;
    test(`${what} is refused and stores no row`, async () => {
      const response = await upload(client, file);
      const problem = (await response.json()) as Problem;
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect({ below500: response.status < 500, code: problem.code }).toEqual({ below500: true, code });
      if (says !== undefined) expect(problem.detail).toMatch(says);
      if (at !== undefined) expect(problem.errors?.[0]).toMatchObject(at);
      expect(await rowsLeft()).toEqual({ staged: 0, stored: 0 });
    });
  }

  test('a cell of 50 MB is refused after the first megabyte, with its position', async () => {
    const megabyte = new Uint8Array(1024 * 1024).fill(120);
    let sent = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (sent === 0) controller.enqueue(new TextEncoder().encode('date,type,asset,note\n2024-01-02,buy,X,"'));
          if (sent === 50) controller.close();
          else controller.enqueue(megabyte);
          sent++;
        },
      },
      { highWaterMark: 0 },
    );
    const response = await upload(client, body);
    const problem = (await response.json()) as Problem;
    expect({ status: response.status, code: problem.code }).toEqual({ status: 413, code: 'too_large' });
    expect(problem.errors?.[0]).toMatchObject({ line: 2, column: '4' });
    expect(sent).toBeLessThan(10);
    expect(await rowsLeft()).toEqual({ staged: 0, stored: 0 });
  });
});

describe('a damaged file is imported except for its bad lines', () => {
  for (const { what, file, read, rejected } of spoiltFiles) {
    test(what, async () => {
      const owner = await app.register('PRO');
      const response = await upload(owner, file);
      const answer = (await response.json()) as ImportResource;
      expect(response.status).toBe(201);
      expect(answer).toMatchObject({ rows: read + rejected.length, rejected: rejected.length, skipped: 0 });
      expect(answer.imported + answer.duplicates).toBe(read);
      expect((await fetchAll(owner, '/v1/transactions')).length).toBe(answer.imported);
      const rejects = await (await owner.request('GET', `/v1/imports/${answer.id}/rejects`)).text();
      const places = rejects
        .split('\n')
        .flatMap((one) => /^(\d+),("[^"]*"|[^,]*),/.exec(one)?.slice(1, 3).join(' ') ?? []);
      expect(places).toEqual([...rejected]);
    });
  }
});

test('a line is rejected if its account, asset or note is too long', async () => {
  const owner = await app.register('PRO');
  const row = (account: string, asset: string, note: string): string =>
    `2024-01-02,buy,${account},${asset},1,10,${note}`;
  const rows = [row('A'.repeat(201), 'X', ''), row('A', 'X'.repeat(201), ''), row('A', 'X', 'n'.repeat(60_000))];
  const response = await upload(owner, `date,type,account,asset,quantity,amount,note\n${rows.join('\n')}\n`);
  expect(response.status).toBe(201);
  const answer = (await response.json()) as ImportResource;
  expect(answer).toMatchObject({ rows: 3, imported: 0, rejected: 3 });
  const rejects = await (await owner.request('GET', `/v1/imports/${answer.id}/rejects`)).text();
  expect(placesIn(rejects)).toEqual(['2 account', '3 asset', '4 note']);
  const cells = rejects.trimEnd().split('\r\n').slice(1);
  expect(cells.map((line, at) => line.endsWith(`,${rows[at]}`))).toEqual([true, true, true]);
});

test('there are more than a hundred hostile files', () => {
  expect(refusedFiles.length + spoiltFiles.length).toBeGreaterThan(100);
});

/** Returns the line number and column (`3 amount`) for each line of the rejects CSV. */
function placesIn(rejects: string): string[] {
  return rejects.split('\n').flatMap((one) => /^(\d+),("[^"]*"|[^,]*),/.exec(one)?.slice(1, 3).join(' ') ?? []);
}
