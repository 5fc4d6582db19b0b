import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readReportRequest } from '../../src/commands/report/report.ts';
import { reportFormats } from '../../src/forms/index.ts';
import { draws } from '../support/depth.ts';
import { dataFolder, runCommand } from '../support/process.ts';
import { runReport } from '../support/report-command.ts';
import { workbook, zip } from '../support/workbook.ts';

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

test('a report prints the lines of Form 8949 to stdout, and creates no database', async () => {
  const { code, out, err } = await startReport(
    ...['all.csv', '--year', '2025', '--format', 'csv', '--form', 'Lotbook=none'],
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out.trim().split('\n')[1]).toBe('F,4 sh. AAPL,01/02/2024,03/04/2025,599.00,400.40,,0.00,198.60,long');
  expect(readdirSync(folder.path)).not.toContain('data');
});

test('--form with an account that no file contains is refused, and lists the known accounts', async () => {
  const { code, err } = await report('all.csv', '--year', '2025', '--format', 'csv', '--form', 'Scwab=1099-B');
  expect([code, err.includes('--form names Scwab, but the files have the accounts ')]).toEqual([1, true]);
});

test('the method changes the result', async () => {
  const { out } = await report('all.csv', '--year=2025', '--format=csv', '--method=hifo');
  expect(out).toContain('06/03/2024,03/04/2025,599.00,600.40,,0.00,-1.40,short');
});

test('several files in any order form one history, and a row in two of them counts once', async () => {
  const whole = await report('all.csv', '--year', '2025', '--format', 'csv');
  for (const files of [
    ['bought.csv', 'sold.csv'],
    ['sold.csv', 'bought.csv', 'all.csv'],
  ]) {
    expect((await report(...files, '--year', '2025', '--format', 'csv')).out).toBe(whole.out);
  }
});

test('tables in a ZIP and in a workbook are read like files, and named in messages', async () => {
  const cells = [header, ...sold].map((line) => line.split(','));
  const book = await workbook([{ name: 'Sold', rows: cells }]);
  const both = await zip({ 'bought.csv': `${[header, ...bought].join('\n')}\n`, 'book.xlsx': book });
  writeFileSync(join(folder.path, 'both.zip'), both);
  const whole = await report('all.csv', '--year', '2025', '--format', 'csv');
  expect((await report('both.zip', '--year', '2025', '--format', 'csv')).out).toBe(whole.out);
  writeFileSync(join(folder.path, 'bad.zip'), await zip({ 'bad.csv': `${header}\n2024-13-01,buy,,AAPL,1,1,0,\n` }));
  const { err } = await report('bad.zip', '--year', '2025', '--format', 'csv');
  expect(err).toContain('bad.zip/bad.csv');
});

test('--out replaces a file, also through a link, only once the new one is complete, and leaves no other file', async () => {
  writeFileSync(join(folder.path, 'lines.csv'), 'old');
  symlinkSync('lines.csv', join(folder.path, 'link.csv'));
  const before = readdirSync(folder.path).sort();
  expect((await report('all.csv', '--year', '2025', '--format', 'csv', '--out', 'link.csv')).code).toBe(0);
  expect(readFileSync(join(folder.path, 'lines.csv'), 'utf8')).toContain('AAPL');
  expect(readdirSync(folder.path).sort()).toEqual(before);
});

test('--out writes directly to /dev/null and to a pipe', async () => {
  expect((await startReport('all.csv', '--year', '2025', '--out', '/dev/null')).code).toBe(0);
  const pipe = join(folder.path, 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
  const reader = Bun.spawn(['cat', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  expect((await startReport('all.csv', '--year', '2025', '--format', '8949', '--out', pipe)).code).toBe(0);
  expect(await new Response(reader.stdout).text()).toStartWith('%PDF-');
});

test('a pipe that is full for a while receives each line once', async () => {
  const rows = Array.from(
    { length: 20_000 },
    (_, at) => `2025-03-04,${at % 2 === 0 ? 'buy' : 'sell'},,KO,1,60,0,k${at}`,
  );
  write('many.csv', rows);
  const asked = ['many.csv', '--year', '2025', '--format', 'csv'];
  expect((await startReport(...asked, '--out', 'many-lines.csv')).code).toBe(0);
  const program = `"${process.execPath}" "${join(import.meta.dir, '..', '..', 'src', 'main.ts')}" report ${asked.join(' ')}`;
  const whole = readFileSync(join(folder.path, 'many-lines.csv'), 'utf8');
  // Whether the pipe is full at that moment is up to chance.
  for (let round = 0; round < draws(2, 5); round++) {
    const shell = Bun.spawn(['sh', '-c', `${program} | cat`], { cwd: folder.path, stdout: 'pipe' });
    expect((await new Response(shell.stdout).text()) === whole).toBe(true);
  }
});

test('reads every table of a ZIP from stdin, and a CSV from stdin', async () => {
  write('all.csv', [...bought, ...sold]);
  const options = ['--year', '2025', '--format', 'csv'];
  const { out } = await startReport('all.csv', ...options);
  const tables = {
    'bought.csv': `${[header, ...bought].join('\n')}\n`,
    'sold.csv': `${[header, ...sold].join('\n')}\n`,
  };
  for (const bytes of [
    await zip(tables),
    new TextEncoder().encode(readFileSync(join(folder.path, 'all.csv'), 'utf8')),
  ]) {
    writeFileSync(join(folder.path, 'sent'), bytes);
    const program = `"${process.execPath}" "${join(import.meta.dir, '..', '..', 'src', 'main.ts')}"`;
    const shell = Bun.spawn(['sh', '-c', `cat sent | ${program} report - ${options.join(' ')}`], {
      cwd: folder.path,
      stdout: 'pipe',
    });
    expect(await new Response(shell.stdout).text()).toBe(out);
  }
});

test('--out - writes to stdout, and FILE - reads from stdin', async () => {
  const before = readdirSync(folder.path).sort();
  const asked = ['all.csv', '--year', '2025', '--format', 'csv'];
  expect((await startReport(...asked, '--out', '-')).out).toEqual((await startReport(...asked)).out);
  expect(readdirSync(folder.path).sort()).toEqual(before);
});

test('unreadable and unexplained rows are reported with file and line, and the report includes the remaining rows', async () => {
  write('odd.csv', ['2025-02-30,buy,,AAPL,1,1,0,x', '2025-03-05,sell,,MSFT,1,5,0,y']);
  const { code, out, err } = await report('odd.csv', '--year', '2025', '--format', 'csv');
  expect(code).toBe(0);
  expect(err).toContain('odd.csv line 2, date');
  expect(err).toContain('[odd.csv line 3]');
  expect(out).toContain('MSFT');
});

test.each([
  [['--year', '2025'], 'Name at least one file'],
  [['all.csv'], '--year'],
  [['all.csv', '--year', 'last'], '--year'],
  [['all.csv', '--year', '2025', '--method', 'BEST'], '--method'],
  [['all.csv', '--year', '2025', '--format', 'xls'], '--format'],
  [['all.csv', '--year', '2025', '--time-zone', 'Mars'], '--time-zone'],
  [['all.csv', '--year', '2025', '--sort', 'x'], '--sort'],
  [['all.csv', '--year', '2025', '--out'], '--out'],
  [['all.csv', '--year', '2025', '--out', 'lines.xls'], 'No report format has the extension .xls of --out lines.xls.'],
  [['all.csv', '--year', '2025', '--year', '2024'], 'twice'],
])('%p is refused with a message', (args, word) => {
  expect(() => readReportRequest(args)).toThrow(word);
});

test('the command mentions UTC once if rows have times and no zone is set', async () => {
  write('timed.csv', ['2025-03-04T02:00:00Z,buy,,AAPL,1,1,0,x', '2025-03-05T02:00:00Z,buy,,AAPL,1,1,0,y']);
  const sentence = 'Times are converted to dates in UTC.';
  const count = async (...options: string[]) =>
    (await report('timed.csv', '--year', '2025', '--format', 'csv', ...options)).err.split(sentence).length - 1;
  expect(await count()).toBe(1);
  expect(await count('--time-zone', 'UTC')).toBe(0);
  expect(await count('--time-zone', 'America/New_York')).toBe(0);
});

test('a missing file and an unknown export are refused with a message', async () => {
  const missing = await startReport('nowhere.csv', '--year', '2025');
  expect(missing).toMatchObject({ code: 1, err: 'There is no file nowhere.csv.\n' });
  writeFileSync(join(folder.path, 'poem.csv'), 'roses,are,red\nviolets,are,blue\n');
  const unknown = await startReport('poem.csv', '--year', '2025');
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain('poem.csv: ');
  expect(unknown.err).not.toContain('    at ');
});

test('settings can come from a file, and --method overrides it', async () => {
  writeFileSync(join(folder.path, 'hifo.json'), '{"method": "HIFO", "accounts": {"Lotbook": {"type": "taxable"}}}');
  const asked = ['all.csv', '--year', '2025', '--format', 'csv', '--settings', 'hifo.json'];
  expect((await report(...asked)).out).toContain('06/03/2024,03/04/2025');
  expect((await report(...asked, '--method', 'FIFO')).out).toContain('01/02/2024,03/04/2025');
});

test.each([
  ['{"method": "BEST"}', '/method'],
  ['{"methods": "HIFO"}', '/methods'],
  ['["HIFO"]', 'no settings'],
  ['{method: HIFO}', 'not valid JSON'],
])('settings %p are refused with a message in plain words', async (settings, word) => {
  writeFileSync(join(folder.path, 'wrong.json'), settings);
  const { code, out, err } = await report('all.csv', '--year', '2025', '--settings', 'wrong.json');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('wrong.json');
  expect(err).toContain(word);
  expect(err).not.toContain('    at ');
});

test('prices value rows in other currencies and rows without a value, and a rate may be from an earlier day', async () => {
  writeFileSync(
    join(folder.path, 'foreign.csv'),
    'date,type,account,asset,quantity,amount,fee,currency,asset_class\n' +
      '2025-01-06,buy,A,SAP,10,1000,,EUR,stock\n2025-03-08,sell,A,SAP,10,1100,,EUR,stock\n2025-03-09,staking,A,ETH,1,,,,\n',
  );
  const asked = ['foreign.csv', '--year', '2025', '--format', 'csv', '--form', 'A=none'];
  const unpriced = await report(...asked);
  expect(unpriced.err).toContain('foreign.csv line 2');
  writeFileSync(
    join(folder.path, 'prices.csv'),
    'date,asset,usd\n2025-01-06,EUR,1.05\n2025-03-07,EUR,1.1\n2025-03-09,ETH,2000\n2025-03-10,ETH,dear\n',
  );
  const { out, err } = await report(...asked, '--prices', 'prices.csv');
  expect(out).toContain('01/06/2025,03/08/2025,1210.00,1050.00,,0.00,160.00,short');
  expect(err).toBe(
    'prices.csv line 5, usd: the price must be a number like 1250.50, with at most 20 digits before the decimal point and 18 after it (left out)\n',
  );
});

test('a row in euros that reverses a row from another day is matched by its euros, for any rates', async () => {
  writeFileSync(
    join(folder.path, 'taken-back.csv'),
    'date,type,account,asset,quantity,amount,currency\n' +
      '2025-01-06,buy,A,SAP,10,1000,EUR\n2025-01-06,buy,A,SAP,4,500,EUR\n2025-01-07,buy,A,SAP,10,-1000,EUR\n' +
      '2025-03-10,sell,A,SAP,4,600,EUR\n',
  );
  writeFileSync(
    join(folder.path, 'rates.csv'),
    'date,asset,usd\n2025-01-06,EUR,1.05\n2025-01-07,EUR,1.1\n2025-03-10,EUR,1.2\n',
  );
  const asked = ['taken-back.csv', '--year', '2025', '--format', 'csv', '--prices', 'rates.csv', '--form', 'A=none'];
  const { out, err } = await report(...asked);
  expect(out).toContain('01/06/2025,03/10/2025,720.00,550.00,,0.00,170.00,short');
  expect(err).toBe('');
});

test('a stock on a foreign exchange uses the rates on its settlement dates, and a coin uses the rates on its own days', async () => {
  writeFileSync(
    join(folder.path, 'settled-later.csv'),
    'date,type,account,asset,quantity,amount,fee,currency,asset_class\n' +
      '2025-02-13,buy,Depot,ASML,20,2000,10,EUR,stock\n2025-02-13,buy,Wallet,ETH,1,2000,,EUR,crypto\n' +
      '2025-07-04,sell,Depot,ASML,20,2500,10,EUR,stock\n2025-07-04,sell,Wallet,ETH,1,2500,,EUR,crypto\n',
  );
  writeFileSync(
    join(folder.path, 'settled-later-rates.csv'),
    'date,asset,usd\n2025-02-13,EUR,1.03\n2025-02-17,EUR,1.05\n2025-07-04,EUR,1.2\n2025-07-08,EUR,1.1\n',
  );
  const { out, err } = await report(
    ...['settled-later.csv', '--year', '2025', '--format', 'csv', '--prices', 'settled-later-rates.csv'],
    ...['--form', 'Depot=none,Wallet=none'],
  );
  expect(err).toBe('');
  expect(out).toContain('02/13/2025,07/04/2025,2739.00,2110.50,,0.00,628.50,short');
  expect(out).toContain('02/13/2025,07/04/2025,3000.00,2060.00,,0.00,940.00,short');
});

test('a file from an unknown source is read with a mapping, and the command names missing parts', async () => {
  writeFileSync(
    join(folder.path, 'own.csv'),
    'When,What,Which,Units,Paid\n02/03/2025,Buy,X,1,10\n04/05/2025,Sell,X,1,12\n',
  );
  const mapping = {
    columns: { When: 'date', What: 'type', Which: 'asset', Units: 'quantity', Paid: 'amount' },
    types: { Buy: 'buy', Sell: 'sell' },
  };
  writeFileSync(join(folder.path, 'mapping.json'), JSON.stringify(mapping));
  const asked = ['own.csv', '--year', '2025', '--format', 'csv', '--mapping', 'mapping.json'];
  const unasked = await report(...asked);
  expect(unasked.code).toBe(1);
  expect(unasked.err).toContain('own.csv: ');
  expect((await report(...asked, '--date-order', 'dmy')).out).toContain('03/02/2025,05/04/2025,12.00,10.00');
});

test('prints the summary by default, also into a pipe', async () => {
  const { code, out, err } = await startReport('all.csv', '--year', '2025');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe(
    [
      'Tax year 2025, books as of 2025-03-04, FIFO',
      '',
      '            lines  proceeds    cost  adjustment    gain',
      'Short-term      0      0.00    0.00        0.00    0.00',
      'Long-term       1    599.00  400.40        0.00  198.60',
      'Total           1    599.00  400.40        0.00  198.60',
      'Box F           1    599.00  400.40        0.00  198.60',
      'AAPL            1    599.00  400.40        0.00  198.60',
      '',
      'No form is set for these accounts, so their boxes are assumed. Set each form, or "none" if none was issued:',
      "  Lotbook: box F, no form assumed. --form 'Lotbook=none'",
      '',
      'No open issues.',
      '',
    ].join('\n'),
  );
});

test('the totals list each account whose form is assumed, and the option named there sets or confirms the form', async () => {
  writeFileSync(
    join(folder.path, 'two.csv'),
    'date,type,account,asset,quantity,amount,asset_class\n' +
      '2024-01-02,buy,Schwab,KO,1,50,stock\n2024-05-02,sell,Schwab,KO,1,60,stock\n' +
      "2024-01-02,buy,Ann's club,PEP,1,50,stock\n2024-05-02,sell,Ann's club,PEP,1,60,stock\n" +
      '2024-01-02,buy,My Roth IRA,MO,1,50,stock\n2024-05-02,sell,My Roth IRA,MO,1,60,stock\n',
  );
  const order = ['two.csv', '--year', '2024', '--format', 'summary'];
  const { out } = await report(...order);
  expect(out).toContain("  Schwab: box C, no form assumed. --form 'Schwab=1099-B' (suggested by its name)\n");
  expect(out).toContain("  Ann's club: box C, no form assumed. --form 'Ann'\\''s club=none'\n");
  expect(out).toContain(
    '  My Roth IRA: box C, no form assumed. Its name suggests that it may be tax-free. Set its type',
  );
  const stated = await report(...order, '--form', "Ann's club=none,Schwab=1099-b");
  expect(stated.out).toContain('Box A ');
  expect(stated.out).not.toContain('--form');
  const csv = await report('two.csv', '--year', '2024', '--format', 'csv', '--form', 'Schwab=1099-B');
  expect(csv.err).toContain("The boxes of Ann's club are assumed (C): no form is set.");
  expect(csv.err).not.toContain('The boxes of Schwab');
});

test.each(['Schwab', 'Schwab=1099', '=none', 'A=none,B'])('--form %s is refused with an example', async (form) => {
  const { code, out, err } = await report('all.csv', '--year', '2025', '--format', 'csv', '--form', form);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(
    "--form needs ACCOUNT=FORM, where FORM is 1099-B, 1099-DA or none, for example --form 'Schwab=1099-B,Ledger=none'.",
  );
});

test('--form does not determine whether an account is tax-free', async () => {
  const { code, err } = await report('all.csv', '--year', '2025', '--format', 'csv', '--form', 'My HSA=none');
  expect(code).toBe(1);
  expect(err).toContain('My HSA may be tax-free: set its type and form in the --settings file.');
});

test('unreadable lines are open issues, counted on stdout, and --strict turns them into an exit code', async () => {
  write('partly.csv', [...bought, ...sold, '2025-05-06,merged,,AAPL,6,30246.04,,m1', '2024-05-06,merge,,AAPL,6,1,,m2']);
  const asked = ['partly.csv', '--year', '2025', '--format', 'summary'];
  const { code, out } = await report(...asked);
  expect(code).toBe(0);
  expect(out).toContain('Open issues: 1. The figures are a draft until they are resolved.');
  expect(out).toContain('2 lines could not be read and were skipped.');
  expect((await startReport(...asked, '--strict')).code).toBe(3);
  const json = await report('partly.csv', '--year', '2025', '--format', 'json', '--out', 'partly.json', '--strict');
  expect({ code: json.code, out: json.out }).toMatchObject({ code: 3, out: expect.stringContaining('2 lines') });
  const { issues } = JSON.parse(readFileSync(join(folder.path, 'partly.json'), 'utf8'));
  expect(issues).toMatchObject([{ kind: 'rejected_line', dollars: '30246.04' }]);
  expect((await report('all.csv', '--year', '2025', '--format', 'summary', '--strict')).code).toBe(0);
});

test('a failure leaves the file at --out unchanged', async () => {
  writeFileSync(join(folder.path, 'kept.csv'), 'old');
  writeFileSync(join(folder.path, 'open.csv'), `${header}\n2025-01-02,buy,,"AAPL,10,1000,1,b1\n`);
  const { code, err } = await startReport('open.csv', '--year', '2025', '--format', 'csv', '--out', 'kept.csv');
  expect(code).toBe(1);
  expect(err).toContain('open.csv: A quote opened on line 2, column 4, is never closed.');
  expect(readFileSync(join(folder.path, 'kept.csv'), 'utf8')).toBe('old');
  expect(readdirSync(folder.path).filter((name) => name.includes('.tmp'))).toEqual([]);
});

test('the first of more than a thousand bad lines are reported one by one, and the remaining ones are counted', async () => {
  write('bad.csv', [...bought, ...Array.from({ length: 1_200 }, () => '2025-13-01,sell,,AAPL,1,1,,')]);
  const { code, err } = await report('bad.csv', '--year', '2024', '--format', 'csv');
  expect(code).toBe(0);
  // The thousand lines, the number of the remaining lines, and the note that the year is a draft.
  expect(err.trim().split('\n')).toHaveLength(1_002);
  expect(err).toContain('bad.csv: 200 more lines cannot be read (left out)');
});

test.each([
  [['--out', 'form.pdf'], '8949'],
  [['--out', 'gains.TXF'], 'txf'],
  [['--out', 'lines.csv'], 'csv'],
  [['--out', 'year.json'], 'json'],
  [['--out', 'year.txt'], 'summary'],
  [['--out', 'year.zip'], 'preparer'],
  [['--out', '/dev/null'], 'summary'],
  [['--out', '-'], 'summary'],
  [['--out', 'form.pdf', '--format', 'pdf'], 'pdf'],
])('--format, else the extension of --out, chooses the format: %p', (options, id) => {
  expect(readReportRequest(['all.csv', '--year', '2025', ...options]).format.id).toBe(id);
});

test('every report format can be selected', () => {
  for (const { id } of reportFormats) {
    expect(readReportRequest(['all.csv', '--year', '2025', '--format', id]).format.id).toBe(id);
  }
});

function write(name: string, rows: readonly string[]): void {
  writeFileSync(join(folder.path, name), `${[header, ...rows].join('\n')}\n`);
}

function report(...args: readonly string[]) {
  return runReport(folder, args);
}

function startReport(...args: readonly string[]) {
  return runCommand(folder, ['report', ...args]);
}

test('the choices for a download are options: totals, parts, and a message for choices that a format does not support', async () => {
  const chosen = (...more: string[]) => report('all.csv', '--year', '2025', ...more);
  const dollars = await chosen('--format', 'csv', '--whole-dollars', 'yes', '--column-b', 'trade');
  expect(dollars.out.trim().split('\n')[1]).toContain('599.00,400.00');
  expect((await chosen('--format', 'csv', '--exception2', 'yes')).out).toContain('see attached statement');
  expect((await chosen('--format', 'txf', '--lines-max', '1', '--part', '1')).out).toStartWith('V042');
  for (const wrong of [
    ['--format', 'json', '--merge', 'sale'],
    ['--format', 'txf', '--part', '2'],
    ['--merge', 'all'],
    ['--lines-max', '0'],
    ['--exception1', 'perhaps'],
  ]) {
    const { code, err } = await chosen(...wrong);
    expect([wrong, code]).toEqual([wrong, 1]);
    expect(err).toMatch(/^[^\n]+\n$/);
  }
});
