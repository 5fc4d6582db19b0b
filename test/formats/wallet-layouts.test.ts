import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { readFileLines } from './lines-of.ts';
import { readWhole } from './reading.ts';

/**
 * Layouts of small exchanges, wallets and explorers other than the format's fixture. The expected contents of their
 * rows were checked manually.
 */

describe('CoinCorner', () => {
  test('until 2020: both halves of a trade share their date', async () => {
    expect(
      await readFileLines(
        'coincorner',
        'Date,Currency,Transaction Type,Amount,Balance',
        '14/06/2019 10:00,GBP,Bank Deposit,500,500',
        '15/06/2019 10:00,BTC,Bought Bitcoin,0.05,0.05',
        '15/06/2019 10:00,GBP,Bought Bitcoin,350,150',
        '16/06/2019 10:00,GBP,Sold Bitcoin,80,230',
        '16/06/2019 10:00,BTC,Sold Bitcoin,0.01,0.04',
        '17/06/2019 10:00,BTC,Coinfloor Balance Transfer,0.2,0.24',
        '18/06/2019 10:00,BTC,Bought Bitcoin,0.05,0.29',
        '19/06/2019 10:00,BTC,Withdrawal,0.1,0.19',
        '20/06/2019 10:00,BTC,Correction,0.1,0.09',
      ),
    ).toEqual([
      '3+4 2019-06-15T10:00:00Z buy BTC quantity=0.05 amount=350.00 currency=GBP',
      '5+6 2019-06-16T10:00:00Z sell BTC quantity=0.01 amount=80.00 currency=GBP',
      '7 2019-06-17T10:00:00Z deposit BTC quantity=0.2',
      '8 REJECTED Transaction Type: unpaired',
      '9 2019-06-19T10:00:00Z withdrawal BTC quantity=0.1',
      '10 REJECTED Transaction Type: unknown_type',
    ]);
  });

  test('coins named like a Faster Payment are coins', async () => {
    expect(
      await readFileLines(
        'coincorner',
        'Date & Time,Store/Website,Detail,Type,Tx ID,Price,Price Currency,Gross,Gross Currency,Fee,Fee Currency,Net,Net Currency,Balance,Balance Currency',
        '17/03/2020 10:00,,bc1fictional,FPS,4,,,-0.0101,BTC,0.0001,BTC,-0.01,BTC,0.0299,BTC',
        '18/03/2020 10:00,,bc1fictional,FPS,5,,,0.005,BTC,,,0.005,BTC,0.0349,BTC',
      ),
    ).toEqual([
      '2 2020-03-17T10:00:00Z withdrawal BTC quantity=0.01 fee_asset=BTC fee_quantity=0.0001 id=4',
      '3 2020-03-18T10:00:00Z deposit BTC quantity=0.005 id=5',
    ]);
  });
});

test('SwissBorg: fees in coins for exchanges, outgoing and incoming transfers', async () => {
  expect(
    await readFileLines(
      'swissborg',
      'Local time,Time in UTC,Type,Currency,Gross amount,Gross amount (EUR),Fee,Fee (EUR),Net amount,Net amount (EUR),Note',
      '2021-03-16 12:00:00,2021-03-16 10:00:00,Buy,ETH,0.05,90,0.0005,0.9,0.0495,89.1,',
      '2021-03-16 12:00:00,2021-03-16 10:00:00,Sell,BTC,0.0015,90,0,0,0.0015,90,',
      '2021-03-18 12:00:00,2021-03-18 10:00:00,Withdrawal,ETH,0.02,36,0.001,1.8,0.019,34.2,',
      '2021-03-19 12:00:00,2021-03-19 10:00:00,Deposit,BTC,0.5,25000,0.1,5000,0.4,20000,',
    ),
  ).toEqual([
    '2+3 2021-03-16T10:00:00Z trade BTC quantity=0.0015 amount=90.00 fee=0.90 currency=EUR received_asset=ETH received_quantity=0.05 fee_asset=ETH fee_quantity=0.0005',
    '4 2021-03-18T10:00:00Z withdrawal ETH quantity=0.019 fee_asset=ETH fee_quantity=0.001',
    '5 2021-03-19T10:00:00Z deposit BTC quantity=0.4',
  ]);
});

test('a gross amount other than the net amount plus the fee raises a warning, on either line of a trade', async () => {
  const warnings = async (...lines: readonly string[]): Promise<(string | undefined)[]> =>
    (await readWhole(lines.join('\n'))).drafts.map(({ warning }) => warning);
  expect(
    await warnings(
      'Date & Time,Store/Website,Detail,Type,Tx ID,Price,Price Currency,Gross,Gross Currency,Fee,Fee Currency,Net,Net Currency,Balance,Balance Currency',
      '15/03/2020 10:00,,Bought 0.06 BTC,Trade,2,,,-303.00,GBP,3.00,GBP,-300.00,GBP,,',
      '15/03/2020 10:00,,Bought 0.06 BTC,Trade,2,,,0.06,BTC,,,0.05,BTC,,',
    ),
  ).toEqual(['Check line 3: the gross amount does not equal the net amount plus the fee.']);
  expect(
    await warnings(
      'Local time,Time in UTC,Type,Currency,Gross amount,Gross amount (USD),Fee,Fee (USD),Net amount,Net amount (USD),Note',
      '2021-03-15 12:00:00,2021-03-15 10:00:00,Sell,EUR,100,119,0,0,100,119,',
      '2021-03-15 12:00:00,2021-03-15 10:00:00,Buy,BTC,0.002,119,0.00001,0.6,0.0015,118.4,',
      '2021-03-17 12:00:00,2021-03-17 10:00:00,Deposit,BTC,0.5,25000,0.1,5000,0.5,25000,',
    ),
  ).toEqual([
    'Check line 4: the gross amount does not equal the net amount plus the fee.',
    'Check line 3: the gross amount does not equal the net amount plus the fee.',
  ]);
});

test('Gravity until 2020: referrals are grouped, and account types have no names', async () => {
  const outside = '00000000-0000-0000-0000-000000000000';
  expect(
    await readFileLines(
      'gravity',
      'transaction id,from account,to account,date utc,transaction type,status,amount,currency',
      `g1,${outside},me,2019-03-14 10:00:00,deposit,completed,2,BTC`,
      'g2,pool,me,2019-03-15 10:00:00,referral fees grouping,completed,0.5,BSV',
      `g3,me,${outside},2019-03-16 10:00:00,withdrawal,completed,1,BTC`,
      `g3,me,${outside},2019-03-16 10:00:00,withdrawal,completed,1,BSV`,
      `g4,${outside},me,2019-03-17 10:00:00,gift,completed,1,BSV`,
    ),
  ).toEqual([
    '2 2019-03-14T10:00:00Z deposit BTC quantity=2 id=g1',
    '3 2019-03-15T10:00:00Z reward BSV quantity=0.5 id=g2',
    '4 REJECTED currency: unpaired',
    '5 REJECTED currency: unpaired',
    '6 REJECTED transaction type: unknown_type',
  ]);
});

test('Paxful: a sign that contradicts its word, and its other words', async () => {
  expect(
    await readFileLines(
      'paxful',
      'type,amount,currency,crypto_amount,crypto_currency,balance_usd,balance_crypto,sent_to,transaction_id,trade_hash,sent_to_user,received_from_user,time',
      'buy,250,USD,0.005,BTC,0,0,,2,h2,,u,2021-04-15 10:00:00',
      'buy,250,USD,-0.005,BTC,0,0,,2,h3,,u,2021-04-16 10:00:00',
      'Received,,,-0.005,BTC,0,0,,2,h4,,u,2021-04-17 10:00:00',
      'buy,£250,USD,0.005,BTC,0,0,,2,h5,,u,2021-04-18 10:00:00',
    ),
  ).toEqual([
    '2 2021-04-15T10:00:00Z buy BTC quantity=0.005 amount=250.00 id=h2',
    '3 REJECTED crypto_amount: negative',
    '4 REJECTED crypto_amount: negative',
    '5 REJECTED amount: bad_currency',
  ]);
});

describe('Subscan', () => {
  test('by the time of the block, and to the same address', async () => {
    expect(
      await readFileLines(
        'subscan',
        'Extrinsic ID,Block,Block Timestamp,From,To,Value,Symbol,Result,Hash',
        '1-1,1,2023-03-14 10:00:00 (+UTC),addrA,addrMe,10,KSM,true,h1',
        '1-2,2,2023-03-15 10:00:00 (+UTC),addrMe,addrB,4,KSM,true,h2',
        '1-3,3,2023-03-16 10:00:00 (+UTC),addrMe,addrMe,4,KSM,true,h3',
      ),
    ).toEqual([
      '2 2023-03-14T10:00:00Z deposit KSM quantity=10 id=h1',
      '3 2023-03-15T10:00:00Z withdrawal KSM quantity=4 id=h2',
    ]);
  });

  test('one row does not show whose address it is', async () => {
    expect(
      await readFileLines(
        'subscan',
        'Extrinsic ID,Date,Block,Hash,Symbol,From,To,Value,Result',
        '1-1,2022-03-14 10:00:00,1,h1,DOT,addrA,addrMe,10,true',
      ),
    ).toEqual(['2 REJECTED From: unknown_address']);
  });
});

test('Blockchair with types: spending has no sign, and receiving has no minus', async () => {
  expect(
    await readFileLines(
      'blockchair',
      'Tx number,Effect,Ticker,Amount fiat (USD),Asset rate (USD),Type,Date,Public key,Wallet address,Third-party address,Transaction hash',
      '1,0.5,LTC,50,100,External receiving,14/04/2022 10:00:00,k,a,b,h1',
      '2,0.2,LTC,22,110,External spending,05/04/2022 10:00:00,k,a,b,h2',
      '3,-0.1,LTC,11,110,External receiving,16/04/2022 10:00:00,k,a,b,h3',
      '4,0.1,LTC,11,110,Internal,17/04/2022 10:00:00,k,a,b,h4',
    ),
  ).toEqual([
    '2 2022-04-14T10:00:00Z deposit LTC quantity=0.5 id=h1',
    '3 2022-04-05T10:00:00Z withdrawal LTC quantity=0.2 id=h2',
    '4 REJECTED Effect: negative',
    '5 REJECTED Type: unknown_type',
  ]);
});

test('HandCash: uses the time of the last change, if there is one', async () => {
  expect(
    await readFileLines(
      'handcash',
      'type,addresses,transactionId,note,satoshiFees,satoshiAmount,fiatExchangeRate,fiatCurrencyCode,participants,updatedAt,createdAt',
      'receive,,h1,,0,150000000,150,USD,[],2022-03-14T10:00:05.000Z,2022-03-14T10:00:00.000Z',
      'send,,h2,,50,100000000,150,USD,[],,2022-03-15T10:00:00.000Z',
    ),
  ).toEqual([
    '2 2022-03-14T10:00:05Z deposit BSV quantity=1.5 id=h1',
    '3 2022-03-15T10:00:00Z withdrawal BSV quantity=1 fee_asset=BSV fee_quantity=0.0000005 id=h2',
  ]);
});

test('Volt without a fee column, and a header of everyday words over other amounts', async () => {
  expect(
    await readFileLines(
      'volt',
      'time,status,address,amount,txid,',
      '03/14/2021 10:00:00,Received,a,+1.5 BSV,h1,',
      '03/15/2021 10:00:00,Sent,b,-0.5 BSV,h2,',
    ),
  ).toEqual([
    '2 2021-03-14T10:00:00Z deposit BSV quantity=1.5 id=h1',
    '3 2021-03-15T10:00:00Z withdrawal BSV quantity=0.5 id=h2',
  ]);
  const others = 'time,status,address,amount,txid\n2021-03-14 10:00:00,Received,a,1.5,h1\n';
  expect(await readWhole(others).catch((error: unknown) => error instanceof Refusal && error.code)).toBe(
    'unknown_format',
  );
});

test('Aptoscan: only the fee of a transaction belongs to the user, failed or not', async () => {
  expect(
    await readFileLines(
      'aptoscan',
      'Version,Block,Time,From,To,Function,Fee,Success',
      '101,1,1678788000000000,0xa,0xme,0x1::aptos_account::transfer,0.001,true',
      '102,2,1678874400000000,0xMe,0xb,0x1::aptos_account::transfer,0.002,true',
      '105,5,1679133600000000,0xme,0xd,0x1::coin::transfer,0.004,false',
      '106,6,2023-03-19,0xme,0xd,0x1::coin::transfer,0.004,true',
    ),
  ).toEqual([
    '3 2023-03-15T10:00:00Z fee APT quantity=0.002 id=102',
    '4 2023-03-18T10:00:00Z fee APT quantity=0.004 id=105',
    '5 REJECTED Time: bad_date',
  ]);
  expect(
    await readFileLines(
      'aptoscan',
      'Version,Block,Time,Coin_Type,From,To,Amount,Fee,Success',
      '102,2,1678874400000000,0x1::aptos_coin::AptosCoin,0xme,0xb,4,0.002,true',
      '103,3,1678960800000000,0xf::asset::USDC,0xc,0xme,25,0.001,true',
      '105,5,1679133600000000,0x1::aptos_coin::AptosCoin,0xme,0xd,1,0.004,false',
    ),
  ).toEqual([
    '2 2023-03-15T10:00:00Z withdrawal APT quantity=4 id=102',
    '2 2023-03-15T10:00:00Z fee APT quantity=0.002 id=102',
    '3 2023-03-16T10:00:00Z deposit USDC quantity=25 id=103',
    '4 2023-03-18T10:00:00Z fee APT quantity=0.004 id=105',
  ]);
});

test('Delta: the sender paid the fee of a deposit', async () => {
  expect(
    await readFileLines(
      'delta',
      'Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency,Exchange,Sent/Received from,Sent to,Fee amount,Fee currency (name),Broker,Notes',
      '2023-05-09 14:51:31-04:00,DEPOSIT,0.5,BTC,CRYPTO,,,,OTHER,MY_WALLET,0.001,BTC,,',
    ),
  ).toEqual(['2 2023-05-09T18:51:31Z deposit @MY_WALLET BTC quantity=0.5 asset_class=crypto']);
});
