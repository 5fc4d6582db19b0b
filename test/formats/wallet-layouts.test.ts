import { describe, expect, test } from 'bun:test';
import { linesOf } from './lines-of.ts';

/** Layouts of small exchanges, wallets and explorers beside the one of a format's fixture: what their rows say, by hand. */

describe('CoinCorner', () => {
  test('until 2020: both halves of a trade have their date in common', async () => {
    expect(
      await linesOf(
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

  test('coins that are called a Faster Payment are coins', async () => {
    expect(
      await linesOf(
        'coincorner',
        'Date & Time,Store/Website,Detail,Type,Tx ID,Price,Price Currency,Gross,Gross Currency,Fee,Fee Currency,Net,Net Currency,Balance,Balance Currency',
        '17/03/2020 10:00,,bc1fictional,FPS,4,,,-0.0101,BTC,0.0001,BTC,-0.01,BTC,0.0299,BTC',
        '18/03/2020 10:00,,bc1fictional,FPS,5,,,0.005,BTC,,,0.005,BTC,0.0349,BTC',
        '19/03/2020 10:00,,bc1fictional,Receive,6,,,0.005,BTC,,,0.004,BTC,0.0389,BTC',
      ),
    ).toEqual([
      '2 2020-03-17T10:00:00Z withdrawal BTC quantity=0.01 fee_asset=BTC fee_quantity=0.0001 id=4',
      '3 2020-03-18T10:00:00Z deposit BTC quantity=0.005 id=5',
      '4 REJECTED Gross: amounts_differ',
    ]);
  });
});

test('Gravity until 2020: referrals are grouped, and the kinds of accounts are not named', async () => {
  const outside = '00000000-0000-0000-0000-000000000000';
  expect(
    await linesOf(
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
    await linesOf(
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
