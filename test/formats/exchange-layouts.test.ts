import { describe, expect, test } from 'bun:test';
import { formatById } from '../../src/formats/index.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** Layouts of exchanges, wallets and explorers beside the one of a format's fixture: what their rows say, by hand. */
async function linesOf(format: string, ...lines: readonly string[]): Promise<string[]> {
  const reading = await readWhole(lines.join('\n'));
  expect(reading.format).toBe(format);
  return outcomeLines(reading, formatById(format)?.source ?? '');
}

describe('Bybit', () => {
  test('the funding account: moves within Bybit are none of the books', async () => {
    expect(
      await linesOf(
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
      await linesOf(
        'bybit',
        'Type,Coin,Amount,Wallet Balance,Time(UTC)',
        'userDeposit,ETH,3,3,2022-03-14 10:00:00',
        'internalAccountTransferWithdrawal,ETH,-1,2,2022-03-15 10:00:00',
        'Withdraw,ETH,-1,1,2022-03-16 10:00:00',
      ),
    ).toEqual(['2 2022-03-14T10:00:00Z deposit ETH quantity=3', '4 2022-03-16T10:00:00Z withdrawal ETH quantity=1']);
  });

  test('a log without numbers of trades: rows of one moment, pair, way and price are one trade', async () => {
    expect(
      await linesOf(
        'bybit',
        'Uid,Currency,Contract,Type,Direction,Quantity,Position,Filled Price,Funding,Fee Paid,Cash Flow,Change,Wallet Balance,Action,Time(UTC)',
        '1,USDC,BTCUSDC,TRADE,SELL,420,0,42000,0,-0.42,420,419.58,420,--,2026-01-10 10:00:00',
        '1,BTC,BTCUSDC,TRADE,SELL,-0.01,0,42000,0,0,-0.01,-0.01,0,--,2026-01-10 10:00:00',
        '1,BTC,BTCUSDC,TRADE,SELL,-0.01,0,42100,0,0.5,-0.01,-0.01,0,--,2026-01-10 10:00:00',
      ),
    ).toEqual([
      '2+3 2026-01-10T10:00:00Z trade BTC quantity=0.01 received_asset=USDC received_quantity=420 fee_asset=USDC fee_quantity=0.42',
      '4 REJECTED Change: amounts_differ',
    ]);
  });

  test('positions of the log of derivatives are asked', async () => {
    expect(
      await linesOf(
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
      await linesOf(
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
