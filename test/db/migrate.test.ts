import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, openPool } from '../../src/db/connection.ts';
import { migrate, schemaIsCurrent } from '../../src/db/migrate.ts';
import type { Migration } from '../../src/db/migration-files.ts';
import { MigrationError } from '../../src/db/migration-files.ts';
import { migrations } from '../../src/db/migrations.ts';
import { dropDatabase, emptyDatabase } from '../support/database.ts';

const sqlFolder = `${import.meta.dir}/../../sql`;

test('every numbered file of sql/ is applied, in the order of its number', () => {
  const files = readdirSync(sqlFolder).filter((name) => /^\d/.test(name));
  expect(migrations.map((step) => `${step.name}.sql`)).toEqual(files.sort());
  expect(migrations.map((step) => step.number)).toEqual(files.map((_, index) => index + 1));
  for (const step of migrations) {
    expect(step.name).toMatch(new RegExp(`^${String(step.number).padStart(4, '0')}_[a-z_]+$`));
    expect(step.sql).toBe(readFileSync(`${sqlFolder}/${step.name}.sql`, 'utf8'));
  }
});

test('three servers that start at once on one new database apply each step once', async () => {
  const url = await emptyDatabase();
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(applied.flat().sort()).toEqual(migrations.map((step) => step.name));
  expect(await migrate(url)).toEqual([]);
  await dropDatabase(url);
});

test('new databases of one server may be made at the same moment, though the role is shared', async () => {
  const urls = await Promise.all([emptyDatabase(), emptyDatabase(), emptyDatabase()]);
  await Promise.all(urls.map((url) => migrate(url)));
  await Promise.all(urls.map((url) => dropDatabase(url)));
});

test('a step that fails leaves nothing of those before it', async () => {
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

test('a released step that was changed is refused, and so is a database from the future', async () => {
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
  await older.catch((error: Error) => expect(error.message).toContain('newer Lotbook'));
  await dropDatabase(url);
});

test('a schema is current when the last step is there', async () => {
  const url = await emptyDatabase();
  await migrate(url, migrations.slice(0, -1));
  const database = connect({ url: url, directUrl: null }, { connectionsMax: 2 });
  expect(await schemaIsCurrent(database)).toBe(false);
  await migrate(url);
  expect(await schemaIsCurrent(database)).toBe(true);
  await database.close();
  await dropDatabase(url);
});

test('the owner of a database needs no superuser, only to be let into the role', async () => {
  const url = await emptyDatabase();
  const owned = new URL(url);
  const name = `owner_of_${owned.pathname.slice(1)}`;
  [owned.username, owned.password] = [name, 'secret'];
  const superuser = openPool(url, 1);
  await superuser.unsafe(`create role ${name} login password 'secret'`);
  await superuser.unsafe(`alter database ${owned.pathname.slice(1)} owner to ${name}`);
  await migrate(await emptyDatabase()); // makes the role, where no other test did
  await expect(migrate(owned.href)).rejects.toThrow(`grant lotbook_server to ${name}`);
  await migrate(owned.href).catch(() => {});
  await superuser.unsafe(`grant lotbook_server to ${name}`);
  await migrate(owned.href);
  const database = connect({ url: owned.href, directUrl: null }, { connectionsMax: 1 });
  const [row] = await database.asTaxpayer(crypto.randomUUID(), (sql) => sql`select current_user as role`);
  expect(row?.role).toBe('lotbook_app');
  await database.close();
  await superuser.unsafe(
    `drop owned by ${name} cascade; alter database ${owned.pathname.slice(1)} owner to current_user`,
  );
  await superuser.unsafe(`drop role ${name}`);
  await superuser.end();
  await dropDatabase(url);
});
