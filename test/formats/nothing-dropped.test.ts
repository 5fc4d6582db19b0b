import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { outcomeLines } from './outcome-lines.ts';
import { readWhole } from './reading.ts';

/** Tests that no money is dropped or invented. */

const readFixture = (format: string): string =>
  readFileSync(join(import.meta.dir, '../fixtures/formats', `${format}.csv`), 'utf8');

describe('a dividend that states the shares held', () => {
  const mapping: Mapping = {
    columns: { Date: 'date', Type: 'type', Symbol: 'asset', Shares: 'quantity', Amount: 'amount' },
  };
  const readLine = async (row: string): Promise<string> =>
    outcomeLines(await readWhole(`Date,Type,Symbol,Shares,Amount\n${row}\n`, { mapping }), 'Imported').join();

  test('opens no lot', async () => {
    expect(await readLine('2025-03-03,Dividend,KO,100,46.00')).toBe('2 2025-03-03 dividend KO amount=46.00');
    expect(await readLine('2025-03-03,Dividend,KO,100,-46.00')).toBe('2 2025-03-03 dividend KO amount=-46.00');
  });

  test('opens a lot if only shares were paid, or if it was reinvested', async () => {
    expect(await readLine('2025-03-03,Dividend,KO,2,')).toBe('2 2025-03-03 dividend KO quantity=2');
    expect(await readLine('2025-03-03,Reinvestment,KO,2,120')).toBe(
      '2 2025-03-03 reinvest KO quantity=2 amount=120.00',
    );
  });
});

describe('units earned for a value of 0', () => {
  test('have no value yet, in a known format', async () => {
    const file = readFixture('coinbase').replace('$1.50', '$0.00');
    expect(file).not.toBe(readFixture('coinbase'));
    const draft = (await readWhole(file)).drafts.find(({ line }) => line === 12);
    expect({ type: draft?.type, amount: draft?.amount }).toEqual({ type: 'reward', amount: null });
  });

  test('have no value yet in a mapped file either', async () => {
    const columns = { d: 'date', t: 'type', a: 'asset', q: 'quantity', v: 'amount' } as const;
    const read = await readWhole('d,t,a,q,v\n2025-03-03,staking,ETH,0.1,0.00\n', { mapping: { columns } });
    expect(outcomeLines(read, 'Imported')).toEqual(['2 2025-03-03 staking ETH quantity=0.1']);
  });
});

test('an option that expired with a cash loss raises a question', async () => {
  const file = readFixture('robinhood');
  const lines = file.split('\n');
  const at = lines.findIndex((line) => line.includes('OEXP'));
  const header = lines[0] ?? '';
  const expired = lines[at] ?? '';
  expect(expired).not.toBe('');
  const cells = expired.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const amount = header.split(',').findIndex((name) => name.includes('Amount'));
  const changed = lines.with(at, cells.with(amount, '"($2,290.00)"').join(',')).join('\n');
  const outcome = (await readWhole(changed)).outcomes.find(({ lines: own }) => own.includes(at + 1));
  expect(outcome?.kind === 'rejected' ? outcome.issue.code : outcome?.kind).toBe('money_left');
});

describe('Uphold: a conversion in the same row as its transfer', () => {
  const header = readFixture('uphold').split('\n')[0];
  const readLines = async (row: string): Promise<string[]> =>
    outcomeLines(await readWhole(`${header}\n${row}\n`), 'Uphold');

  test('is two transactions if it is outgoing', async () => {
    expect(
      await readLines('Mon Dec 03 2018 19:00:03 GMT+0000,ethereum,2,ETH,,,u-8,uphold,0.1,BTC,completed,out'),
    ).toEqual([
      '2 2018-12-03T19:00:03Z trade BTC quantity=0.1 received_asset=ETH received_quantity=2 id=u-8',
      '2 2018-12-03T19:00:03Z withdrawal ETH quantity=2 id=u-8',
    ]);
  });

  test('is two transactions if it is incoming', async () => {
    expect(
      await readLines('Mon Dec 03 2018 19:00:03 GMT+0000,uphold,2,ETH,,,u-8,bitcoin,0.1,BTC,completed,in'),
    ).toEqual([
      '2 2018-12-03T19:00:03Z deposit BTC quantity=0.1 id=u-8',
      '2 2018-12-03T19:00:03Z trade BTC quantity=0.1 received_asset=ETH received_quantity=2 id=u-8',
    ]);
  });

  test('is a sale if it is a payout in dollars', async () => {
    expect(
      await readLines('Mon Dec 03 2018 19:00:03 GMT+0000,bank,390,USD,,,u-8,uphold,0.1,BTC,completed,out'),
    ).toEqual(['2 2018-12-03T19:00:03Z sell BTC quantity=0.1 amount=390.00 id=u-8']);
  });
});
