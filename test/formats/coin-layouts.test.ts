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
