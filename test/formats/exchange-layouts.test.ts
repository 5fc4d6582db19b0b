import { describe, expect, test } from 'bun:test';
import type { Quantity } from '../../src/base/decimal.ts';
import { readFileLines } from './lines-of.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

describe('Hotbit', () => {
  test('headers of everyday words are tried if the request names the format', async () => {
    const pages = 'Date,Pair,Side,Price,Volume,Fee,Total\n2021-03-04 10:15:00,BTC/USDT,buy,50000,0.2,-10 USDT,10000\n';
    const fills = 'time,market,side,price,amount,deal,fee\n1609459200,BTCUSD,buy,30000,0.1,3000,3\n';
    const readLines = async (text: string): Promise<string[]> =>
      outcomeLines(await readWhole(text, { format: 'hotbit' }), 'Hotbit');
    expect(await readLines(pages)).toEqual([
      '2 2021-03-04T10:15:00Z trade USDT quantity=10010 received_asset=BTC received_quantity=0.2 fee_asset=USDT fee_quantity=10',
    ]);
    expect(await readLines(fills)).toEqual(['2 2021-01-01T00:00:00Z buy BTC quantity=0.1 amount=3000.00 fee=3.00']);
  });
});

test('Coinfloor: deposits and withdrawals, with bitcoin as XBT', async () => {
  const lines = [
    'Date & Time,Amount,Asset,Type',
    '2018-05-14 10:00:00,1.5000,XBT,Deposit',
    '2018-05-15 10:00:00,500.00,GBP,Withdrawal',
    '2018-05-16 10:00:00,0.5000,XBT,Withdrawal',
    '2018-05-17 10:00:00,0.5000,XBT,Adjustment',
  ];
  expect(await readFileLines('coinfloor', ...lines)).toEqual([
    '2 2018-05-14T10:00:00Z deposit BTC quantity=1.5',
    '4 2018-05-16T10:00:00Z withdrawal BTC quantity=0.5',
    '5 REJECTED Type: unknown_type',
  ]);
});

describe('Cryptopia', () => {
  test('a total that does not match the rate raises a warning', async () => {
    const reading = await readWhole(
      '#,Market,Type,Rate,Amount,Total,Fee,Timestamp\n6,LTC/USDT,Sell,100.0,1.0,101.0,0.2,18/02/2018 11:00:00\n',
    );
    expect(reading.drafts.map(({ receivedQuantity, warning }) => [receivedQuantity, warning])).toEqual([
      [(101n * 10n ** 18n) as Quantity, 'Check line 2: the total does not equal the amount times the rate.'],
    ]);
  });
});

describe('WhiteBIT', () => {
  test('deposits are read if the request names the format, without their fee', async () => {
    const text =
      'Id,Currency,Address,Hash,Amount,Fee,Status,Created At,Updated At\n1,ETH,a,h1,2,0.5,success,2023-01-05UTC10:00:00,\n';
    expect(outcomeLines(await readWhole(text, { format: 'whitebit' }), 'WhiteBIT')).toEqual([
      '2 2023-01-05T10:00:00Z deposit ETH quantity=1.5 id=h1',
    ]);
  });

  test('the filled quantity matches its price, and other values raise a warning', async () => {
    const header =
      'Id,Market,Type,Side,Trigger Market,Trigger Condition,Trigger Price,Amount,Price,Fee,Revenue,Completed,Total,Open,Close';
    const reading = await readWhole(
      [
        header,
        '1,BTC_USDT,limit,sell,,,,0.2,21000,2.1,2100,0.1,,2023-01-02UTC01:00:00,2023-01-02UTC02:00:00',
        '2,BTC_USDT,limit,sell,,,,0.2,21000,2.1,1900,0.1,2100,2023-01-03UTC01:00:00,2023-01-03UTC02:00:00',
        '3,BTC_USDT,market,sell,,,,0.1,20000,2.1,,0.1,2100,2023-01-04UTC01:00:00,2023-01-04UTC02:00:00',
        '4,BTC_USDT,market,buy,,,,0.1,,2.1,2100,100,,2023-01-05UTC01:00:00,2023-01-05UTC02:00:00',
      ].join('\n'),
    );
    expect(reading.drafts.map(({ warning }) => warning)).toEqual([
      undefined,
      'Check line 3: the two values of this order differ, and no fee explains it.',
      'Check line 4: the value of the order does not equal price times units.',
    ]);
    expect(outcomeLines(reading, 'WhiteBIT')).toEqual([
      '2 2023-01-02T02:00:00Z trade BTC quantity=0.1 received_asset=USDT received_quantity=2100 fee_asset=USDT fee_quantity=2.1 id=1',
      '3 2023-01-03T02:00:00Z trade BTC quantity=0.1 received_asset=USDT received_quantity=2100 fee_asset=USDT fee_quantity=2.1 id=2',
      '4 2023-01-04T02:00:00Z trade BTC quantity=0.1 received_asset=USDT received_quantity=2100 fee_asset=USDT fee_quantity=2.1 id=3',
      '5 REJECTED Price: amounts_differ',
    ]);
  });
});
