import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Sql } from '../../src/db/connection.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { changeSettings } from '../../src/features/ledger/settings/settings.ts';
import { type StoredSettings, toClassRules } from '../../src/features/ledger/transactions/elections.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { stage, takeStaged } from '../../src/features/ledger/transactions/store.ts';
import { histories } from '../oracle/histories/generate.ts';
import { formHistories, optionHistories } from '../oracle/histories/narrow.ts';
import { selectContent } from '../support/contents.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { draws } from '../support/depth.ts';
import { expectFull } from '../support/full-books.ts';
import { seedFor } from '../support/seed.ts';
import { storedSettings } from '../support/stored-settings.ts';
import { splitNames, twoNames } from '../support/two-names.ts';
import { undone } from '../support/undone.ts';

const seed = seedFor('two names of one security');
const numRuns = draws(8, 20);
let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

const drawings = fc.oneof(histories(14), formHistories(14), optionHistories(14));

test('one security under two names has the same books as under one name: in files, in a full calculation and after each change of the setting', async () => {
  const drawn = fc.tuple(drawings, twoNames, fc.nat());
  const property = fc.asyncProperty(drawn, async ([{ history, rules: elected }, split, cut]) => {
    const { formNames: _, ...rules } = elected;
    const stated = splitNames(numbered(history), split);
    const without = storedSettings(rules);
    const together = { ...without, assets: { ...without.assets, ...stated.assets } };
    await undone(books, async (sql) => {
      const one = await taxpayerWith(sql, without, [numbered(history)]);
      const two = await taxpayerWith(sql, together, inFiles(stated.rows, cut));
      const expected = await selectContent(sql, two);
      expect(withoutNames(expected)).toEqual(withoutNames(await selectContent(sql, one)));
      await expectFull(sql, two, together);
      const apart = await taxpayerWith(sql, without, inFiles(stated.rows, cut));
      const separate = await selectContent(sql, apart);
      await changeSettings(sql, two, await withDerived(sql, two, without));
      expect(await selectContent(sql, two)).toEqual(separate);
      await changeSettings(sql, apart, await withDerived(sql, apart, together));
      expect(await selectContent(sql, apart)).toEqual(expected);
      await changeSettings(sql, two, await withDerived(sql, two, together));
      expect(await selectContent(sql, two)).toEqual(expected);
    });
  });
  await fc.assert(property, { seed, numRuns });
});

/** Numbers the rows so that no order depends on their content. */
function numbered(history: readonly Transaction[]): Transaction[] {
  return history.map((row, index) => ({ ...row, line: index + 1 }));
}

function inFiles(rows: readonly Transaction[], cut: number): (readonly Transaction[])[] {
  const at = cut % (rows.length + 1);
  return [rows.slice(0, at), rows.slice(at)];
}

async function taxpayerWith(
  sql: Sql,
  settings: StoredSettings,
  files: readonly (readonly Transaction[])[],
): Promise<string> {
  const id = crypto.randomUUID();
  await sql`
    insert into taxpayers (id, created_by, settings) values (${id}, ${id}, ${sql.json(settings as never)})`;
  await recompute(sql, id, new Map());
  for (const [at, rows] of files.entries()) await importFile(sql, id, settings, rows, at);
  return id;
}

async function importFile(
  sql: Sql,
  taxpayerId: string,
  settings: StoredSettings,
  rows: readonly Transaction[],
  at: number,
): Promise<void> {
  const scope = { taxpayerId, importId: `00000000-0000-4000-8000-00000000000${at}` };
  await sql`
    insert into imports (taxpayer_id, id, status, format, created_at, moved_at)
    values (${taxpayerId}, ${scope.importId}, 'completed', 'lotbook', now(), now())`;
  const classes = toClassRules(settings);
  const prepared = rows.map((row) => prepare(row, row.line, { ...classes, sourceClass: null, timeZone: null }));
  await stage(sql, scope, 0, prepared);
  // The same row has the same id under either name.
  await sql`
    update staged set id = ('00000000-0000-4000-9000-' || lpad(line::text, 12, '0'))::uuid
    where taxpayer_id = ${taxpayerId} and import_id = ${scope.importId}`;
  const file = { rows: rows.length, repeats: false, lastLine: null };
  const taken = await takeStaged(sql, scope, file, new Date(0), { ...classes, timeZone: 'UTC' });
  const sources = taken.accounts.map((row) => ({ ...row, format: 'lotbook' }));
  await recompute(sql, taxpayerId, taken.touched, { arrivals: taken.arrivals, sources });
  await taken.close();
}

/** Returns the settings after a patch, including fields inferred from the rows. */
async function withDerived(sql: Sql, taxpayerId: string, settings: StoredSettings): Promise<StoredSettings> {
  const [row] = await sql<{ settings: StoredSettings }[]>`select settings from taxpayers where id = ${taxpayerId}`;
  const { tickers, evidence, formNames } = row?.settings ?? {};
  return {
    ...settings,
    ...(tickers === undefined ? {} : { tickers }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(formNames === undefined ? {} : { formNames }),
  };
}

/** Returns all stored content except for the setting and the names in the rows. */
function withoutNames({ revision: _, checkpoints: __, transactions, ...content }: Record<string, unknown>): object {
  const rows = transactions as readonly Record<string, unknown>[];
  return { ...content, transactions: rows.map(({ fingerprint: _f, stated_names: _s, ...row }) => row) };
}
