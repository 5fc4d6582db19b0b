import { describe, expect, test } from 'bun:test';
import { formatMoney, formatQuantity } from '../../src/base/decimal.ts';
import { Refusal } from '../../src/base/refusal.ts';
import { computeSourcePosition } from '../../src/formats/read.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

describe('detection', () => {
  test('an unknown header is refused with the nearest formats and their missing columns', async () => {
    const refusal = await readRefusal(
      'Report of Pat\n\nActivity Date,Instrument,Description,Code,Quantity,Price,Amount\n1,2,3,4,5,6,7\n',
    );
    expect(refusal.code).toBe('unknown_format');
    expect(refusal.more.errors?.[0]).toEqual({
      code: 'near_miss',
      line: 3,
      detail: 'Robinhood account activity (activity): line 3 has 6 of 7 headers; missing: "Trans Code"',
    });
  });

  test('a requested format that does not match is refused, and so is one that does not exist', async () => {
    const file = 'date,type,asset\n2024-01-02,split,X\n';
    expect((await readRefusal(file, 'schwab')).detail).toContain('does not match the requested format');
    expect((await readRefusal(file, 'nobody')).detail).toContain('lotbook');
  });

  test('the format with the most headers wins: Koinly’s template is not River’s', async () => {
    const river = 'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Tag\n';
    const koinly = river.replace('Tag', 'Net Worth Amount,Net Worth Currency,Label,Description,TxHash');
    expect((await readWhole(river)).format).toBe('river');
    expect((await readWhole(koinly)).format).toBe('koinly');
  });

  test('a header after a preamble of thirty lines is found', async () => {
    const preamble = Array.from({ length: 30 }, (_, index) => `"About this file, part ${index}"`).join('\n');
    const { end } = await readWhole(`${preamble}\ndate,type,asset,received_asset\n2024-01-02,rename,A,B\n`);
    expect({ rows: end.rows, read: end.read }).toEqual({ rows: 1, read: 1 });
  });

  test('an invalid time zone is refused', async () => {
    const refusal = await readWhole('date,type,asset\n', { timeZone: 'Mars/Olympus' }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'invalid' });
  });
});

describe('the position of a row', () => {
  const rows = ['2024-01-03,buy,C,1,1', '2024-01-02,buy,B,1,1', '2024-01-02,buy,A,1,1'];
  const header = 'date,type,asset,quantity,amount';

  test('a file with the newest rows first is counted from its end', async () => {
    const { drafts, end } = await readWhole([header, ...rows].join('\n'));
    expect(end.descending).toBe(true);
    expect(drafts.map((draft) => [draft.asset, computeSourcePosition(draft, end)])).toEqual([
      ['C', 3],
      ['B', 2],
      ['A', 1],
    ]);
  });

  test('a file with the oldest rows first, or with one day only, is counted from its beginning', async () => {
    for (const lines of [rows.toReversed(), rows.slice(1)]) {
      const { drafts, end } = await readWhole([header, ...lines].join('\n'));
      expect(end.descending).toBe(false);
      expect(drafts.map((draft) => computeSourcePosition(draft, end))).toEqual(drafts.map((_, index) => index + 2));
    }
  });
});

describe('Kraken', () => {
  const header = 'txid,refid,time,type,subtype,aclass,asset,amount,fee,balance';
  const readLines = async (...legs: readonly string[]): Promise<string[]> =>
    outcomeLines(await readWhole([header, ...legs].join('\n')), 'Kraken');

  test('a purchase whose fee is deducted from the coin', async () => {
    expect(
      await readLines(
        '1,R,2024-01-02 10:00:00,trade,,currency,ZUSD,-1000,0,0',
        '2,R,2024-01-02 10:00:00,trade,,currency,XXBT,0.02,0.00004,0',
      ),
    ).toEqual([
      '2+3 2024-01-02T10:00:00Z buy BTC quantity=0.02 amount=1000.00 fee=2.00 fee_asset=BTC fee_quantity=0.00004 id=R',
    ]);
  });

  test('a sale whose fee is paid in additional coins', async () => {
    expect(
      await readLines(
        '1,R,2024-01-02 10:00:00,trade,,currency,ZUSD,1000,0,0',
        '2,R,2024-01-02 10:00:00,trade,,currency,XXBT,-0.02,0.00004,0',
      ),
    ).toEqual([
      '2+3 2024-01-02T10:00:00Z sell BTC quantity=0.02 amount=1000.00 fee=2.00 fee_asset=BTC fee_quantity=0.00004 id=R',
    ]);
  });

  test('a trade of coins whose fee is withheld from the coins received', async () => {
    expect(
      await readLines(
        '1,R,2024-01-02 10:00:00,trade,,currency,XETH,-1,0,0',
        '2,R,2024-01-02 10:00:00,trade,,currency,XXBT,0.05,0.0001,0',
      ),
    ).toEqual([
      '2+3 2024-01-02T10:00:00Z trade ETH quantity=1 received_asset=BTC received_quantity=0.05 fee_asset=BTC fee_quantity=0.0001 id=R',
    ]);
  });

  test('the sides of two trades, interleaved and in any order', async () => {
    const legs = [
      '1,A,2024-01-02 10:00:00,trade,,currency,ZUSD,-10,0,0',
      '2,B,2024-01-02 10:00:00,trade,,currency,SOL,1,0,0',
      '3,A,2024-01-02 10:00:00,trade,,currency,DOT,2,0,0',
      '4,B,2024-01-02 10:00:00,trade,,currency,ZUSD,-100,0,0',
    ];
    expect(await readLines(...legs)).toEqual([
      '2+4 2024-01-02T10:00:00Z buy DOT quantity=2 amount=10.00 id=A',
      '3+5 2024-01-02T10:00:00Z buy SOL quantity=1 amount=100.00 id=B',
    ]);
  });

  test('twenty thousand unmatched halves are rejected one by one', async () => {
    const legs = Array.from(
      { length: 20_000 },
      (_, index) => `${index},R${index},2024-01-02 10:00:00,trade,,currency,SOL,1,0,0`,
    );
    const { end } = await readWhole([header, ...legs].join('\n'));
    expect(end.rejected).toBe(20_000);
  });

  test('a hundred thousand rows of one trade do not take quadratic time', async () => {
    const legs = Array.from(
      { length: 100_000 },
      (_, index) => `${index},R,2024-01-02 10:00:00,trade,,currency,SOL,1,0,0`,
    );
    const { end } = await readWhole([header, ...legs].join('\n'));
    expect(end.rejected).toBe(100_000);
  });
});

describe('shares delivered by an option', () => {
  const header = 'Date,Action,Symbol,Description,Quantity,Price,Fees & Comm,Amount';
  const assigned = '01/19/2024,Assigned,ACME 01/19/2024 40.00 P,PUT,1,,,';

  test('an assigned put and the purchase at the strike are one event', async () => {
    const { drafts } = await readWhole([header, '01/19/2024,Buy,ACME,ACME,100,40,,-4000', assigned].join('\n'));
    expect(drafts.map(({ type }) => type)).toEqual(['assign']);
    expect(
      [drafts[0]?.amount, drafts[0]?.shares].map((one, index) =>
        one === null || one === undefined ? '' : index === 0 ? formatMoney(one as never) : formatQuantity(one as never),
      ),
    ).toEqual(['4000.00', '100']);
  });

  test('a purchase at another price, on another day or with another quantity is separate', async () => {
    for (const bought of [
      '01/19/2024,Buy,ACME,ACME,100,41,,-4100',
      '01/18/2024,Buy,ACME,ACME,100,40,,-4000',
      '01/19/2024,Buy,ACME,ACME,50,40,,-2000',
    ]) {
      const { drafts } = await readWhole([header, assigned, bought].join('\n'));
      expect(drafts.map(({ type }) => type)).toEqual(['assign', 'buy']);
    }
  });

  test('two assignments use two deliveries', async () => {
    const bought = '01/19/2024,Buy,ACME,ACME,100,40,,-4000';
    const { drafts } = await readWhole([header, assigned, bought, assigned, bought, bought].join('\n'));
    expect(drafts.map(({ type }) => type)).toEqual(['assign', 'assign', 'buy']);
  });
});

async function readRefusal(file: string, format?: string): Promise<Refusal> {
  const refusal = await readWhole(file, format === undefined ? {} : { format }).catch((error: unknown) => error);
  if (!(refusal instanceof Refusal)) throw new Error('The file was read.');
  return refusal;
}
