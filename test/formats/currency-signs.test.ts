import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatMoney, type Money } from '../../src/base/decimal.ts';
import { formats } from '../../src/formats/index.ts';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { splitLoose } from '../../src/formats/rows/records.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole, type WholeReading } from './reading.ts';

/** A currency sign or code in a number cell is the currency of the row. */

const mapping: Mapping = {
  columns: { When: 'date', What: 'asset', Way: 'type', Units: 'quantity', Paid: 'amount', Cost: 'fee' },
};
const mapped = async (cell: string, fee = '', own: Partial<Mapping> = {}): Promise<string> => {
  const file = `When,What,Way,Units,Paid,Cost\n2025-03-03,VUSA,buy,4,"${cell}","${fee}"\n`;
  return outcomeLines(await readWhole(file, { mapping: { ...mapping, ...own } }), 'Imported').join();
};

describe('in a mapped file', () => {
  const readings: Readonly<Record<string, string>> = {
    '£299.04': 'GBP',
    '€299.04': 'EUR',
    '299.04 €': 'EUR',
    '¥299.04': 'JPY',
    'C$299.04': 'CAD',
    'CA$299.04': 'CAD',
    'A$299.04': 'AUD',
    'HK$299.04': 'HKD',
    'CHF 299.04': 'CHF',
    '299.04 CHF': 'CHF',
    'SFr. 299.04': 'CHF',
    '-£299.04': 'GBP',
    '£-299.04': 'GBP',
    '(£299.04)': 'GBP',
    '£ 299.04': 'GBP',
    '299.04 GBP': 'GBP',
    '299.04 zł': 'PLN',
    '$299.04 CAD': 'CAD',
  };
  for (const [cell, currency] of Object.entries(readings)) {
    test(`${cell} is ${currency}`, async () => {
      expect(await mapped(cell)).toBe(`2 2025-03-03 buy VUSA quantity=4 amount=299.04 currency=${currency}`);
    });
  }

  test('a bare number, $ and US$ are dollars', async () => {
    for (const cell of ['299.04', '$299.04', 'US$299.04', '299.04 USD', 'USD 299.04'])
      expect(await mapped(cell)).toBe('2 2025-03-03 buy VUSA quantity=4 amount=299.04');
  });

  test('an unknown currency, or more than one, rejects the cell', async () => {
    for (const cell of ['kr 299.04', '₿299.04', 'BTC 299.04', 'XYZ 299.04', '£299.04 EUR'])
      expect({ cell, line: await mapped(cell) }).toEqual({ cell, line: '2 REJECTED Paid: bad_currency' });
    for (const cell of ['299.04p', '299.04 quid', '☂299.04'])
      expect({ cell, line: await mapped(cell) }).toEqual({ cell, line: '2 REJECTED Paid: bad_number' });
    expect(await mapped('£299.04', '€1')).toBe('2 REJECTED Cost: fee_currency');
  });

  test('a constant or a column with another currency contradicts it', async () => {
    expect(await mapped('£299.04', '', { constants: { currency: 'EUR' } })).toBe('2 REJECTED Paid: bad_currency');
    expect(await mapped('$299.04', '', { constants: { currency: 'CAD' } })).toContain('currency=CAD');
    expect(await mapped('kr 299.04', '', { constants: { currency: 'SEK' } })).toContain('currency=SEK');
  });

  test('a sign in the header applies to the column', async () => {
    const line = async (header: string, currency = ''): Promise<string> => {
      const file = `When,What,Way,Units,${header},Ccy\n2025-03-03,VUSA,buy,4,299.04,${currency}\n`;
      const columns = { When: 'date', What: 'asset', Way: 'type', Units: 'quantity', [header]: 'amount' } as const;
      const read = await readWhole(file, {
        mapping: { columns: currency === '' ? columns : { ...columns, Ccy: 'currency' } },
      });
      return outcomeLines(read, 'Imported').join();
    };
    for (const header of ['Paid (£)', 'Paid GBP', 'GBP paid'])
      expect(await line(header)).toBe('2 2025-03-03 buy VUSA quantity=4 amount=299.04 currency=GBP');
    expect(await line('Paid')).toBe('2 2025-03-03 buy VUSA quantity=4 amount=299.04');
    expect(await line('Paid (USD)', 'EUR')).toBe('2 REJECTED Paid (USD): bad_currency');
    expect(await line('Paid ($)', 'CAD')).toContain('currency=CAD');
    expect(await line('Paid (pence)')).toBe('2 REJECTED Paid (pence): bad_currency');
    expect(await line('Paid', 'GBp')).toBe('2 REJECTED Ccy: bad_currency');
  });

  test('a pair contradicts the sign next to its price', async () => {
    const pair: Mapping = { columns: { When: 'date', Pair: 'pair', Way: 'type', Units: 'quantity', Price: 'price' } };
    const line = async (name: string, price: string): Promise<string> =>
      outcomeLines(
        await readWhole(`When,Pair,Way,Units,Price\n2025-03-03,${name},buy,4,${price}\n`, { mapping: pair }),
        'Imported',
      ).join();
    expect(await line('BTC-USD', '£10')).toBe('2 REJECTED Price: bad_currency');
    expect(await line('BTC-GBP', '£10')).toBe('2 2025-03-03 buy BTC quantity=4 amount=40.00 currency=GBP');
  });
});

test('the Lotbook CSV: the sign is the currency, and its column must not contradict it', async () => {
  const line = async (amount: string, currency: string): Promise<string> => {
    const file = `date,type,asset,quantity,amount,currency\n2025-03-03,buy,VUSA,4,${amount},${currency}\n`;
    return outcomeLines(await readWhole(file), 'Lotbook').join();
  };
  expect(await line('£299.04', '')).toBe('2 2025-03-03 buy VUSA quantity=4 amount=299.04 currency=GBP');
  expect(await line('£299.04', 'GBP')).toBe('2 2025-03-03 buy VUSA quantity=4 amount=299.04 currency=GBP');
  expect(await line('£299.04', 'USD')).toContain('REJECTED currency: bad_currency');
  expect(await line('$299.04', 'USD')).toBe('2 2025-03-03 buy VUSA quantity=4 amount=299.04');
});

test("Kraken's Z codes with a code of ISO 4217 are money", async () => {
  const file = [
    'txid,refid,time,type,subtype,aclass,asset,amount,fee,balance',
    'L1,R1,2024-01-02 10:00:00,trade,,currency,ZCHF,-900,0,0',
    'L2,R1,2024-01-02 10:00:00,trade,,currency,XXBT,0.02,0,0.02',
    'L3,R2,2024-01-03 10:00:00,deposit,,currency,ZSEK,500,0,500',
    'L4,R3,2024-01-04 10:00:00,deposit,,currency,ZETA,5,0,5',
  ].join('\n');
  expect(outcomeLines(await readWhole(file), 'Kraken')).toEqual([
    '2+3 2024-01-02T10:00:00Z buy BTC quantity=0.02 amount=900.00 currency=CHF id=R1',
    '5 2024-01-04T10:00:00Z deposit ZETA quantity=5 id=L4',
  ]);
});

/** For each format, tests that an amount with a pound sign in front is never read as dollars, in any column. */
describe('a pound sign in the fixture of', () => {
  for (const { id } of formats) {
    test(id, async () => {
      const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats', `${id}.csv`), 'utf8');
      const base = await readWhole(fixture, { format: id });
      const delimiter = base.outcomes.length === 0 ? ',' : delimiterOf(fixture);
      const rows = fixture.split(/\r?\n/).map((text) => splitLoose(text, delimiter).cells);
      const columns = Math.max(...rows.map(({ length }) => length));
      for (let column = 0; column < columns; column++) {
        const changed = (change: (cell: string) => string): string =>
          rows
            .map((cells) =>
              cells.map((cell, at) => quoted(at === column ? change(cell) : cell, delimiter)).join(delimiter),
            )
            .join('\n');
        const [pounds, other] = await Promise.all([
          reading(
            changed((cell) => (isAmount(cell) ? `£${cell.trim()}` : cell)),
            id,
          ),
          reading(
            changed((cell) => (isAmount(cell) ? cell.replace(/[1-9]/, (digit) => `${digit}7`) : cell)),
            id,
          ),
        ]);
        if (pounds === undefined || other === undefined) continue;
        expect({ column, silent: silentIn(base, pounds, other) }).toEqual({ column, silent: [] });
      }
    });
  }
});

async function reading(text: string, format: string): Promise<WholeReading | undefined> {
  return readWhole(text, { format }).catch(() => undefined);
}

/** Returns money whose currency depends on the column but that is still read as dollars with a pound sign in front. */
function silentIn(base: WholeReading, pounds: WholeReading, other: WholeReading): string[] {
  const [before, after, changed] = [base, pounds, other].map(moneyByLine);
  return [...(after ?? [])]
    .filter(([line, money]) => money !== '' && money === before?.get(line) && money !== changed?.get(line))
    .map(([line, money]) => `${line}: ${money}`);
}

/** Returns the dollars in each line. */
function moneyByLine({ outcomes }: WholeReading): Map<number, string> {
  const entries = outcomes.flatMap((outcome): [number, string][] =>
    outcome.kind === 'read'
      ? [
          [
            outcome.lines[0] ?? 0,
            outcome.drafts
              .filter(({ currency }) => currency === 'USD')
              .flatMap(({ amount, fee, fmv, basis }) => [amount, fee, fmv, basis])
              .map((value) => (value === null ? '' : formatMoney(value as Money)))
              .join(' ')
              .trim(),
          ],
        ]
      : [],
  );
  return new Map(entries);
}

function isAmount(cell: string): boolean {
  return /^\s*-?[\d,]*\d(?:\.\d+)?\s*$/.test(cell);
}

function delimiterOf(text: string): string {
  const header = text.split('\n').toSorted((a, b) => b.length - a.length)[0] ?? '';
  return [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0] ?? ',';
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
}
