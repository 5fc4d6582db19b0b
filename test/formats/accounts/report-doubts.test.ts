import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFiles } from '../../../src/commands/report/files.ts';
import { Messages } from '../../../src/commands/report/messages.ts';
import { dataFolder } from '../../support/process.ts';

/** The warnings of `lotbook report` about files that may belong to two accounts. */
const folder = dataFolder();
afterAll(() => folder.remove());

const header =
  '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"';
const bought = (day: string, asset: string): string =>
  `"${day}","${day}","${day}","${asset}","${asset}","Buy","1","$10.00","($10.00)"`;

async function readMessages(files: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const paths = Object.entries(files).map(([name, rows]) => {
    const path = join(folder.path, name);
    writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
    return path;
  });
  const texts: string[] = [];
  const nothing = { source: null, account: null, mapping: null, dateOrder: null, side: null };
  const messages = new Messages({ write: (text) => texts.push(text) });
  await readFiles({ files: paths, timeZone: 'UTC', ...nothing }, { accounts: {} }, messages);
  return texts.join('');
}

const one = [bought('3/5/2025', 'AAAA'), bought('4/7/2025', 'BBBB')];
const other = [bought('3/5/2025', 'CCCC'), bought('4/7/2025', 'DDDD')];

test('the report warns about files that name no account, cover the same days and contain different assets', async () => {
  expect(await readMessages({ 'one.csv': one, 'other.csv': other })).toBe(
    'one.csv and other.csv name no account, cover the same days and have different assets. Put the account in the file name, as in trades_account_1234.csv.\n',
  );
});

test('the report warns about a file that names no account next to one that does', async () => {
  expect(await readMessages({ 'one.csv': one, 'trades_account_1234.csv': other })).toStartWith(
    'one.csv names no account and is treated as a different account than Robinhood 1234,',
  );
});

test('the report does not warn about a longer export from the same account, files for different days, or files that name different accounts', async () => {
  expect(await readMessages({ 'one.csv': one, 'longer.csv': [...one, bought('5/6/2025', 'CCCC')] })).toBe('');
  expect(
    await readMessages({ 'one.csv': one, 'later.csv': [bought('6/5/2025', 'CCCC'), bought('7/5/2025', 'DDDD')] }),
  ).toBe('');
  expect(await readMessages({ 'trades_account_1234.csv': one, 'trades_account_5678.csv': other })).toBe('');
});
