import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  selectIdKey,
  type TransactionRow,
  transactionColumns,
} from '../../src/features/ledger/transactions/rows.queries.ts';
import { RowIds, toTransaction } from '../../src/features/ledger/transactions/rows.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { stage } from '../../src/features/ledger/transactions/store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { storeStaged } from '../support/staged.ts';
import { statements } from './statements.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

test('the content of a row is stored unchanged, regardless of the rows around it', async () => {
  const context = { accounts: {}, sourceClass: 'crypto', timeZone: 'Europe/Zurich', lines: 3 } as const;
  const rows = Object.values(statements).map((statement, at) => prepare(statement, at + 2, context));
  const { stored, ids } = await books.asOwner(async (sql) => {
    const taxpayerId = crypto.randomUUID();
    await sql`insert into taxpayers (id, created_by) values (${taxpayerId}, ${taxpayerId})`;
    const scope = { taxpayerId, importId: crypto.randomUUID() };
    const half = Math.floor(rows.length / 2);
    await stage(sql, scope, 0, rows.slice(0, half));
    await stage(sql, scope, half, rows.slice(half));
    const staged = await sql<{ lines: number; number: number }[]>`
      select lines, number from staged where import_id = ${scope.importId} order by number`;
    expect(staged.map((row) => ({ ...row }))).toEqual(rows.map((_, at) => ({ lines: 3, number: at + 1 })));
    const file = { rows: rows.length, repeats: false, lastLine: null };
    await storeStaged(sql, scope, file, { accounts: {}, timeZone: 'UTC' });
    const ids = new RowIds(await selectIdKey(sql, taxpayerId));
    const stored = await sql<(TransactionRow & Beside)[]>`
      select ${transactionColumns(sql)}, encode(t.fingerprint, 'hex') as fingerprint, t.stated_class, t.source_class,
        t.time_zone, array_remove(array[t.asset_key, t.second_key, t.third_key, t.fourth_key], null) as keys, t.links
      from transactions t where t.taxpayer_id = ${taxpayerId} order by t.line`;
    return { stored, ids };
  });
  expect(stored.map((row) => toTransaction(row))).toEqual(
    rows.map(({ statement, assetClass, fingerprint, line }) => {
      const tie = Number.parseInt(fingerprint.slice(0, 5), 16);
      return { ...statement, assetClass, line: line + tie / 2 ** 20, id: ids.computeRowId(fingerprint, 1) };
    }),
  );
  const beside = ({ fingerprint, stated_class, source_class, time_zone, keys, links }: Beside) => {
    return { fingerprint, stated_class, source_class, time_zone, keys, links };
  };
  expect(stored.map(beside)).toEqual(
    rows.map(({ fingerprint, statement, sourceClass, timeZone, keys, links }) => {
      const classes = { stated_class: statement.assetClass, source_class: sourceClass };
      return { fingerprint, ...classes, time_zone: timeZone, keys: [...keys], links };
    }),
  );
});

test('the rows in a batch are grouped by book, each in file order', async () => {
  const context = { accounts: {}, sourceClass: null, timeZone: null };
  const { trade } = statements;
  if (trade === undefined) expect.unreachable();
  const assets = Array.from({ length: 60 }, (_, at) => `S${at % 7}`);
  const rows = assets.map((asset, at) => prepare({ ...trade, asset }, at + 2, context));
  const staged = await books.asOwner(async (sql) => {
    const scope = { taxpayerId: crypto.randomUUID(), importId: crypto.randomUUID() };
    await sql`insert into taxpayers (id, created_by) values (${scope.taxpayerId}, ${scope.taxpayerId})`;
    await stage(sql, scope, 0, rows);
    return sql<{ asset: string; number: number }[]>`
      select asset, number from staged where import_id = ${scope.importId} order by ctid`;
  });
  const turns = staged.filter((row, at) => row.asset !== staged[at - 1]?.asset);
  expect(turns).toHaveLength(7);
  for (const { asset } of turns) {
    const numbers = staged.filter((row) => row.asset === asset).map((row) => row.number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

interface Beside {
  readonly fingerprint: string;
  readonly stated_class: string | null;
  readonly source_class: string | null;
  readonly time_zone: string | null;
  readonly keys: readonly string[];
  readonly links: string | null;
}
