import { expect, test } from 'bun:test';
import { unzip, writeZip } from '../../src/base/zip.ts';
import { unzipped } from '../forms/unzip.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const zip = async (...entries: { name: string; content: Uint8Array }[]): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(writeZip(entries)));

test('the files in a ZIP are found through its directory, with their checksums', async () => {
  const large = 'a line of text\r\n'.repeat(10_000);
  const files = { 'one.csv': 'a,b\r\n', 'two.csv': large, 'three.csv': '' };
  const entries = Object.entries(files).map(([name, text]) => ({ name, content: bytes(text) }));
  expect(unzipped(await zip(...entries))).toEqual(files);
});

test('a ZIP may be empty', async () => {
  expect(unzipped(await zip())).toEqual({});
});

test('equal files produce equal bytes', async () => {
  const entry = { name: 'a.txt', content: bytes('x') };
  expect((await zip(entry)).equals(await zip(entry))).toBe(true);
});

test('a streamed file is written and read piece by piece, never as a whole', async () => {
  const [pieces, piece] = [64, new Uint8Array(1_000_000).map((_, at) => (at * at) % 251)];
  let [made, early, written] = [0, 0, 0];
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for (; made < pieces; made++) yield piece;
  };
  const parts: Uint8Array[] = [];
  for await (const part of writeZip([{ name: 'large', content: content() }])) {
    parts.push(part);
    written += part.length;
    if (made < pieces) early += part.length;
  }
  expect([made, early > written / 2, written < pieces * piece.length]).toEqual([pieces, true, true]);
  const [file] = await unzip(new Blob([new Uint8Array(Buffer.concat(parts))]));
  expect(file).toMatchObject({ name: 'large', bytes: pieces * piece.length });
  const hash = new Bun.CryptoHasher('sha256');
  const wanted = new Bun.CryptoHasher('sha256');
  for (let left = pieces; left > 0; left--) wanted.update(piece);
  for await (const part of file?.read() ?? []) hash.update(part);
  expect(hash.digest('hex')).toBe(wanted.digest('hex'));
});

test('another installed program can read the ZIP', async () => {
  const unzip = Bun.which('python3');
  if (unzip === null) return console.log('there is no Python: that it reads our ZIP is not checked');
  const path = `${process.env.TMPDIR ?? '/tmp'}/lotbook-zip-${process.pid}.zip`;
  const inPieces = async function* (): AsyncGenerator<Uint8Array> {
    yield* [bytes('hel'), bytes('lo')];
  };
  await Bun.write(path, Buffer.concat(await Array.fromAsync(writeZip([{ name: 'a.txt', content: inPieces() }]))));
  const listing = Bun.spawnSync([
    unzip,
    '-c',
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.read("a.txt"))',
    path,
  ]);
  expect(listing.stdout.toString().trim()).toBe("None b'hello'");
  await Bun.file(path).delete();
});
