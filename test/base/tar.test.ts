import { expect, test } from 'bun:test';
import { TarError, tarEntries, tarFile, writeTar } from '../../src/base/tar.ts';
import { forgedTar } from '../support/forged-tar.ts';

test('reads what it writes, including folders and empty files', async () => {
  const entries = [tarFile('base/', ''), tarFile('base/1', 'one'), tarFile('empty', '')];
  expect(await readNames(writeTar(entries))).toEqual(['base/', 'base/1', 'empty']);
});

test.each([
  ['a symbolic link', { name: 'pg_wal', type: '2', link: '/etc' }, 'neither a plain file nor a folder'],
  ['a hard link', { name: 'base/1', type: '1', link: 'base/2' }, 'neither a plain file nor a folder'],
  ['a device', { name: 'base/1', type: '3' }, 'neither a plain file nor a folder'],
  ['a GNU tar long name', { name: '././@LongLink', type: 'L' }, 'neither a plain file nor a folder'],
  ['a pax header', { name: 'pax', type: 'x' }, 'neither a plain file nor a folder'],
  ['a file with the target of a link', { name: 'base/1', link: '/etc/passwd' }, 'a name that Lotbook never writes'],
  ['a name with a prefix', { name: 'base/1', prefix: '../..' }, 'a name that Lotbook never writes'],
  ['a name that leads upward', { name: '../postgresql.conf' }, 'a name that Lotbook never writes'],
  ['a name that leads upward later', { name: 'base/../../x' }, 'a name that Lotbook never writes'],
  ['an absolute name', { name: '/etc/cron.d/x' }, 'a name that Lotbook never writes'],
  ['a name with a dot for a folder', { name: './base/1' }, 'a name that Lotbook never writes'],
  ['a name with an empty part', { name: 'base//1' }, 'a name that Lotbook never writes'],
  ['a name with a backslash', { name: 'base\\..\\x' }, 'a name that Lotbook never writes'],
  ['a name with a control character', { name: 'base/\x1b[2J' }, 'a name that Lotbook never writes'],
  ['no name', { name: '' }, 'a name that Lotbook never writes'],
] as const)('refuses %s', async (_what, header, sentence) => {
  const refused = readNames(forgedTar(header));
  await expect(refused).rejects.toBeInstanceOf(TarError);
  await expect(refused).rejects.toThrow(sentence);
});

test('refuses a repeated name, a damaged header and a truncated file', async () => {
  const twice = writeTar([tarFile('base/1', 'one'), tarFile('base/1', 'two')]);
  await expect(readNames(twice)).rejects.toThrow('contains base/1 twice');
  await expect(readNames(onePiece(new Uint8Array(512).fill(7)))).rejects.toBeInstanceOf(TarError);
  await expect(readNames(onePiece(new Uint8Array(100)))).rejects.toThrow('truncated');
});

async function readNames(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of tarEntries(bytes)) names.push(name);
  return names;
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
