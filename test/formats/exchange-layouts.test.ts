import { describe, expect, test } from 'bun:test';
import type { Quantity } from '../../src/base/decimal.ts';
import { readFileLines } from './lines-of.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/**
 * Layouts of exchanges, wallets and explorers other than the format's fixture. The expected contents of their rows were
 * checked manually.
 */
describe('Bybit', () => {
  test('the funding account: transfers within Bybit are not imported', async () => {
    expect(
      await readFileLines(
        'bybit',
        'Uid,Date & Time(UTC),Coin,QTY,Type,Account Balance,Description',
        '1,2026-01-04 10:00:00,EUR,100,Fiat,100,Deposit',
        '1,2026-01-05 10:00:00,BTC,0.5,Deposit,0.5,Deposit',
        '1,2026-01-06 10:00:00,BTC,-0.1,Withdraw,0.4,Withdrawal',
        '1,2026-01-07 10:00:00,BTC,-0.2,Transfer out,0.2,Transfer to Derivatives Account',
        '1,2026-01-08 10:00:00,USDT,0.25,Earn,0.25,Easy Earn | Flexible Interest Distribution',
        '1,2026-01-09 10:00:00,BTC,0.001,Fiat,0.201,Buy Crypto with Card',
        '1,2026-01-10 10:00:00,BTC,0.1,Withdraw,0.301,Withdrawal',
      ),
    ).toEqual([
      '3 2026-01-05T10:00:00Z deposit BTC quantity=0.5',
      '4 2026-01-06T10:00:00Z withdrawal BTC quantity=0.1',
      '6 2026-01-08T10:00:00Z interest USDT quantity=0.25',
      '7 REJECTED Type: unknown_type',
      '8 REJECTED QTY: negative',
    ]);
  });

  test('the funding account until 2022', async () => {
    expect(
      await readFileLines(
        'bybit',
        'Type,Coin,Amount,Wallet Balance,Time(UTC)',
        'userDeposit,ETH,3,3,2022-03-14 10:00:00',
        'internalAccountTransferWithdrawal,ETH,-1,2,2022-03-15 10:00:00',
        'Withdraw,ETH,-1,1,2022-03-16 10:00:00',
      ),
    ).toEqual(['2 2022-03-14T10:00:00Z deposit ETH quantity=3', '4 2022-03-16T10:00:00Z withdrawal ETH quantity=1']);
  });

  test('a log without trade numbers: rows with the same time, pair, side and price are one trade', async () => {
    expect(
      await readFileLines(
        'bybit',
        'Uid,Currency,Contract,Type,Direction,Quantity,Position,Filled Price,Funding,Fee Paid,Cash Flow,Change,Wallet Balance,Action,Time(UTC)',
        '1,USDC,BTCUSDC,TRADE,SELL,420,0,42000,0,-0.42,420,419.58,420,--,2026-01-10 10:00:00',
        '1,BTC,BTCUSDC,TRADE,SELL,-0.01,0,42000,0,0,-0.01,-0.01,0,--,2026-01-10 10:00:00',
        '1,BTC,BTCUSDC,TRADE,SELL,-0.01,0,42100,0,0.5,-0.01,-0.01,0,--,2026-01-10 10:00:00',
      ),
    ).toEqual([
      '2+3 2026-01-10T10:00:00Z trade BTC quantity=0.01 received_asset=USDC received_quantity=420 fee_asset=USDC fee_quantity=0.42',
      '4 REJECTED Fee Paid: negative',
    ]);
  });

  test('positions in the log of derivatives raise a question', async () => {
    expect(
      await readFileLines(
        'bybit',
        'Time,Currency,Contract,Type,Direction,Quantity,Position,Filled Price,Funding,Fee Paid,Cash Flow,Change,Wallet Balance,Fee Rate,Trade ID,Order ID',
        '2022-01-10 10:00:00,USDT,BTCUSDT,trade,Open Long,0.1,0.1,42000,0,2.1,0,-2.1,98,0.0005,t1,o1',
        '2022-01-09 10:00:00,USDT,,transferIn,--,0,0,0,0,0,100,100,100,0,,',
      ),
    ).toEqual(['2 REJECTED Type: unknown_type']);
  });
});

describe('Bitpanda', () => {
  test('until 2020, in several tables', async () => {
    expect(
      await readFileLines(
        'bitpanda',
        'ID,Type,In/Out,Amount Fiat,Fee,Fiat,Amount Asset,Asset,Status,Created at',
        'b1,deposit,incoming,100.00,0.00,EUR,0.00000000,,finished,2019-03-04T10:00:00+01:00',
        'b2,buy,outgoing,100.00,0.00,EUR,0.50000000,ETH,finished,2019-03-05T10:00:00+01:00',
        'b3,buy,outgoing,100.00,0.00,EUR,0.50000000,ETH,canceled,2019-03-05T10:00:00+01:00',
        'ID,Type,In/Out,Amount Fiat,Fee,Fiat,Amount Asset,Asset,Status,Created at',
        'b4,withdrawal,outgoing,0.00,0.00200000,EUR,0.20000000,ETH,finished,2019-03-06T10:00:00+01:00',
        'b5,sell,incoming,40.00,1.00,EUR,0.20000000,ETH,finished,2019-03-07T10:00:00+01:00',
      ),
    ).toEqual([
      '3 2019-03-05T09:00:00Z buy ETH quantity=0.5 amount=100.00 currency=EUR asset_class=crypto id=b2',
      '6 2019-03-06T09:00:00Z withdrawal ETH quantity=0.2 fee_asset=ETH fee_quantity=0.002 asset_class=crypto id=b4',
      '7 REJECTED Fee: unclear_fee',
    ]);
  });
});

test('LBank: deposits, including a withdrawal among them', async () => {
  expect(
    await readFileLines(
      'lbank',
      'ID,Time,Token,Initial Quantity,Latest Quantity,Quantity,Type,Details,Remarks',
      '1,2022-05-14 10:00:00UTC0,BTC,0,0.1,0.1btc,Deposit,,',
      '2,2022-05-15 10:00:00UTC0,ETH,3,2.5,-0.5,Withdrawal,,',
      '3,2022-05-16 10:00:00UTC0,ETH,3,2.5,-0.5,Deposit,,',
      '4,2022-05-17 10:00:00UTC0,ETH,3,4,1eth,Activity,,',
    ),
  ).toEqual([
    '2 2022-05-14T10:00:00Z deposit BTC quantity=0.1 id=1',
    '3 2022-05-15T10:00:00Z withdrawal ETH quantity=0.5 id=2',
    '4 REJECTED Quantity: negative',
    '5 REJECTED Type: unknown_type',
  ]);
});

describe('Hotbit', () => {
  test('copied from its pages: units in the cells, and makers receive a payment', async () => {
    expect(
      await readFileLines(
        'hotbit',
        'Date,Pair,Type,Price,Amount,Fee,Total,Export',
        '2022-01-03 01:02:03,LTC/USD,BUY,150 USD,4 LTC,-0.60 USD,600 USD,x',
        '2022-01-04 01:02:03,ETH/USDT,SELL,3000 USDT,1 ETH,+1.5 USDT,3000 USDT,x',
        '2022-01-05 01:02:03,ETH/USDT,SELL,3000 USDT,1 ETH,+1.5 HTB,3000 USDT,x',
      ),
    ).toEqual([
      '2 2022-01-03T01:02:03Z buy LTC quantity=4 amount=600.00 fee=0.60',
      '3 2022-01-04T01:02:03Z trade ETH quantity=1 received_asset=USDT received_quantity=3001.5',
      '4 REJECTED Fee: unknown_pair',
    ]);
  });

  test('from its files: makers receive a payment, and payments are reduced', async () => {
    expect(
      await readFileLines(
        'hotbit',
        'time,user_id,market,side,role,price,amount,deal,fee,platform,stock,deal_stock',
        '2021-03-05_10:15:00,7,ETHBTC,sell,maker,0.03,10,0.3,-0.00015,,ETH,BTC',
        '2021-03-06_10:15:00,7,BTCUSDT,buy,maker,50000,0.1,5000,-2.5,,BTC,USDT',
      ),
    ).toEqual([
      '2 2021-03-05T10:15:00Z trade ETH quantity=10 received_asset=BTC received_quantity=0.30015',
      '3 2021-03-06T10:15:00Z trade USDT quantity=4997.5 received_asset=BTC received_quantity=0.1',
    ]);
  });

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

describe('BloFin', () => {
  test('spot orders until 2024: an average price and no value', async () => {
    expect(
      await readFileLines(
        'blofin',
        'Underlying Asset,Order Time,Side,Avg Fill,Price,Filled,Total,Fee,Order Options,Status',
        'ETH-USDT,01/13/2024 11:00:00,Buy,2500 USDT,2500 USDT,2 ETH,2 ETH,0.002 ETH,,Filled',
        'ETH-USDT,01/14/2024 11:00:00,Sell,2600 USDT,2600 USDT,1 ETH,3 ETH,2.6 USDT,,Canceled',
        'ETH-USDT,01/15/2024 11:00:00,Sell,--,2600 USDT,--,3 ETH,--,,Canceled',
        'ETH-USDT,01/16/2024 11:00:00,Sell,2600 USDC,2600 USDC,1 ETH,1 ETH,2.6 USDC,,Filled',
      ),
    ).toEqual([
      '2 2024-01-13T11:00:00Z trade USDT quantity=5000 received_asset=ETH received_quantity=2 fee_asset=ETH fee_quantity=0.002',
      '3 2024-01-14T11:00:00Z trade ETH quantity=1 received_asset=USDT received_quantity=2600 fee_asset=USDT fee_quantity=2.6',
      '5 REJECTED Avg Fill: unknown_pair',
    ]);
  });

  test('deposits and withdrawals', async () => {
    expect(
      await readFileLines(
        'blofin',
        'Asset,amount,chain_name,txid,Time,State',
        'USDT,300,TRX,h1,2024-02-01 10:00:00,completed',
        'USDT,300,TRX,h2,2024-02-02 10:00:00,pending',
      ),
    ).toEqual(['2 2024-02-01T10:00:00Z deposit USDT quantity=300 id=h1']);
    expect(
      await readFileLines(
        'blofin',
        'Asset,amount,chain_name,txid,Address,Tag,Time,State',
        'SOL,3,SOL,h3,a,,2024-02-03 10:00:00,success',
      ),
    ).toEqual(['2 2024-02-03T10:00:00Z withdrawal SOL quantity=3 id=h3']);
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

describe('TradeSatoshi', () => {
  test('withdrawals: the amount includes the stated fee', async () => {
    expect(
      await readFileLines(
        'tradesatoshi',
        'Id,User,Symbol,Amount,Fee,Net Amount,Status,Confirmations,TxId,Address,TimeStamp',
        '1,me,LTC,5,0.01,4.99,Complete,10,h1,a,1/20/2018 10:00:00 AM',
      ),
    ).toEqual(['2 2018-01-20T10:00:00Z withdrawal LTC quantity=4.99 fee_asset=LTC fee_quantity=0.01 id=h1']);
    expect(
      await readFileLines(
        'tradesatoshi',
        'TimeStamp,Currency,Symbol,Amount,Confirmation,TxId,Address,PaymentId,Status',
        '1/21/2018 10:00:00 AM,Litecoin,LTC,5,10,h2,a,,Complete',
      ),
    ).toEqual(['2 2018-01-21T10:00:00Z withdrawal LTC quantity=5 id=h2']);
  });

  test('deposits of both kinds, and trades by their other name', async () => {
    expect(
      await readFileLines(
        'tradesatoshi',
        'TimeStamp,Currency,Symbol,Amount,Confirmation,TxId',
        '1/22/2018 10:00:00 AM,Dogecoin,DOGE,500,10,h3',
      ),
    ).toEqual(['2 2018-01-22T10:00:00Z deposit DOGE quantity=500 id=h3']);
    expect(
      await readFileLines(
        'tradesatoshi',
        'Id,Currency,Symbol,Amount,Status,Confirmations,TxId,TimeStamp',
        '1,Dogecoin,DOGE,400,Confirmed,10,h4,1/23/2018 10:00:00 AM',
        '2,Dogecoin,DOGE,400,Unconfirmed,1,h5,1/23/2018 10:00:00 AM',
      ),
    ).toEqual(['2 2018-01-23T10:00:00Z deposit DOGE quantity=400 id=h4']);
    expect(
      await readFileLines(
        'tradesatoshi',
        'Id,TradePair,TradeHistoryType,Amount,Rate,Fee,TimeStamp,IsApi',
        '9,LTC/BTC,Sell,1,0.01,0.00002,1/24/2018 10:00:00 AM,False',
      ),
    ).toEqual([
      '2 2018-01-24T10:00:00Z trade LTC quantity=1 received_asset=BTC received_quantity=0.01 fee_asset=BTC fee_quantity=0.00002 id=9',
    ]);
  });
});

describe('Cryptopia', () => {
  test('deposits, and withdrawals whose amount includes the fee', async () => {
    expect(
      await readFileLines(
        'cryptopia',
        '#,Currency,Amount,Status,Type,Transaction,Conf.,Timestamp',
        '1,DOGE,5000,Confirmed,Deposit,h1,20,14/01/2018 10:00:00',
      ),
    ).toEqual(['2 2018-01-14T10:00:00Z deposit DOGE quantity=5000 id=h1']);
    expect(
      await readFileLines(
        'cryptopia',
        '#,Currency,Amount,Fee,Status,TransactionId,Address,Timestamp',
        '1,DOGE,1000,2,Complete,h2,a,15/01/2018 10:00:00',
      ),
    ).toEqual(['2 2018-01-15T10:00:00Z withdrawal DOGE quantity=998 fee_asset=DOGE fee_quantity=2 id=h2']);
  });

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
  test('withdrawals include their fee', async () => {
    expect(
      await readFileLines(
        'whitebit',
        'Id,Currency,Address,Hash,Requested Amount,Requested Fee,Processed Amount,Processed Fee,Status,Created At,Updated At',
        '1,USDT,a,h1,100,1,100,1,success,2023-01-05UTC10:00:00,2023-01-05UTC10:05:00',
        '2,USDT,a,h2,100,1,0,0,canceled,2023-01-06UTC10:00:00,2023-01-06UTC10:05:00',
        '3,USDT,a,h3,100,1,100,1,success,1672531200,1672531300',
      ),
    ).toEqual([
      '2 2023-01-05T10:00:00Z withdrawal USDT quantity=99 fee_asset=USDT fee_quantity=1 id=h1',
      '4 2023-01-01T00:00:00Z withdrawal USDT quantity=99 fee_asset=USDT fee_quantity=1 id=h3',
    ]);
  });

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
