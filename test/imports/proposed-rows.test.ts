import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, type TestClient, testApp } from '../support/app.ts';
import { csvOf, importCsv } from '../support/books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

interface OpenIssue {
  readonly id: string;
  readonly status: string;
  readonly dollars: string | null;
  readonly detail: string;
  readonly transactions: readonly string[];
  readonly proposals: readonly { readonly action: string }[];
}

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly amount: string;
}

const asked = async (client: TestClient, status = 'open'): Promise<readonly OpenIssue[]> =>
  (await client.json<{ data: OpenIssue[] }>('GET', `/v1/tax/issues?kind=row_differs&status=${status}`)).data;
const fetchRows = async (client: TestClient): Promise<readonly Listed[]> =>
  (await client.json<{ data: Listed[] }>('GET', '/v1/transactions?sort=date')).data;
const fetchAmounts = async (client: TestClient): Promise<string[]> =>
  (await fetchRows(client)).map(({ amount }) => amount);
const fetchGain = async (client: TestClient): Promise<string> =>
  (await client.json<{ total: { gain: string } }>('GET', '/v1/tax/summary?year=2024')).total.gain;
const resolve = (client: TestClient, { id }: OpenIssue, body: object) =>
  client.json<OpenIssue>('POST', `/v1/tax/issues/${id}/resolve`, { body });
const reopen = (client: TestClient, { id }: OpenIssue) => client.request('DELETE', `/v1/tax/issues/${id}/resolution`);

/** Checks that the stored figures equal those of a full calculation. */
async function agrees(client: TestClient): Promise<void> {
  const { differences } = await client.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
  expect(differences).toEqual([]);
}

const bought = 'buy 2024-01-02 10 ACME @1000';
const income = 'dividend 2024-09-02 - ACME @5';
const first = csvOf(bought, 'sell 2024-06-03 10 ACME @1400', income);
const corrected = csvOf(bought, 'sell 2024-06-03 10 ACME @1500', income);

async function withCorrected(): Promise<{
  client: TestClient;
  question: OpenIssue;
  importId: string;
  firstId: string;
}> {
  const client = await app.register('PRO');
  const { id: firstId } = await importCsv(client, first);
  const view = await importCsv(client, corrected);
  expect(view).toMatchObject({ rows: 3, imported: 0, duplicates: 3, skipped: 0, rejected: 0, proposedRows: 1 });
  const [question, ...more] = await asked(client);
  expect(more).toEqual([]);
  if (question === undefined) throw new Error('The row is asked about.');
  return { client, question, importId: view.id, firstId };
}

describe('a file that changes a stored row', () => {
  test('gets a proposal to replace the row, and stores no second row', async () => {
    const { client, question } = await withCorrected();
    expect(await fetchAmounts(client)).toEqual(['1000.00', '1400.00', '5.00']);
    expect(await fetchGain(client)).toBe('400.00');
    expect(question).toMatchObject({ status: 'open', dollars: '100.00' });
    expect(question.detail).toContain('amount 1500.00 instead of 1400.00');
    expect(question.proposals.map(({ action }) => action)).toEqual(['replace', 'add', 'accept']);
    expect(await client.json('GET', '/v1/status')).toMatchObject({ proposedRows: 1, issues: { count: 1 } });
    await agrees(client);
  });

  test('replaces the row in one edit, which can be undone', async () => {
    const { client, question } = await withCorrected();
    expect(await resolve(client, question, { action: 'replace' })).toMatchObject({ status: 'resolved' });
    expect(await fetchAmounts(client)).toEqual(['1000.00', '1500.00', '5.00']);
    expect(await fetchGain(client)).toBe('500.00');
    expect(await asked(client)).toEqual([]);
    await agrees(client);
    const { data } = await client.json<{ data: { id: string }[] }>('GET', '/v1/transactions/edits');
    await client.json('POST', `/v1/transactions/edits/${data[0]?.id}/undo`);
    expect(await fetchGain(client)).toBe('400.00');
    expect((await asked(client)).map(({ id }) => id)).toEqual([question.id]);
    await agrees(client);
  });

  test('raises the question again once the answer is undone', async () => {
    const { client, question } = await withCorrected();
    for (const body of [{ action: 'replace' }, { action: 'add' }, { action: 'accept', note: 'A test of theirs.' }]) {
      await resolve(client, question, body);
      expect(await asked(client)).toEqual([]);
      await agrees(client);
      expect((await reopen(client, question)).status).toBe(204);
      expect((await asked(client)).map(({ id }) => id)).toEqual([question.id]);
      expect(await fetchAmounts(client)).toEqual(['1000.00', '1400.00', '5.00']);
      await agrees(client);
    }
  });

  test('can be added as another transaction', async () => {
    const { client, question, importId } = await withCorrected();
    await resolve(client, question, { action: 'add' });
    expect((await fetchAmounts(client)).sort()).toEqual(['1000.00', '1400.00', '1500.00', '5.00']);
    await agrees(client);
    expect(await importCsv(client, corrected)).toMatchObject({ imported: 0, duplicates: 3 });
    expect((await client.request('DELETE', `/v1/imports/${importId}`)).status).toBe(204);
    expect((await fetchAmounts(client)).length).toBe(4);
    await agrees(client);
  });

  test('can be dismissed only with a note', async () => {
    const { client, question } = await withCorrected();
    expect(
      (await client.request('POST', `/v1/tax/issues/${question.id}/resolve`, { body: { action: 'accept' } })).status,
    ).toBe(422);
    expect(await resolve(client, question, { action: 'accept', note: 'Theirs is wrong.' })).toMatchObject({
      status: 'accepted',
    });
    expect(await fetchGain(client)).toBe('400.00');
    expect(await asked(client)).toEqual([]);
    await agrees(client);
    await importCsv(client, corrected);
    expect(await asked(client)).toEqual([]);
  });

  test.each(['open', 'replace', 'accept'])('adds nothing when it is read again: %s', async (answer) => {
    const { client, question } = await withCorrected();
    if (answer !== 'open') await resolve(client, question, { action: answer, note: 'Looked at.' });
    const before = await fetchAmounts(client);
    for (const file of [corrected, first, corrected]) {
      expect(await importCsv(client, file)).toMatchObject({ imported: 0, duplicates: 3 });
      expect(await fetchAmounts(client)).toEqual(before);
      expect(await asked(client)).toHaveLength(answer === 'open' ? 1 : 0);
      await agrees(client);
    }
  });

  test('has no question once its import is undone', async () => {
    const { client, importId } = await withCorrected();
    expect((await client.request('DELETE', `/v1/imports/${importId}`)).status).toBe(204);
    expect(await asked(client)).toEqual([]);
    expect(await fetchGain(client)).toBe('400.00');
    await agrees(client);
  });

  test.each(['open', 'replace', 'accept'])(
    'becomes the stored row once the earlier import is undone: %s',
    async (answer) => {
      const { client, question, firstId } = await withCorrected();
      const again = await importCsv(client, corrected);
      if (answer !== 'open') await resolve(client, question, { action: answer, note: 'Looked at.' });
      expect((await client.request('DELETE', `/v1/imports/${firstId}`)).status).toBe(204);
      expect(await fetchAmounts(client)).toEqual(['1000.00', '1500.00', '5.00']);
      expect(await asked(client)).toEqual([]);
      await agrees(client);
      expect((await client.request('DELETE', `/v1/imports/${again.id}`)).status).toBe(204);
      expect(await fetchAmounts(client)).toEqual(['1000.00', '1500.00', '5.00']);
      await agrees(client);
    },
  );

  test('can be added if the stored row was deleted', async () => {
    const { client, question } = await withCorrected();
    await client.request('DELETE', `/v1/transactions/${question.transactions[0]}`);
    const [left] = await asked(client);
    expect(left).toMatchObject({ id: question.id, transactions: [] });
    expect(left?.proposals.map(({ action }) => action)).toEqual(['add', 'accept']);
    for (const body of [{ action: 'accept', note: 'Neither.' }, { action: 'add' }]) {
      await resolve(client, question, body);
      expect(await asked(client)).toEqual([]);
      expect(await fetchAmounts(client)).toHaveLength(body.action === 'add' ? 3 : 2);
      await agrees(client);
      await reopen(client, question);
      expect(await asked(client)).toHaveLength(1);
      expect(await fetchAmounts(client)).toHaveLength(2);
      await agrees(client);
    }
  });

  test('raises no question if the stored row was manually corrected in the same way', async () => {
    const { client, question } = await withCorrected();
    const [row] = question.transactions;
    await client.json('PATCH', `/v1/transactions/${row}`, { body: { amount: '1500.00' } });
    expect(await asked(client)).toEqual([]);
    await agrees(client);
  });

  test('stores nothing as a dry run', async () => {
    const client = await app.register('PRO');
    await importCsv(client, first);
    const tried = await client.json<{ proposedRows: number }>('POST', '/v1/transactions/import?dryRun=true', {
      body: corrected,
      headers: { 'content-type': 'text/csv' },
    });
    expect(tried.proposedRows).toBe(1);
    expect(await asked(client)).toEqual([]);
  });
});

describe('new rows are stored without a question', () => {
  test.each([
    [
      'rows that a longer file adds',
      csvOf(bought, 'sell 2024-06-03 10 ACME @1400', income, 'sell 2024-06-03 1 OTHER @9'),
      4,
    ],
    [
      'a second fill of the day',
      csvOf(bought, 'sell 2024-06-03 10 ACME @1400', 'sell 2024-06-03 2 ACME @141', income),
      4,
    ],
    ['two equal rows', csvOf(bought, 'sell 2024-06-03 10 ACME @1400', 'sell 2024-06-03 10 ACME @1400', income), 4],
    ['rows of a file about other days', csvOf('buy 2024-10-02 3 ACME @150', 'sell 2024-11-02 3 ACME @151'), 5],
    [
      'rows with two possible matches',
      csvOf(bought, 'sell 2024-06-03 4 ACME @150', 'sell 2024-06-03 6 ACME @150', income),
      5,
    ],
  ])('%s', async (_name, file, rows) => {
    const client = await app.register('PRO');
    await importCsv(client, first);
    await importCsv(client, file);
    expect(await asked(client)).toEqual([]);
    expect(await fetchRows(client)).toHaveLength(rows);
    await agrees(client);
  });
});

describe('the transaction id of the source', () => {
  const header = 'date,type,account,asset,quantity,amount,id';
  const file = (...rows: string[]): string => [header, ...rows, ''].join('\n');
  const buy = '2024-01-02,buy,Desk,ACME,10,1000,b1';

  test('identifies the row on another day', async () => {
    const client = await app.register('PRO');
    await importCsv(client, file(buy, '2024-06-03,sell,Desk,ACME,10,1400,s1', '2024-08-01,buy,Desk,OTHER,1,5,o1'));
    const view = await importCsv(
      client,
      file(buy, '2024-06-05,sell,Desk,ACME,10,1400,s1', '2024-08-01,buy,Desk,OTHER,1,5,o1'),
    );
    expect(view).toMatchObject({ imported: 0, proposedRows: 1 });
    const [question] = await asked(client);
    expect(question?.detail).toContain('date 2024-06-05 instead of 2024-06-03');
    await agrees(client);
  });

  test('does not identify the row if several fills of one order share it', async () => {
    const client = await app.register('PRO');
    const fill = '2024-06-03,sell,Desk,ACME,4,560,s1';
    await importCsv(client, file(buy, fill));
    await importCsv(client, file(buy, fill, '2024-06-03,sell,Desk,ACME,6,840,s1'));
    expect(await asked(client)).toEqual([]);
    expect(await fetchRows(client)).toHaveLength(3);
  });
});
