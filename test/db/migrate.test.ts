import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, openPool } from '../../src/db/connection.ts';
import { formerHashes, migrate, migrations, schemaIsCurrent } from '../../src/db/migrate.ts';
import { type Migration, MigrationError } from '../../src/db/migration-files.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';

const sqlFolder = `${import.meta.dir}/../../sql`;

test('every numbered file in sql/ is applied in numerical order', () => {
  const files = readdirSync(sqlFolder).filter((name) => /^\d/.test(name));
  expect(migrations.map((step) => `${step.name}.sql`)).toEqual(files.sort());
  expect(migrations.map((step) => step.number)).toEqual(files.map((_, index) => index + 1));
  for (const step of migrations) {
    expect(step.name).toMatch(new RegExp(`^${String(step.number).padStart(4, '0')}_[a-z_]+$`));
    expect(step.sql).toBe(readFileSync(`${sqlFolder}/${step.name}.sql`, 'utf8'));
  }
});

test('three servers that start at once on a new database apply each step once', async () => {
  const url = await emptyDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat().sort()).toEqual(migrations.map((step) => step.name));
  expect(await migrate(url)).toEqual([]);
  await dropDatabase(url);
});

test('new databases on one server can be created concurrently, although they share a role', async () => {
  const urls = await Promise.all([emptyDatabase(), emptyDatabase(), emptyDatabase()]);
  await Promise.all(urls.map((url) => migrate(url)));
  await Promise.all(urls.map((url) => dropDatabase(url)));
});

test('a step that fails also rolls back the steps before it', async () => {
  const url = await emptyDatabase();
  const broken: Migration = { number: 9999, name: '9999_broken', sql: 'create table half (); select 1 / 0;' };
  await expect(migrate(url, [...migrations, broken])).rejects.toThrow('division by zero');
  await migrate(url, [...migrations, broken]).catch(() => {});
  const pool = openPool(url, 1);
  expect(await pool`select relname from pg_class where relname in ('half', 'users', 'schema_migrations')`).toHaveLength(
    0,
  );
  await pool.end();
  await dropDatabase(url);
});

test('a released step that was changed is refused, and so is a database of a newer version', async () => {
  const url = await emptyDatabase();
  const [first, second]: Migration[] = [
    { number: 1, name: '0001_first', sql: 'create table first ();' },
    { number: 2, name: '0002_second', sql: 'create table second ();' },
  ];
  if (first === undefined || second === undefined) throw new Error('unreachable');
  await migrate(url, [first, second]);
  await expect(migrate(url, [{ ...first, sql: 'create table other ();' }, second])).rejects.toThrow('0001_first');
  const older = migrate(url, [first]);
  await expect(older).rejects.toBeInstanceOf(MigrationError);
  await older.catch((error: Error) => expect(error.message).toContain('newer version of Lotbook'));
  await dropDatabase(url);
});

test('a database that applied the earlier text of a step that Citus refused is up to date', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const pool = openPool(url, 1);
  for (const [number, hash] of formerHashes)
    await pool`update schema_migrations set hash = ${hash} where number = ${number}`;
  expect(await migrate(url)).toEqual([]);
  await pool`update schema_migrations set hash = 'other'`;
  await expect(migrate(url)).rejects.toBeInstanceOf(MigrationError);
  await pool.end();
  await dropDatabase(url);
});

test('a schema is current if the last step is applied', async () => {
  const url = await emptyDatabase();
  await migrate(url, migrations.slice(0, -1));
  const database = connect({ url: url, directUrl: null }, { connectionsMax: 2 });
  expect(await schemaIsCurrent(database)).toBe(false);
  await migrate(url);
  expect(await schemaIsCurrent(database)).toBe(true);
  await database.close();
  await dropDatabase(url);
});

test('an owner who is not a superuser can run the steps on a new database once the role is granted to that owner', async () => {
  const { url, grantRole, remove } = await ownedDatabase();
  await expect(migrate(url)).rejects.toThrow('grant lotbook_server to owner_of_');
  await migrate(url).catch(() => {});
  await grantRole();
  await migrate(url);
  const database = connect({ url, directUrl: null }, { connectionsMax: 1 });
  const [row] = await database.asTaxpayer(crypto.randomUUID(), (sql) => sql`select current_user as role`);
  expect(row?.role).toBe('lotbook_app');
  await database.close();
  await remove();
});

test('an owner who is not a superuser can also run the steps after 0014 on a database with rows', async () => {
  const { url, superuser, grantRole, remove } = await ownedDatabase();
  await grantRole();
  const steps = migrations.findIndex(({ number }) => number > 14);
  await migrate(url, migrations.slice(0, steps));
  const [user, books, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await superuser`insert into users (id, email) values (${user}, 'ann@example.com'), (${other}, 'cpa@example.com')`;
  await superuser`insert into taxpayers (id, created_by) values (${books}, ${user})`;
  await superuser`
    insert into memberships (taxpayer_id, user_id, role) values (${books}, ${user}, 'owner'), (${books}, ${other}, 'viewer')`;
  await superuser`
    insert into idempotency_keys (taxpayer_id, user_id, route, key, claim, claimed_until, created_at, status, body)
    values (${books}, ${user}, 'POST /v1/transactions', 'once', ${crypto.randomUUID()}, now(), now(), 201, '{}')`;
  await superuser`
    insert into invitations (user_id, id, kind, email, role, token_hash, created_at, expires_at)
    values (${user}, ${crypto.randomUUID()}, 'request', 'jo@example.com', 'viewer', 'a', now(), now() + interval '1 day')`;
  await superuser`insert into password_resets values ('b', ${user}, now() + interval '1 day')`;
  expect(await migrate(url)).toHaveLength(migrations.length - steps);
  const kinds = await superuser<{ kind: string }[]>`select kind from one_time_tokens order by 1`;
  expect(kinds.map(({ kind }) => kind)).toEqual(['invitation', 'password_reset']);
  expect(await superuser`select role from memberships order by 1`).toHaveLength(2);
  expect(await superuser`select key from idempotency_keys`).toHaveLength(1);
  const forced = await superuser<{ name: string }[]>`
    select relname as name from pg_class
    where relforcerowsecurity and relname in ('memberships', 'idempotency_keys', 'taxpayers', 'ai_consents') order by 1`;
  expect(forced.map(({ name }) => name)).toEqual(['ai_consents', 'idempotency_keys', 'memberships', 'taxpayers']);
  await remove();
});

test('step 0026 fills its new fields from text that is already stored', async () => {
  const { url, superuser, grantRole, remove } = await ownedDatabase();
  await grantRole();
  const steps = migrations.findIndex(({ number }) => number === 26);
  await migrate(url, migrations.slice(0, steps));
  const [user, books, file] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const locked = { code: 'year_locked', detail: '2024 is locked, and this change would alter one of its lines.' };
  await superuser`insert into users (id, email) values (${user}, 'ann@example.com')`;
  await superuser`insert into taxpayers (id, created_by) values (${books}, ${user})`;
  await superuser`
    insert into imports (taxpayer_id, id, status, created_at, moved_at, problem)
    values (${books}, ${file}, 'failed', now(), now(), ${superuser.json(locked)})`;
  for (const [line, reason] of [
    'Unknown transaction type',
    'It is not clear which address is yours. Enter it by hand',
  ].entries())
    await superuser`
      insert into import_rejects (taxpayer_id, import_id, id, line, number, code, reason, cells, content, occurrence, words)
      values (${books}, ${file}, ${crypto.randomUUID()}, ${line}, 0, 'unknown_type', ${reason}, '{}', '', 1, '{}')`;
  for (const text of [
    'in another file. Keep one',
    'under another name of the security. If they are the same, delete one',
  ])
    await superuser`
      insert into possible_duplicates (taxpayer_id, id, import_id, transaction_id, other_id, detail)
      values (${books}, ${crypto.randomUUID()}, ${file}, ${crypto.randomUUID()}, ${crypto.randomUUID()}, ${`Another file has the row ${text}.`})`;
  for (const detail of ['1.5 BTC left Kraken on 2024-01-02 but were not held there.', 'The basis of BTC is unknown.'])
    await superuser`
      insert into resolutions (taxpayer_id, id, issue_id, action, transaction_id, given, note, issue, asset_key, from_day, created_at)
      values (${books}, ${crypto.randomUUID()}, ${detail}, 'accept', ${file}, '{}', '', ${superuser.json({ detail })}, 'crypto:BTC', '2024-01-02', now())`;
  for (const [sequence, title] of ['Confirm the tax form of Kraken', 'Confirm the form of My broker'].entries())
    await superuser`
      insert into notifications (taxpayer_id, sequence, kind, title, body, created_at)
      values (${books}, ${sequence}, 'confirm_form', ${title}, '', now())`;
  await migrate(url);
  const read = async (query: string) => (await superuser.unsafe(query)).map((row) => Object.values(row)[0]);
  expect(await read("select problem -> 'year' from imports")).toEqual([2024]);
  expect(await read('select manual from import_rejects order by line')).toEqual([false, true]);
  expect(await read('select kind from possible_duplicates order by detail')).toEqual(['files', 'names']);
  expect(await read("select issue ->> 'units' from resolutions order by issue_id")).toEqual(['1.5', null]);
  expect(await read('select subject from notified_subjects order by 1')).toEqual(['Kraken', 'My broker']);
  await remove();
});

/** Creates a database whose owner is not a superuser and cannot act as the roles of Lotbook yet. */
async function ownedDatabase() {
  const emptyUrl = await emptyDatabase();
  const owned = new URL(emptyUrl);
  const database = owned.pathname.slice(1);
  const name = `owner_of_${database}`;
  [owned.username, owned.password] = [name, 'secret'];
  const superuser = openPool(emptyUrl, 1);
  await superuser.unsafe(`create role ${name} login password 'secret'`);
  await superuser.unsafe(`alter database ${database} owner to ${name}`);
  await migrate(await emptyDatabase()); // Creates the role unless another test has.
  return {
    url: owned.href,
    superuser,
    grantRole: () => superuser.unsafe(`grant lotbook_server to ${name}`),
    remove: async () => {
      await superuser.unsafe(`drop owned by ${name} cascade; alter database ${database} owner to current_user`);
      await superuser.unsafe(`drop role ${name}`);
      await superuser.end();
      await dropDatabase(emptyUrl);
    },
  };
}
