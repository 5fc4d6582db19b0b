import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { writeZip } from '../../src/base/zip.ts';
import { importIntoAccount } from '../../src/features/ledger/archives/archive-import.ts';
import { manifestName } from '../../src/features/ledger/archives/contents.ts';
import { unzipped } from '../forms/unzip.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type AccountIds, fetchAccountIds } from '../support/round-trip.ts';

/** Imports archives that were edited manually and have matching digests. */
let app: TestApp;
let account: AccountIds;
let files: Record<string, string>;
beforeAll(async () => {
  app = await testApp();
  account = await fetchAccountIds(app, await app.register('PRO'));
  const archive = Bun.file(join(import.meta.dir, '../released/archives/f1732dfc.zip'));
  files = unzipped(new Uint8Array(await archive.arrayBuffer()));
});
afterAll(() => app.close());

interface WrittenManifest {
  files: { name: string; sha256: string }[];
}

async function archiveWith(changed: Readonly<Record<string, string>>, isManifestKept = false): Promise<Blob> {
  const all: Record<string, string> = { ...files, ...changed };
  const manifest = JSON.parse(files[manifestName] ?? '') as WrittenManifest;
  for (const file of manifest.files) {
    file.sha256 = new Bun.CryptoHasher('sha256').update(all[file.name] ?? '').digest('hex');
  }
  if (!isManifestKept) all[manifestName] = JSON.stringify(manifest);
  const entries = Object.entries(all).map(([name, text]) => ({ name, content: new TextEncoder().encode(text) }));
  return new Blob([Buffer.concat(await Array.fromAsync(writeZip(entries)))]);
}

async function readRefusal(changed: Readonly<Record<string, string>>, isManifestKept = false): Promise<string> {
  const error = await importIntoAccount(app.deps, await archiveWith(changed, isManifestKept), account).then(
    () => new Error('Nothing was refused.'),
    (reason: Error) => reason,
  );
  expect([error.name, error.message.split('\n').length]).toEqual(['ArchiveError', 1]);
  return error.message;
}

/** Returns the table with one field of its first row changed. */
function withMember(table: string, member: string, value: unknown): Record<string, string> {
  const name = `tables/${table}.jsonl`;
  const [first = '', ...others] = (files[name] ?? '').split('\n');
  return { [name]: [JSON.stringify({ ...JSON.parse(first), [member]: value }), ...others].join('\n') };
}

const place = (table: string, member: string): string =>
  `The archive is not valid: tables/${table}.jsonl, row 1, ${member}: `;

describe('refuses a manually edited archive with a message that names the file, row and field', () => {
  test.each<[string, string, unknown, string]>([
    ['taxpayers', 'settings', { method: 'ROOT' }, 'settings/method: '],
    ['taxpayers', 'settings', { accounts: { Desk: { type: 'nobody' } } }, 'settings/accounts/Desk/type: '],
    ['taxpayers', 'settings', { carryover: { 2023: { short: '-1', long: '0' } } }, 'settings/carryover/2023/short: '],
    [
      'taxpayers',
      'settings',
      { standingOrders: [{ method: 'LIFO', madeAt: 'soon' }] },
      'settings/standingOrders/0/madeAt: ',
    ],
    ['taxpayers', 'settings', [], 'settings: '],
    ['taxpayers', 'time_zone', 'Mars/Base', 'time_zone: '],
    ['taxpayers', 'tin', 'root', 'tin: '],
    ['imports', 'status', 'running', 'status: '],
    ['imports', 'store_order', { rows: 1 }, 'store_order: '],
    ['imports', 'skips', 7, 'skips: '],
    ['imports', 'skips', [{ reason: 'x', lines: '1' }], 'skips/0/lines: '],
    ['imports', 'warnings', { a: 1 }, 'warnings/'],
    ['imports', 'problem', [], 'problem: '],
    ['imports', 'first_day', 'infinity', 'first_day: '],
    ['imports', 'last_day', '0044-03-15 BC', 'last_day: '],
    ['imports', 'last_day', '12024-01-01', 'last_day: '],
    ['imports', 'created_at', 'infinity', 'created_at: '],
    ['imports', 'created_at', '12024-01-01T00:00:00+00:00', 'created_at: '],
    ['transactions', 'amount', 'NaN', 'amount: '],
    ['transactions', 'on_day', '1700-01-01', 'on_day: '],
    ['transactions', 'option_right', 'zz', 'option_right: '],
    ['transactions', 'box', 'zz', 'box: '],
    ['transactions', 'term', 'zz', 'term: '],
    ['prices', 'usd', 'Infinity', 'usd: '],
    ['transactions', 'type', 'steal', 'type: '],
    ['transactions', 'asset_class', 'gold', 'asset_class: '],
    ['transactions', 'account', 'x'.repeat(201), 'account: '],
    ['transactions', 'nickname', 'x', 'nickname: '],
    ['prices', 'usd', -1, 'usd: '],
    ['balances', 'account', 'x'.repeat(201), 'account: '],
    ['import_mappings', 'mapping', { columns: { Tag: 'nothing' } }, 'mapping/'],
    ['resolutions', 'given', { basis: 'free', acquired: '2020-02-02', quantity: '3' }, 'given/basis: '],
    ['resolutions', 'given', { basis: '1', acquired: '2020-02-30', quantity: '3' }, 'given/acquired: '],
    ['resolutions', 'given', { root: '1' }, 'given/root: '],
  ])('%s.%s = %j', async (table, member, value, expected) => {
    const message = await readRefusal(withMember(table, member, value));
    expect(message).toStartWith(place(table, expected).replace(/: $/, ''));
    expect(message.endsWith('.')).toBe(true);
  });

  test('names the row even if only the database rejects it', async () => {
    const message = await readRefusal(withMember('transactions', 'id', 'no-id'));
    expect(message).toStartWith('The archive is not valid: tables/transactions.jsonl, row 1: invalid input syntax');
    const name = 'tables/transactions.jsonl';
    const [first, second = '', ...others] = (files[name] ?? '').split('\n');
    const broken = JSON.stringify({ ...JSON.parse(second), id: 'no-id' });
    expect(await readRefusal({ [name]: [first, broken, ...others].join('\n') })).toContain(
      'transactions.jsonl, row 2: ',
    );
    expect(await readRefusal({ [name]: `[]\n${files[name]}` })).toContain('row 1: This is not a JSON object');
  });

  test('reports rows that cannot be calculated', async () => {
    const message = await readRefusal(withMember('transactions', 'lots', 'zz'));
    expect(message).toStartWith('The archive is not valid: its rows cannot be calculated (');
  });

  test.each<[string, string]>([
    ['', 'manifest.json is not valid JSON'],
    ['{', 'manifest.json is not valid JSON'],
    ['null', 'manifest.json, the file: '],
    ['{"format":1}', 'manifest.json, /'],
    ['{"format":1,"lotbook":"0.1.0","engine":"19","takenAt":"","userId":"root","tables":[],"files":[]}', '/userId: '],
    ['{"format":1,"lotbook":"0.1.0","engine":"19","takenAt":"","userId":null,"tables":[{}],"files":[]}', '/tables/0/'],
    ['{"format":1,"lotbook":"0.1.0","engine":"19","takenAt":"","userId":null,"tables":7,"files":[]}', '/tables: '],
  ])('refuses a manifest that contains %s', async (text, expected) => {
    expect(await readRefusal({ [manifestName]: text }, true)).toContain(expected);
  });
});

test('the import counts rows: an archive that declares fewer rows than it contains does not bypass the plan limit', async () => {
  const who = await app.register('FREE');
  const archive = await archiveWith(withMember('taxpayers', 'transactions_stored', 0));
  await importIntoAccount(app.deps, archive, await fetchAccountIds(app, who));
  const rows = files['tables/transactions.jsonl']?.trimEnd().split('\n').length;
  expect(await who.json('GET', '/v1/account')).toMatchObject({ usage: { transactions: rows } });
});
