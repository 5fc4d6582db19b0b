import { describe, expect, test } from 'bun:test';
import { readFileLines } from './lines-of.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/**
 * Additional layouts of coin exchanges, wallets and explorers. The expected contents of their rows were checked
 * manually.
 */

async function asked(format: string, source: string, ...lines: readonly string[]): Promise<string[]> {
  return outcomeLines(await readWhole(`${lines.join('\n')}\n`, { format }), source);
}

describe('KuCoin', () => {
  test('fills in 2018: the fee is in the only possible coin, or else raises a question', async () => {
    expect(
      await readFileLines(
        'kucoin',
        'oid,symbol,dealPrice,dealValue,amount,fee,direction,createdDate,',
        'a1,NEO-USDT,100,500,5,0.5,BUY,2018-02-01 12:00:00,',
        'a2,NEO-USDT,100,500,5,0.005,BUY,2018-02-02 02:00:00,',
        'a3,ETH-BTC,0.08,0.24,3,0.00024,SELL,2018-02-03 12:00:00,',
        'a4,DAI-USDT,1,100,100,0.1,SELL,2018-02-04 12:00:00,',
        'a5,NEO-USDT,100,500,5,0,SELL,2018-02-05 12:00:00,',
      ),
    ).toEqual([
      '2 2018-02-01T04:00:00Z trade USDT quantity=500.5 received_asset=NEO received_quantity=5 fee_asset=USDT fee_quantity=0.5 id=a1',
      '3 2018-02-01T18:00:00Z trade USDT quantity=500 received_asset=NEO received_quantity=5 fee_asset=NEO fee_quantity=0.005 id=a2',
      '4 2018-02-03T04:00:00Z trade ETH quantity=3 received_asset=BTC received_quantity=0.24 fee_asset=BTC fee_quantity=0.00024 id=a3',
      '5 REJECTED fee: unclear_fee',
      '6 2018-02-05T04:00:00Z trade NEO quantity=5 received_asset=USDT received_quantity=500 id=a5',
    ]);
  });

  test('fills in 2019, with and without a fee', async () => {
    expect(
      await readFileLines(
        'kucoin',
        'uid,symbol,order_type,price,amount_coin,direction,funds,fee,created_at',
        '9,BTC-USDT,limit,10000,0.3,buy,3000,3,2019-06-21 12:00:00',
      ),
    ).toEqual([
      '2 2019-06-21T04:00:00Z trade USDT quantity=3003 received_asset=BTC received_quantity=0.3 fee_asset=USDT fee_quantity=3',
    ]);
    expect(
      await readFileLines(
        'kucoin',
        'uid,symbol,direction,deal_price,amount,deal_value,created_at',
        '9,ETH-USDT,sell,210,1,210,2019-07-23 12:00:00',
      ),
    ).toEqual(['2 2019-07-23T04:00:00Z trade ETH quantity=1 received_asset=USDT received_quantity=210']);
  });

  test('deposits and withdrawals until 2021', async () => {
    expect(
      await readFileLines(
        'kucoin',
        'coin_type,type,add,hash,vol,created_at',
        'NEO,DEPOSIT,a,h1,10,2018-01-14 10:00:00',
        'NEO,WITHDRAW,b,h2,4,2018-01-15 10:00:00',
        'NEO,BONUS,b,h3,4,2018-01-15 10:00:00',
      ),
    ).toEqual([
      '2 2018-01-14T02:00:00Z deposit NEO quantity=10 id=h1',
      '3 2018-01-15T02:00:00Z withdrawal NEO quantity=4 id=h2',
      '4 REJECTED type: unknown_type',
    ]);
    expect(
      await readFileLines(
        'kucoin',
        'Time,Coin,Network,Amount,Type,Wallet Address/Account,Remark',
        '2019-09-14 10:00:00,BTC,BTC,0.1,Withdrawal,a,',
        '2019-09-15 10:00:00,ETH,ETH,1,Inner,b,',
      ),
    ).toEqual(['2 2019-09-14T02:00:00Z withdrawal BTC quantity=0.1', '3 REJECTED Type: unknown_type']);
  });

  test('headers of everyday words are tried if the request names the format', async () => {
    expect(
      await asked(
        'kucoin',
        'KuCoin',
        'Time,Coin,Network,Amount,Type,Remark,Fee',
        '2019-08-14 10:00:00,BTC,BTC,0.3,Deposit,,0',
        '2019-08-15 10:00:00,ETH,ETH,2,Deposit,,0.01',
      ),
    ).toEqual(['2 2019-08-14T02:00:00Z deposit BTC quantity=0.3', '3 REJECTED Fee: money_left']);
    expect(
      await asked(
        'kucoin',
        'KuCoin',
        'Time,Coin,Amount,Type,Wallet Address,Remark',
        '2019-08-16 10:00:00,BTC,0.3,Withdraw,a,',
      ),
    ).toEqual(['2 2019-08-16T02:00:00Z withdrawal BTC quantity=0.3']);
  });

  test('coins for a currency, and currency deposits', async () => {
    expect(
      await readFileLines(
        'kucoin',
        'Order ID,Order Type,Currency (Crypto),"Crypto Quantity,",Price,Currency (Fiat),Fiat Amount,Fee Currency,Fee,Status,Time(UTC)',
        '1,Buy,USDT,100,0.95,EUR,95,EUR,1,Succeeded,2022-07-14 10:00:00',
        '2,Sell,USDT,50,0.94,EUR,47,USDT,0.5,Succeeded,2022-07-15 10:00:00',
        '3,Buy,BTC,0.01,20000,EUR,200,EUR,2,Canceled,2022-07-16 10:00:00',
      ),
    ).toEqual([
      '2 2022-07-14T10:00:00Z buy USDT quantity=100 amount=95.00 fee=1.00 currency=EUR id=1',
      '3 2022-07-15T10:00:00Z sell USDT quantity=50 amount=47.00 fee=0.47 currency=EUR fee_asset=USDT fee_quantity=0.5 id=2',
    ]);
    expect(
      await readFileLines(
        'kucoin',
        'Order ID,Currency (Fiat),Fiat Amount,Fee,Deposit Method,Status,Time(UTC+08:00)',
        '1,EUR,300,1,SEPA,Success,2022-07-14 10:00:00',
        '2,USDT,300,1,Card,Success,2022-07-14 10:00:00',
      ),
    ).toEqual(['3 REJECTED Currency (Fiat): bad_currency']);
  });

  test('a fee of a deposit and a tax of a conversion are not dropped', async () => {
    expect(
      await readFileLines(
        'kucoin',
        'UID,Account Type,Time(UTC),Coin,Amount,Fee,Transfer Network,Status,Remarks',
        '9,main,2024-01-02 10:00:00,BTC,0.5,0,BTC,Success,',
        '9,main,2024-01-03 10:00:00,BTC,0.5,0.001,BTC,Success,',
      ),
    ).toEqual(['2 2024-01-02T10:00:00Z deposit BTC quantity=0.5', '3 REJECTED Fee: money_left']);
    expect(
      await readFileLines(
        'kucoin',
        'UID,Account Type,Payment Account,Sell,Buy,Price,Tax,Time of Update(UTC),Status',
        '9,main,Main,100 USDT,0.002 BTC,1 BTC = 50000 USDT,,2024-01-04 10:00:00,Success',
        '9,main,Main,100 USDT,0.002 BTC,1 BTC = 50000 USDT,0.5,2024-01-05 10:00:00,Success',
      ),
    ).toEqual([
      '2 2024-01-04T10:00:00Z trade USDT quantity=100 received_asset=BTC received_quantity=0.002',
      '3 REJECTED Tax: money_left',
    ]);
  });
});

describe('Binance', () => {
  test('conversions: the units of both sides are those of the pair', async () => {
    const header = 'Pair,Type,Sell,Buy,Price,Inverse Price,Date Updated,Status';
    expect(
      await readFileLines(
        'binance',
        `Date,${header}`,
        '2021-11-02 12:00:00,BTCUSDT,Market,6000 USDT,0.1 BTC,1 BTC = 60000 USDT,1 USDT = 0.0000166 BTC,2021-11-02 12:00:05,Successful',
        '2021-11-03 12:00:00,ETHBTC,Market,9 ETH,0.6 BTC,1 ETH = 0.07 BTC,1 BTC = 14.28 ETH,2021-11-03 12:00:05,Failed',
        '2021-11-04 12:00:00,ETHBTC,Market,9 ETH,0.6 SOL,1 ETH = 0.07 BTC,1 BTC = 14.28 ETH,2021-11-04 12:00:05,Successful',
      ),
    ).toEqual([
      '2 2021-11-02T12:00:00Z trade USDT quantity=6000 received_asset=BTC received_quantity=0.1',
      '4 REJECTED Pair: unknown_pair',
    ]);
    expect(
      await readFileLines(
        'binance',
        `Date,Wallet,${header}`,
        '2022-03-16 10:00:00,Spot Wallet,BNBUSDT,Market,10 BNB,3800 USDT,1 BNB = 380 USDT,1 USDT = 0.0026 BNB,2022-03-16 10:00:05,Successful',
      ),
    ).toEqual(['2 2022-03-16T10:00:00Z trade BNB quantity=10 received_asset=USDT received_quantity=3800']);
  });

  test('currency deposits and withdrawals are not imported, and a coin among them raises a question', async () => {
    expect(
      await readFileLines(
        'binance',
        'Date(UTC+1),Coin,Amount,Status,Payment Method,Indicated Amount,Fee,Order ID',
        '2022-03-16 10:00:00,EUR,99,Successful,SEPA,100,1,o1',
        '2022-03-17 10:00:00,BTC,0.1,Successful,Card,0.1,0,o2',
      ),
    ).toEqual(['3 REJECTED Coin: bad_currency']);
  });

  test('the futures account: rewards are read, gains raise a question', async () => {
    expect(
      await readFileLines(
        'binance',
        'Date(UTC),type,Amount,Asset,Symbol,Transaction ID',
        '2022-03-16 10:00:00,TRANSFER,100,USDT,,1',
        '2022-03-16 11:00:00,COMMISSION,-0.04,USDT,BTCUSDT,2',
        '2022-03-16 12:00:00,REALIZED_PNL,12.5,USDT,BTCUSDT,3',
        '2022-03-16 12:00:00,REFERRAL_KICKBACK,0.01,USDT,,4',
        '2022-03-16 12:00:00,COMMISSION_REBATE,-0.02,USDT,,5',
        '2022-03-16 13:00:00,SOMETHING_NEW,5,USDT,,6',
      ),
    ).toEqual([
      '3 REJECTED type: unknown_type',
      '4 REJECTED type: unknown_type',
      '5 2022-03-16T12:00:00Z reward USDT quantity=0.01 id=4',
      '6 REJECTED Amount: negative',
      '7 REJECTED type: unknown_type',
    ]);
  });

  test('transfers in 2017: the request states the direction', async () => {
    const lines = [
      'Date,Coin,Amount,TransactionFee,Address,TXID,SourceAddress,PaymentID,Status',
      '2017-12-16 10:00:00,ETH,2,0.01,a,h1,,,Completed',
    ];
    const read = await readWhole(`${lines.join('\n')}\n`, { side: 'withdrawal' });
    expect(outcomeLines(read, 'Binance')).toEqual([
      '2 2017-12-16T10:00:00Z withdrawal ETH quantity=2 fee_asset=ETH fee_quantity=0.01 id=h1',
    ]);
  });

  test('a row whose sign contradicts its type raises a question', async () => {
    expect(
      await readFileLines(
        'binance-statement',
        'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
        '1,2022-03-16 10:00:00,Spot,Deposit,ETH,2,',
        '1,2022-03-17 10:00:00,Spot,Withdraw,ETH,2,',
        '1,2022-03-18 10:00:00,Spot,Simple Earn Flexible Interest,ETH,-0.1,',
      ),
    ).toEqual([
      '2 2022-03-16T10:00:00Z deposit ETH quantity=2',
      '3 REJECTED Change: negative',
      '4 REJECTED Change: negative',
    ]);
  });
});

describe('HitBTC', () => {
  const header = 'Email,Date (UTC),Instrument,Trade ID,Order ID,Side,Quantity,Price,Volume,Fee,Rebate,PnL,Total,Taker';

  test('a rebate reduces a payment and increases a receipt', async () => {
    expect(
      await readFileLines(
        'hitbtc',
        header,
        'x,2020-05-01 10:00:00,ETH/BTC,h1,o1,buy,2,0.05,0.1,0,0.00001,0,-0.09999,false',
        'x,2020-05-02 10:00:00,ETH/BTC,h2,o2,sell,1,0.06,0.06,0,0.000006,0,0.060006,false',
        'x,2020-05-03 10:00:00,BTCUSD,h3,o3,sell,0.1,9000,900,0,0.09,0,900.09,false',
      ),
    ).toEqual([
      '2 2020-05-01T10:00:00Z trade BTC quantity=0.09999 received_asset=ETH received_quantity=2 id=h1',
      '3 2020-05-02T10:00:00Z trade ETH quantity=1 received_asset=BTC received_quantity=0.060006 id=h2',
      '4 2020-05-03T10:00:00Z sell BTC quantity=0.1 amount=900.09 id=h3',
    ]);
  });

  test('a gain on margin and a negative fee raise a question, and a different total raises a warning', async () => {
    expect(
      await readFileLines(
        'hitbtc',
        header,
        'x,2020-05-04 10:00:00,BTCUSD,h4,o4,sell,0.1,9000,900,0.9,0,25,899.1,true',
        'x,2020-05-05 10:00:00,BTCUSD,h5,o5,sell,0.1,9000,900,-0.9,0,0,900.9,true',
      ),
    ).toEqual(['2 REJECTED PnL: unknown_type', '3 REJECTED Fee: negative']);
    const read = await readWhole(`${header}\nx,2020-05-06 10:00:00,BTCUSD,h6,o6,sell,0.1,9000,900,0.9,0,0,850,true\n`);
    expect(read.drafts.map(({ warning }) => warning)).toEqual([
      'Check line 2: the total does not equal the volume with its fee and rebate.',
    ]);
  });
});

test('Gate.io: incoming coins labeled as a withdrawal raise a question', async () => {
  expect(
    await readFileLines(
      'gateio',
      'no,time,action_desc,action_data,type,change_amount,amount,total',
      '1,2022-03-01 09:00:00,Withdrawals,7001,USDT,-100,900,900',
      '2,2022-03-02 09:00:00,Withdrawals,7001,USDT,100,1000,1000',
    ),
  ).toEqual(['2 2022-03-01T09:00:00Z withdrawal USDT quantity=100', '3 REJECTED change_amount: negative']);
});

test('MEXC: the unit in a cell is that of its pair, and a fee may be in another coin', async () => {
  expect(
    await readFileLines(
      'mexc',
      'Pairs,Time,Side,Filled Price,Executed Amount,Total,Fee,Role',
      'MX_USDT,2022-09-14 10:00:00,BUY,1,500 MX,500 USDT,0.5 MX,Maker',
      'BTC_USDT,2022-09-15 10:00:00,SELL,20000,0.1 BTC,2000 USDT,1.6 MX,Taker',
      'BTC_USDT,2022-09-16 10:00:00,SELL,20000,0.1 ETH,2000 USDT,2 USDT,Taker',
      'BTC_USDT,2022-09-17 10:00:00,SELL,20000,0.1,2000,2,Taker',
    ),
  ).toEqual([
    '2 2022-09-14T10:00:00Z trade USDT quantity=500 received_asset=MX received_quantity=500 fee_asset=MX fee_quantity=0.5',
    '3 2022-09-15T10:00:00Z trade BTC quantity=0.1 received_asset=USDT received_quantity=2000 fee_asset=MX fee_quantity=1.6',
    '4 REJECTED Executed Amount: unknown_pair',
    '5 2022-09-17T10:00:00Z trade BTC quantity=0.1 received_asset=USDT received_quantity=2000 fee_asset=USDT fee_quantity=2',
  ]);
  expect(
    await readFileLines(
      'mexc',
      'Pairs,Time,Type,Direction,Average Filled Price,Order Price,Filled Quantity,Order Quantity,Order Amount,Status',
      'BTC_USDT,2023-05-01 10:00:00,Limit,Buy,30000 USDT,30000 USDT,0.1 BTC,0.2 BTC,6000 USDT,Partially Filled',
      'BTC_USDT,2023-05-02 10:00:00,Limit,Buy,30000 USDC,30000 USDT,0.1 BTC,0.2 BTC,6000 USDT,Filled',
    ),
  ).toEqual([
    '2 2023-05-01T10:00:00Z trade USDT quantity=3000 received_asset=BTC received_quantity=0.1',
    '3 REJECTED Average Filled Price: unknown_pair',
  ]);
});

test('Bittrex: orders in 2020, the quote first and without a fee', async () => {
  expect(
    await readFileLines(
      'bittrex',
      'Uuid,Exchange,Closed (UTC),Opened (UTC),Type,Time In Force,Bid/Ask,Quantity,Remaining,Price,Avg. Price per Share',
      'u1,USD-BTC,2020-05-14 10:05:00,2020-05-14 10:00:00,LIMIT_BUY,GTC,9000,0.5,0,4500,9000',
      'u2,BTC-ETH,2020-05-15 10:05:00,2020-05-15 10:00:00,LIMIT_SELL,GTC,0.02,3,1,0.04,0.02',
      'u3,BTC-ETH,2020-05-16 10:05:00,2020-05-16 10:00:00,LIMIT_SELL,GTC,0.02,3,3,0,0',
    ),
  ).toEqual([
    '2 2020-05-14T10:05:00Z buy BTC quantity=0.5 amount=4500.00 id=u1',
    '3 2020-05-15T10:05:00Z trade ETH quantity=2 received_asset=BTC received_quantity=0.04 id=u2',
  ]);
});

test('sFOX: transactions, whose value is their price times their units', async () => {
  expect(
    await readFileLines(
      'sfox',
      'id,Transaction Hash,Date,Action,Quantity,Target Currency,Price,Source Currency,Fees,Memo,Status,Balance,Trader,Timestamp',
      '1,,2021-04-14 10:00:00,Buy,0.1,BTC,60000,USD,12,,Done,0.1,t,1618394400',
      '2,h,2021-04-15 10:00:00,Withdraw,0.05,BTC,,,0,,Done,0.05,t,1618480800',
      '3,h,2021-04-16 10:00:00,Withdraw,0.05,BTC,,,0.0001,,Done,0.05,t,1618567200',
      '4,,2021-04-17 10:00:00,Deposit,500,USD,,,0,,Done,500,t,1618653600',
      '5,,2021-04-18 10:00:00,Sell,0.1,BTC,60000,USD,12,,Canceled,0.1,t,1618740000',
    ),
  ).toEqual([
    '2 2021-04-14T10:00:00Z buy BTC quantity=0.1 amount=6000.00 fee=12.00 id=1',
    '3 2021-04-15T10:00:00Z withdrawal BTC quantity=0.05 id=2',
    '4 REJECTED Fees: unclear_fee',
  ]);
});

test('Etherscan: internal contract transfers', async () => {
  expect(
    await readFileLines(
      'etherscan',
      'Transaction Hash,Blockno,UnixTimestamp,DateTime (UTC),ParentTxFrom,ParentTxTo,ParentTxETH_Value,From,TxTo,ContractAddress,Value_IN(ETH),Value_OUT(ETH),CurrentValue @ $2000/Eth,Historical $Price/Eth,Status,ErrCode,Type',
      't1,1,1620000000,,0xmine,0xswap,0,0xswap,0xmine,,1.25,0,2500,3000,0,,call',
      't2,2,1620086400,,0xmine,0xswap,0,0xmine,0xswap,,0,0.5,1000,3000,0,,call',
      't3,3,1620172800,,0xmine,0xswap,0,0xswap,0xmine,,2,0,4000,3000,1,Reverted,call',
      't4,4,1620259200,,0xmine,0xswap,0,0xswap,0xmine,,2,3,4000,3000,0,,call',
    ),
  ).toEqual([
    '2 2021-05-03T00:00:00Z deposit ETH quantity=1.25 id=t1',
    '3 2021-05-04T00:00:00Z withdrawal ETH quantity=0.5 id=t2',
    '5 REJECTED From: unknown_type',
  ]);
});

test('Coinbase Prime: deposits and withdrawals, counted in their asset', async () => {
  expect(
    await readFileLines(
      'coinbase-prime',
      'activity id,final status,activity title,activity type,asset,wallet name,transaction value,transaction currency,initiated by,initiated time,last updated time',
      '1,Completed,,Deposit,BTC,Treasury,1.5,BTC,a,2023-02-14 10:00:00,2023-02-14 10:30:00',
      '2,Completed,,Withdrawal,BTC,Treasury,-0.5,BTC,a,2023-02-15 10:00:00,2023-02-15 10:30:00',
      '3,Rejected,,Withdrawal,ETH,Treasury,4,ETH,a,2023-02-16 10:00:00,2023-02-16 10:30:00',
      '4,Completed,,Withdrawal,ETH,Treasury,6400,USD,a,2023-02-17 10:00:00,2023-02-17 10:30:00',
      '5,Completed,,Conversion,USDC,Treasury,4,USDC,a,2023-02-18 10:00:00,2023-02-18 10:30:00',
    ),
  ).toEqual([
    '2 2023-02-14T10:00:00Z deposit BTC quantity=1.5 id=1',
    '3 2023-02-15T10:00:00Z withdrawal BTC quantity=0.5 id=2',
    '5 REJECTED transaction currency: bad_unit',
    '6 REJECTED activity type: unknown_type',
  ]);
});

test('Exodus: staking rewards, if the rows mention Exodus', async () => {
  expect(
    await readFileLines(
      'exodus',
      'Type,Buy,Cur.,Exchange,Group,Comment,Date',
      'Staking,0.1,ADA,Exodus,Staking,,2021-03-14 10:00:00',
      'Trade,0.2,ADA,Exodus,Staking,,2021-03-19 10:00:00',
    ),
  ).toEqual(['2 2021-03-14T10:00:00Z staking ADA quantity=0.1', '3 REJECTED Type: unknown_type']);
});

test('FTX: dust conversions, if the request names the format', async () => {
  expect(
    await asked(
      'ftx',
      'FTX',
      'time,from,to,size,fee,price,proceeds,status',
      '2021-06-14T10:00:00+00:00,SRM,FTT,10,0,0.1,1,complete',
      '2021-06-15T10:00:00+00:00,RAY,USD,4,0,2,8,complete',
      '2021-06-16T10:00:00+00:00,RAY,FTT,4,0.1,0.2,0.8,complete',
    ),
  ).toEqual([
    '2 2021-06-14T10:00:00Z trade SRM quantity=10 received_asset=FTT received_quantity=1',
    '3 2021-06-15T10:00:00Z sell RAY quantity=4 amount=8.00',
    '4 REJECTED fee: unclear_fee',
  ]);
});

test('an export with too little information is refused by name, with the reason', async () => {
  const trezor = 'Date,Time,TX id,Address,TX type,Value,TX total,Balance\n2019-03-14,10:00:00,h,a,IN,0.5,0.5,0.5\n';
  const refusal = String(await readWhole(trezor).catch((error: unknown) => error));
  expect(refusal).toContain(
    'This may be Trezor wallet, which is not supported as a format because no column names the coin.',
  );
  const everyday = 'date,currency,amount,wallet,memo\n2019-03-14,BTC,0.5,exchange,x\n';
  expect(String(await readWhole(everyday).catch((error: unknown) => error))).not.toContain('It may be');
});
