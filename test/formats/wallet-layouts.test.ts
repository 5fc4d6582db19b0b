import { expect, test } from 'bun:test';
import { Refusal } from '../../src/base/refusal.ts';
import { readFileLines } from './lines-of.ts';
import { readWhole } from './reading.ts';

/**
 * Layouts of small exchanges, wallets and explorers other than the format's fixture. The expected contents of their
 * rows were checked manually.
 */

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
