import { expect, test } from 'bun:test';
import { connect, openPool } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations.ts';
import { selectRestatements } from '../../src/features/transactions/resolutions/queries.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';

const taxpayer = '00000000-0000-4000-8000-000000000001';
const row = '00000000-0000-4000-8000-000000000002';

test('answers of before the step count, as long as their row stays what it was then', async () => {
  const url = await emptyDatabase();
  await migrate(
    url,
    migrations.filter((one) => one.number < 22),
  );
  const pool = openPool(url, 1);
  await pool.unsafe(`
    insert into taxpayers (id, created_by) values ('${taxpayer}', '${taxpayer}');
    insert into transactions (taxpayer_id, id, type, on_day, account, asset, asset_class, quantity, currency, line, asset_key, created_at)
    values ('${taxpayer}', '${row}', 'deposit', '2024-01-02', 'A', 'BTC', 'crypto', 1.50, 'USD', 1, 'crypto:BTC', now());
    insert into resolutions (taxpayer_id, id, issue_id, action, transaction_id, given, note, issue, asset_key, from_day, created_at)
    values ('${taxpayer}', '${row}', 'x', 'basis', '${row}', '{"basis": "1"}', '', '{}', 'crypto:BTC', '2024-01-02', now())`);
  await pool.end();
  await migrate(url);
  const database = connect(url, { connectionsMax: 1 });
  const counting = (change: string): Promise<number> =>
    database.asTaxpayer(taxpayer, async (sql) => {
      await sql.unsafe(`update transactions set ${change} where id = '${row}'`);
      return (await selectRestatements(sql, taxpayer)).length;
    });
  expect(await counting(`note = 'mine', account = 'B', quantity = 1.5`)).toBe(1);
  expect(await counting('quantity = 2')).toBe(0);
  expect(await counting('quantity = 1.500')).toBe(1);
  expect(await counting(`type = 'buy'`)).toBe(0);
  await database.close();
  await dropDatabase(url);
});
