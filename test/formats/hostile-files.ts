import { gzipSync } from 'node:zlib';
import type { RowLimits } from '../../src/formats/rows/rows.ts';

/** Files that are not accepted as CSV, with the expected error and its position. */

const header = 'date,type,account,asset,quantity,amount,note';
const line = '2024-01-02,buy,Home,ACME,1,10,';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Little-endian. */
const utf16 = (text: string): Uint8Array =>
  new Uint8Array(Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).buffer);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]));

export interface RefusedFile {
  readonly what: string;
  readonly file: string | Uint8Array;
  readonly code: string;
  readonly says?: RegExp;
  readonly at?: { readonly line: number; readonly column: string };
  readonly limits?: Partial<RowLimits>;
}

export const refusedFiles: readonly RefusedFile[] = [
  { what: 'nothing at all', file: '', code: 'empty_file' },
  { what: 'only a BOM', file: '\uFEFF', code: 'empty_file' },
  { what: 'only blank lines and delimiters', file: '\n\r\n , ,\n"",""\n\t\n', code: 'empty_file' },
  {
    what: 'a truncated gzip file',
    file: new Uint8Array(gzipSync(bytesOf(header)).subarray(0, 20)),
    code: 'not_csv',
    says: /gzip/,
  },
  {
    what: 'a truncated ZIP or Excel workbook',
    file: joined(bytesOf('PK\u0003\u0004'), new Uint8Array(30)),
    code: 'not_csv',
    says: /truncated/,
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
  {
    what: 'an empty ZIP archive',
    file: joined(bytesOf('PK\u0005\u0006'), new Uint8Array(18)),
    code: 'empty_file',
  },
  { what: 'a zstd archive', file: Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x04), code: 'not_csv', says: /zstd/ },
  { what: 'an xz archive', file: Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a), code: 'not_csv', says: /xz/ },
  { what: 'a 7z archive', file: Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27), code: 'not_csv', says: /7z/ },
  { what: 'a JPEG', file: Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), code: 'not_csv', says: /JPEG/ },
  { what: 'a program', file: joined(bytesOf('\u007fELF'), new Uint8Array(60)), code: 'not_csv', says: /NUL/ },
  {
    what: 'UTF-32',
    file: new Uint8Array(Uint32Array.from(`\ufeff${header}`, (one) => one.charCodeAt(0)).buffer),
    code: 'not_csv',
  },
  { what: 'only a BOM of UTF-16', file: Uint8Array.of(0xff, 0xfe), code: 'empty_file' },
  { what: 'a megabyte of blanks and line ends', file: ' \r\n, ,'.repeat(200_000), code: 'empty_file' },
  { what: 'one quote', file: '"', code: 'malformed_csv', at: { line: 1, column: '1' } },
  { what: '257 columns', file: `${'a,'.repeat(256)}a\n`, code: 'too_large', at: { line: 1, column: '257' } },
  {
    what: 'a row of 300 columns under a good header',
    file: `${header}\n${line}\n${'x,'.repeat(299)}x\n`,
    code: 'too_large',
    at: { line: 3, column: '257' },
  },
  {
    what: 'a header name of 70,000 characters',
    file: `date,type,${'n'.repeat(70_000)}\n${line}\n`,
    code: 'too_large',
    at: { line: 1, column: '3' },
  },
  {
    what: 'quoted line ends without end',
    file: `${header}\n${line}\n2024-01-02,buy,Home,ACME,1,10,"${'\n'.repeat(2_000_000)}`,
    code: 'too_large',
    says: /quote opened on line 3, column 7/,
    at: { line: 3, column: '7' },
  },
  { what: 'XML', file: '<?xml version="1.0"?>\n<rows><row date="2024-01-02"/></rows>\n', code: 'unknown_format' },
  { what: 'a header in another alphabet', file: 'дата,тип,актив\n2024-01-02,buy,X\n', code: 'unknown_format' },
  {
    what: 'a header and its rows in tabs and semicolons at once',
    file: 'date\ttype;asset\n1;2\t3\n',
    code: 'unknown_format',
  },
];
