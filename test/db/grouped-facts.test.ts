import { expect, test } from 'bun:test';
import { connect, openPool } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrations } from '../../src/db/migrations.ts';
import { selectDisposals, selectWashSales } from '../../src/features/gains/facts/queries.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';

const taxpayer = '00000000-0000-4000-8000-000000000001';

test('facts that had a row each are in groups after the step, and say the same', async () => {
  const url = await emptyDatabase();
  await migrate(
    url,
    migrations.filter((one) => one.number < 18),
  );
  const pool = openPool(url, 1);
  await pool.unsafe(`
    insert into disposals
    select '${taxpayer}', id, 'stock:KO', '2024-03-04', on_day, sale_id, lot_id, 'KO', 'stock', 'Schwab', quantity,
      acquired, held_since, false, on_day, proceeds, 80.05, 'short', 'A', 'Reported.', false, null, '', 0, false, 'default',
      various, null
    from (values
      ('s/0.0', 's', 'b/0', 0.000000000000000001, date '2024-01-02', date '2024-01-02', date '2024-03-04', 100.10, false),
      ('s/0.1', 's', 'b/1', 12.5, date '2024-01-03', date '2023-01-03', date '2024-03-04', -0.07, false),
      ('t/0.0', 'u', 'b/2', 3, date '1969-12-30', date '1969-12-30', date '2024-03-05', 0, true)
    ) r (id, sale_id, lot_id, quantity, acquired, held_since, on_day, proceeds, various);
    insert into wash_sales values
      ('${taxpayer}', 's/0.1/c/0', 'stock:KO', '2024-03-10', '2024-03-04', 's/0.1', 'c/0', 'c', 2.5, 10.01, false),
      ('${taxpayer}', 'x', 'stock:KO', '2024-03-10', '2024-03-04', 's/0.1', 'd/0', 'e', 1, 2, true)`);
  await pool.end();
  await migrate(url);
  const database = connect(url, { connectionsMax: 1 });
  const { disposals, washSales } = await database.asTaxpayer(taxpayer, async (sql) => ({
    disposals: await selectDisposals(sql, { taxpayerId: taxpayer }),
    washSales: await selectWashSales(sql, { taxpayerId: taxpayer }),
  }));
  expect(
    disposals.map((one) => [one.id, one.saleId, one.lotId, one.quantity, one.acquired, one.heldSince, one.proceeds]),
  ).toEqual([
    ['s/0.0', 's', 'b/0', 1n, 19_724, 19_724, 10_010n],
    ['s/0.1', 's', 'b/1', 12_500_000_000_000_000_000n, 19_725, 19_360, -7n],
    ['t/0.0', 'u', 'b/2', 3_000_000_000_000_000_000n, -2, -2, 0n],
  ] as never);
  expect(disposals.map((one) => [one.basis, one.acquiredVarious ?? false])).toEqual([
    [8005n, false],
    [8005n, false],
    [8005n, true],
  ] as never);
  expect(
    washSales.map((one) => [one.id, one.disposalId, one.replacementTransactionId, one.disallowed, one.permanent]),
  ).toEqual([
    ['s/0.1/c/0', 's/0.1', 'c', 1001n, false],
    ['x', 's/0.1', 'e', 200n, true],
  ] as never);
  await database.close();
  await dropDatabase(url);
});
