import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { typesWhere } from '../../src/engine/transaction-types.ts';

test('the index of rows that need prices covers every type whose amount can come from a market price', () => {
  const ledger = readFileSync(`${import.meta.dir}/../../sql/0002_ledger.sql`, 'utf8');
  const [, list = ''] = /amount is null and type in \(([^)]*)\)/.exec(ledger) ?? [];
  const types = [...list.matchAll(/'(\w+)'/g)].map(([, type]) => type);
  expect(types.sort()).toEqual([...typesWhere((row) => row.marketValue === 'amount')].sort());
});
