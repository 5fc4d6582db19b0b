import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { Refusal } from '../../src/base/refusal.ts';
import type { RowLimits } from '../../src/formats/rows.ts';
import { readWhole, type Source } from './reading.ts';

/** Files that mean no good, or no longer mean anything. */

const header = 'date,type,account,asset,quantity,amount,note';
const line = '2024-01-02,buy,Home,ACME,1,10,';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Little-endian. */
const utf16 = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).buffer);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]));

interface Refused {
  readonly what: string;
  readonly file: Source;
  readonly code: string;
  readonly says?: RegExp;
  readonly at?: { readonly line: number; readonly column: string };
  readonly limits?: Partial<RowLimits>;
}

const refused: readonly Refused[] = [
  { what: 'nothing at all', file: '', code: 'empty_file' },
  { what: 'only a BOM', file: '\uFEFF', code: 'empty_file' },
  { what: 'only blank lines and delimiters', file: '\n\r\n , ,\n"",""\n\t\n', code: 'empty_file' },
  { what: 'a gzip archive', file: new Uint8Array(gzipSync(bytesOf(header))), code: 'not_csv', says: /gzip/ },
  {
    what: 'a ZIP or Excel workbook',
    file: joined(bytesOf('PK\u0003\u0004'), new Uint8Array(30)),
    code: 'not_csv',
    says: /Excel/,
  },
  { what: 'an old Excel workbook', file: Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1), code: 'not_csv', says: /xls/ },
  { what: 'a PDF', file: '%PDF-1.7\n1 0 obj', code: 'not_csv', says: /PDF/ },
  { what: 'a PNG', file: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), code: 'not_csv', says: /PNG/ },
  {
    what: 'a NUL in a cell',
    file: `${header}\n${line}\n2024-01-02,buy,Ho\0me,ACME,1,10,\n`,
    code: 'not_csv',
    says: /NUL/,
    at: { line: 3, column: '3' },
  },
  {
    what: 'UTF-8 and Latin-1 in one file',
    file: joined(bytesOf(`${header}\n${line}Zoë\n2024-01-02,buy,Caf`), Uint8Array.of(0xe9), bytesOf(',ACME,1,10,\n')),
    code: 'not_csv',
    says: /UTF-8/,
    at: { line: 3, column: '3' },
  },
  {
    what: 'bytes that no encoding of Latin letters has',
    file: joined(bytesOf(`${header}\n2024-01-02,buy,Caf`), Uint8Array.of(0xe9, 0x2c, 0x81), bytesOf('ACME,1,10,\n')),
    code: 'not_csv',
    says: /Windows-1252/,
    at: { line: 2, column: '4' },
  },
  {
    what: 'control characters after Latin-1',
    file: joined(bytesOf(`${header}\n2024-01-02,buy,Caf`), Uint8Array.of(0xe9, 0x2c, 0x07), bytesOf('ACME,1,10,\n')),
    code: 'not_csv',
    at: { line: 2, column: '4' },
  },
  {
    what: 'UTF-16 without a BOM, with half a surrogate pair',
    file: utf16(`${header}\n2024-01-02,buy,\ud800,ACME,1,10,\n`),
    code: 'not_csv',
    says: /UTF-16/,
    at: { line: 2, column: '3' },
  },
  {
    what: 'a character cut off at the end',
    file: joined(bytesOf(`${header}\n${line}caf`), Uint8Array.of(0xc3)),
    code: 'not_csv',
  },
  {
    what: 'an overlong encoding',
    file: joined(bytesOf(`${header}\n`), Uint8Array.of(0xc0, 0xaf)),
    code: 'not_csv',
    at: { line: 2, column: '1' },
  },
  { what: 'a surrogate in UTF-8', file: joined(bytesOf(header), Uint8Array.of(0xed, 0xa0, 0x80)), code: 'not_csv' },
  {
    what: 'UTF-16 with half a surrogate pair',
    file: Uint8Array.of(0xff, 0xfe, 0x41, 0x00, 0x00, 0xd8, 0x41, 0x00),
    code: 'not_csv',
    says: /UTF-16/,
  },
  { what: 'UTF-16 with half a code unit', file: Uint8Array.of(0xff, 0xfe, 0x41, 0x00, 0x42), code: 'not_csv' },
  {
    what: 'random bytes',
    file: Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919 + 13) % 256),
    code: 'not_csv',
  },
  {
    what: 'a quote that is never closed',
    file: `${header}\n${line}\n2024-01-02,buy,Home,"ACME,1,10,\n${line}\n`,
    code: 'malformed_csv',
    at: { line: 3, column: '4' },
  },
  {
    what: 'a quote as the last character',
    file: `${header}\n${line}"`,
    code: 'malformed_csv',
    at: { line: 2, column: '7' },
  },
  {
    what: 'a quote that swallows megabytes',
    file: `${header}\n2024-01-02,buy,"Home,ACME,1,10,\n${`${line}\n`.repeat(40_000)}`,
    code: 'too_large',
    says: /quote opened on line 2, column 3/,
    at: { line: 2, column: '3' },
  },
  {
    what: 'a cell of 70,000 characters',
    file: `${header}\n${line}\n2024-01-02,buy,Home,ACME,1,10,${'x'.repeat(70_000)}\n`,
    code: 'too_large',
    at: { line: 3, column: '7' },
  },
  { what: 'a record of 2 MB', file: `${header}\n${'x,'.repeat(1_000_000)}\n`, code: 'too_large', says: /line 2/ },
  {
    what: 'one line of 3 MB without an end',
    file: 'x'.repeat(3_000_000),
    code: 'too_large',
    at: { line: 1, column: '1' },
  },
  { what: '10,000 columns', file: `${'a,'.repeat(9_999)}a\n`, code: 'too_large', at: { line: 1, column: '257' } },
  {
    what: 'more bytes than allowed',
    file: `${header}\n${line}\n`,
    code: 'too_large',
    says: /20 bytes/,
    limits: { fileBytesMax: 20 },
  },
  { what: 'a header of nobody’s', file: 'alpha,beta,gamma\n1,2,3\n', code: 'unknown_format' },
  { what: 'rows without a header', file: `${line}\n${line}\n`, code: 'unknown_format' },
  { what: 'HTML', file: '<!doctype html>\n<html><body>Sign in</body></html>\n', code: 'unknown_format' },
  { what: 'JSON', file: '[{"date":"2024-01-02","type":"buy"}]\n', code: 'unknown_format' },
  { what: 'a header of only __proto__', file: '__proto__,constructor,toString\n1,2,3\n', code: 'unknown_format' },
];

describe('refused, and why', () => {
  for (const { what, file, code, says, at, limits } of refused) {
    test(what, async () => {
      const refusal = await readWhole(file, {}, limits).catch((error: unknown) => error);
      if (!(refusal instanceof Refusal)) throw refusal;
      expect(refusal.code).toBe(code as typeof refusal.code);
      if (says !== undefined) expect(refusal.detail).toMatch(says);
      if (at !== undefined) expect(refusal.more.errors?.[0]).toMatchObject(at);
    });

    test(`${what}: the same refusal in cut bytes`, async () => {
      const bytes = typeof file === 'string' ? bytesOf(file) : (file as Uint8Array);
      const halves = [bytes.subarray(0, 3), bytes.subarray(3, 4), bytes.subarray(4, 65_537), bytes.subarray(65_537)];
      const [whole, cut] = await Promise.all(
        [bytes, halves].map((source) => readWhole(source, {}, limits).catch((error: unknown) => error)),
      );
      expect(String(cut)).toBe(String(whole));
    });
  }
});

describe('read all the same', () => {
  test('a header and nothing under it', async () => {
    const { end, format } = await readWhole(`${header}\n`);
    expect({ format, rows: end.rows, drafts: end.drafts }).toEqual({ format: 'lotbook', rows: 0, drafts: 0 });
  });

  test('CR only', async () => {
    expect((await readWhole([header, line, line].join('\r'))).end.read).toBe(2);
  });

  test('line ends of every kind, mixed', async () => {
    expect((await readWhole(`${header}\r\n${line}\n${line}\r${line}\n\r${line}\r\r\n`)).end.read).toBe(4);
  });

  test('formulas stay text, and numbers that are formulas are rejected', async () => {
    const { drafts, outcomes } = await readWhole(
      `${header}\n${line}=HYPERLINK("x")\n2024-01-02,buy,Home,ACME,=1+1,10,\n`,
    );
    expect(drafts[0]?.note).toBe('=HYPERLINK("x")');
    expect(outcomes[1]).toMatchObject({ kind: 'rejected', issue: { line: 3, column: 'quantity', code: 'bad_number' } });
  });

  test('numbers in clothes that no bookkeeper wears are rejected', async () => {
    for (const amount of [
      '0x1F',
      'NaN',
      'Infinity',
      '1e9000000',
      '1_000',
      '1,23',
      '1.234,56',
      '--5',
      '5-',
      '1O0',
      '٣',
      '1 000.5.2',
      "1'000",
    ]) {
      const { outcomes } = await readWhole(`${header}\n2024-01-02,buy,Home,ACME,1,"${amount}",\n`);
      expect({ amount, kind: outcomes[0]?.kind }).toEqual({ amount, kind: 'rejected' });
    }
  });

  test('dates that no calendar has are rejected', async () => {
    for (const date of [
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '99/99/2026',
      '1899-12-31',
      '2101-01-01',
      '20240102',
      'yesterday',
      '2024-01-02T25:00:00Z',
      '2024-01-02T10:00:00+99:00',
    ]) {
      const { outcomes } = await readWhole(`${header}\n${date},buy,Home,ACME,1,10,\n`);
      expect({ date, outcome: outcomes[0] }).toMatchObject({
        date,
        outcome: { kind: 'rejected', issue: { column: 'date' } },
      });
    }
  });

  test('two columns of one name are read when they agree and rejected when they do not', async () => {
    const { outcomes } = await readWhole(`${header},amount\n${line},10\n${line},11\n`);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['read', 'rejected']);
    expect(outcomes[1]).toMatchObject({ issue: { line: 3, column: 'amount', code: 'ambiguous_column' } });
  });

  test('rows shorter than the header, and with more cells that say something', async () => {
    const { outcomes } = await readWhole(
      `${header}\n2024-01-02,buy,Home,ACME,1,10\n${line},,,\n${line},,,more,cells\n2024-01-02,buy\n`,
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['read', 'read', 'rejected', 'rejected']);
  });

  test('a thousand bad lines are a thousand rejected lines, each with its number', async () => {
    const { outcomes, end } = await readWhole(`${header}\n${'never,buy,Home,ACME,1,10,\n'.repeat(1000)}`);
    expect(end.rejected).toBe(1000);
    expect(outcomes.at(-1)?.lines).toEqual([1001]);
  });

  test('a stray quote spoils its own line only', async () => {
    const { outcomes } = await readWhole(`${header}\n2024-01-02,buy,"Ho"me,ACME,1,10,\n${line}\n`);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['rejected', 'read']);
    expect(outcomes[0]).toMatchObject({ issue: { column: 'account', code: 'malformed_cell' } });
  });
});
