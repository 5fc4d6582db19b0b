import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWhole } from './reading.ts';

/**
 * Tests that words about money are closed lists: an unlisted text raises a question, regardless of the words it
 * contains.
 */

const readHeader = (format: string): string =>
  readFileSync(join(import.meta.dir, '../fixtures/formats', `${format}.csv`), 'utf8')
    .split('\n')
    .find((line) => /date|time/i.test(line)) ?? '';

/** Returns how a row is read: the type of its draft, `skipped` or `rejected`. */
async function readKind(format: string, row: string, header = readHeader(format)): Promise<string> {
  const { outcomes } = await readWhole(`${header}\n${row}\n`, { format });
  const [outcome] = outcomes;
  return outcome?.kind === 'read' ? outcome.drafts.map(({ type }) => type).join('+') : (outcome?.kind ?? 'nothing');
}

describe('Coinbase, by the note of a row', () => {
  const header =
    'ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes';
  const of = (note: string, type = 'Receive', quantity = '0.5') =>
    readKind(
      'coinbase',
      `a1,2025-02-08 10:00:00 UTC,${type},ETH,${quantity},USD,$3000.00,$1500.00,$1500.00,$0.00,${note}`,
      header,
    );

  test.each([
    'Received 0.5 ETH from Coinbase',
    'Received 0.5 ETH from Coinbase Earn',
    'Received 0.5 ETH from Coinbase Rewards',
    'Received 0.5 ETH from Coinbase Referral',
    'Received 0.5 ETH from Network Deprecation',
  ])('%s is income', async (note) => expect(await of(note)).toBe('reward'));

  test.each(['Received 0.5 ETH from Coinbase Staked Assets', 'Received 0.5 ETH from Coinbase Vault'])(
    '%s is only a transfer',
    async (note) => expect(await of(note)).toBe('skipped'),
  );

  test('a transfer to the staked assets is only a transfer', async () =>
    expect(await of('Sent 0.5 ETH to Coinbase Staked Assets', 'Send', '-0.5')).toBe('skipped'));

  test.each([
    'Received 0.5 ETH from Coinbase Pro',
    'Received 0.5 ETH from Coinbase Exchange',
    'Received 0.5 ETH from Coinbase Prime',
    'Received 0.5 ETH from Coinbase Wallet',
    'Received 0.5 ETH from Coinbase Custody',
    'Received 0.5 ETH from Coinbase Commerce',
    'Received 0.5 ETH from Coinbase Loan',
    'Received 0.5 ETH from Coinbase Borrow',
    'Received 0.5 ETH from Coinbase Earn Vault of a friend',
    'Received 0.5 ETH from Rewards Wallet',
    'Received 0.5 ETH from coinbase-rewards.example',
    'Received 0.5 ETH from an external account',
  ])('%s is a transfer from another account', async (note) => expect(await of(note)).toBe('deposit'));

  test.each([
    ['Retail Staking Transfer', 'skipped'],
    ['Retail Unstaking Transfer', 'skipped'],
    ['Retail Eth2 Deprecation', 'skipped'],
    ['Vault Withdrawal', 'skipped'],
    ['Retail Staking Reward', 'staking'],
    ['Vault Something', 'rejected'],
    ['Retail Something', 'rejected'],
  ])('%s is %s', async (type, kind) => expect(await of('', type)).toBe(kind));
});

describe('Gemini, by the specification of a credit', () => {
  const of = (specification: string) =>
    readKind('gemini', `2025-03-02,12:00:00,Credit,BTC,${specification},,,,,,0.001 BTC ,,0.02086 BTC ,,,,,,`);
  test.each(['Administrative Credit', 'Reward Payout', 'Referral Bonus', 'Earn Interest'])(
    '%s is income',
    async (specification) => expect(await of(specification)).toBe('reward'),
  );
  test.each(['Earn Redemption', 'Earn Transfer', 'Deposit (BTC)'])('%s is a deposit', async (specification) =>
    expect(await of(specification)).toBe('deposit'),
  );
});

describe('Zerion, by the type of a transaction', () => {
  const of = (type: string) =>
    readKind('zerion', `2022-06-05,10:00:00,${type},Confirmed,App,Income,40,OP,,60,USD,,,,,,,,,,e,b,z5,,1654423200,[]`);
  test('a claim is income', async () => expect(await of('Claim')).toBe('other_income'));
  test.each(['Unstake', 'Stake', 'Receive'])("%s returns the user's own coins", async (type) =>
    expect(await of(type)).toBe('deposit'),
  );
});

describe('TD Ameritrade, by the description', () => {
  const of = (description: string) =>
    readKind('tdameritrade', `03/12/2020,9007,${description},5,OAKS,,,10.00,1209.44,,,,`);
  test.each([
    'MANDATORY - NAME CHANGE (COFFEE HOLDING)',
    'MANDATORY REVERSE SPLIT (WIRELESS TELECOM)',
    'MANDATORY - CASH MERGER (INTEREST SENSITIVE CO)',
    'SOMETHING ABOUT COFFEE',
    'INTERESTING SECURITY RECEIVED',
    'STOCK OF A WIRELESS CO RECEIVED',
  ])('%s raises a question', async (description) => expect(await of(description)).toBe('rejected'));
  test.each([
    ['FREE BALANCE INTEREST ADJUSTMENT', 'interest'],
    ['WIRE INCOMING', 'skipped'],
    ['ADR FEE (OAKS)', 'skipped'],
    ['MARGIN INTEREST ADJUSTMENT', 'skipped'],
    ['ORDINARY DIVIDEND (OAKS)', 'dividend'],
  ])('%s is %s', async (description, kind) => expect(await of(description)).toBe(kind));
});

describe('Firstrade, by the description of other rows', () => {
  const of = (description: string, amount = '100.00') =>
    readKind('firstrade', `,0.00,,Other,${description},2025-03-07,2025-03-07,0.00,${amount},0.00,0.00,,Financial`);
  test.each(['ACH DEPOSIT', 'WIRE IN', 'ADR FEE', 'ACCOUNT TRANSFER'])('%s is cash', async (description) =>
    expect(await of(description)).toBe('skipped'),
  );
  test.each(['OAKS INC CASH MERGER', 'OAKS INC CASH IN LIEU', 'OAKS FUND LONG TERM GAIN'])(
    '%s raises a question',
    async (description) => expect(await of(description)).toBe('rejected'),
  );
});

describe('E*TRADE and Merrill, by the activity', () => {
  const etrade =
    'Activity/Trade Date,Transaction Date,Settlement Date,Activity Type,Description,Symbol,Cusip,Quantity #,Price $,Amount $,Commission,Category,Note';
  test.each([
    ['Dividend', 'dividend'],
    ['Qualified Dividend', 'dividend'],
    ['Stock Dividend', 'split'],
    ['Stock Split', 'split'],
    ['Payment in Lieu of Dividend', 'other_income'],
    ['Interest', 'interest'],
    ['Interest Charged', 'skipped'],
    ['LT Cap Gain Distribution', 'capital_gain_distribution'],
    ['Dividend Tax Reclaim', 'rejected'],
    ['Interest Rate Swap', 'rejected'],
    ['Reverse Split', 'rejected'],
  ])('%s at E*TRADE is %s', async (activity, kind) => {
    const amount = kind === 'split' ? '' : '12.00';
    const row = `09/10/26,09/10/26,09/10/26,${activity},OAKS CORP,OAKS,000000AB1,5,,${amount},0,--,--`;
    expect(await readKind('etrade', row, etrade)).toBe(kind);
  });

  test('a dividend at E*TRADE that is a long-term gain of a fund is a capital gain distribution', async () => {
    const row = '09/10/26,09/10/26,09/10/26,Dividend,OAKS FUND LONG-TERM CAP GAIN,OAKSX,,0,,12.00,0,--,--';
    expect(await readKind('etrade', row, etrade)).toBe('capital_gain_distribution');
  });

  test.each([
    ['Dividend', 'dividend'],
    ['Interest', 'interest'],
    ['Stock Dividend', 'rejected'],
    ['Payment in lieu of dividend', 'rejected'],
    ['Interest charged', 'rejected'],
  ])('%s at Merrill is %s', async (activity, kind) => {
    const row = `2/5/2026,2/5/2026,Settled,--,CMA,BB-2,SecurityTransactions,${activity},OAKS CORP,OAKS,--,--,2.40`;
    expect(await readKind('merrill', row)).toBe(kind);
  });
});

describe('Fidelity, by the action', () => {
  const header =
    'Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($)';
  const of = (action: string, symbol = '', quantity = '', amount = '12.00') =>
    readKind('fidelity', `06/06/2024,${action},${symbol},OAKS INC,Cash,${quantity},,,,,${amount}`, header);
  test.each([
    ['CASH IN LIEU OF FRACTIONS OAKS INC (OAKS) (Cash)', 'rejected'],
    ['CASH CONTRIBUTION CURRENT YEAR (Cash)', 'skipped'],
    ['INTEREST EARNED (Cash)', 'interest'],
    ['INTEREST CHARGED (Cash)', 'rejected'],
    ['EXCHANGED TO PINE (OAKS) (Cash)', 'rejected'],
  ])('%s is %s', async (action, kind) => expect(await of(action, 'OAKS')).toBe(kind));

  test('shares that leave with a distribution of an account are a transfer', async () =>
    expect(await of('NORMAL DISTR PARTIAL OAKS INC (OAKS) (Cash)', 'OAKS', '-10', '')).toBe('withdrawal'));

  test('an option that is neither opened nor closed raises a question', async () => {
    expect(await of('YOU SOLD CALL (OAKS) OAKS INC DEC 20 24 $25', '-OAKS241220C25', '-1', '49.00')).toBe('rejected');
    expect(await of('YOU SOLD CLOSING TRANSACTION CALL (OAKS)', '-OAKS241220C25', '-1', '49.00')).toBe('sell_to_close');
  });
});
