import { expect, test } from 'bun:test';
import { zipped } from '../../src/base/zip.ts';
import { unzipped } from '../forms/unzip.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const zip = async (...entries: { name: string; content: Uint8Array }[]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(zipped(entries)));

test('the files of a ZIP are found by its directory, with their sums', async () => {
  const large = 'a line of text\r\n'.repeat(10_000);
  const files = { 'one.csv': 'a,b\r\n', 'two.csv': large, 'three.csv': '' };
  const entries = Object.entries(files).map(([name, text]) => ({ name, content: bytes(text) }));
  expect(unzipped(await zip(...entries))).toEqual(files);
});

test('a ZIP may be empty', async () => {
  expect(unzipped(await zip())).toEqual({});
});

test('equal files make equal bytes', async () => {
  const entry = { name: 'a.txt', content: bytes('x') };
  expect((await zip(entry)).equals(await zip(entry))).toBe(true);
});

test('another program reads it, where there is one', async () => {
  const unzip = Bun.which('python3');
  if (unzip === null) return console.log('there is no Python: that it reads our ZIP is not checked');
  const path = `${process.env.TMPDIR ?? '/tmp'}/lotbook-zip-${process.pid}.zip`;
  await Bun.write(path, await zip({ name: 'a.txt', content: bytes('hello') }));
  const listing = Bun.spawnSync([
    unzip,
    '-c',
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.read("a.txt"))',
    path,
  ]);
  expect(listing.stdout.toString().trim()).toBe("None b'hello'");
  await Bun.file(path).delete();
});
