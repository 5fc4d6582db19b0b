import { afterAll, beforeAll, expect, test } from 'bun:test';
import { contentColumns, selectRestatements } from '../../src/features/ledger/transactions/row-issues.queries.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const taxpayer = '00000000-0000-4000-8000-000000000001';
const row = '00000000-0000-4000-8000-000000000002';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('an answer is valid until the content of its transaction changes', async () => {
  await books.asOwner(async (sql) => {
    await sql.unsafe(`
      insert into taxpayers (id, created_by) values ('${taxpayer}', '${taxpayer}');
      insert into transactions (taxpayer_id, id, type, on_day, account, asset, asset_class, quantity, currency, line, asset_key, created_at)
      values ('${taxpayer}', '${row}', 'deposit', '2024-01-02', 'A', 'BTC', 'crypto', 1.50, 'USD', 1, 'crypto:BTC', now())`);
    await sql`
      insert into resolutions (taxpayer_id, id, issue_id, action, transaction_id, given, note, issue, row_content, asset_key, from_day, created_at)
      select taxpayer_id, id, 'x', 'basis', id, '{"basis": "1"}', '', '{}', ${contentColumns(sql, 't')}, asset_key, on_day, now() from transactions t`;
  });
  const counting = (change: string): Promise<number> =>
    books.database.asTaxpayer(taxpayer, async (sql) => {
      await sql.unsafe(`update transactions set ${change} where id = '${row}'`);
      return (await selectRestatements(sql, taxpayer)).length;
    });
  expect(await counting(`note = 'mine', account = 'B', quantity = 1.5`)).toBe(1);
  expect(await counting('quantity = 2')).toBe(0);
  expect(await counting('quantity = 1.500')).toBe(1);
  expect(await counting(`type = 'buy'`)).toBe(0);
});
