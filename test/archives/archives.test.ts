import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeZip } from '../../src/base/zip.ts';
import type { Sql } from '../../src/db/connection.ts';
import { importIntoAccount } from '../../src/features/ledger/archives/archive-import.ts';
import { archiveUses, type Manifest, manifestName } from '../../src/features/ledger/archives/contents.ts';
import { unzipped } from '../forms/unzip.ts';
import { letTimePass, type TestApp, type TestClient, testApp } from '../support/app.ts';
import { importCsv } from '../support/books.ts';
import { grantAccess } from '../support/grants.ts';

/** Two servers: the second imports the archive that the first exports. */
let there: TestApp;
let here: TestApp;
let ann: TestClient;
let bob: TestClient;
let archive: Uint8Array;
let files: Record<string, string>;
let manifest: Manifest;

const header = 'date,type,account,asset,quantity,amount,currency,note\n';
const broker = `${header}2023-01-02,buy,Schwab,AAPL,10,1000,USD,first
2023-06-03,sell,Schwab,AAPL,4,600,USD,
2024-03-01,sell,Schwab,AAPL,2,100,USD,a loss
2024-03-10,buy,Schwab,AAPL,2,90,USD,washes it
2024-05-05,buy,Schwab,SAP,5,500,EUR,
2024-08-05,sell,Schwab,SAP,5,700,EUR,
2024-09-01,buy,Schwab,GONE,1,10,USD,deleted by hand
2024-11-03,sell,Schwab,MSFT,3,900,USD,never bought
`;
const coins = `${header}2024-02-02,buy,Kraken,BTC,0.5,20000,USD,
2024-07-07,sell,Kraken,BTC,0.25,16000.01,USD,
2024-07-08,sell,Kraken,BTC,what,1,USD,cannot be read
`;

const tradesAt = (head: string, asset: string): string =>
  [head, ...['03/05/2024', '04/05/2024', '05/06/2024'].map((day) => row(day, asset))].join('\n');
const row = (day: string, asset: string): string => `"${day}","Buy","${asset}","${asset} INC","1","$9.00","","-$9.00"`;
const columns = '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"';
/** The second file names the account of the first file's rows. */
const ofOneAccount = [
  tradesAt(columns, 'ONE'),
  tradesAt(`"Transactions  for account Joint ...871 as of 02/03/2026 09:14:00 AM ET"\n${columns}`, 'ONE'),
];
/** The files do not show whether these rows belong to one account. */
const ofTwoAccounts = ['TWO', 'THREE'].map((asset) =>
  [
    '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"',
    ...['3/5/2024', '4/5/2024'].map(
      (day) => `"${day}","${day}","${day}","${asset}","${asset}","Buy","1","$9.00","($9.00)"`,
    ),
  ].join('\n'),
);

beforeAll(async () => {
  [there, here] = await Promise.all([testApp(), testApp()]);
  // The second server has already assigned row numbers.
  await importCsv(await here.register('PRO'), broker);
  // Both servers have rates from the same provider.
  await Promise.all([there, here].map(({ books }) => books.asOwner(plantRate)));
  ann = await there.register('PRO');
  bob = await here.register('PRO');
  await fill(ann);
  [archive, files] = await fetchExport(ann);
  manifest = JSON.parse(files[manifestName] ?? '') as Manifest;
  await importIntoAccount(here.deps, new Blob([new Uint8Array(archive)]), await fetchAccount(here, bob));
});
afterAll(() => Promise.all([there.close(), here.close()]));

const plantRate = (sql: Sql) => sql`insert into shared_prices values ('EUR', '2024-08-05', 'ecb', 1.0925, now())`;

/** Fills the books with a made-up year: answers, edits, both kinds of prices, balances, a lock, a report and notes. */
async function fill(who: TestClient): Promise<void> {
  await who.json('PATCH', '/v1/account', { body: { taxpayerName: 'Ann Example', timeZone: 'America/New_York' } });
  await who.json('POST', '/v1/transactions/import', {
    body: broker,
    headers: { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="schwab 2024.csv"' },
  });
  await importCsv(who, coins);
  await importCsv(who, coins);
  for (const file of [...ofOneAccount, ...ofTwoAccounts]) await importCsv(who, file);
  await importCsvPrices(who);
  const rows = await who.json<{ data: { id: string; asset: string; type: string }[] }>('GET', '/v1/transactions');
  const idOf = (asset: string): string => rows.data.findLast((row) => row.asset === asset)?.id ?? '';
  await who.json('PATCH', `/v1/transactions/${idOf('BTC')}`, { body: { amount: '20000.07' } });
  await who.request('DELETE', `/v1/transactions/${idOf('GONE')}`);
  const issues = await who.json<{ data: { id: string; asset: string }[] }>('GET', '/v1/tax/issues');
  const unknown = issues.data.find(({ asset }) => asset === 'MSFT')?.id ?? '';
  const given = { action: 'basis', basis: '310.15', acquired: '2020-02-02' };
  await who.json('POST', `/v1/tax/issues/${unknown}/resolve`, { body: given });
  const balance = { account: 'Kraken', asset: 'BTC', on: '2024-12-31', quantity: '0.2' };
  await who.json('POST', '/v1/balances', { body: balance });
  await who.json('POST', '/v1/tax/notes', { body: { year: 2024, text: 'Ask about SAP.' } });
  await who.json('POST', '/v1/tax/reports', { body: { year: 2024 } });
  await who.json('POST', '/v1/tax/years/2023/lock', { body: {} });
}

async function importCsvPrices(who: TestClient): Promise<void> {
  const body = 'asset,date,usd\nEUR,2024-05-05,1.0765\n';
  await who.json('POST', '/v1/prices', { body, headers: { 'content-type': 'text/csv' } });
}

async function fetchExport(who: TestClient, query = ''): Promise<[Uint8Array, Record<string, string>]> {
  const response = await who.request('GET', `/v1/account/export${query}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return [bytes, unzipped(bytes)];
}

async function fetchAccount(
  { books }: TestApp,
  { email }: TestClient,
): Promise<{ userId: string; taxpayerId: string }> {
  const [row] = await books.asOwner(
    (sql) => sql<{ userId: string; taxpayerId: string }[]>`
      select u.id as "userId", m.taxpayer_id as "taxpayerId" from users u
      join memberships m on m.user_id = u.id and m.role = 'owner' where u.email = ${email}`,
  );
  if (row === undefined) throw new Error('They have no account.');
  return row;
}

/** Returns the bytes of every response that depends on the books. */
async function reported(who: TestClient): Promise<Record<string, string>> {
  const paths = [
    ...['tax/summary?year=2023', 'tax/summary?year=2024', 'tax/years/2023/amendment', 'tax/years/2023/history'],
    ...['tax/disposals?year=2024', 'tax/lots', 'tax/issues', 'tax/settings', 'tax/accounts'],
    ...[
      'transactions',
      'transactions/export',
      'imports',
      'imports/rejects',
      'imports/account-questions',
      'balances',
      'tax/years',
    ],
    ...['transactions/edits', 'tax/reports', 'tax/notes?year=2024'],
  ];
  const all: Record<string, string> = {};
  for (const path of paths) {
    const response = await who.request('GET', `/v1/${path}`);
    all[path] = await response.text();
    expect([path, response.status, all[path]]).toEqual([path, 200, all[path]]);
  }
  return all;
}

describe('an export', () => {
  test('includes every table of a taxpayer except the calculated ones, and fails this test when a table is added', async () => {
    const tables = await there.books.asOwner(
      (sql) => sql<{ name: string }[]>`
        select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'taxpayer_id'`,
    );
    const names = tables.map(({ name }) => name);
    // Give each of these tables a use in src/features/ledger/archives/contents.ts: `kept` if a user entered its rows.
    expect(names.filter((name) => !(name in archiveUses))).toEqual([]);
    expect(Object.keys(archiveUses).filter((name) => !names.includes(name))).toEqual([]);
    for (const [name, use] of Object.entries(archiveUses)) {
      expect([name, `tables/${name}.jsonl` in files]).toEqual([name, !['made', 'passing', 'secret'].includes(use)]);
    }
  });

  test('includes the original files, the transactions, and the account without secrets', async () => {
    expect(files['files/0001 schwab 2024.csv']).toBe(broker);
    expect(files['files/0003 import.csv']).toBe(coins);
    expect(files['transactions.csv']).toBe(await (await ann.request('GET', '/v1/transactions/export')).text());
    const account = JSON.parse(files['account.json'] ?? '') as { email: string; sessions: object[]; devices: object[] };
    expect([account.email, account.sessions.length, account.devices.length]).toEqual([ann.email, 1, 1]);
    const secrets = await there.books.asOwner(
      (sql) => sql<{ hash: string }[]>`
        select encode(secret_hash, 'hex') as hash from sessions union all
        select encode(secret_hash, 'hex') from devices union all select password_hash from users`,
    );
    const text = Object.values(files).join('\n');
    for (const secret of [...secrets.map(({ hash }) => hash), ann.cookie.split('.')[1] ?? '']) {
      expect(secret.length).toBeGreaterThan(20);
      expect(text.includes(secret)).toBe(false);
    }
  });

  test('has a manifest with the count and digest of each part', () => {
    const sums = Object.entries(files)
      .filter(([name]) => name !== manifestName)
      .map(([name, text]) => {
        const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex');
        return { name, bytes: Buffer.byteLength(text), sha256 };
      });
    expect([...manifest.files]).toEqual(sums);
    for (const { name, rows } of manifest.tables) {
      expect([name, files[`tables/${name}.jsonl`]?.split('\n').length]).toEqual([name, rows + 1]);
    }
    expect(manifest.tables.find(({ name }) => name === 'resolutions')?.rows).toBe(1);
  });

  test('appears in the audit trail', async () => {
    const { data } = await ann.json<{ data: { action: string }[] }>('GET', '/v1/account/audit');
    expect(data.map(({ action }) => action)).toContain('account_exported');
  });

  test('can be made of a client by any user with access, without the account of the client or of the CPA', async () => {
    const cpa = await there.register('CPA');
    const client = await grantAccess(there, cpa, ann, 'viewer');
    const [, found] = await fetchExport(cpa, `?client=${client}`);
    expect(found['account.json']).toBeUndefined();
    expect(found['tables/transactions.jsonl']).toBe(files['tables/transactions.jsonl'] ?? '');
    expect(JSON.parse(found[manifestName] ?? '')).toMatchObject({ userId: null });
    const stranger = await there.register('CPA');
    expect((await stranger.request('GET', `/v1/account/export?client=${client}`)).status).toBe(404);
  });

  test('is refused to demo visitors, and to others 15 minutes after their sign-in', async () => {
    const visit = await there.request('POST', '/v1/auth/demo');
    const cookie =
      visit.headers
        .getSetCookie()
        .find((line) => line.startsWith('session='))
        ?.split(';')[0] ?? '';
    expect((await there.request('GET', '/v1/account/export', { cookie })).status).toBe(403);
    const old = await there.register();
    await letTimePass(there, 16 * 60);
    const late = await old.request('GET', '/v1/account/export');
    const { code } = (await late.json()) as { code: string };
    expect([late.status, code]).toEqual([403, 'reauthentication_required']);
  });

  test('runs one at a time, and ends when the reader disconnects', async () => {
    const cara = await there.register('PRO');
    const reader = (await cara.request('GET', '/v1/account/export')).body?.getReader();
    await reader?.read();
    expect((await cara.request('GET', '/v1/account/export')).status).toBe(429);
    await reader?.cancel();
    for (let tries = 0; tries < 1_000; tries++) {
      const again = await cara.request('GET', '/v1/account/export');
      await again.body?.cancel();
      if (again.status === 200) return;
      await Bun.sleep(10);
    }
    throw new Error('The place of the one that was left is not given back.');
  });
});

describe('an account on another server that imports the export', () => {
  test('has byte-identical summaries, lines, lots, issues, answers and reports', async () => {
    const [was, is] = [await reported(ann), await reported(bob)];
    for (const [path, text] of Object.entries(was)) expect([path, is[path]]).toEqual([path, text]);
  });

  test('recognizes its files, can undo a deletion, and keeps the locked year', async () => {
    expect(await importCsv(bob, coins)).toMatchObject({ imported: 0, duplicates: 2 });
    const { data } = await bob.json<{ data: { id: string; action: string }[] }>('GET', '/v1/transactions/edits');
    const deletion = data.find(({ action }) => action === 'delete')?.id ?? '';
    await bob.json('POST', `/v1/transactions/edits/${deletion}/undo`, { body: {} });
    const rows = await bob.json<{ data: { asset: string }[] }>('GET', '/v1/transactions?asset=GONE');
    expect(rows.data).toHaveLength(1);
    const older = `${header}2022-01-02,buy,Schwab,AAPL,4,80,USD,\n`;
    const refused = await bob.request('POST', '/v1/transactions/import', {
      body: older,
      headers: { 'content-type': 'text/csv' },
    });
    expect(await refused.json()).toMatchObject({ code: 'year_locked' });
    const { differences } = await bob.json<{ differences: unknown[] }>('POST', '/v1/tax/calculate', { body: {} });
    expect(differences).toEqual([]);
  });
});

/** Returns the same ZIP with different sizes in its directory. */
function withSizes(bytes: Uint8Array, sizeOf: (before: number) => number): Uint8Array {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  const end = changed.length - 22;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    view.setUint32(at + 24, sizeOf(view.getUint32(at + 24, true)), true);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return changed;
}

describe('an import of an archive', () => {
  const tried = async (bytes: Uint8Array, who: TestClient): Promise<string> => {
    const account = await fetchAccount(here, who);
    return importIntoAccount(here.deps, new Blob([new Uint8Array(bytes)]), account).then(
      () => 'taken',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  };
  const fetchRows = async (who: TestClient): Promise<number> =>
    (await who.json<{ usage: { transactions: number } }>('GET', '/v1/account')).usage.transactions;
  const changed = async (change: (all: Record<string, string>) => void): Promise<Uint8Array> => {
    const all = { ...files };
    change(all);
    const entries = Object.entries(all).map(([name, text]) => ({ name, content: new TextEncoder().encode(text) }));
    return new Uint8Array(Buffer.concat(await Array.fromAsync(writeZip(entries))));
  };
  const withManifest = (all: Record<string, string>, given: object): void => {
    all[manifestName] = JSON.stringify({ ...manifest, ...given });
  };

  test('refuses an account that has books, and an archive that is damaged, truncated or newer than the server', async () => {
    expect(await tried(archive, bob)).toStartWith('ArchiveError: The account is not empty');
    const eve = await here.register('PRO');
    const table = 'tables/transactions.jsonl';
    const summaries = 'tables/year_summaries.jsonl';
    const newTable = { name: 'hopes', columns: [], rows: 0 };
    const cases: [Uint8Array, string][] = [
      [archive.subarray(0, archive.length - 100), 'The file is not a ZIP, or it is truncated.'],
      [new TextEncoder().encode('a,b\n'), 'The file is not a ZIP, or it is truncated.'],
      [await changed((all) => delete all[manifestName]), 'This is not a Lotbook export.'],
      [await changed((all) => delete all[table]), 'is missing'],
      [
        await changed((all) => {
          all[table] = (all[table] ?? '').replace('washes it', 'washes at');
        }),
        'do not match the manifest',
      ],
      [await changed((all) => withManifest(all, { format: 2 })), 'a different version of Lotbook'],
      [await changed((all) => withManifest(all, { tables: [...manifest.tables, newTable] })), 'which has hopes'],
      [
        await changed((all) => {
          const text = (all[summaries] ?? '').replace('"year":2024', '"year":2025');
          all[summaries] = text;
          const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex');
          const sums = manifest.files.map((file) => (file.name === summaries ? { ...file, sha256 } : file));
          withManifest(all, { files: sums });
        }),
        'differ from those in the archive',
      ],
    ];
    for (const [bytes, why] of cases) {
      expect(await tried(bytes, eve)).toContain(why);
      expect(await fetchRows(eve)).toBe(0);
    }
    // The import unpacks neither a file larger than declared nor one that exceeds the total limit.
    expect(
      await tried(
        withSizes(archive, () => 1),
        eve,
      ),
    ).toContain('damaged');
    expect(
      await tried(
        withSizes(archive, () => 0xffffffff),
        eve,
      ),
    ).toContain('more than 20 GB');
    // The refused archives left nothing behind, so the intact archive can be imported.
    expect(await tried(archive, eve)).toBe('taken');
    expect(await fetchRows(eve)).toBe(await fetchRows(ann));
  });

  test('turns prices from unknown providers into manual prices without changing any figure', async () => {
    await here.books.asOwner((sql) => sql`delete from shared_prices`);
    const fay = await here.register('PRO');
    expect(await tried(archive, fay)).toBe('taken');
    const fetchPrices = async (who: TestClient) =>
      (await who.json<{ data: { asset: string; usd: string }[] }>('GET', '/v1/prices')).data;
    expect((await fetchPrices(fay)).map(({ usd }) => usd).toSorted()).toEqual(['1.0765', '1.0925']);
    expect((await fetchPrices(bob)).map(({ usd }) => usd)).toEqual(['1.0765']);
    const fetchSummary = async (who: TestClient) => ({
      ...(await who.json('GET', '/v1/tax/summary?year=2024')),
      revision: '',
    });
    expect(await fetchSummary(fay)).toEqual(await fetchSummary(ann));
  });
});
