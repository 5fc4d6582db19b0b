import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatById } from '../../src/formats/index.ts';
import { nameColumns, toSecurityName } from '../../src/formats/security-names.ts';
import { readWhole } from './reading.ts';

const fixture = (format: string): string =>
  readFileSync(join(import.meta.dir, '../fixtures/formats', `${format}.csv`), 'utf8');

async function readNames(file: string, format?: string): Promise<string[]> {
  const { end } = await readWhole(file, format === undefined ? {} : { format });
  return end.names.map(({ asset, name }) => `${asset}=${name}`).sort();
}

/** The names in each fixture. Dividends, corporate actions, options and cash give no name. */
const namesOf: Readonly<Record<string, readonly string[]>> = {
  chase: ['ACME=ACME CORP', 'GRID=GRID CO'],
  degiro: ['IE0000000300=GRID FUND', 'US0000000200=ACME COMPANY'],
  directa: ['AV=ANTICA', 'GRID=GRID FUND'],
  etrade: ['ACME=ACME CORP', 'GRID=GRID CO', 'INDX=INDEX FUND'],
  fidelity: ['123456AB7=STATE WATER BONDS', 'ACME=ACME CORP', 'BNDX=BOND INDEX FUND'],
  'fidelity-realized': ['ACME=ACME INC', 'GRID=GRID CO'],
  finpension: ['CH0000000013=CSIF Bond', 'CH0000000014=CSIF Equity'],
  firstrade: ['ACME=ACME CORP COMMON', 'GRID=GRID CO'],
  'interactive-investor': ['ACME=Acme Inc', 'VUSA=Vanguard S&P 500'],
  merrill: ['ACME=ACME CORP', 'GRID=GRID CO'],
  robinhood: ['ACME=Acme Corp'],
  saxo: ['ACME=Acme Inc.', 'GRID=Grid Fund'],
  schwab: ['ACME=ACME CORP', 'DOWN=DOWN INC', 'FUNDX=INDEX FUND X', 'GONE=GONE CORP'],
  'schwab-realized': ['ACME=ACME CORP', 'GRID=GRID CO', 'INDX=INDEX FUND'],
  sharesight: ['ACME=ACME Inc', 'FUND1=Fund #1', 'GRID=GRID Inc'],
  'sharesight-income': ['ACME=Acme Fund', 'GRID=Grid plc', 'TOOL=Tool AG', 'WIDE=Wide Ltd', 'WIDG=Widget Inc'],
  swissquote: ['ACME=ACME INC', 'GRID=GRID FUND'],
  trading212: ['ACME=Acme Corp'],
  'uk-101': ['ACME=Acme Inc.'],
  vanguard: ['OTFX=OTHER FUND', 'TMFX=TOTAL MARKET FUND'],
  wealthfolio: ['ACME=Acme Inc.'],
  webull: ['ACME=Acme Corp'],
};

test.each(Object.entries(namesOf))('%s: reads the names of securities', async (format, names) => {
  expect(await readNames(fixture(format))).toEqual([...names]);
});

test('formats whose descriptions are texts give no names', async () => {
  for (const format of ['tastytrade', 'tdameritrade', 'hargreaves-lansdown', 'coinlist', 'cryptocom', 'form-1099'])
    expect(await readNames(fixture(format))).toEqual([]);
});

test('every format with a name column exists', () => {
  for (const format of Object.keys(nameColumns)) expect(formatById(format)?.id).toBe(format);
});

test('Interactive Brokers lists all symbols of a security in a section of its own', async () => {
  const section = [
    'Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,Multiplier',
    'Financial Instrument Information,Data,Stocks,"ACME, ACMEOLD",ACME CORP,1,US0000000200,1',
    'Financial Instrument Information,Data,Equity and Index Options,ACME 21JUN24 20 C,ACME 21JUN24 20 C,2,,100',
    '',
  ];
  const file = `${fixture('ibkr-activity').trimEnd()}\n${section.join('\n')}`;
  expect(await readNames(file)).toEqual(['ACME=ACME CORP', 'ACMEOLD=ACME CORP']);
});

test('the name in the newest row counts, whatever the order of the file', async () => {
  const header = 'Name,Symbol,Side,Status,Filled,Total Qty,Price,Avg Price,Time-in-Force,Placed Time,Filled Time';
  const row = (name: string, day: string): string =>
    `${name},ACME,Buy,Filled,1,1,30.00,30.00,DAY,${day} 09:30:00 EDT,${day} 09:30:05 EDT`;
  const rows = [row('Old Name Inc', '03/10/2025'), row('New Name Inc', '03/10/2026')];
  for (const lines of [rows, rows.toReversed()])
    expect(await readNames([header, ...lines, ''].join('\n'), 'webull')).toEqual(['ACME=New Name Inc']);
});

test('a cell gives a name only if it contains words', () => {
  expect(toSecurityName('Acme   Corp \nCUSIP: 000000000')).toBe('Acme Corp');
  expect(toSecurityName('TESLA INC UNSOLICITED')).toBe('TESLA INC');
  expect(toSecurityName('x'.repeat(500))).toHaveLength(120);
  for (const cell of ['', '--', 'No Description', 'N/A', '12.50', 'X']) expect(toSecurityName(cell)).toBe('');
});
