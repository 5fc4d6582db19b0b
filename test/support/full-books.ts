import { expect } from 'bun:test';
import type { Sql } from '../../src/db/connection.ts';
import { calculate, differencesFrom } from '../../src/features/ledger/books/calculate.ts';
import { recompute } from '../../src/features/ledger/recompute/recompute.ts';
import { readEvidence } from '../../src/features/ledger/recompute/settle.ts';
import { type StoredSettings, toElections } from '../../src/features/ledger/transactions/elections.ts';
import { selectContent } from './contents.ts';

/** Expects that the stored results equal a full calculation, and that recomputing everything changes nothing. */
export async function expectFull(sql: Sql, taxpayerId: string, settings: StoredSettings): Promise<void> {
  const stored = await selectContent(sql, taxpayerId);
  const evidence = await readEvidence(sql, taxpayerId);
  const elected = { ...settings, ...(evidence === undefined ? {} : { evidence }) };
  const { years } = await calculate(sql, taxpayerId, toElections(elected, 'UTC'));
  expect(await differencesFrom(sql, taxpayerId, years)).toEqual([]);
  await recompute(sql, taxpayerId, 'all');
  expect(await selectContent(sql, taxpayerId)).toEqual(stored);
}
