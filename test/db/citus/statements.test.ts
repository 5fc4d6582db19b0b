import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineVersion } from '../../../src/engine/replay.ts';
import { insertRows, keepUsedPrices, selectAccount, selectShapes } from '../../../src/features/archives/queries.ts';
import { lockUser } from '../../../src/features/billing/queries.ts';
import { countStaleTaxpayers, selectStaleTaxpayer } from '../../../src/features/books/queries.ts';
import { isEmpty } from '../../../src/features/clients/ownership/queries.ts';
import { selectDigestsBefore } from '../../../src/features/feed/digest/queries.ts';
import { sweepImports } from '../../../src/features/imports/sweep.ts';
import { readOwnBooks } from '../../../src/features/notifications/queries.ts';
import { insertSharedPrices, selectRevisions, selectWaitingTaxpayers } from '../../../src/features/prices/queries.ts';
import { claimKey, deleteOldKeys, extendClaim, readKey } from '../../../src/http/queries.ts';
import { letTimePass } from '../../support/app.ts';
import { acrossWorkers } from '../../support/citus/across.ts';
import { countStatements, parsed, readCatalogue, sentStatements } from '../../support/citus/recorded.ts';
import { type Catalogue, faultsOf, type Rule } from '../../support/citus/rules.ts';
import { eraseNow } from '../../support/erasure.ts';
import { type ApiWalk, openWalk } from '../../support/walk/api-walk.ts';

/** Every statement that the server sends can run on Citus, as far as its text shows (test/support/citus/rules.ts). */

const root = join(import.meta.dir, '..', '..', '..');
let walk: ApiWalk;
let catalogue: Catalogue;
beforeAll(async () => {
  walk = await openWalk();
  catalogue = await readCatalogue(walk.app.books);
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
    const faults = faultsOf(statement, catalogue).filter(({ rule }) => rule !== 'one worker' || !exception);
    return faults.length === 0
      ? []
      : [{ rules: faults.map(({ rule, about }) => `${rule}: ${about}`), statement: words }];
  });
}

test('whatever the server does, it asks the one worker of a taxpayer, in words that Citus takes', async () => {
  const { app } = walk;
  if (!(await countStatements(app.books))) {
    console.log('This server does not count statements: left out.');
    return;
  }
  let userId = '';
  await walk.run(async ({ operation }, { prepare, send }) => {
    await prepare();
    if (operation.operationId === 'changePassword') userId = String((await walk.read('/v1/account')).id);
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
  // It did look: of about 450 statements most are of taxpayers.
  expect(sent.length).toBeGreaterThan(350);
  const words = sent.map((text) => text.replace(/\s+/g, ' '));
  expect(acrossWorkers.filter((across) => !words.some((text) => text.includes(across.words)))).toEqual([]);
});

/**
 * `set local` goes to each worker, now and as it is reached. There a transaction is signed in as the role that it had on the
 * coordinator, which may become no other, and `set_config` does not go there at all.
 */
test('a transaction sets its role once, as it begins, and by SET whatever a worker needs to know', () => {
  const said = [...new Bun.Glob('src/**/*.ts').scanSync({ cwd: root })].flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/set local role|set_config\('[\w.]+'/g)].map(([words]) => [
      path,
      words,
    ]),
  );
  expect(said.sort()).toEqual([
    ['src/db/connection.ts', 'set local role'],
    ['src/db/connection.ts', 'set local role'],
    // For the tables of jobs, which stand on the coordinator.
    ['src/db/job-queue.ts', "set_config('role'"],
    ['src/db/job-queue.ts', "set_config('role'"],
    // Of the owner, who asks what the server may do.
    ['src/db/migrate.ts', 'set local role'],
    ['src/db/migrate.ts', 'set local role'],
    ['src/db/migrate.ts', 'set local role'],
  ]);
});

/** One of each rule, as it was written once. */
const planted: readonly (readonly [Rule, string])[] = [
  ['anchored insert', 'insert into lots (taxpayer_id, id) select $1, r.id from unnest($2::text[]) as r (id)'],
  [
    'anchored insert',
    'insert into balances (taxpayer_id, id) select g.taxpayer_id, g.id from unnest($2::uuid[], $3::uuid[]) as g (taxpayer_id, id)',
  ],
  [
    'plain insert',
    'insert into balances (taxpayer_id, id) select me.id, gen_random_uuid() from taxpayers me where me.id = $1',
  ],
  [
    'plain insert',
    'insert into prices (taxpayer_id, asset) select distinct on (v.asset) v.taxpayer_id, v.asset from valuations v where v.taxpayer_id = $1',
  ],
  [
    'plain insert',
    'insert into notifications (taxpayer_id, sequence) select n.taxpayer_id, max(n.sequence) from notifications n where n.taxpayer_id = $1',
  ],
  [
    'no subquery in values',
    'insert into resolutions (taxpayer_id, note) values ($1, (select t.note from transactions t where t.taxpayer_id = $1))',
  ],
  [
    'no stable function of columns',
    "update staged set id = convert_to(external_id, 'UTF8')::text::uuid where taxpayer_id = $1",
  ],
  ['no stable function of columns', 'update staged set external_id = external_id || number where taxpayer_id = $1'],
  [
    'no change in a with',
    'with gone as (delete from lots where taxpayer_id = $1 returning id) select count(*) from gone',
  ],
  ['one worker', 'select count(*) from transactions where on_day > $1'],
  ['one worker', 'update digests set sequence = 0'],
  ['joined by the taxpayer', 'select 1 from transactions t join imports i on i.id = t.import_id'],
  [
    'joined by the taxpayer',
    'select (select count(*) from lots l where l.taxpayer_id = t.id) from taxpayers t where t.id = $1 or t.revision > 1',
  ],
  ['one worker', 'select (select count(*) from lots l where l.taxpayer_id = t.id) from taxpayers t where t.id = $1'],
  [
    'one column at a time',
    'update transactions t set (note, fee) = (select r.note, r.fee from edited_rows r where r.taxpayer_id = $1) where t.taxpayer_id = $1',
  ],
  [
    'numbered insert',
    'insert into audit_entries (taxpayer_id, at) select me.id, now() from taxpayers me where me.id = $1',
  ],
  ['plain returning', 'update sessions set proved_at = now() where id = $1 returning expires_at - now() as rest'],
  [
    'no stable function in a case',
    'update notifications set read_at = coalesce(read_at, now()) where taxpayer_id = $1',
  ],
  [
    'no stable function of columns',
    "update subscriptions set customer = jsonb_build_object('id', customer)::text where user_id = $1",
  ],
  [
    'no stable function on conflict',
    'insert into idempotency_keys as mine (taxpayer_id, key) values ($1, $2) on conflict (taxpayer_id, key) do update set claim = excluded.claim where mine.claimed_until < now()',
  ],
  ['one place', 'select 1 from taxpayers t, deleted_accounts d where t.id = $1 and d.user_id = t.created_by'],
];

describe('the rules', () => {
  test.each(planted)('find a statement against: %s', async (rule, text) => {
    const [statement] = await parsed(text);
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalogue).map((fault) => fault.rule)).toEqual([rule]);
  });

  test('find a lock on rows of several workers, though the statement asks them all on purpose', async () => {
    const [statement] = await parsed('select 1 from imports i where i.status = $1 for update');
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalogue).map((fault) => fault.rule)).toEqual(['one worker', 'no lock across workers']);
  });

  test('find a function of the row of a table', async () => {
    const [statement] = await parsed('select row_content(t) from transactions t where t.taxpayer_id = $1');
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalogue)).toEqual([]);
    const withOne: Catalogue = { ...catalogue, ofRows: new Set(['row_content']) };
    expect(faultsOf(statement, withOne).map(({ rule }) => rule)).toEqual(['no row of a table as an argument']);
  });

  test.each([
    'insert into lots (taxpayer_id, id) select me.id, r.id from taxpayers me, unnest($2::text[]) as r (id) where me.id = $1',
    'insert into transactions (taxpayer_id, id) select taxpayer_id, id from staged where taxpayer_id = $1 and import_id = $2',
    'select 1 from transactions t join imports i on i.taxpayer_id = t.taxpayer_id and i.id = t.import_id where t.taxpayer_id = $1',
    'select 1 from (select taxpayer_id from lots union all select taxpayer_id from issues) s where s.taxpayer_id = $1',
    'with own as (select * from staged where taxpayer_id = $1) select count(*) from own',
    'select 1 from transactions t where t.taxpayer_id = $1 and not exists (select from lots l where l.taxpayer_id = t.taxpayer_id)',
    'select count(*) from users',
  ])('let a statement through that one worker answers: %s', async (text) => {
    const [statement] = await parsed(text);
    if (statement === undefined) throw new Error('Nothing was parsed.');
    expect(faultsOf(statement, catalogue)).toEqual([]);
  });
});
