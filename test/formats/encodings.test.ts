import { expect, test } from 'bun:test';
import { draws } from '../support/depth.ts';
import { readWhole } from './reading.ts';

/** One file in every encoding that users' files have. It reads the same regardless of how its bytes are cut. */

const file = 'date,type,account,asset,quantity,amount,note\n2024-01-02,buy,Zürich – “A”,ACME,1,10,£5 and 5 €\n';
const windowsByte = new Map([
  ['–', 0x96],
  ['“', 0x93],
  ['”', 0x94],
  ['€', 0x80],
]);
const little = new Uint8Array(Uint16Array.from(file, (one) => one.charCodeAt(0)).buffer);
const windows1252 = Uint8Array.from(file, (one) => windowsByte.get(one) ?? one.charCodeAt(0));

const encoded: Readonly<Record<string, Uint8Array>> = {
  'UTF-8': new TextEncoder().encode(file),
  'UTF-8 with a BOM': new TextEncoder().encode(`\uFEFF${file}`),
  'UTF-16 LE without a BOM': little,
  'UTF-16 BE without a BOM': swapped(little),
  'UTF-16 LE with a BOM': Uint8Array.of(0xff, 0xfe, ...little),
  'UTF-16 BE with a BOM': Uint8Array.of(0xfe, 0xff, ...swapped(little)),
  'Windows-1252': windows1252,
};

for (const [encoding, bytes] of Object.entries(encoded)) {
  test(`${encoding} is read, cut at every byte and in blocks of every size`, async () => {
    const draft = { account: 'Zürich – “A”', note: '£5 and 5 €' };
    for (let cut = 0; cut <= bytes.length; cut += draws(3, 1)) {
      const { drafts } = await readWhole([bytes.subarray(0, cut), bytes.subarray(cut)]);
      expect(drafts).toMatchObject([draft]);
    }
    for (let blockBytes = 1; blockBytes <= bytes.length; blockBytes += draws(5, 1)) {
      expect((await readWhole(bytes, {}, { blockBytes })).drafts).toMatchObject([draft]);
    }
  });
}

test('a Latin-1 letter beyond the first block is read correctly, like everything after it', async () => {
  const rows = '2024-01-02,buy,Home,ACME,1,10,plain\n'.repeat(3000);
  const head = new TextEncoder().encode(`date,type,account,asset,quantity,amount,note\n${rows}`);
  const tail = Uint8Array.from('2024-01-02,buy,Home,ACME,1,10,ÄÖÜ öffnen\n', (one) => one.charCodeAt(0));
  const { drafts, end } = await readWhole([head, tail, tail]);
  expect(end.read).toBe(3002);
  expect(drafts.slice(-2).map(({ note }) => note)).toEqual(['ÄÖÜ öffnen', 'ÄÖÜ öffnen']);
});

function swapped(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, index) => bytes[index ^ 1] ?? 0);
}
