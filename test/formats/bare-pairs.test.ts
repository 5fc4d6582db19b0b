import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Mapping } from '../../src/formats/mapping/mapping.ts';
import { isBareAsset } from '../../src/formats/tables/pairs.ts';
import { draws } from '../support/depth.ts';
import { readLines } from './mapped-lines.ts';

const columns = { d: 'date', t: 'type', q: 'quantity', m: 'amount' } as const;
const asPair: Mapping = { columns: { ...columns, p: 'pair' } };
const asAsset: Mapping = { columns: { ...columns, p: 'asset' } };
const symbol = fc.stringMatching(/^[A-Z][A-Z0-9]{1,4}$/).filter(isBareAsset);

test('a bare asset in a pair column is read as in an asset column, next to rows with pairs', async () => {
  await fc.assert(
    fc.asyncProperty(symbol, fc.constantFrom('buy', 'sell', 'deposit', 'withdrawal'), async (asset, type) => {
      const rows = [`2024-01-05,${type},2,10,${asset}`, `2024-01-06,${type},3,12,${asset}`];
      const head = 'd,t,q,m,p\n';
      const bare = await readLines(head + rows.join('\n'), asPair);
      expect(bare).toEqual(await readLines(head + rows.join('\n'), asAsset));
      const mixed = await readLines(`${head}2024-01-04,buy,1,9,ETH-USD\n${rows.join('\n')}`, asPair);
      expect(mixed.filter((line) => /ETH/.test(line))).not.toEqual([]);
      expect(mixed.length).toBe(bare.length + 1);
    }),
    { numRuns: draws(25, 100) },
  );
});

test('a text that may be a pair with an unknown quote is still refused', async () => {
  const row = (pair: string): string => `2024-01-05,buy,1,10,${pair}`;
  const lines = await readLines(`d,t,q,m,p\n${['BTCTHB', 'BTC', 'ETHUSD', 'A'].map(row).join('\n')}\n`, asPair);
  expect(lines.filter((line) => line.includes('unknown_pair')).map((line) => line.slice(0, 1))).toEqual(['2', '5']);
});
