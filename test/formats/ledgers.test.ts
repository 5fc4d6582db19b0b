import { describe, expect, test } from 'bun:test';
import { formatById } from '../../src/formats/index.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** Files with one line per side of a trade. The combined contents of their rows were checked manually. */

async function readLines(format: string, ...lines: readonly string[]): Promise<string[]> {
  const reading = await readWhole(lines.join('\n'));
  expect(reading.format).toBe(format);
  const { read, skipped, rejected, rows } = reading.end;
  expect(read + skipped + rejected).toBe(rows);
  return outcomeLines(reading, formatById(format)?.source ?? '');
}

const headers = {
  cexio: 'DateUTC,Amount,Symbol,Balance,Type,Pair,FeeSymbol,FeeAmount,Comment',
  coinlist: 'Date,Description,Asset,Amount,Balance',
  pro: 'portfolio,type,time,amount,balance,amount/balance unit,transaction_id',
  gateio: 'no,time,action_desc,action_data,type,change_amount,amount,total',
  okx: 'id,Order id,Time,Trade Type,Symbol,Action,Amount,Trading Unit,Filled Price,PnL,Fee,Fee Unit,Position Change,Position Balance,Balance Change,Balance,Balance Unit',
  okx2022:
    'id,Order id,Time,Trade Type,Instrument,Type,Amount,Unit,PL,Fee,Position Change,Position Balance,Balance Change,Balance,Unit',
  funding: 'id,Time,Type,Amount,Before Balance,After Balance,Fee,Symbol',
  bitfinex: 'DESCRIPTION,CURRENCY,AMOUNT,BALANCE,DATE,WALLET',
} as const;

describe('CEX.IO', () => {
  test('the cost of a fill is its price times its units plus the fee, and a sale has its amount and the fee', async () => {
    expect(
      await readLines(
        'cexio',
        headers.cexio,
        '2020-02-01 10:00:00,1.5,ETH,1.5,buy,ETH/EUR,EUR,0.31,Bought 1.5 ETH at 100.3333 EUR',
        '2020-02-02 10:00:00,0.0249375,BTC,0.0249375,sell,ETH/BTC,BTC,0.0000625,Sold 1 ETH at 0.025 BTC',
      ),
    ).toEqual([
      '2 2020-02-01T10:00:00Z buy ETH quantity=1.5 amount=150.49995 fee=0.31 currency=EUR',
      '3 2020-02-02T10:00:00Z trade ETH quantity=1 received_asset=BTC received_quantity=0.025 fee_asset=BTC fee_quantity=0.0000625',
    ]);
  });

  test('a comment about something else, or an exchange with one side, is rejected', async () => {
    expect(
      await readLines(
        'cexio',
        headers.cexio,
        '2020-02-01 10:00:00,1.5,ETH,1.5,buy,ETH/USD,USD,0.3,Bought 1.5 LTC at 100 USD',
        '2020-02-02 10:00:00,1.5,ETH,1.5,buy,ETH/USD,USD,0.3,something',
        '2020-02-03 10:00:00,1.5,ETH,1.5,wallet_buy,ETH/USD,,,',
      ),
    ).toEqual(['2 REJECTED Symbol: unpaired', '3 REJECTED Comment: unknown_type', '4 REJECTED Type: unpaired']);
  });
});

describe('CoinList', () => {
  test('Pro joins the sides and the fee at one instant, regardless of the position of the unit', async () => {
    expect(
      await readLines(
        'coinlist',
        headers.pro,
        'p1,match,2021-03-01T10:00:00.123Z,-3000,USD,7000,x1',
        'p1,match,2021-03-01T10:00:00.123Z,100,SOL,100,x2',
        'p1,fee,2021-03-01T10:00:00.123Z,-7.5,USD,6992.5,x3',
        'p1,match,2021-03-02T10:00:00.000Z,-40,60,SOL,x4',
        'p1,match,2021-03-02T10:00:00.000Z,0.02,0.02,BTC,x5',
        'p1,deposit,2021-03-03T10:00:00.000Z,5,SOL,65,x6',
        'p1,match,2021-03-04T10:00:00.000Z,5,SOL,65,x7',
      ),
    ).toEqual([
      '2+3+4 2021-03-01T10:00:00.123Z buy SOL quantity=100 amount=3000.00 fee=7.50',
      '5+6 2021-03-02T10:00:00Z trade SOL quantity=40 received_asset=BTC received_quantity=0.02',
      '8 REJECTED type: unpaired',
    ]);
  });

  test('a sentence about another coin than the row’s coin is rejected, and the header without CoinList’s words matches no format', async () => {
    const good = '2021-06-01 10:00:00 EDT,Staking reward,SOL,1,1';
    const odd = '2021-06-02 10:00:00 EDT,Sold 1.00 ETH for $10.00,SOL,-1,0';
    expect(await readLines('coinlist', headers.coinlist, good, odd)).toEqual([
      '2 2021-06-01T14:00:00Z staking SOL quantity=1',
      '3 REJECTED Asset: unpaired',
    ]);
    expect(readWhole([headers.coinlist, '2021-06-01,Groceries,USD,-10,90'].join('\n'))).rejects.toThrow();
  });
});

describe('Gate.io', () => {
  test('the rows of an order are joined across other rows, and a cancellation returns the reserved amount', async () => {
    expect(
      await readLines(
        'gateio',
        headers.gateio,
        '1,2022-05-01 09:00:00,Order Placed,9001,USDT,-100,0,0',
        '2,2022-05-01 09:01:00,Deposits,9002,BTC,0.1,0,0',
        '3,2022-05-01 10:00:00,Order Fullfilled,9001,ETH,0.03,0,0',
        '4,2022-05-01 10:00:00,Trade Fee,9001,ETH,-0.00006,0,0',
        '5,2022-05-01 11:00:00,Order Cancelled,9001,USDT,40,0,0',
      ),
    ).toEqual([
      '2+4+5+6 2022-05-01T10:00:00Z trade USDT quantity=60 received_asset=ETH received_quantity=0.03 fee_asset=ETH fee_quantity=0.00006 id=9001',
      '3 2022-05-01T09:01:00Z deposit BTC quantity=0.1',
    ]);
  });

  test('two coins swept into one are unclear, and outgoing income is not income', async () => {
    expect(
      await readLines(
        'gateio',
        headers.gateio,
        '1,2022-06-01 09:00:00,Dust Swap-Small Balances Deducted,d1,ABC,-0.1,0,0',
        '2,2022-06-01 09:00:00,Dust Swap-Small Balances Deducted,d1,XYZ,-0.2,0,0',
        '3,2022-06-01 09:00:00,Dust Swap-GT Added,d1,GT,0.001,0,0',
        '4,2022-06-02 09:00:00,Airdrop,a1,GT,-5,0,0',
      ),
    ).toEqual([
      '2 REJECTED action_desc: unpaired',
      '3 REJECTED action_desc: unpaired',
      '4 REJECTED action_desc: unpaired',
      '5 REJECTED change_amount: negative',
    ]);
  });
});

describe('OKX', () => {
  test('the change of the balance includes the fee, whether it is stated or paid out', async () => {
    expect(
      await readLines(
        'okx',
        'UID:1,Account Type:Main,Time Zone:UTC-5',
        headers.okx,
        '2,100,2025-06-01 20:00:00,Spot,BTC-USD,Sell,1000,BTC,100000,0,-1,USD,0,0,-1001,0,USD',
        '1,100,2025-06-01 20:00:00,Spot,BTC-USD,Buy,0.01,BTC,100000,0,0.000001,BTC,0,0,0.010001,0,BTC',
      ),
    ).toEqual(['3+4 2025-06-02T01:00:00Z buy BTC quantity=0.010001 amount=1000.00 fee=1.00 id=1']);
  });

  test('the layout of 2022 has two columns "Unit", for the amount and the balance', async () => {
    expect(
      await readLines(
        'okx',
        headers.okx2022,
        '77,200,2022-06-01 20:00:00,Spot,ETH-USDT,Buy,0.5,ETH,0,-0.0005,0,0,0.4995,0.4995,ETH',
        '77,200,2022-06-01 20:00:00,Spot,ETH-USDT,Sell,900,USDT,0,0,0,0,-900,100,USDT',
      ),
    ).toEqual([
      '2+3 2022-06-01T20:00:00Z trade USDT quantity=900 received_asset=ETH received_quantity=0.5 fee_asset=ETH fee_quantity=0.0005 id=77',
    ]);
  });

  test('funding: the balances show whether an amount includes its fee', async () => {
    expect(
      await readLines(
        'okx',
        'UID:1,Account Type:Main,Time Zone:UTC+8',
        headers.funding,
        '1,2025-01-01 08:00:00,Deposit,2,0,2,0,ETH',
        '2,2025-01-02 08:00:00,Withdrawal,-1.01,2,0.99,0.01,ETH',
        '3,2025-01-03 08:00:00,Withdrawal,-0.5,0.99,0.48,0.01,ETH',
        '4,2025-01-04 08:00:00,Withdrawal,-0.1,0.48,0.2,0.01,ETH',
        '5,2025-01-05 08:00:00,From unified trading account,1,0.2,1.2,0,ETH',
        '6,2025-01-06 08:00:00,Staking Yield,0.001,1.2,1.201,0,ETH',
        '7,2025-01-07 08:00:00,Withdrawal,-1.201,1.201,0E-18,0,ETH',
      ),
    ).toEqual([
      '3 2025-01-01T00:00:00Z deposit ETH quantity=2 id=1',
      '4 2025-01-02T00:00:00Z withdrawal ETH quantity=1 fee_asset=ETH fee_quantity=0.01 id=2',
      '5 2025-01-03T00:00:00Z withdrawal ETH quantity=0.5 fee_asset=ETH fee_quantity=0.01 id=3',
      '6 REJECTED Amount: unpaired',
      '8 2025-01-06T00:00:00Z staking ETH quantity=0.001 id=6',
      '9 2025-01-07T00:00:00Z withdrawal ETH quantity=1.201 id=7',
    ]);
  });
});

describe('Bitfinex ledger', () => {
  test('two interleaved fills in one second are two trades, and an equal fill on another day is a third', async () => {
    const leg = (units: string, price: string, coin: string, amount: string, at: string): string =>
      `Exchange ${units} BTC for USD @ ${price} on wallet exchange,${coin},${amount},0,${at},exchange`;
    const fee = (units: string, price: string, amount: string, at: string): string =>
      `Trading fees for ${units} BTC (BTCUSD) @ ${price} on BFX (0.2%) on wallet exchange,BTC,${amount},0,${at},exchange`;
    const [first, later] = ['14-06-21 09:30:00', '16-06-21 09:30:00'];
    expect(
      await readLines(
        'bitfinex-ledger',
        headers.bitfinex,
        leg('0.5', '30000.0', 'USD', '-15000', first),
        leg('0.25', '30010.0', 'USD', '-7502.5', first),
        leg('0.5', '30000', 'BTC', '0.5', first),
        leg('0.25', '30010', 'BTC', '0.25', first),
        fee('0.5', '30000.0', '-0.001', first),
        fee('0.25', '30010.0', '-0.0005', first),
        leg('0.5', '30000.0', 'USD', '-15000', later),
        leg('0.5', '30000.0', 'BTC', '0.5', later),
      ),
    ).toEqual([
      '2+4+6 2021-06-14T09:30:00Z buy BTC quantity=0.5 amount=15000.00 fee=30.00 fee_asset=BTC fee_quantity=0.001',
      '3+5+7 2021-06-14T09:30:00Z buy BTC quantity=0.25 amount=7502.50 fee=15.005 fee_asset=BTC fee_quantity=0.0005',
      '8+9 2021-06-16T09:30:00Z buy BTC quantity=0.5 amount=15000.00',
    ]);
  });
});

describe('Blockchain.com’s older files', () => {
  test('one signed amount, with the time next to the date or as seconds, and the received amount and fee if they are stated', async () => {
    const values = '$1.00,$2.00,$3.00';
    expect(
      await readLines(
        'blockchain-com',
        'date,time,token,type,amount,value_then,value_now,exchange_rate_then,tx,note,fee_value,fee_value_then,recipient_received,recipient_value_then,value_then_raw,value_now_raw,exchange_rate_then_raw',
        `2024-02-17,1708208107,BTC,received,0.5,${values},t1,,0,$0,0,$0,1,2,3`,
        `2024-02-18,22:15:07 GMT +00:00,ETH,sent,-1.01,${values},t2,,0.01,$0,1,$0,1,2,3`,
      ),
    ).toEqual([
      '2 2024-02-17T22:15:07Z deposit BTC quantity=0.5 id=t1',
      '3 2024-02-18T22:15:07Z withdrawal ETH quantity=1 fee_asset=ETH fee_quantity=0.01 id=t2',
    ]);
    expect(
      await readLines(
        'blockchain-com',
        'date,time,type,amount_btc,value_then,value_now,exchange_rate_then,tx,note',
        `2017-02-17,22:15:07 GMT +00:00,sent,-0.25,${values},t3,`,
        `2017-02-18,nonsense,sent,-0.25,${values},t4,`,
        `2017-02-19,22:15:07 GMT +00:00,sent,,${values},t5,`,
      ),
    ).toEqual([
      '2 2017-02-17T22:15:07Z withdrawal BTC quantity=0.25 id=t3',
      '3 REJECTED date: bad_date',
      '4 REJECTED amount_btc: missing',
    ]);
  });
});

/**
 * Tests that a row without a valid date and one without its amount are rejected by line and column, and that the valid
 * row between them is read.
 */
const spoilt: Readonly<
  Record<string, { readonly header: string; readonly rows: readonly string[]; readonly refused: readonly string[] }>
> = {
  cexio: {
    header: headers.cexio,
    rows: [
      '2020-13-01 10:00:00,1,ETH,1,deposit,,,,Confirmed',
      '2020-01-02 10:00:00,1,ETH,1,deposit,,,,Confirmed',
      '2020-01-03 10:00:00,,ETH,1,deposit,,,,Confirmed',
      '2020-01-04 10:00:00,,ETH,1,buy,ETH/USD,USD,1,Bought 1 ETH at 100 USD',
      '2020-01-05 10:00:00,1,,1,deposit,,,,Confirmed',
    ],
    refused: ['2 DateUTC bad_date', '4 Amount missing', '5 Amount missing', '6 Symbol missing'],
  },
  coinlist: {
    header: headers.coinlist,
    rows: [
      '31/31/2021,Staking reward,SOL,1,1',
      '2021-06-01 10:00:00 EDT,Staking reward,SOL,1,1',
      '2021-06-02 10:00:00 EDT,Staking reward,SOL,,1',
      ',Staking reward,SOL,1,1',
    ],
    refused: ['2 Date bad_date', '4 Amount missing', '5 Date missing'],
  },
  gateio: {
    header: headers.gateio,
    rows: [
      '1,2022-02-30 09:00:00,Deposits,1,BTC,1,1,1',
      '2,2022-02-28 09:00:00,Deposits,2,BTC,1,1,1',
      '3,2022-03-01 09:00:00,Deposits,3,BTC,,1,1',
      '4,2022-03-02 09:00:00,Order Filled,,BTC,1,1,1',
    ],
    refused: ['2 time bad_date', '4 change_amount missing', '5 action_data missing'],
  },
  okx: {
    header: headers.funding,
    rows: [
      '1,2025-01-32 08:00:00,Deposit,2,0,2,0,ETH',
      '2,2025-01-01 08:00:00,Deposit,2,0,2,0,ETH',
      '3,2025-01-02 08:00:00,Deposit,,2,2,0,ETH',
      '4,2025-01-03 08:00:00,Deposit,1,2,3,0,',
    ],
    refused: ['2 Time bad_date', '4 Amount missing', '5 Symbol missing'],
  },
  'bitfinex-ledger': {
    header: headers.bitfinex,
    rows: [
      'Staking reward 1 DOT on wallet exchange,DOT,1,1,31-31-21 09:30:00,exchange',
      'Staking reward 1 DOT on wallet exchange,DOT,1,1,14-06-21 09:30:00,exchange',
      'Staking reward 1 DOT on wallet exchange,DOT,,1,15-06-21 09:30:00,exchange',
      'Staking reward 1 DOT on wallet exchange,DOT,-1,1,16-06-21 09:30:00,exchange',
    ],
    refused: ['2 DATE bad_date', '4 AMOUNT missing', '5 AMOUNT bad_sign'],
  },
};

for (const [format, { header, rows, refused }] of Object.entries(spoilt)) {
  test(`${format}: bad rows are rejected by line, column and reason, and the valid row is read`, async () => {
    const { outcomes, end } = await readWhole([header, ...rows].join('\n'), { format });
    const issues = outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.issue] : []));
    expect(issues.map(({ line, column, code }) => `${line} ${column} ${code}`).toSorted()).toEqual([...refused]);
    expect(issues.every(({ cells, reason }) => cells.length > 4 && reason !== '')).toBe(true);
    expect([end.read, end.rejected, end.rows]).toEqual([1, refused.length, rows.length]);
  });
}
