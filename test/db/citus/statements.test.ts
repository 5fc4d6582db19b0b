import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../../src/db/migrate.ts';
import type { Migration } from '../../../src/db/migration-files.ts';
import { firstPlaced } from '../../support/citus/cluster.ts';
import { parsed, readCatalog } from '../../support/citus/recorded.ts';
import { acceptedStatements, refusedStatements } from '../../support/citus/refused-statements.ts';
import { type Catalog, faultsOf } from '../../support/citus/rules.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

/**
 * Checks the rules by which `test/http/every-operation.test.ts` finds statements that cannot run on Citus
 * (test/support/citus/rules.ts).
 */

const root = join(import.meta.dir, '..', '..', '..');
let database: TestDatabase;
let catalog: Catalog;
beforeAll(async () => {
  database = await testDatabase();
  catalog = await readCatalog(database);
});
afterAll(() => database.drop());

/**
 * `set local` reaches each worker, including workers that join the transaction later. On a worker, a transaction signs
 * in with the role that it had on the coordinator and cannot change it, and `set_config` does not reach the worker at
 * all.
 */
test('a transaction sets its role once, at the start, and passes settings to workers with SET', () => {
  const said = [...new Bun.Glob('src/**/*.ts').scanSync({ cwd: root })].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/set local role|set_config\('[\w.]+'/g)].map(([words]) => [
      path,
      words,
    ]),
  );
  expect(said.sort()).toEqual([
    ['src/db/connection.ts', 'set local role'],
    ['src/db/connection.ts', 'set local role'],
    // The job tables are on the coordinator.
    ['src/db/job-queue.ts', "set_config('role'"],
    ['src/db/job-queue.ts', "set_config('role'"],
    // The database owner checks what the server may do.
    ['src/db/migrate.ts', 'set local role'],
    ['src/db/migrate.ts', 'set local role'],
    ['src/db/migrate.ts', 'set local role'],
  ]);
});

describe('the rules', () => {
  test.each(refusedStatements)('detect a statement that breaks the rule: $rule', async ({ rule, text }) => {
    const [statement] = await parsed(text);
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalog).map((fault) => fault.rule)).toEqual([rule]);
  });

  test('detect a lock on rows of several workers, even in a statement that uses several workers on purpose', async () => {
    const [statement] = await parsed('select 1 from imports i where i.status = $1 for update');
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalog).map((fault) => fault.rule)).toEqual(['one worker', 'no lock across workers']);
  });

  test.each(acceptedStatements)('accept a statement that one worker can run: %s', async (text) => {
    const [statement] = await parsed(text);
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalog)).toEqual([]);
  });

  test('find nothing in the changes of rows by the migrations that run on an existing cluster', async () => {
    const changes = async (later: readonly Migration[]) =>
      (await Promise.all(later.map(({ sql }) => parsed(sql))))
        .flat()
        .flatMap((statement) => faultsOf(statement, catalog))
        .filter(({ rule }) => rule.startsWith('no changing function'));
    expect(await changes(migrations.filter(({ number }) => number > firstPlaced))).toEqual([]);
    const sql = "update imports set problem = problem || jsonb_build_object('year', on_day)";
    expect(await changes([{ number: 99, name: '0099_stable', sql }])).toHaveLength(1);
  });
});
