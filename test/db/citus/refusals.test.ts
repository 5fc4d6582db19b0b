import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { workers } from '../../support/citus/cluster.ts';
import { acceptedStatements, refusedStatements } from '../../support/citus/refused-statements.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

/**
 * Runs only on a cluster (`scripts/citus`), and checks that each rule in test/support/citus/rules.ts describes what
 * Citus does.
 */

const taxpayer = '00000000-0000-4000-8000-000000000001';
const valueByType: Readonly<Record<string, string>> = { uuid: `'${taxpayer}'`, 'text[]': "array['x']", integer: '1' };

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
  await books.asOwner(async (sql) => {
    await sql`insert into taxpayers (id, created_by) values (${taxpayer}, ${taxpayer})`;
    await sql.unsafe(`
      insert into transactions (taxpayer_id, id, type, on_day, account, asset, asset_class, quantity, currency, line, asset_key, note, created_at)
      values ('${taxpayer}', '${taxpayer}', 'deposit', '2024-01-02', 'A', 'BTC', 'crypto', 1.50, 'USD', 1, 'crypto:BTC', 'x', now())`);
  });
});
afterAll(() => books.drop());

let tried = 0;

/** Returns the error from Citus, or null if the statement runs. Every change is rolled back. */
async function readRefusal(text: string): Promise<string | null> {
  let said: string | null = null;
  const run = books.asOwner(async (sql) => {
    // Prepared like the server's statements. A prepared statement outlives the transaction.
    tried += 1;
    const name = `tried_${tried}`;
    await sql.unsafe(`prepare ${name} as ${text}`);
    const [row] = await sql<{ types: string[] }[]>`
      select parameter_types::text[] as types from pg_prepared_statements where name = ${name}`;
    const values = (row?.types ?? []).map((type) => valueByType[type] ?? 'null');
    await sql.unsafe(`set local role lotbook_app; set local app.taxpayer = '${taxpayer}'`);
    await sql.unsafe(`execute ${name}${values.length === 0 ? '' : `(${values.join(', ')})`}`).catch((error: Error) => {
      said = error.message;
    });
    throw new Error('taken back');
  });
  await expect(run).rejects.toThrow('taken back');
  return said;
}

describe.skipIf(workers.length === 0)('Citus', () => {
  test.each(refusedStatements)('Citus refuses a statement that breaks the rule: $rule', async ({ text, words }) => {
    const said = await readRefusal(text);
    if (words === null) expect(said).toBeNull();
    else expect(said).toContain(words);
  });

  test.each([...acceptedStatements])('runs %s', async (text) => {
    expect(await readRefusal(text)).toBeNull();
  });
});
