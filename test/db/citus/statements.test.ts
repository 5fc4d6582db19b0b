import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineVersion } from '../../../src/engine/replay.ts';
import { selectDigestsBefore } from '../../../src/features/answers/feed/digest/digest.queries.ts';
import {
  insertRows,
  keepUsedPrices,
  selectAccount,
  selectShapes,
} from '../../../src/features/ledger/archives/archives.queries.ts';
import { countStaleTaxpayers, selectStaleTaxpayer } from '../../../src/features/ledger/books/books.queries.ts';
import { sweepImports } from '../../../src/features/ledger/imports/sweep.ts';
import {
  insertSharedPrices,
  selectRevisions,
  selectWaitingTaxpayers,
} from '../../../src/features/ledger/prices/prices.queries.ts';
import { lockUser } from '../../../src/features/people/billing/billing.queries.ts';
import { isEmpty } from '../../../src/features/people/clients/clients.queries.ts';
import { readOwnBooks } from '../../../src/features/people/notifications/notifications.queries.ts';
import { claimKey, deleteOldKeys, extendClaim, readKey } from '../../../src/http/queries.ts';
import { letTimePass } from '../../support/app.ts';
import { acrossWorkers } from '../../support/citus/across.ts';
import { countStatements, parsed, readCatalog, sentStatements } from '../../support/citus/recorded.ts';
import { acceptedStatements, refusedStatements } from '../../support/citus/refused-statements.ts';
import { type Catalog, faultsOf } from '../../support/citus/rules.ts';
import { eraseNow } from '../../support/erasure.ts';
import { type ApiWalk, openWalk } from '../../support/walk/api-walk.ts';

/**
 * Checks that every statement of the server can run on Citus, as far as its text shows (test/support/citus/rules.ts).
 */

const root = join(import.meta.dir, '..', '..', '..');
let walk: ApiWalk;
let catalog: Catalog;
beforeAll(async () => {
  walk = await openWalk();
  catalog = await readCatalog(walk.app.books);
});
afterAll(() => walk.app.close());

interface Found {
  readonly rules: readonly string[];
  readonly statement: string;
}

async function check(text: string): Promise<Found[]> {
  const words = text.replace(/\s+/g, ' ');
  const exception = acrossWorkers.some((across) => words.includes(across.words));
  const statements = await parsed(text);
  return statements.flatMap((statement) => {
    const faults = faultsOf(statement, catalog).filter(({ rule }) => rule !== 'one worker' || !exception);
    return faults.length === 0
      ? []
      : [{ rules: faults.map(({ rule, about }) => `${rule}: ${about}`), statement: words }];
  });
}

test("every statement of the server runs on the taxpayer's worker and uses syntax that Citus accepts", async () => {
  const { app } = walk;
  if (!(await countStatements(app.books))) {
    console.log('This server does not count statements: left out.');
    return;
  }
  let userId = '';
  await walk.run(async ({ operation }, { prepare, send }) => {
    await prepare();
    if (operation.operationId === 'updatePassword') userId = String((await walk.read('/v1/account')).id);
    return send();
  });
  await sweepImports(app.deps);
  const taxpayerId = await app.deps.database.asService(async (sql) => (await readOwnBooks(sql, userId)) ?? '');
  await app.deps.database.asService(async (sql) => {
    await countStaleTaxpayers(sql, engineVersion);
    await selectStaleTaxpayer(sql, engineVersion, '00000000-0000-0000-0000-000000000000');
    await selectDigestsBefore(sql, '2099-01-01', { taxpayerId: crypto.randomUUID(), userId: crypto.randomUUID() }, 10);
    for (const unvalued of [true, false]) await selectWaitingTaxpayers(sql, ['EUR'], { unvalued });
    await selectRevisions(sql);
    await selectAccount(sql, userId);
    await lockUser(sql, 'cus_1', userId);
    await deleteOldKeys(sql, 24);
    await insertSharedPrices(sql, 'ecb', [{ asset: 'EUR', day: '2024-01-02', usd: '1.1' }], new Date());
    await isEmpty(sql, taxpayerId);
  });
  await app.deps.database.asTaxpayer(taxpayerId, async (sql) => {
    const scope = { taxpayerId, userId, route: 'POST /v1/clients', key: 'once' };
    const claim = crypto.randomUUID();
    await claimKey(sql, scope, { claim, fingerprint: null, seconds: 60 });
    await readKey(sql, scope);
    await extendClaim(sql, scope, claim, 90);
    await keepUsedPrices(sql, taxpayerId, new Date());
    const users = { there: null, here: userId };
    for (const shape of await selectShapes(sql, ['messages', 'muted_notifications'])) {
      await insertRows(sql, taxpayerId, shape, { rows: [], columns: shape.columns, users });
    }
  });
  await letTimePass(app, 15 * 86_400);
  await eraseNow(app);

  const sent = await sentStatements(app.books);
  const found = (await Promise.all(sent.map(check))).flat();
  expect(found).toEqual([]);
  // Ensures that statements were collected. Most of about 450 statements involve taxpayers.
  expect(sent.length).toBeGreaterThan(350);
  const words = sent.map((text) => text.replace(/\s+/g, ' '));
  expect(acrossWorkers.filter((across) => !words.some((text) => text.includes(across.words)))).toEqual([]);
});

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
});
