import { expect, test } from 'bun:test';
import { readFile } from '../../src/formats/read.ts';
import { recordsAt, type SourceText } from '../../src/formats/rows/source-text.ts';
import { streamOf } from './reading.ts';

async function readTexts(csv: string | readonly Uint8Array[]): Promise<SourceText[]> {
  const texts: SourceText[] = [];
  for await (const batch of readFile(streamOf(csv), { timeZone: 'UTC', keepText: true })) {
    if (batch.kind === 'outcomes') texts.push(...batch.texts);
  }
  return texts;
}

test('a line is found as written, including quotes, line ends within it and odd blanks', async () => {
  const odd = '2024-01-05, buy ,Broker,"X",1,2,"two\r\nlines, ""quoted"""';
  const csv = `date,type,account,asset,quantity,amount,note\r\n\r\n${odd}\r\n2024-01-06,buy,Broker,Y,1,2,\n`;
  const [piece, ...rest] = await readTexts(csv);
  expect(rest).toEqual([]);
  expect(recordsAt(piece as SourceText, [1, 3, 5, 9])).toEqual(
    new Map([
      [1, 'date,type,account,asset,quantity,amount,note'],
      [3, odd],
      [5, '2024-01-06,buy,Broker,Y,1,2,'],
    ]),
  );
});

test('all pieces together equal the file, regardless of how its bytes are cut', async () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => `2024-01-05,buy,Bröker,X${index},1,2,"note ${index}"`);
  const csv = ['date,type,account,asset,quantity,amount,note', ...lines, ''].join('\n');
  const bytes = new TextEncoder().encode(csv);
  const cut = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, at) =>
    bytes.subarray(at * 777, at * 777 + 777),
  );
  const [whole, pieces] = [await readTexts(csv), await readTexts(cut)];
  expect(pieces).toEqual(whole);
  expect(whole.length).toBeGreaterThan(2);
  const wanted = lines.map((_, index) => index + 2);
  const found = new Map(whole.flatMap((piece) => [...recordsAt(piece, wanted)]));
  expect(wanted.map((line) => found.get(line))).toEqual(lines);
});
