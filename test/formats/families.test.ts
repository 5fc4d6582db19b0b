import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/**
 * Tests of unknown row types. A type is recognized by the words in its name. If no word is known, the row is rejected
 * or imported with a warning.
 */

const readHeader = (format: string, line = 0): string =>
  readFileSync(join(import.meta.dir, '../fixtures/formats', `${format}.csv`), 'utf8').split('\n')[line] ?? '';

describe('Crypto.com', () => {
  const read = async (kind: string, amount = '2') => {
    const rows = `2025-03-08 12:00:00,What it says,CRO,${amount},,,USD,1.50,1.50,${kind},`;
    const whole = await readWhole(`${readHeader('cryptocom')}\n${rows}\n`);
    const [outcome] = whole.outcomes;
    return {
      line: outcome?.kind === 'skipped' ? 'skipped' : outcomeLines(whole, 'Crypto.com').join(),
      warnings: whole.drafts.flatMap(({ warning }) => warning ?? []),
    };
  };
  const income = async (kind: string): Promise<string> => (await read(kind)).line.split(' ')[2] ?? '';

  test.each([
    'supercharger_deposit',
    'supercharger_withdrawal',
    'invest_deposit',
    'invest_withdrawal',
    'council_node_deposit_created',
    'crypto_earn_program_created',
    'crypto_earn_program_withdrawn',
    'lockup_upgrade',
    'finance.dpos.staking.crypto_wallet',
    'finance.dpos.unstaking.crypto_wallet',
  ])('%s is skipped as a transfer within Crypto.com', async (kind) => {
    expect((await read(kind)).line).toBe('skipped');
  });

  test.each([
    ['supercharger_reward_to_app_credited', 'reward'],
    ['rewards_platform_deposit_credited', 'reward'],
    ['admin_wallet_credited', 'reward'],
    ['invest_cashback', 'reward'],
    ['card_new_year_bonus', 'reward'],
    ['crypto_earn_extra_interest_paid', 'interest'],
    ['finance.dpos.compound_interest.crypto_wallet', 'staking'],
    ['staking_reward', 'staking'],
    ['airdrop_to_exchange_transfer', 'airdrop'],
  ])('%s is imported as %s', async (kind, type) => {
    expect(await income(kind)).toBe(type);
  });

  test('a type in a known family but without a known word is imported as units received or sent, with a warning', async () => {
    expect(await read('supercharger_boost')).toEqual({
      line: '2 2025-03-08T12:00:00Z deposit CRO quantity=2',
      warnings: ['Check line 2: "supercharger_boost" is an unknown type, so it was imported as units received.'],
    });
    expect(await read('invest_rebalance', '-2')).toMatchObject({
      line: '2 2025-03-08T12:00:00Z withdrawal CRO quantity=2',
    });
  });

  test('a type in no known family is rejected', async () => {
    expect((await read('never_seen_before')).line).toContain('REJECTED');
  });
});

describe('Coinbase', () => {
  const file = readFileSync(join(import.meta.dir, '../fixtures/formats/coinbase.csv'), 'utf8').split('\n');
  const at = file.findIndex((line) => line.includes('Staking Income') || line.includes('Inflation Reward'));
  const typed = async (type: string): Promise<string> => {
    const changed = (file[at] ?? '').replace(/Staking Income|Inflation Reward/, type);
    const { outcomes } = await readWhole(file.with(at, changed).join('\n'));
    const outcome = outcomes.find(({ lines }) => lines.includes(at + 1));
    return outcome?.kind === 'read' ? (outcome.drafts[0]?.type ?? '') : (outcome?.kind ?? '');
  };

  test.each([
    ['Staking Rewards Payout', 'staking'],
    ['Subscription Rebates (24 Hours)', 'reward'],
    ['Onchain Incentives', 'reward'],
    ['Loan Interest Charge', 'rejected'],
    ['USDC Interest Payout', 'interest'],
    ['Retail Unstaking Transfer', 'skipped'],
    ['Subscription', 'rejected'],
  ])('a row of type %s becomes %s', async (type, wanted) => {
    expect(await typed(type)).toBe(wanted);
  });
});

describe('Kraken', () => {
  const header = readHeader('kraken-ledgers');
  const sample = '"L1","R1","2025-04-03 08:00:00","transfer","SUB","currency","XETH","spot / main",1.5,0,1.5,,';
  const readKind = async (subtype: string): Promise<string> =>
    (await readWhole(`${header}\n${sample.replace('SUB', subtype)}\n`)).outcomes[0]?.kind ?? '';

  test.each(['spottoearn', 'earnfromspot', 'futurestospot', 'autodeallocate', 'deallocation', 'migration'])(
    'a %s transfer within Kraken is skipped',
    async (subtype) => {
      expect(await readKind(subtype)).toBe('skipped');
    },
  );

  test('any other transfer subtype is rejected', async () => {
    expect(await readKind('spottomoon')).toBe('rejected');
  });
});
