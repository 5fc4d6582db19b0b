import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface Rejected {
  readonly id: string;
  readonly importId: string;
  readonly line: number;
  readonly text: string;
  readonly header: readonly string[];
  readonly amount?: string;
  readonly year?: number;
  readonly state: string;
  readonly transactionId: string | null;
}

interface Worklist {
  readonly data: { id: string; kind: string; status: string; year: number; dollars: string; detail: string }[];
}

const file = `Run Date,Account,Action,Symbol,Quantity,Price ($),Amount ($)
01/02/2024,X12,YOU BOUGHT ACME INC (ACME),ACME,10,100,-1000.00
06/03/2024,X12,MERGER MER PAYOUT CASH IN LIEU UNKNOWN,ACME,-10,,30246.04
12/30/2024,X12,DIVIDEND RECEIVED OTHER CO (OTH),OTH,,,5.00
`;

const fetchRejects = async (client: TestClient, query = ''): Promise<Rejected[]> =>
  (await client.json<{ data: Rejected[] }>('GET', `/v1/imports/rejects${query}`)).data;
const fetchIssues = async (client: TestClient, query = ''): Promise<Worklist['data']> =>
  (await client.json<Worklist>('GET', `/v1/tax/issues?kind=rejected_line${query}`)).data;
const fetchCount = async (client: TestClient, year = 2024): Promise<number> =>
  (await client.json<{ issues: number }>('GET', `/v1/tax/summary?year=${year}`)).issues;
const agrees = async (client: TestClient): Promise<void> => {
  const { differences } = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(differences).toEqual([]);
};

async function withRejected(): Promise<{ client: TestClient; rejected: Rejected }> {
  const client = await app.register('PRO');
  const view = await importCsv(client, file);
  expect(view).toMatchObject({ rejected: 1 });
  const [rejected] = await fetchRejects(client);
  if (rejected === undefined) throw new Error('A line is rejected.');
  return { client, rejected };
}

describe('an unreadable line', () => {
  test('is an open question for its year, with its amount', async () => {
    const { client, rejected } = await withRejected();
    expect(rejected).toMatchObject({ line: 3, amount: '30246.04', year: 2024, state: 'open' });
    expect(rejected.text).toContain('MERGER MER PAYOUT');
    expect(rejected.header).toEqual(file.split('\n', 1)[0]?.split(',') ?? []);
    expect(await fetchIssues(client)).toMatchObject([{ status: 'open', year: 2024, dollars: '30246.04' }]);
    expect(await fetchCount(client)).toBe(1);
    await agrees(client);
    const { content } = await client.json<{ content: string }>(
      'POST',
      '/v1/ai/messages',
      { body: { content: 'Which issues are open?' } },
      201,
    );
    expect(content).toContain('could not be read');
  });

  test('marks the forms as a draft', async () => {
    const { client } = await withRejected();
    await importCsv(client, csvOf('buy 2024-01-02 1 ZZ @10', 'sell 2024-02-02 1 ZZ @12'));
    const report = await client.json<{ id: string }>('POST', '/v1/tax/reports', { body: { year: 2024 } }, 201);
    const json = await client.json<{ issues: { kind: string }[] }>(
      'GET',
      `/v1/tax/reports/${report.id}/download?format=json`,
    );
    expect(json.issues.map(({ kind }) => kind)).toContain('rejected_line');
    const { warnings } = await client.json<{ warnings: string[] }>(
      'GET',
      `/v1/tax/reports/${report.id}/warnings?format=8949`,
    );
    expect(warnings[0]).toBe('DRAFT: 1 open issue for 2024. Resolve before filing.');
  });

  test('is resolved when a row replaces it, and reopens when the row is removed', async () => {
    const { client, rejected } = await withRejected();
    const row = { date: '2024-06-03', type: 'sell', asset: 'ACME', quantity: '10', amount: '30246.04', account: 'X12' };
    const mended = await client.json<Rejected>('POST', `/v1/imports/rejects/${rejected.id}`, { body: { row } });
    expect(mended.state).toBe('mended');
    expect(await fetchIssues(client)).toEqual([]);
    await agrees(client);
    const again = await client.request('POST', `/v1/imports/rejects/${rejected.id}`, { body: { row } });
    expect(again.status).toBe(409);
    await client.request('DELETE', `/v1/transactions/${mended.transactionId}`);
    expect(await fetchIssues(client)).toMatchObject([{ status: 'open' }]);
    expect(await fetchRejects(client)).toMatchObject([{ state: 'open' }]);
  });

  test('is resolved when it is dismissed with a note, and can be reopened', async () => {
    const { client, rejected } = await withRejected();
    const empty = await client.request('POST', `/v1/imports/rejects/${rejected.id}`, { body: { dismiss: '' } });
    expect(empty.status).toBe(422);
    await client.json('POST', `/v1/imports/rejects/${rejected.id}`, { body: { dismiss: 'It was corrected later.' } });
    expect(await fetchCount(client)).toBe(0);
    const [issue] = await fetchIssues(client);
    expect(issue).toMatchObject({ status: 'accepted' });
    await agrees(client);
    expect((await client.request('DELETE', `/v1/tax/issues/${issue?.id}/resolution`)).status).toBe(204);
    expect(await fetchCount(client)).toBe(1);
  });

  test('can be accepted in the worklist, but only with a note', async () => {
    const { client } = await withRejected();
    const [issue] = await fetchIssues(client);
    const resolve = `/v1/tax/issues/${issue?.id}/resolve`;
    expect((await client.request('POST', resolve, { body: { action: 'accept' } })).status).toBe(422);
    expect((await client.request('POST', resolve, { body: { action: 'basis', basis: '1' } })).status).toBe(422);
    await client.json('POST', resolve, { body: { action: 'accept', note: 'Not mine.' } });
    expect(await fetchRejects(client)).toMatchObject([{ state: 'dismissed', note: 'Not mine.' }]);
    expect(await fetchCount(client)).toBe(0);
  });

  test('is superseded by a row from another source with its day, amount and asset', async () => {
    const { client } = await withRejected();
    await importCsv(client, csvOf('sell 2024-06-03 10 ACME @30246.04'));
    expect(await fetchRejects(client)).toMatchObject([{ state: 'superseded' }]);
    expect(await fetchIssues(client)).toEqual([]);
    await agrees(client);
  });

  test('is not superseded by a row with another day, amount or asset', async () => {
    const { client } = await withRejected();
    const rows = [
      'sell 2024-06-04 1 ACME @30246.04',
      'sell 2024-06-03 1 ACME @30246.05',
      'sell 2024-06-03 1 OTH @30246.04',
    ];
    await importCsv(client, csvOf(...rows));
    expect(await fetchRejects(client)).toMatchObject([{ state: 'open' }]);
  });

  test('is one question for two files, and undoing both imports removes it', async () => {
    const { client, rejected } = await withRejected();
    const second = await importCsv(client, `${file}12/31/2024,X12,DIVIDEND RECEIVED OTHER CO (OTH),OTH,,,6.00\n`);
    expect(await fetchRejects(client)).toHaveLength(2);
    expect(await fetchIssues(client)).toHaveLength(1);
    await client.json('POST', `/v1/imports/rejects/${rejected.id}`, { body: { dismiss: 'Once is enough.' } });
    expect((await fetchRejects(client)).map(({ state }) => state)).toEqual(['dismissed', 'dismissed']);
    await client.request('DELETE', `/v1/imports/${second.id}`);
    await client.request('DELETE', `/v1/imports/${rejected.importId}`);
    expect(await fetchRejects(client)).toEqual([]);
    expect(await fetchCount(client)).toBe(0);
    await agrees(client);
  });

  test('changes the revision of the books, and undoing the import restores it', async () => {
    const client = await app.register('PRO');
    const revision = async () => (await client.json<{ revision: string }>('GET', '/v1/tax/summary?year=2024')).revision;
    await importCsv(client, csvOf('buy 2024-01-02 1 ZZ @10'));
    const before = await revision();
    const { id } = await importCsv(client, file);
    const open = await revision();
    const [rejected] = await fetchRejects(client);
    await client.json('POST', `/v1/imports/rejects/${rejected?.id}`, { body: { dismiss: 'Seen.' } });
    expect(await revision()).not.toBe(open);
    await client.request('DELETE', `/v1/imports/${id}`);
    expect(await revision()).toBe(before);
  });

  test('returns 404 for another user', async () => {
    const { rejected } = await withRejected();
    const stranger = await app.register('PRO');
    const response = await stranger.request('POST', `/v1/imports/rejects/${rejected.id}`, { body: { dismiss: 'x' } });
    expect(response.status).toBe(404);
    expect(await fetchRejects(stranger)).toEqual([]);
  });

  test('can be listed by state, year and import, page by page', async () => {
    const { client, rejected } = await withRejected();
    expect(await fetchRejects(client, '?state=dismissed')).toEqual([]);
    expect(await fetchRejects(client, '?state=open&year=2024')).toHaveLength(1);
    expect(await fetchRejects(client, '?year=2023')).toEqual([]);
    expect(await fetchRejects(client, `?importId=${rejected.importId}&limit=1`)).toHaveLength(1);
  });
});
