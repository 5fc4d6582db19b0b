import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileLines } from './lines-of.ts';
import { readWhole } from './reading.ts';

describe('FTX', () => {
  test('deposits, withdrawals and income', async () => {
    expect(
      await readFileLines(
        'ftx',
        ' ,Time,Coin,Amount,Status,Additional info,Transaction ID',
        '1,2021-09-01T10:00:00+00:00,BTC,0.5,confirmed,{},d1',
        '2,2021-09-02T10:00:00+00:00,USD,500,complete,{},d2',
      ),
    ).toEqual(['2 2021-09-01T10:00:00Z deposit BTC quantity=0.5 id=d1']);
    expect(
      await readFileLines(
        'ftx',
        'time,coin,size,address,status,txid,fee,id',
        '2021-09-03T10:00:00+00:00,SOL,3,addr,complete,w1,0.01,9',
        '2021-09-04T10:00:00+00:00,SOL,3,addr,cancelled,w2,0.01,10',
      ),
    ).toEqual(['2 2021-09-03T10:00:00Z withdrawal SOL quantity=3 fee_asset=SOL fee_quantity=0.01 id=w1']);
    expect(
      await readFileLines(
        'ftx',
        'Time,Currency,Size,Hourly Funding Rate,Proceeds,Proceeds in USD',
        '2021-09-05T10:00:00+00:00,ETH,10,0.00001,0.0001,0.35',
      ),
    ).toEqual(['2 2021-09-05T10:00:00Z interest ETH quantity=0.0001 amount=0.35']);
    expect(await readFileLines('ftx', 'Time,Notes,Coin,Reward', '2021-09-06T10:00:00+00:00,,SOL,0.02')).toEqual([
      '2 2021-09-06T10:00:00Z staking SOL quantity=0.02',
    ]);
  });
});

test('TradeOgre: withdrawals include their fee, and deposits have too few columns to be detected by their header', async () => {
  expect(
    await readFileLines(
      'tradeogre',
      'Date,Coin,TXID,Amount,Fee,Address,Payment ID',
      '2021-02-05 10:00:00,XMR,w1,2,0.01,addr,',
    ),
  ).toEqual(['2 2021-02-05T10:00:00Z withdrawal XMR quantity=1.99 fee_asset=XMR fee_quantity=0.01 id=w1']);
  const deposits = 'Date,Coin,TXID,Amount\n2021-02-06 10:00:00,XMR,d1,2\n';
  expect((await readWhole(deposits, { format: 'tradeogre' })).drafts.map(({ type }) => type)).toEqual(['deposit']);
  expect(String(await readWhole(deposits).catch((error: unknown) => error))).toContain('does not match any format');
});

describe('Etherscan', () => {
  const header =
    'Txhash,Blockno,UnixTimestamp,DateTime,From,To,TokenValue,USDValueDayOfTx,ContractAddress,TokenName,TokenSymbol';
  const rows = [
    't1,1,1620000000,,0xaaa1,0xMine,"1,000.5",,0xc,USD Coin,USDC',
    't2,2,1620086400,,0xmine,0xaaa1,200,,0xc,USD Coin,USDC',
    't3,3,1620172800,,0xbbb2,0xmine,7,,0xd,Dai,DAI',
  ];

  test('token transfers for the address that every row contains', async () => {
    expect(await readFileLines('etherscan', header, ...rows)).toEqual([
      '2 2021-05-03T00:00:00Z deposit USDC quantity=1000.5 id=t1',
      '3 2021-05-04T00:00:00Z withdrawal USDC quantity=200 id=t2',
      '4 2021-05-05T00:00:00Z deposit DAI quantity=7 id=t3',
    ]);
  });

  test('with two addresses in every row, the owner is unclear', async () => {
    expect(await readFileLines('etherscan', header, ...rows.slice(0, 2))).toEqual([
      '2 REJECTED From: unknown_address',
      '3 REJECTED From: unknown_address',
    ]);
  });

  test('outgoing transfers, failed transactions, and transactions that only cost gas', async () => {
    const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats/etherscan.csv'), 'utf8');
    expect((await readFileLines('etherscan', fixture)).slice(0, 5)).toEqual([
      '2 2021-05-03T00:00:00Z deposit ETH quantity=1.5 id=0xt1',
      '3 2021-05-04T00:00:00Z withdrawal ETH quantity=0.25 fee_asset=ETH fee_quantity=0.002 id=0xt2',
      '4 2021-05-05T00:00:00Z fee ETH quantity=0.004 id=0xt3',
      '5 2021-05-06T00:00:00Z fee ETH quantity=0.003 id=0xt4',
      '7 2021-05-08T00:00:00Z deposit ETH quantity=0.75 id=0xt6',
    ]);
  });
});

test('TD Ameritrade: openings and closings follow from the earlier rows', async () => {
  const fixture = readFileSync(join(import.meta.dir, '../fixtures/formats/tdameritrade.csv'), 'utf8');
  const options = (await readFileLines('tdameritrade', fixture)).filter((line) => / [CP] |REJECTED/.test(line));
  expect(options).toEqual([
    '8 REJECTED DESCRIPTION: unknown_type',
    '9 2020-03-13 sell_to_open ACME 2020-04-17 P 30 quantity=2 amount=300.00 fee=1.30 underlying=ACME right=put asset_class=option id=9008',
    '10 2020-03-16 buy_to_close ACME 2020-04-17 P 30 quantity=1 amount=50.00 fee=0.65 underlying=ACME right=put asset_class=option id=9009',
    '11 2020-03-17 buy_to_open ACME 2020-03-20 C 40 quantity=3 amount=30.00 fee=1.95 underlying=ACME right=call asset_class=option id=9010',
    '12 2020-03-18 sell_to_close ACME 2020-03-20 C 40 quantity=1 amount=20.00 fee=0.65 underlying=ACME right=call asset_class=option id=9011',
    '13 2020-03-18 sell_to_close ACME 2020-03-20 C 40 quantity=2 amount=40.00 fee=0.26 underlying=ACME right=call asset_class=option id=9012',
    '13 2020-03-18 sell_to_open ACME 2020-03-20 C 40 quantity=3 amount=60.00 fee=0.39 underlying=ACME right=call asset_class=option id=9012',
    '14 2020-03-23 expire ACME 2020-03-20 C 40 quantity=2 underlying=ACME right=call asset_class=option id=9013',
    '15+16 2020-04-20 assign ACME 2020-04-17 P 30 quantity=1 amount=3000.00 shares=100 underlying=ACME right=put asset_class=option id=9014',
  ]);
});

test('TD Ameritrade: a sale of more than was bought closes the position and writes the rest, at one price and fee per contract', async () => {
  const option = 'ACME Jan 21 2022 50.0 Call';
  expect(
    await readFileLines(
      'tdameritrade',
      'DATE,TRANSACTION ID,DESCRIPTION,QUANTITY,SYMBOL,PRICE,COMMISSION,AMOUNT,NET CASH BALANCE,REG FEE,SHORT-TERM RDM FEE,FUND REDEMPTION FEE, DEFERRED SALES CHARGE',
      `01/03/2022,1,Bought 1 ${option} @ 2.00,1,${option},2.00,0.65,-200.65,,0,,,`,
      `01/04/2022,2,Sold 3 ${option} @ 3.00,3,${option},3.00,1.00,899.00,,0,,,`,
      `01/05/2022,3,Bought 2 ${option} @ 1.00,2,${option},1.00,1.30,-201.30,,0,,,`,
    ),
  ).toEqual([
    '2 2022-01-03 buy_to_open ACME 2022-01-21 C 50 quantity=1 amount=200.00 fee=0.65 underlying=ACME right=call asset_class=option id=1',
    '3 2022-01-04 sell_to_close ACME 2022-01-21 C 50 quantity=1 amount=300.00 fee=0.33333333 underlying=ACME right=call asset_class=option id=2',
    '3 2022-01-04 sell_to_open ACME 2022-01-21 C 50 quantity=2 amount=600.00 fee=0.66666667 underlying=ACME right=call asset_class=option id=2',
    '4 2022-01-05 buy_to_close ACME 2022-01-21 C 50 quantity=2 amount=200.00 fee=1.30 underlying=ACME right=call asset_class=option id=3',
  ]);
});

test('Merrill: an assignment includes the shares that it delivered, an exercise buys them, and other trades that day are kept', async () => {
  const row = (day: string, what: string, named: string, symbol: string, quantity: string, amount: string): string =>
    `"${day}","${day}","Settled","--","CMA-Edge","BB-20002","SecurityTransactions","${what}","${named}","${symbol}","${quantity}","--","${amount}"`;
  const [call, put] = ['CALL ACME 00040 EXP 02-20-26', 'PUT GRID 00010 EXP 02-20-26'];
  expect(
    await readFileLines(
      'merrill',
      '"Trade Date","Settlement Date","Pending/Settled","Account Nickname","Account Registration","Account #","Type","Description 1 ","Description 2","Symbol/CUSIP #","Quantity","Price ($)","Amount ($)"',
      row('2/20/2026', 'Sale ', 'GRID CO', 'GRID', '-100', '1,000.00'),
      row('2/20/2026', 'Option Exercised', put, 'GRID#N2026D100000', '-1', '--'),
      row('2/20/2026', 'Sale ', 'ACME CORP', 'ACME', '-100', '4,000.00'),
      row('2/20/2026', 'Sale ', 'ACME CORP', 'ACME', '-10', '412.00'),
      row('2/20/2026', 'Option Assigned', call, 'ACME#B2026D400000', '1', '--'),
      row('2/19/2026', 'Dividend', 'ACME CORP', 'ACME', '--', '2.40'),
      row('2/2/2026', 'Option Purchase ', put, 'GRID#N2026D100000', '1', '(50.00)'),
      row('2/2/2026', 'Option Sale ', call, 'ACME#B2026D400000', '-1', '99.35'),
    ),
  ).toEqual([
    '2+3 2026-02-20 exercise @CMA-Edge 0002 GRID 2026-02-20 P 10 quantity=1 amount=1000.00 shares=100 underlying=GRID right=put asset_class=option',
    '4+6 2026-02-20 assign @CMA-Edge 0002 ACME 2026-02-20 C 40 quantity=1 amount=4000.00 shares=100 underlying=ACME right=call asset_class=option',
    '5 2026-02-20 sell @CMA-Edge 0002 ACME quantity=10 amount=412.00',
    '7 2026-02-19 dividend @CMA-Edge 0002 ACME amount=2.40',
    '8 2026-02-02 buy_to_open @CMA-Edge 0002 GRID 2026-02-20 P 10 quantity=1 amount=50.00 underlying=GRID right=put asset_class=option',
    '9 2026-02-02 sell_to_open @CMA-Edge 0002 ACME 2026-02-20 C 40 quantity=1 amount=99.35 underlying=ACME right=call asset_class=option',
  ]);
});
