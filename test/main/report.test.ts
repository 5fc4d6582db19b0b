import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOrder } from '../../src/commands/report.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { dataFolder, runCommand } from '../support/process.ts';

const folder = dataFolder();
afterAll(() => folder.remove());

const header = 'date,type,account,asset,quantity,amount,fee,id';
const bought = ['2024-01-02,buy,,AAPL,10,1000,1,b1', '2024-06-03,buy,,AAPL,10,1500,1,b2'];
const sold = ['2025-03-04,sell,,AAPL,4,600,1,s1'];

beforeAll(() => {
  write('all.csv', [...bought, ...sold]);
  write('bought.csv', bought);
  write('sold.csv', [...sold, ...bought.slice(1)]);
});

test('a report of one’s own files: the lines of Form 8949 on stdout, no database made', async () => {
  const { code, out, err } = await report('all.csv', '--year', '2025', '--format', 'csv');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.trim().split('\n')[1]).toBe('F,4 sh. AAPL,01/02/2024,03/04/2025,599.00,400.40,,0.00,198.60,long');
  expect(readdirSync(folder.path)).not.toContain('data');
});

test('the method changes the answer', async () => {
  const { out } = await report('all.csv', '--year=2025', '--format=csv', '--method=hifo');
  expect(out).toContain('06/03/2024,03/04/2025,599.00,600.40,,0.00,-1.40,short');
});

test('several files in any order are one history, a row that two of them tell counts once', async () => {
  const whole = await report('all.csv', '--year', '2025', '--format', 'csv');
  for (const files of [
    ['bought.csv', 'sold.csv'],
    ['sold.csv', 'bought.csv', 'all.csv'],
  ]) {
    expect((await report(...files, '--year', '2025', '--format', 'csv')).out).toBe(whole.out);
  }
});

test('--out replaces a file when the new one is whole, also through a link, and leaves no other', async () => {
  writeFileSync(join(folder.path, 'lines.csv'), 'old');
  symlinkSync('lines.csv', join(folder.path, 'link.csv'));
  const before = readdirSync(folder.path).sort();
  expect((await report('all.csv', '--year', '2025', '--format', 'csv', '--out', 'link.csv')).code).toBe(0);
  expect(readFileSync(join(folder.path, 'lines.csv'), 'utf8')).toContain('AAPL');
  expect(readdirSync(folder.path).sort()).toEqual(before);
});

test('--out /dev/null and a pipe are written to as they are', async () => {
  expect((await report('all.csv', '--year', '2025', '--out', '/dev/null')).code).toBe(0);
  const pipe = join(folder.path, 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
  const reader = Bun.spawn(['cat', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  expect((await report('all.csv', '--year', '2025', '--out', pipe)).code).toBe(0);
  expect(await new Response(reader.stdout).text()).toStartWith('%PDF-');
});

test('--out - is stdout, as FILE - is stdin', async () => {
  const before = readdirSync(folder.path).sort();
  const asked = ['all.csv', '--year', '2025', '--format', 'csv'];
  expect((await report(...asked, '--out', '-')).out).toEqual((await report(...asked)).out);
  expect(readdirSync(folder.path).sort()).toEqual(before);
});

test('what cannot be read or explained is said with file and line, and the rest is reported', async () => {
  write('odd.csv', ['2025-02-30,buy,,AAPL,1,1,0,x', '2025-03-05,sell,,MSFT,1,5,0,y']);
  const { code, out, err } = await report('odd.csv', '--year', '2025', '--format', 'csv');
  expect(code).toBe(0);
  expect(err).toContain('odd.csv line 2, date');
  expect(err).toContain('[odd.csv line 3]');
  expect(out).toContain('MSFT');
});

test.each([
  [['--year', '2025'], 'No file'],
  [['all.csv'], '--year'],
  [['all.csv', '--year', 'last'], '--year'],
  [['all.csv', '--year', '2025', '--method', 'BEST'], '--method'],
  [['all.csv', '--year', '2025', '--format', 'xls'], '--format'],
  [['all.csv', '--year', '2025', '--time-zone', 'Mars'], '--time-zone'],
  [['all.csv', '--year', '2025', '--sort', 'x'], '--sort'],
  [['all.csv', '--year', '2025', '--out'], '--out'],
  [['all.csv', '--year', '2025', '--year', '2024'], 'twice'],
])('%p is refused in words', (args, word) => {
  expect(() => readOrder(args)).toThrow(word);
});

test('a file that is not there, or is no export we know, is said in words', async () => {
  const missing = await report('nowhere.csv', '--year', '2025');
  expect(missing).toMatchObject({ code: 1, err: 'There is no file nowhere.csv.\n' });
  writeFileSync(join(folder.path, 'poem.csv'), 'roses,are,red\nviolets,are,blue\n');
  const unknown = await report('poem.csv', '--year', '2025');
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('poem.csv: ');
  expect(unknown.err).not.toContain('    at ');
});

test('every report format can be asked for', () => {
  for (const { id } of reportFormats) {
    expect(readOrder(['all.csv', '--year', '2025', '--format', id]).format.id).toBe(id);
  }
});

function write(name: string, rows: readonly string[]): void {
  writeFileSync(join(folder.path, name), `${[header, ...rows].join('\n')}\n`);
}

function report(...args: readonly string[]) {
  return runCommand(folder, ['report', ...args]);
}
