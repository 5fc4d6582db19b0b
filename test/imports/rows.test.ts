import { afterAll, beforeAll, expect, test } from 'bun:test';
import { deleteBooks } from '../../src/features/people/auth/deletion.queries.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type Cells, csvOf, fetchAll, fetchBookContent, importCsv } from '../support/books.ts';
import { nameRowsAlike } from '../support/database.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await nameRowsAlike(app.books);
});
afterAll(() => app.close());

test('unreadable lines are returned with line, column and reason, and contain no formula', async () => {
  const client = await app.register('PRO');
  const csv = [
    'date,type,asset,quantity,amount,note',
    '2024-01-02,buy,X,10,100,fine',
    '2024-13-02,buy,X,10,100,"no such, day"',
    '2024-01-02,buy,X,ten,100,=HYPERLINK("http://example.com")',
    '2024-01-02,buy,X,1,-5.00,-5.00',
    `2024-01-02,buy,${'X'.repeat(300)},1,5,`,
    '2024-01-03,bye,X,1,5,\uff1d1+1',
  ].join('\n');
  const { id, rejected, imported } = await importCsv(client, csv);
  expect({ rejected, imported }).toEqual({ rejected: 4, imported: 2 });
  const response = await client.request('GET', `/v1/imports/${id}/rejects`);
  expect(response.headers.get('content-type')).toContain('text/csv');
  const lines = (await response.text()).split('\r\n');
  expect(lines[0]).toBe('line,column,reason,date,type,asset,quantity,amount,note');
  expect(lines[1]).toStartWith('3,date,');
  expect(lines[1]).toEndWith(',2024-13-02,buy,X,10,100,"no such, day"');
  expect(lines[2]).toStartWith('4,quantity,');
  expect(lines[2]).toEndWith(`,"'=HYPERLINK(""http://example.com"")"`);
  expect(lines[3]).toBe(`6,asset,This has more than 200 characters,2024-01-02,buy,${'X'.repeat(300)},1,5,`);
  expect(lines[4]).toStartWith('7,type,');
  expect(lines[4]).toEndWith(",'\uff1d1+1");
  // Once corrected, the file of rejected lines can itself be imported.
  const corrected = [lines[0], lines[1]?.replace('2024-13-02', '2024-12-02')].join('\n');
  expect(await importCsv(client, corrected)).toMatchObject({ imported: 1, rejected: 0 });
});

test('a file in newest-first order produces the same books as in reverse order', async () => {
  const rows = [
    'buy 2024-01-02 1 X @10 #b1',
    'buy 2024-01-02 1 X @20 #b2',
    'sell 2024-02-02 1 X @15 #s1',
    'sell 2024-02-02 1 X @30 #s2',
  ];
  const [up, down] = [await app.register('PRO'), await app.register('PRO')];
  await importCsv(up, csvOf(...rows));
  await importCsv(down, csvOf(...rows.toReversed()));
  expect(await fetchAll(down, '/v1/tax/disposals')).toEqual(await fetchAll(up, '/v1/tax/disposals'));
});

test('an import notifies the taxpayer when it is done, and lists what needs review', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csvOf('sell 2024-01-02 1 X @10', 'buy 2024-02-02 1 Y @10').concat('x,buy,,Y,1,1,,\n'));
  const notes = await fetchAll<{ kind: string; body: string }>(client, '/v1/notifications');
  expect(notes.map(({ kind }) => kind)).toEqual(['review_needed']);
  expect(notes[0]?.body).toBe('Your file: 2 new transactions, 0 duplicates. To review now: 2 items.');
});

test('an import counts its transactions as its notification and the plan do', async () => {
  const client = await app.register('PRO');
  const csv = await Bun.file(new URL('../fixtures/formats/schwab.csv', import.meta.url)).text();
  expect(await importCsv(client, csv)).toMatchObject({ imported: 20, transactions: 17 });
  const [note] = await fetchAll<{ body: string }>(client, '/v1/notifications');
  expect(note?.body).toStartWith('Your file: 17 new transactions, 0 duplicates.');
  expect(await client.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: 17 } });
});

test('a coin and a stock with the same name are two assets', async () => {
  const client = await app.register('PRO');
  const csv =
    'date,type,account,asset,quantity,amount,asset_class\n2024-01-02,buy,A,ATOM,1,10,stock\n2024-01-02,buy,A,ATOM,1,10,crypto\n';
  expect(await importCsv(client, csv)).toMatchObject({ imported: 2 });
  expect(await fetchAll(client, '/v1/tax/lots?asset=ATOM')).toHaveLength(2);
});

test('the formats are listed with their headers', async () => {
  const { data } = await (await app.register()).json<{ data: (Cells & { layouts: { headers: string[] }[] })[] }>(
    'GET',
    '/v1/formats',
  );
  const lotbook = data.find(({ id }) => id === 'lotbook');
  expect(lotbook?.layouts[0]?.headers).toEqual(['date', 'type', 'asset']);
  expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
});

test('deleting an account leaves nothing behind from its books', async () => {
  const client = await app.register('PRO');
  await importCsv(client, csvOf('buy 2024-01-02 1 X @10', 'sell 2024-02-02 3 X @5', 'dividend 2024-03-03 - X @1'));
  await client.json('POST', '/v1/tax/calculate', { body: {} });
  expect(await fetchBookContent(client)).not.toBe('');
  const [member] = await app.books.asOwner(
    (sql) => sql<{ id: string }[]>`
      select m.taxpayer_id as id from memberships m join users u on u.id = m.user_id where u.email = ${client.email}`,
  );
  await app.books.database.asService((sql) => deleteBooks(sql, member?.id ?? ''));
  const left = await app.books.asOwner(async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'taxpayer_id'`;
    const counts: string[] = [];
    for (const { name } of tables) {
      const [row] =
        await sql`select count(*)::integer as count from ${sql(name)} where taxpayer_id = ${member?.id ?? ''}`;
      if (row?.count !== 0) counts.push(name);
    }
    return counts;
  });
  expect(left).toEqual([]);
});
