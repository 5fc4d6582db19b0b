import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Money, Quantity } from '../../src/base/decimal.ts';
import type { Sql } from '../../src/db/connection.ts';
import { listAssetKeys } from '../../src/engine/events/keys.ts';
import { Ledger } from '../../src/engine/events/ledger.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { readHistory } from '../../src/features/ledger/books/state/history.ts';
import { selectHistory } from '../../src/features/ledger/books/state/state.queries.ts';
import { toTransaction } from '../../src/features/ledger/transactions/rows.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { stage } from '../../src/features/ledger/transactions/store.ts';
import { histories } from '../oracle/histories/generate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { draws } from '../support/depth.ts';
import { readTransactions } from '../support/golden.ts';
import { seedFor } from '../support/seed.ts';
import { storeStaged } from '../support/staged.ts';

const seed = seedFor('packed rows');
const numRuns = draws(30, 100);
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

const unsaid = { byRow: new Map(), arrived: new Set<string>() };

/** These row texts also contain the separators of the packed text. */
const words = fc.constantFrom('A', 'A b', '', '\u001f', 'a\u001eb', '\u001e\u001f\u001f', 'é', '{"a":"\u001f"}');
const trade = fc.record({
  type: fc.constantFrom('buy', 'sell', 'transfer'),
  account: words,
  externalId: words,
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  quantity: fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 38n - 1n })),
  amount: fc.oneof(fc.constant(null), fc.bigInt({ min: -(10n ** 9n), max: 10n ** 16n })),
  fee: fc.constantFrom(null, 0n, 35_000_000n, -12_345_678n, 3n * 10n ** 15n),
  hasTime: fc.boolean(),
});

test('packed rows equal the original rows', async () => {
  const [pattern] = readTransactions('date,type,account,asset,quantity,amount\n2024-01-01T00:00:01Z,buy,A,X,1,1\n');
  if (pattern === undefined) throw new Error('No row.');
  const drawn = [histories(8), fc.array(trade, { maxLength: 8 })] as const;
  const property = fc.asyncProperty(...drawn, async ({ history }, trades) => {
    const rows = trades.map((one, line): Transaction => {
      const { quantity, amount, fee, hasTime, ...said } = one;
      const at = hasTime ? pattern.at : null;
      const numbers = { quantity: quantity as Quantity, amount: amount as Money | null, fee: fee as Money | null };
      return { ...pattern, ...said, ...numbers, at, line: 1000 + line, type: said.type as Transaction['type'] };
    });
    await found([...history, ...rows], async (sql, taxpayerId, keys) => {
      const unpacked = Ledger.of((await selectHistory(sql, taxpayerId, { keys, after: null })).map(toTransaction));
      const packed = await readHistory(sql, taxpayerId, { keys, after: null }, unsaid);
      expect(packed.trades).toBe(unpacked.trades);
      expect(byId(packed)).toEqual(byId(unpacked));
    });
  });
  await fc.assert(property, { seed, numRuns });
});

test('a row with an answer is read together with the answer, even if it is a plain trade', async () => {
  const rows = readTransactions(
    'date,type,account,asset,quantity,amount\n2024-01-01,buy,A,X,1,1\n2024-01-02,buy,A,X,2,3\n',
  );
  await found(rows, async (sql, taxpayerId, keys) => {
    const [first] = (await readHistory(sql, taxpayerId, { keys, after: null }, unsaid)).transactions();
    const id = first?.id ?? '';
    const noPair = { other_id: null, to_account: null, arrived: null };
    const answer = { ...noPair, action: 'basis' as const, transaction_id: id, given: { basis: '7.00' } };
    const answers = { ...unsaid, byRow: new Map([[id, [answer]]]) };
    const answered = await readHistory(sql, taxpayerId, { keys, after: null }, answers);
    expect(answered.transactions().map(({ amount }) => amount as bigint)).toEqual([300_000_000n, 700_000_000n]);
  });
});

class DryRunRollback extends Error {}

/** Stores rows for a new taxpayer as an import does, runs the work, and rolls back. */
async function found(
  rows: readonly Transaction[],
  work: (sql: Sql, taxpayerId: string, keys: readonly string[]) => Promise<void>,
): Promise<void> {
  const [taxpayerId, importId] = [crypto.randomUUID(), crypto.randomUUID()];
  const keys = [...new Set(rows.flatMap(listAssetKeys))];
  const stored = books.asOwner(async (sql) => {
    await sql`insert into taxpayers (id, created_by) values (${taxpayerId}, ${taxpayerId})`;
    const prepared = rows.map((row) => prepare(row, row.line, { accounts: {}, sourceClass: null, timeZone: null }));
    await stage(sql, { taxpayerId, importId }, 0, prepared);
    const file = { rows: rows.length, repeats: true, lastLine: null };
    await storeStaged(sql, { taxpayerId, importId }, file, { accounts: {}, timeZone: 'UTC' });
    await work(sql, taxpayerId, keys);
    throw new DryRunRollback();
  });
  await expect(stored).rejects.toThrow(DryRunRollback);
}

function byId(ledger: Ledger): Transaction[] {
  return ledger
    .transactions()
    .map((one) => ({ ...one, note: '' }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
