import { afterAll, beforeAll, expect, test } from 'bun:test';
import { workers } from '../../support/citus/cluster.ts';
import { schemaFaults } from '../../support/citus/schema-rules.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await testDatabase();
});
afterAll(() => books.drop());

/** Returns the schema violations after a change, which is then rolled back. */
async function faultsWith(change: string): Promise<string[]> {
  let faults: string[] = [];
  const undone = books.asOwner(async (sql) => {
    await sql.unsafe(change);
    faults = await schemaFaults(sql);
    throw new Error('taken back');
  });
  await expect(undone).rejects.toThrow('taken back');
  return faults;
}

test('the schema contains nothing that Citus refuses', async () => {
  expect(await books.asOwner(schemaFaults)).toEqual([]);
});

/** A cluster refuses most of these changes, or accepts only one statement at a time. */
test.skipIf(workers.length > 0).each([
  [
    'a policy with a subquery',
    'alter policy own on staged using (taxpayer_id = (select current_taxpayer()))',
    'policy own of staged has a subquery',
  ],
  [
    'a function of the row of a table',
    'create function told_of(t transactions) returns text language sql immutable as $$ select t.note $$',
    'function told_of takes the row of a table',
  ],
  [
    'a trigger that reads its transition table in a statement about a table',
    `create function sum_up() returns trigger language plpgsql as $$
      begin
        insert into ledgers (taxpayer_id, content) select taxpayer_id, sum(usd) from fresh group by taxpayer_id
          on conflict (taxpayer_id) do update set content = excluded.content;
        return null;
      end $$;
     create trigger summed after insert on prices referencing new table as fresh for each statement execute function sum_up()`,
    'function sum_up reads a transition table together with another table: ',
  ],
  [
    'a trigger that notifies',
    `create function announce() returns trigger language plpgsql as $$
      begin
        perform pg_notify('imports', old.id::text);
        return null;
      end $$;
     create trigger announced after delete on imports for each row execute function announce()`,
    'trigger announced of imports notifies',
  ],
  [
    'a column with a default that a role cannot write',
    'revoke insert (id_key) on taxpayers from lotbook_server',
    'lotbook_server may insert into taxpayers, but not its id_key',
  ],
])('%s is detected', async (_what, change, found) => {
  const faults = await faultsWith(change);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toStartWith(found);
});
