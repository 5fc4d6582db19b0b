import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../src/commands/command.ts';
import { readFiles } from '../../src/commands/report/files.ts';
import type { Half, HalfOrder } from '../../src/commands/report/half.ts';
import { halvesOf } from '../../src/commands/report/halves.ts';
import { Helper } from '../../src/commands/report/helper.ts';
import { Messages } from '../../src/commands/report/messages.ts';
import { dataFolder } from '../support/process.ts';

const folder = dataFolder();
afterAll(() => folder.remove());
const path = join(folder.path, 'trades.csv');

class CountingHelper extends Helper {
  halves = 0;

  override async readHalf(order: HalfOrder): Promise<Half | null> {
    const half = await super.readHalf(order);
    if (half !== null) this.halves += 1;
    return half;
  }
}

/** All that a report takes from a file, and what is said of it. */
async function told(bytes: string | Uint8Array, halvedFrom: number) {
  writeFileSync(path, bytes);
  const said: string[] = [];
  const messages = new Messages({ write: (text: string) => said.push(text) });
  const helper = new CountingHelper();
  const asked = {
    files: [path],
    timeZone: 'UTC',
    source: null,
    account: null,
    mapping: null,
    dateOrder: null,
  } as const;
  try {
    const { history, digests } = await readFiles({ ...asked, side: null }, {}, messages, helper, halvedFrom);
    const rows = Array.from({ length: history.length }, (_, row) => history.transaction(row, ''));
    return { read: { rows, digests, said, files: history.files }, halves: helper.halves };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { read: { refused: error.message, said }, halves: helper.halves };
  } finally {
    helper.close();
  }
}

const header = 'date,type,account,asset,quantity,amount,note';
const day = (at: number): string => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const row = (at: number, note = ''): string =>
  `${day(at)},${at % 3 === 2 ? 'sell' : 'buy'},A${at % 2},${at > 20 ? 'ETH' : 'AAPL'},${at + 1},${at}.5,${note}`;
const rows = (count: number, note?: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => row(at, note?.(at)));
const file = (lines: readonly string[], lineEnd = '\n'): string => [header, ...lines, ''].join(lineEnd);
const amid = (line: string, ...places: readonly number[]): string[] =>
  rows(40).flatMap((one, at) => (places.includes(at) ? [one, line] : [one]));

/** Those of which the second thread reads half. */
const sound: readonly (readonly [string, string | Uint8Array])[] = [
  ['rows alone', file(rows(40))],
  ['Windows line ends', file(rows(40), '\r\n')],
  ['no line end after the last row', file(rows(40)).slice(0, -1)],
  ['newest first', file(rows(40).reverse())],
  ['rows that cannot be read in both halves', file(amid('2024-02-31,buy,A,AAPL,1,1,', 3, 8, 30, 38))],
  ['blank lines in both halves', `${file(amid(',,,,,,', 3, 4, 30))}\n\n`],
  ['blank lines around the middle', file(amid('', ...Array.from({ length: 40 }, (_, at) => at)))],
  ['names beyond ASCII', file(rows(40, (at) => (at % 7 === 0 ? 'Zürich €' : '')))],
  ['a byte order mark', `\uFEFF${file(rows(40))}`],
  ['quotes in the second half alone', file(rows(40, (at) => (at > 30 ? '"a, ""b""\nc"' : '')))],
];

test.each(sound)('two threads read the same as one: %s', async (_what, bytes) => {
  const [whole, halved] = [await told(bytes, Number.POSITIVE_INFINITY), await told(bytes, 100)];
  expect(halved.read).toEqual(whole.read);
  expect(whole.halves).toBe(0);
  expect(halved.halves).toBe(1);
});

const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Those that only one thread can read, or none. */
const unsound: readonly (readonly [string, string | Uint8Array])[] = [
  ['a quote in the first half', file(rows(40, (at) => (at === 5 ? '"a, b"' : '')))],
  ['a cell in quotes that holds the middle', file(rows(40, (at) => (at === 10 ? `"${'a 1\n'.repeat(600)}"` : '')))],
  ['a quote that is never closed', file(rows(40, (at) => (at === 30 ? '"a' : '')))],
  ['letters of Windows-1252', latin(file(rows(40, (at) => (at === 30 ? 'Z\u00fcrich' : ''))))],
  [
    'letters of Windows-1252 before some of UTF-8',
    latin(file(rows(40, (at) => (at === 3 ? '\u00fc' : at > 30 ? '\u00c3\u00bc' : '')))),
  ],
  ['a NUL in the first half', file(amid('\0', 5))],
  ['a NUL in the second half', file(amid('\0', 35))],
  ['UTF-16', new Uint8Array(Buffer.from(`\uFEFF${file(rows(40))}`, 'utf16le'))],
  ['a title above the header', `My trades\n${file(rows(40))}`],
  ['a header that ends with a CR alone', file(rows(40)).replace('\n', '\r')],
  ['only CRs', file(rows(40), '\r')],
  ['a row of too many cells in the second half', file(amid('1,'.repeat(300), 35))],
  ['no CSV of ours', `a,b,c\n${'1,2,3\n'.repeat(100)}`],
  [
    'a source whose rows belong together',
    `txid,refid,time,type,subtype,aclass,asset,amount,fee,balance\n${'a,b,2024-01-02 03:04:05,deposit,,currency,ZUSD,1,0,1\n'.repeat(40)}`,
  ],
];

test.each(unsound)('a file of which half cannot be read alone is read whole: %s', async (_what, bytes) => {
  const [whole, halved] = [await told(bytes, Number.POSITIVE_INFINITY), await told(bytes, 100)];
  expect(halved.read).toEqual(whole.read);
});

test('the first half ends with a line that says something, wherever the middle is', () => {
  for (let count = 10; count < 30; count++) {
    writeFileSync(path, file(rows(count).flatMap((one) => [one, '', ',,'])));
    const halves = halvesOf(path, 100);
    const bytes = new TextEncoder().encode(file(rows(count).flatMap((one) => [one, '', ',,'])));
    expect(halves?.end).toBe(bytes.length);
    expect(halves?.headerEnd).toBe(header.length + 1);
    const first = new TextDecoder().decode(bytes.subarray(0, halves?.middle)).split('\n');
    expect(first.at(-1)).toBe('');
    expect(first.at(-2)).toContain('2024');
  }
  expect(halvesOf(path, 1_000_000)).toBeNull();
  expect(halvesOf('-', 0)).toBeNull();
  expect(halvesOf(folder.path, 0)).toBeNull();
});
