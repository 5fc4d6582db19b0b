import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  exchangesItself,
  findDifferingNames,
  listOtherNames,
  renameToBookNames,
  toBookName,
} from '../../src/engine/events/same-assets.ts';
import { areOtherSecurities, parseSecurityId } from '../../src/engine/events/security-ids.ts';
import type { Transaction } from '../../src/engine/model.ts';
import { patchSettings } from '../../src/features/ledger/settings/patch.ts';
import { toElections } from '../../src/features/ledger/transactions/elections.ts';
import { prepare } from '../../src/features/ledger/transactions/staging.ts';
import { histories } from '../oracle/histories/generate.ts';
import { optionHistories } from '../oracle/histories/narrow.ts';
import { draws } from '../support/depth.ts';
import { books, history, lineWords, lotWords } from '../support/ledger.ts';
import { seedFor } from '../support/seed.ts';
import { splitNames, twoNames } from '../support/two-names.ts';

const isin: string = 'US0378331005';
const assets = { [isin]: { sameAs: 'AAPL' }, 'APPLE INC': { sameAs: 'AAPL' } };

test('a row, an option and an adjusted contract under another name belong to the security', () => {
  const named = (name: string): string => toBookName(name, assets);
  expect([isin, 'APPLE INC', 'AAPL', 'MSFT', ''].map(named)).toEqual(['AAPL', 'AAPL', 'AAPL', 'MSFT', '']);
  expect(named(`${isin} 2025-01-17 C 150`)).toBe('AAPL 2025-01-17 C 150');
  expect(named('APPLE INC7 2025-01-17 P 150.5')).toBe('AAPL7 2025-01-17 P 150.5');
  expect(named('MSFT 2025-01-17 C 150')).toBe('MSFT 2025-01-17 C 150');
  expect(listOtherNames('AAPL', assets)).toEqual(['APPLE INC', isin]);
  expect(listOtherNames('AAPL', undefined)).toEqual([]);
});

test('all four names in a row are replaced by the names in the books, and the row keeps the original names', () => {
  const names = { asset: 'BTC', receivedAsset: isin, feeAsset: 'APPLE INC', underlying: isin };
  const row = { type: 'trade' as const, ...names };
  const booked = renameToBookNames(row, assets);
  expect(booked).toEqual({ ...row, receivedAsset: 'AAPL', feeAsset: 'AAPL', underlying: 'AAPL' });
  expect(findDifferingNames(row, booked)).toEqual({ receivedAsset: isin, feeAsset: 'APPLE INC', underlying: isin });
  expect(renameToBookNames(row, { AAPL: { collectible: false } })).toBe(row);
});

test('a merger of one name into the other means that they are two securities, and a rename does not', () => {
  const row = { asset: isin, receivedAsset: 'AAPL', feeAsset: '', underlying: '' };
  const booked = renameToBookNames(row, assets);
  expect(exchangesItself({ ...row, type: 'merger' }, booked)).toBe(true);
  expect(exchangesItself({ ...row, type: 'rename' }, booked)).toBe(false);
});

test('a rename between two names for one security changes neither lots nor wash sales', () => {
  const sold = 'buy 2024-01-02 10 X @1000\nsell 2024-02-01 10 X @800';
  const wordsIn = (text: string): string[] => [...books(text).lines.map(lineWords), ...books(text).lots.map(lotWords)];
  const bought = 'buy 2024-02-10 10 X @900';
  const plain = wordsIn(`${sold}\n${bought}`);
  expect(plain).toEqual([
    '2024-02-01 10 X: 800.00 - 1000.00 W 200.00 = 0.00 short',
    '10 X in BRK1 2024-02-10 since 2024-01-11 1100.00',
  ]);
  expect(wordsIn(`${sold}\nrename 2024-02-05 X for X\n${bought}`)).toEqual(plain);
});

test('a CUSIP and the US ISIN that contains it identify the same security, and the numbers of two share classes do not', () => {
  expect(parseSecurityId(isin)).toEqual({ kind: 'cusip', id: '037833100' });
  expect(parseSecurityId('037833100')).toEqual({ kind: 'cusip', id: '037833100' });
  expect(parseSecurityId('IE00B4L5Y983')).toEqual({ kind: 'isin', id: 'IE00B4L5Y983' });
  expect(['AAPL', '037833101', 'US0378331006', 'BITCOIN12'].map(parseSecurityId)).toEqual(Array(4).fill(undefined));
  expect(areOtherSecurities('02079K305', 'US02079K1079')).toBe(true);
  expect(areOtherSecurities(isin, '037833100')).toBe(false);
  expect(areOtherSecurities(isin, 'AAPL')).toBe(false);
});

test.each([
  ['the name itself', { X: { sameAs: 'X' } }, '/assets/X/sameAs Enter a different name'],
  ['a chain', { X: { sameAs: 'Y' }, Y: { sameAs: 'Z' } }, 'Y is already another name of Z. Use that name'],
  ['a cycle', { X: { sameAs: 'Y' }, Y: { sameAs: 'X' } }, 'Y is already another name of X'],
  ['money', { X: { sameAs: 'USD' } }, 'A currency cannot have another name'],
  ['a currency', { EUR: { sameAs: 'X' } }, 'A currency cannot have another name'],
  ['other members', { X: { sameAs: 'Y', collectible: true } }, 'Enter its other settings under Y'],
  ['an option', { X: { sameAs: 'Y 2025-01-17 C 150' } }, 'One of the two names is an option'],
  ['two CUSIPs', { '02079K305': { sameAs: '02079K107' } }, 'are numbers of two different securities'],
  [
    'two CUSIPs of one ticker',
    { '02079K305': { sameAs: 'G' }, '02079K107': { sameAs: 'G' } },
    'two different securities',
  ],
])('invalid names for the same security are refused: %s', (_, stated, sentence) => {
  expect(() => patchSettings({}, { assets: stated })).toThrow(sentence);
});

test('a standing order for another name applies to the security, and the settings keep the stated name', () => {
  const orders = [{ asset: isin, method: 'HIFO', madeAt: '2024-01-01' }] as const;
  const settings = patchSettings({}, { assets, standingOrders: orders });
  expect(settings.standingOrders?.[0]?.asset).toBe(isin);
  expect(toElections(settings, 'UTC').rules.standingOrders?.[0]?.asset).toBe('AAPL');
});

test('a row under another name changes the books of the security and keeps its own fingerprint', () => {
  const [row] = history('buy 2024-01-02 10 US0378331005 @1000') as [Transaction];
  const context = { accounts: {}, sourceClass: null, timeZone: null };
  const [alone, joined] = [prepare(row, 1, context), prepare(row, 1, { ...context, assets })];
  expect([alone.keys, joined.keys]).toEqual([[`security:${isin}`], ['security:AAPL']]);
  expect(joined.fingerprint).toBe(alone.fingerprint);
  expect([alone.statedNames, joined.statedNames]).toEqual([null, `{"asset":"${isin}"}`]);
  expect(prepare({ ...row, asset: 'AAPL' }, 1, context).fingerprint).not.toBe(joined.fingerprint);
});

test('if rows use two names for one security, the books use one', () => {
  const drawn = fc.tuple(fc.oneof(histories(30), optionHistories(30)), twoNames);
  const property = fc.property(drawn, ([{ history: rows }, split]) => {
    const { rows: stated, assets: words } = splitNames(rows, split);
    expect(stated.map((row) => renameToBookNames(row, words))).toEqual([...rows]);
  });
  fc.assert(property, { seed: seedFor('two names'), numRuns: draws(100, 500) });
});
