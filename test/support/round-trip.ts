import { expect } from 'bun:test';
import { importIntoAccount } from '../../src/features/ledger/archives/archive-import.ts';
import { selectShapes } from '../../src/features/ledger/archives/archives.queries.ts';
import { settingsTable, type TableName, tablesOf } from '../../src/features/ledger/archives/contents.ts';
import type { TestApp, TestClient } from './app.ts';

/** The user and the taxpayer of a test client. */
export interface AccountIds {
  readonly userId: string;
  readonly taxpayerId: string;
}

export async function fetchAccountIds({ books }: TestApp, { email }: Pick<TestClient, 'email'>): Promise<AccountIds> {
  const [row] = await books.asOwner(
    (sql) => sql<AccountIds[]>`
      select u.id as "userId", m.taxpayer_id as "taxpayerId" from users u
      join memberships m on m.user_id = u.id and m.role = 'owner' where u.email = ${email}`,
  );
  if (row === undefined) throw new Error('The client has no account.');
  return row;
}

export async function fetchArchive(client: TestClient): Promise<Blob> {
  const response = await client.request('GET', '/v1/account/export');
  expect(response.status).toBe(200);
  return new Blob([await response.arrayBuffer()]);
}

/** Exports the account, imports the archive into a new account of `there`, and compares all tables of the books. */
export async function expectRoundTrip(here: TestApp, client: TestClient, there: TestApp = here): Promise<TestClient> {
  const copy = await there.register('PRO');
  const [from, to] = [await fetchAccountIds(here, client), await fetchAccountIds(there, copy)];
  await importIntoAccount(there.deps, await fetchArchive(client), to);
  const [before, after] = [await tablesOfAccount(here, from), await tablesOfAccount(there, to)];
  for (const [name, rows] of before) expect([name, after.get(name)]).toEqual([name, rows]);
  return copy;
}

/**
 * Facts about how the books were computed, not results: days on which a replay may begin, and numbers that the database
 * assigns.
 */
const notCompared: readonly TableName[] = ['checkpoints', 'lot_versions'];

/**
 * Returns every table that an archive contains or that is computed from it, as sorted lines without the account's ids.
 */
async function tablesOfAccount({ deps }: TestApp, ids: AccountIds): Promise<Map<string, string[]>> {
  const names = tablesOf('kept', 'checked', 'made').filter((name) => !notCompared.includes(name));
  return deps.database.asTaxpayer(
    ids.taxpayerId,
    async (sql) => {
      const tables = new Map<string, string[]>();
      for (const { name, counted } of await selectShapes(sql, [settingsTable, ...names])) {
        const isOwn = name === settingsTable;
        const without = isOwn ? ofAccount : ['taxpayer_id', ...(counted === null ? [] : [counted])];
        const rows = await sql<{ line: string }[]>`
          select (to_jsonb(t) - ${without}::text[])::text as line from ${sql(name)} t
          where ${sql(isOwn ? 'id' : 'taxpayer_id')} = ${ids.taxpayerId}`;
        tables.set(name, rows.map(({ line }) => withoutIds(line, ids)).sort());
      }
      return tables;
    },
    { readOnly: true },
  );
}

/** Data of the importing account that the import keeps. */
const ofAccount = ['id', 'created_by', 'created_at', 'name'];

function withoutIds(line: string, { userId, taxpayerId }: AccountIds): string {
  return line.replaceAll(userId, 'the user').replaceAll(taxpayerId, 'the taxpayer');
}
